"""Which tree is grown, against all cuts of small ones."""

from __future__ import annotations

import itertools

import numpy as np

import amongst as am
from amongst.encode import encode
from amongst.republish.box_tree import SIZES, BoxTree, _loss, grow, grow_once, loss_of_nodes
from amongst.schema.check import check


def all_cuts(tree: BoxTree, x: int = 0) -> list[list[int]]:
    parts = tree.nodes[x].parts
    below = itertools.product(*(all_cuts(tree, part) for part in parts)) if parts else []
    return [[x], *(list(itertools.chain(*one)) for one in below)]


def test_a_tree_is_judged_by_the_best_boxes_of_several_sizes_and_the_search_makes_it_no_worse() -> None:
    year = am.datasets.hospital_year(n_persons=160, n_months=1)
    schema = check(year[0].schema, year[0].table, form="labels")
    table, least = encode(year[0].table, schema, ["diagnosis"]), 14
    tree = grow_once(table, least)
    loss, parent = loss_of_nodes(tree, table), tree.parent_of_node()
    n_rows = np.bincount(tree.leaf_of_row(table), minlength=len(tree.nodes))
    for x in range(len(n_rows) - 1, 0, -1):
        n_rows[parent[x]] += n_rows[x]
    cuts = all_cuts(tree)
    assert len(cuts) > 10
    best = [
        min((n_rows[cut] * loss[cut]).sum() for cut in cuts if cut == [0] or n_rows[cut].min() >= times * least)
        for times in SIZES
    ]
    assert np.isclose(_loss(tree, table, least), np.mean(best) / 160)
    assert _loss(grow(table, least), table, least) <= _loss(tree, table, least)
