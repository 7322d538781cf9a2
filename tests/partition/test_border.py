"""The border of the lattice, against its definition."""

from __future__ import annotations

import numpy as np
from lattice_oracle import generalizes, random_case, safe_nodes

from amongst.partition.full_domain.border import border, by_height, maximal
from amongst.partition.lattice import Lattice, as_tuples


def test_the_border_says_everything() -> None:
    rng = np.random.default_rng(31)
    for _ in range(150):
        case = random_case(rng)
        held = safe_nodes(case)
        safe = Lattice(case.heights).nothing()
        for node in held:
            safe[node] = True
        failed = set(as_tuples(~safe))
        lowest, highest = (set(as_tuples(nodes)) for nodes in border(safe))
        assert highest == {node for node in failed if not any(generalizes(other, node) for other in failed)}
        assert lowest == {node for node in held if not any(generalizes(node, other) for other in held)}
        for node in held | failed:
            above = any(node == one or generalizes(node, one) for one in lowest)
            below = any(node == one or generalizes(one, node) for one in highest)
            assert (above, below) == (node in held, node in failed)


def test_nodes_are_counted_by_height() -> None:
    rng = np.random.default_rng(32)
    for heights in [(0,), (3,), (1, 2), (2, 1, 3), (0, 2)]:
        nodes = rng.random(Lattice(heights).shape) < 0.5
        expected = [sum(sum(node) == height for node in as_tuples(nodes)) for height in range(sum(heights) + 1)]
        assert by_height(nodes).tolist() == expected


def test_nothing_has_no_border() -> None:
    assert not maximal(np.zeros((2, 3), dtype=bool)).any()
    assert [int(nodes.sum()) for nodes in border(np.ones((2, 3), dtype=bool))] == [1, 0]
