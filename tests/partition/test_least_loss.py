"""Splitting by gain, the sweep, refining, and best: groups that hold, and that lose little."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

import amongst as am
from amongst.encode import encode
from amongst.measure.ncp import gcp, ncp
from amongst.partition.clusters.sweep import sweep
from amongst.partition.mondrian.gain_split import gain_split
from amongst.partition.mondrian.mondrian import mondrian
from amongst.partition.refine import refine
from amongst.schema.check import check
from thorough import THOROUGH

KS = (2, 5, 10, 25, 50, 100)
TABLES_AND_KS = [(name, k) for i, name in enumerate(("adult", "census")) for k in (KS if THOROUGH else KS[i::2])]
"""Every k with one of the tables; with both where there is time."""


@pytest.fixture(scope="module")
def adult() -> tuple:
    data = am.datasets.load("adult", part="train")
    schema = check(data.schema, data.table)
    return schema, encode(data.table, schema)


@pytest.fixture(scope="module")
def census() -> tuple:
    data = am.datasets.census(8_000, seed=3)
    schema = check(data.schema, data.table)
    return schema, encode(data.table, schema)


def loss(schema, coded, partition) -> float:
    return gcp(ncp(coded, schema, partition))


@pytest.mark.parametrize(("name", "k"), TABLES_AND_KS)
def test_each_loses_less_than_mondrian(request, name: str, k: int) -> None:
    schema, coded = request.getfixturevalue(name)
    models = [am.KAnonymity(k)]
    strict = loss(schema, coded, mondrian(coded, models))
    assert loss(schema, coded, gain_split(coded, models)) < strict
    assert loss(schema, coded, sweep(coded, models)) < strict


@pytest.mark.parametrize("start", [mondrian, gain_split, sweep])
def test_refining_lowers_the_loss_of_any_partition(adult: tuple, start) -> None:
    schema, coded = adult
    models = [am.KAnonymity(10)]
    before = start(coded, models)
    after = refine(coded, models, before, passes=3)
    assert after.size_of_group.min() >= 10
    assert loss(schema, coded, after) < loss(schema, coded, before)
    assert after.facts["loss_by_pass"] == sorted(after.facts["loss_by_pass"], reverse=True)


def test_refining_leaves_suppressed_rows_suppressed(census: tuple) -> None:
    _, coded = census
    models = [am.KAnonymity(5)]
    before = mondrian(coded, models)
    group = before.group_of_row.copy()
    group[group == 3] = -1
    gone = dataclasses.replace(before, group_of_row=group)
    after = refine(coded, models, gone, passes=2)
    assert np.array_equal(after.group_of_row < 0, group < 0)
    assert after.size_of_group.min() >= 5


def test_best_is_deterministic_and_never_above_its_parts(census: tuple) -> None:
    schema, coded = census
    models = [am.KAnonymity(10)]
    run = am.methods  # the register is the way users reach it
    assert "best" in [method["name"] for method in run()]
    from amongst.partition.clusters.best import best

    first, second = best(coded, models), best(coded, models)
    assert np.array_equal(first.group_of_row, second.group_of_row)
    parts = [refine(coded, models, part(coded, models), window=12, passes=40) for part in (sweep, gain_split)]
    assert loss(schema, coded, first) <= min(loss(schema, coded, part) for part in parts) + 1e-9


@pytest.mark.parametrize("column", ["age", "education", "occupation"])
def test_a_heavier_column_loses_less(column: str) -> None:
    """Xu et al., figure 9: weights change what is kept."""
    data = am.datasets.load("adult", part="train")
    ratios = []
    for k in (5, 20, 60):
        heavy = data.schema.with_columns(**{column: dataclasses.replace(data.schema[column], weight=2.0)})
        plain, weighted = (
            am.anonymize(data.table, schema, [am.KAnonymity(k)], "gain-split").utility.ncp[column]
            for schema in (data.schema, heavy)
        )
        ratios.append(weighted / plain)
    assert np.mean(ratios) < 1


def test_an_effort_that_is_no_number_is_refused(census: tuple) -> None:
    from amongst.partition.clusters.best import best

    with pytest.raises(am.errors.BadOption):
        best(census[1], [am.KAnonymity(5)], effort=0)


def test_the_loss_falls_while_best_runs(census: tuple) -> None:
    from amongst.partition.clusters.best import best

    _, coded = census
    told: list[float] = []
    found = best(coded, [am.KAnonymity(10)], report_loss=told.append)
    assert len(told) > 2
    assert all(later < earlier for earlier, later in itertools.pairwise(told))
    assert told[-1] == pytest.approx(found.facts["loss"], abs=1e-6)


def test_an_interrupt_leaves_the_start_as_it_was(census: tuple) -> None:
    _, coded = census
    models = [am.KAnonymity(10)]
    start = mondrian(coded, models)
    before = start.group_of_row.copy()
    told: list[float] = []

    def interrupt(loss: float) -> None:
        told.append(loss)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refine(coded, models, start, report_loss=interrupt)
    assert len(told) == 2
    assert np.array_equal(start.group_of_row, before)
    assert np.array_equal(refine(coded, models, start).group_of_row, refine(coded, models, start).group_of_row)
