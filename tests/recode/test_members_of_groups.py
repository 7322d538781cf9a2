"""The values of every group and the groups with equal sets, beside loops over rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.encode.coded import CodedColumn
from amongst.partition.partition import Partition
from amongst.recode import members
from amongst.recode.members import equal_sets, members_of_groups


def column_of(codes: list[int], n_values: int, null: str | None) -> CodedColumn:
    return CodedColumn(
        "a",
        "categorical",
        np.array(codes, dtype=np.uint8),
        pa.array([f"v{i}" for i in range(n_values)]),
        np.linspace(0, 1, max(n_values, 1)),
        0.0,
        1.0,
        None,
        null_code=None if null is None else n_values,
        null_rule=null,
    )


@pytest.mark.parametrize("null", [None, "own value", "match anything"])
@given(data=st.data())
def test_pairs_and_equal_sets_are_those_of_loops(null: str | None, data: Any) -> None:
    n_values, n_groups = data.draw(st.integers(1, 70)), data.draw(st.integers(1, 5))
    code = st.integers(0, n_values - (null is None))
    rows = data.draw(st.lists(st.tuples(st.integers(-1, n_groups - 1), code), min_size=1, max_size=60))
    column = column_of([code for _, code in rows], n_values, null)
    box = np.zeros((n_groups, 1), dtype=np.uint32)
    partition = Partition(np.array([group for group, _ in rows], dtype=np.int32), box, box)
    wanted = sorted({(g, c) for g, c in rows if g >= 0 and not (null == "match anything" and c == n_values)})
    for most, rows_at_a_time in ((members.FEW_COUNTS, members.STRETCH), (-1, members.STRETCH), (-1, 7)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(members, "FEW_COUNTS", most)
            patch.setattr(members, "STRETCH", rows_at_a_time)
            group, code_of_pair = members_of_groups(column, partition)
        assert list(zip(group.tolist(), code_of_pair.tolist(), strict=True)) == wanted
    found = equal_sets(group, code_of_pair, n_groups)
    assert found is not None
    sets = [frozenset(c for g, c in wanted if g == own) for own in range(n_groups)]
    assert [sets[found[1][one]] for one in found[0]] == sets
    assert len(found[1]) == len(set(sets))
