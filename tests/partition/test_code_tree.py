"""The tree of a column over its codes, against the same nodes as sets."""

from __future__ import annotations

import numpy as np
from lattice_oracle import random_case
from node_oracle import loss_of_cell, nodes_of

from amongst.partition.trees.code_tree import CodeTree, code_tree


def below(tree: CodeTree, node: int) -> frozenset[int]:
    return frozenset(range(int(tree.start[node]), int(tree.end[node]) + 1))


def test_nodes_children_and_penalties() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        for column in random_case(rng).coded.columns:
            tree = code_tree(column)
            sets = [below(tree, node) for node in range(tree.n_nodes)]
            assert len(set(sets)) == len(sets)
            assert set(sets) == nodes_of(column)
            for node, codes in enumerate(sets):
                children = [sets[child] for child in tree.children(node)]
                assert sorted(code for child in children for code in child) == (sorted(codes) if len(codes) > 1 else [])
                assert not any(other < codes and any(child < other for child in children) for other in sets)
                values = codes - {column.wildcard} if len(codes) > 1 else codes
                assert (int(tree.lo[node]), int(tree.hi[node])) == (min(values), max(values))
                assert tree.penalty[node] == loss_of_cell(column, codes, min(values))
            assert [sets[leaf] for leaf in tree.at_depth[-1]] == [{code} for code in range(tree.n_codes)]


def test_the_lowest_node_above_two_codes() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        for column in random_case(rng).coded.columns:
            tree = code_tree(column)
            lo, hi = np.sort(rng.integers(0, tree.n_codes, (2, 8)), axis=0)
            for node, a, b in zip(tree.lowest_above(lo, hi), lo, hi, strict=True):
                smallest = min((codes for codes in nodes_of(column) if {a, b} <= codes), key=len)
                assert below(tree, node) == smallest


def test_the_child_above_a_code() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        for column in random_case(rng).coded.columns:
            tree = code_tree(column)
            code = rng.integers(0, tree.n_codes, 8)
            node = tree.at_depth[rng.integers(0, len(tree.at_depth), 8), code]
            for own, above, child in zip(code, node, tree.child_of(node, code), strict=True):
                assert own in below(tree, child)
                assert child in tree.children(above) or (child == above and tree.is_leaf[above])
