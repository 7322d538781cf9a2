"""Counts that no kernel can add up: cut by counting first, and the groups stay what they are."""

from __future__ import annotations

import numpy as np
import pytest

from amongst import kernels
from amongst.encode import encode, tuples_of
from amongst.errors import Infeasible
from amongst.models import KAnonymity
from amongst.partition.mondrian.large_counts import MOST_ROWS, mondrian_in_parts
from amongst.partition.mondrian.mondrian import CUTS, mondrian
from amongst.schema.check import check
from flow_tables import random_table


@pytest.mark.parametrize("cuts", CUTS.values())
def test_parts_give_the_groups_of_the_whole(cuts: int) -> None:
    cut = 0
    for seed in range(60):
        made = random_table(np.random.default_rng([seed, cuts]), most_rows=80)
        try:
            table = encode(made.table, check(made.schema, made.table))
        except Infeasible:  # every row has a null that suppresses it
            continue
        tuples = tuples_of(table)
        expected = kernels.mondrian(tuples.codes, tuples.count, table.axes, 2, cuts=cuts, relaxed=False, tick=None)
        for most in (1, 7, 30):
            found = mondrian_in_parts(tuples.codes, tuples.count, table.axes, 2, cuts, most_rows=most)
            assert [np.array_equal(a, b) for a, b in zip(found[:3], expected[:3], strict=True)] == [True] * 3
            assert found[3] == expected[3]
        cut += len(expected[1]) > 1
    assert cut > 20


def test_more_rows_than_32_bits_hold() -> None:
    """Times a million: the same groups, for a million times the k."""
    from dataclasses import replace

    import pyarrow as pa

    import amongst as am

    rng = np.random.default_rng(3)
    table = pa.table({"age": rng.integers(0, 80, 300), "city": rng.integers(0, 30, 300)})
    schema = check(am.Schema({name: am.Column(role="quasi") for name in table.column_names}), table)
    times = rng.integers(1, 100, 300)
    small = encode(table, schema, count=times)
    large = replace(small, count=(times * 1_000_000).astype(np.uint32), n_input=int(times.sum()) * 1_000_000)
    assert large.n_rows > MOST_ROWS
    one, other = mondrian(small, [KAnonymity(150)]), mondrian(large, [KAnonymity(150_000_000)])
    assert one.n_groups > 10
    assert np.array_equal(one.group_of_row, other.group_of_row)
    assert np.array_equal(one.lo, other.lo)
    assert np.array_equal(one.hi, other.hi)
