"""Many columns: every method ends with a release that holds, or says what to do instead."""

from __future__ import annotations

import time

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.partition.clusters import sweep as sweeping
from amongst.partition.methods import METHODS


def wide(n_columns: int, n_rows: int, n_values: int = 6) -> tuple[pa.Table, am.Schema]:
    """Numbers and categories by turns, that have a little to do with each other."""
    rng = np.random.default_rng(n_columns)
    common = rng.normal(size=n_rows)
    columns: dict[str, pa.Array] = {}
    for j in range(n_columns):
        drawn = np.clip(np.round(common + 2 * rng.normal(size=n_rows) + n_values / 2), 0, n_values - 1).astype(int)
        columns[f"v{j}"] = pa.array(drawn if j % 2 else [f"c{value}" for value in drawn])
    columns["s"] = pa.array(rng.choice(list("abcd"), n_rows))
    roles = {name: am.Column(role="sensitive" if name == "s" else "quasi") for name in columns}
    return pa.table(columns), am.Schema(roles)


@pytest.mark.parametrize("n_columns", [16, 30, 60])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_ends_with_a_release_or_a_clear_error(name: str, n_columns: int) -> None:
    table, schema = wide(n_columns, 30)
    begun = time.process_time()
    said = ""
    try:
        models = [am.LDiversity(2) if METHODS[name].publishes == "two tables" else am.KAnonymity(3)]
        assert am.anonymize(table, schema, models, method=name).verdict.ok
    except am.errors.BadOption as error:
        said = str(error)
    assert not said or "method=" in said  # it names one that works
    assert time.process_time() - begun < 20


def test_best_takes_about_as_many_times_longer_as_there_are_more_columns() -> None:
    took = {}
    for n_columns in (10, 50):
        table, schema = wide(n_columns, 500, n_values=20)
        begun = time.process_time()
        assert am.anonymize(table, schema, [am.KAnonymity(5)], method="best").verdict.ok
        took[n_columns] = time.process_time() - begun
    assert took[50] < 15 * took[10] + 1


@pytest.mark.parametrize("n_columns", [2, 5])
def test_the_two_ways_of_a_sweep_both_hold_and_lose_about_the_same(
    n_columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, schema = wide(n_columns, 300)
    whole = am.anonymize(table, schema, [am.KAnonymity(4)], method="sweep")
    monkeypatch.setattr(sweeping, "MOST_NODES", 0)
    near = am.anonymize(table, schema, [am.KAnonymity(4)], method="sweep")
    assert near.verdict.ok
    assert near.utility.gcp < 1.25 * whole.utility.gcp
    few = am.anonymize(table, schema, [am.KAnonymity(4)], method="sweep", most_steps=1)
    assert few.verdict.ok
