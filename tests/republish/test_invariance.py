"""m-invariance: everybody keeps her signature; judged by groups and people, in lists and sets."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from histories import Habits, history, schema_of, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.errors import BadInput, BadOption, Infeasible
from amongst.republish.signatures import invariant_groups

KEY = b"a key for the tests only"
DYSPEPSIA, BRONCHITIS, FLU, GASTRITIS = range(4)


def test_the_running_example_of_the_paper_needs_two_counterfeits_and_nobody_waits() -> None:
    """The hospital of Xiao and Tao (2007), as remembered: six stay, five come, two rows are nobody's."""
    signatures = [(DYSPEPSIA, BRONCHITIS), (FLU, GASTRITIS), (DYSPEPSIA, FLU, GASTRITIS), (DYSPEPSIA, GASTRITIS)]
    stay = {
        "Bob": (21, 12, DYSPEPSIA, 0),
        "David": (23, 25, GASTRITIS, 1),
        "Gary": (41, 20, FLU, 1),
        "Jane": (37, 33, DYSPEPSIA, 2),
        "Linda": (43, 26, GASTRITIS, 2),
        "Steve": (56, 34, GASTRITIS, 3),
    }
    come = {
        "Emily": (25, 21, FLU, -1),
        "Mary": (46, 30, GASTRITIS, -1),
        "Ray": (54, 31, DYSPEPSIA, -1),
        "Tom": (60, 44, GASTRITIS, -1),
        "Vince": (65, 36, FLU, -1),
    }
    age, zips, value, signature = map(np.array, zip(*{**stay, **come}.values(), strict=True))
    place = np.stack([age / 44, zips / 32], axis=1)
    asked = {"m": 2, "k": 2}
    found = invariant_groups(place, value, signature, signatures, counterfeits=True, **asked)
    assert (found.group_of_row >= 0).all()
    assert len(found.counterfeits) == 2
    assert BRONCHITIS in [one for _, one, _ in found.counterfeits]  # Bob's only partner is gone
    assert (found.signature_of_row[:6] == signature[:6]).all()
    without = invariant_groups(place, value, signature, signatures, counterfeits=False, **asked)
    assert not without.counterfeits
    assert without.group_of_row[0] == -1  # Bob waits
    assert without.signature_of_row[0] == 0


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 1_000_000),
    st.integers(20, 80),
    st.integers(2, 4),
    st.builds(Habits, change_quasi=st.sampled_from([0.0, 0.2]), change_secret=st.sampled_from([0.0, 0.2])),
    st.integers(2, 7),
    st.integers(2, 3),
    st.booleans(),
)
def test_everybody_keeps_her_values_each_equally_often(
    seed: int, n: int, n_months: int, habits: Habits, k: int, m: int, counterfeits: bool
) -> None:
    models = [am.KAnonymity(k), am.LDiversity(m)]
    options = {"method": "m-invariance", "counterfeits": counterfeits}
    series = am.Series(schema_of(habits), models, person="who", key=KEY, **options)
    signature_of: dict[str, frozenset] = {}
    for rows in history(seed, n, n_months, habits):
        try:
            release = series.next(table_of(rows, habits))
        except Infeasible:
            break
        assert release.verdict.ok
        kept = release.source.table.to_pylist()
        groups: dict[int, list[dict]] = {}
        for row, group in zip(kept, release.group_of_row.tolist(), strict=True):
            groups.setdefault(group, []).append(row)
        for members in groups.values():
            count = Counter(row["ill"] for row in members)
            assert len(count) >= m
            assert len(set(count.values())) == 1
            assert len(members) >= k
            assert any(row["who"] is not None for row in members)
            for row in members:
                who, before = row["who"], signature_of.get(row["who"])
                if before is not None and row["ill"] in before:
                    assert set(count) == before
                if who is not None:
                    signature_of[who] = frozenset(count)
        told = series.told[-1]
        assert told.n_counterfeits == sum(row["who"] is None for row in kept)
        assert told.n_counterfeits == 0 or counterfeits
        assert len(kept) == told.n_rows - told.n_left_out + told.n_counterfeits
        assert f"{told.n_counterfeits:,} of {len(kept):,} rows are counterfeits" in str(release.told_options)


def test_a_series_of_signatures_goes_on_from_its_file(tmp_path) -> None:
    year = am.datasets.hospital_year(n_persons=300, n_months=3)
    models = [am.KAnonymity(6), am.LDiversity(3)]

    def begun() -> am.Series:
        return am.Series(year[0].schema, models, person="person", key=KEY, method="m-invariance", counterfeits=True)

    whole = begun()
    expected = [whole.next(month.table) for month in year]
    series = begun()
    for month, other in zip(year, expected, strict=True):
        assert series.next(month.table).table.equals(other.table)
        series.save(tmp_path / "series")
        series = am.Series.load(tmp_path / "series", year[0].schema, models, KEY)
    expected[-1].write(tmp_path / "out")
    assert "counterfeits" in (tmp_path / "out" / "manifest.json").read_text()


def test_what_m_invariance_cannot_do_is_said() -> None:
    schema = am.datasets.hospital_year(n_persons=50, n_months=1)[0].schema
    for wrong in ({"method": "tau"}, {"counterfeits": True}, {"method": "m-invariance"}):
        with pytest.raises(BadOption, match="no such method"):
            am.Series(schema, [am.KAnonymity(3)], person="person", key=KEY, **wrong)
    habits = Habits(several=0.9)
    rows = history(0, 20, 1, habits)[0]
    models = [am.KAnonymity(3), am.LDiversity(2)]
    with pytest.raises(BadInput, match="one row a person"):
        am.Series(schema_of(habits), models, person="who", key=KEY, method="m-invariance").next(table_of(rows, habits))
