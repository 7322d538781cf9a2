"""The simulated year: who comes, goes and changes is what was asked for."""

from __future__ import annotations

import itertools

import pytest

import amongst as am
from amongst.errors import BadOption


def test_shares_of_those_who_come_leave_and_change() -> None:
    year = am.datasets.hospital_year(n_persons=2000, n_months=4, seed=3)
    assert [one.table.num_rows for one in year] == [2000, 2040, 2081, 2123]
    for before, after in itertools.pairwise(year):
        old, new = ({row.pop("person"): row for row in one.table.to_pylist()} for one in (before, after))
        n = len(old)
        assert len(new.keys() - old.keys()) == round(0.05 * n)
        assert len(old.keys() - new.keys()) == round(0.03 * n)
        changed = [[name for name in old[p] if old[p][name] != new[p][name]] for p in old.keys() & new.keys()]
        assert sum(map(bool, changed)) == round(0.10 * n)
        assert max(map(len, changed)) == 1
        assert 0.35 < sum(one == ["diagnosis"] for one in changed) / sum(map(bool, changed)) < 0.65


def test_the_same_seed_gives_the_same_year_and_shares_are_shares() -> None:
    one, other = (am.datasets.hospital_year(n_persons=50, n_months=2, seed=1) for _ in range(2))
    assert all(a.table.equals(b.table) for a, b in zip(one, other, strict=True))
    with pytest.raises(BadOption, match="come is a share"):
        am.datasets.hospital_year(come=2)
