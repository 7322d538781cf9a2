"""Samarati's search: all generalizations of the least height that hold, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from lattice_oracle import all_nodes, random_case, safe_nodes

import amongst as am
from amongst.partition.full_domain.samarati import METHOD as SAMARATI
from amongst.partition.full_domain.search import search_lattice


@pytest.mark.parametrize("seed", range(8))
def test_all_of_least_height(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    for number in range(125):
        case = random_case(rng)
        safe = safe_nodes(case)
        least = min(map(sum, safe), default=0)
        found = search_lattice(SAMARATI, case.coded, [am.KAnonymity(case.k)], case.suppression, case.limits)
        assert set(found) == {node for node in safe if sum(node) == least}, f"seed {seed}, case {number}"
        assert set(found.minimal()) == set(found)
        assert not found.complete
        assert 1 <= found.n_searched <= len(all_nodes(case))


def test_heights_are_halved() -> None:
    """A tall lattice with one column: log2 of its height, and not its height, is looked at."""
    n = 256
    table = {"a": list(range(n))}
    schema = am.Schema({"a": am.Column(role="quasi", hierarchy=am.Hierarchy.fanout(2))})
    found = am.generalizations(_arrow(table), schema, [am.KAnonymity(2)], method="samarati")
    assert list(found) == [(1,)]
    assert found.n_searched <= 4


def _arrow(columns: dict[str, list[int]]) -> object:
    import pyarrow as pa

    return pa.table(columns)
