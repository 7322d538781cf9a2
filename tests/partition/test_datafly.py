"""Datafly: what it finds holds, it stops as soon as that is so, and it never builds the lattice."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import Case, Node, counts, holds, random_case, safe_nodes

import amongst as am
from amongst.partition.full_domain.datafly import METHOD as DATAFLY
from amongst.partition.full_domain.search import search_lattice


def climbed(case: Case) -> list[Node]:
    """The path of Datafly: the column with the most values left goes up, the first of several."""
    path, top = [(0,) * len(case.names)], case.heights
    while not holds(case, path[-1]) and path[-1] != top:
        node = path[-1]
        tuples = list(counts(case, node))
        left = [len({one[c] for one in tuples}) if node[c] < top[c] else -1 for c in range(len(top))]
        c = left.index(max(left))
        path.append((*node[:c], node[c] + 1, *node[c + 1 :]))
    return path


@pytest.mark.parametrize("seed", range(8))
def test_it_climbs_one_path_and_stops_where_it_holds(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    for number in range(125):
        case = random_case(rng)
        found = search_lattice(DATAFLY, case.coded, [am.KAnonymity(case.k)], case.suppression, case.limits)
        path, where = climbed(case), f"seed {seed}, case {number}"
        assert found.n_searched == len(path), where
        assert list(found) == ([path[-1]] if holds(case, path[-1]) else []), where
        assert bool(len(found)) == bool(safe_nodes(case)), where
        assert found.minimal() == list(found)
        assert not found.complete


def test_a_lattice_that_cannot_be_enumerated_is_climbed() -> None:
    n_columns, rng = 40, np.random.default_rng(0)
    table = pa.table({f"c{c}": rng.integers(0, 1000, 300) for c in range(n_columns)})
    tall = am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([10, 100]))
    schema = am.Schema(dict.fromkeys(table.column_names, tall))
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="datafly", suppression=0.05)
    assert release.verdict.ok
    assert release.utility.n_suppressed <= 15
    found = am.generalizations(table, schema, [am.KAnonymity(3)], method="datafly")
    assert len(found) == 1
    assert next(iter(found)) in found
