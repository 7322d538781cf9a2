"""Top-down and bottom-up of Xu et al.: sizes, loss beside Mondrian's, weights, the search for the nearest."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.encode import encode
from amongst.errors import BadOption
from amongst.measure.ncp import gcp, ncp
from amongst.partition.clusters.bottom_up import bottom_up
from amongst.partition.clusters.top_down import top_down
from amongst.partition.mondrian.mondrian import mondrian
from amongst.schema.check import check

KS = (2, 5, 10, 25, 50, 100)


def coded_of(data: am.datasets.Dataset, n: int | None = None) -> tuple:
    table = data.table if n is None else data.table.slice(0, n)
    schema = check(data.schema, table)
    return schema, encode(table, schema)


@pytest.fixture(scope="module")
def adult() -> tuple:
    return coded_of(am.datasets.load("adult", part="train"))


@pytest.fixture(scope="module")
def census() -> tuple:
    return coded_of(am.datasets.census(8_000, seed=3))


@pytest.fixture(scope="module")
def few() -> tuple:
    return coded_of(am.datasets.load("adult", part="train"), 3_000)


def loss(schema, coded, partition) -> float:
    return gcp(ncp(coded, schema, partition))


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("name", ["adult", "census"])
@pytest.mark.parametrize("method", [top_down, bottom_up])
def test_figure_6_both_lose_less_than_mondrian(request, method, name: str, k: int) -> None:
    schema, coded = request.getfixturevalue(name)
    models = [am.KAnonymity(k)]
    ours = method(coded, models)
    assert ours.size_of_group.min() >= k
    assert ours.size_of_group.max() < 2 * k
    for cuts in ("ordered", "hierarchy-first"):
        assert loss(schema, coded, ours) < loss(schema, coded, mondrian(coded, models, cuts=cuts))


@pytest.mark.parametrize("method", ["top-down", "bottom-up"])
@pytest.mark.parametrize("column", ["age", "education", "occupation"])
def test_figure_9_a_heavier_column_loses_less(method: str, column: str) -> None:
    data = am.datasets.load("adult", part="train")
    heavy = data.schema.with_columns(**{column: dataclasses.replace(data.schema[column], weight=2.0)})
    table = data.table if method == "top-down" else data.table[:8000]
    ratios = []
    for k in (5, 20, 60):
        plain, weighted = (
            am.anonymize(table, schema, [am.KAnonymity(k)], method).utility.ncp[column]
            for schema in (data.schema, heavy)
        )
        ratios.append(weighted / plain)
    assert np.mean(ratios) < 1


@pytest.mark.parametrize("k", [3, 10, 40])
def test_both_rules_of_assignment_keep_the_sizes(few: tuple, k: int) -> None:
    for assign in ("seed", "increase"):
        found = top_down(few[1], [am.KAnonymity(k)], assign=assign)
        assert k <= found.size_of_group.min() <= found.size_of_group.max() < 2 * k


@pytest.mark.parametrize("k", [3, 10, 40])
def test_looking_near_loses_little_beside_looking_everywhere(few: tuple, k: int) -> None:
    schema, coded = few
    near, everywhere = (
        loss(schema, coded, bottom_up(coded, [am.KAnonymity(k)], search=how)) for how in ("near", "all")
    )
    assert near < 1.15 * everywhere


def test_a_wider_window_loses_less(adult: tuple) -> None:
    schema, coded = adult
    narrow, wide = (loss(schema, coded, top_down(coded, [am.KAnonymity(10)], window=w)) for w in (2, 200))
    assert wide < narrow


@pytest.mark.parametrize("method", [top_down, bottom_up])
def test_equal_rows_cost_nothing(method) -> None:
    import pyarrow as pa

    table = pa.table({"a": [1] * 70 + [9] * 5})
    schema = check(am.Schema({"a": am.Column(role="quasi", kind="numeric")}), table)
    coded = encode(table, schema)
    found = method(coded, [am.KAnonymity(5)])
    assert loss(schema, coded, found) == 0
    assert 5 <= found.size_of_group.min() <= found.size_of_group.max() <= 9


def test_wrong_options_are_refused(few: tuple) -> None:
    models = [am.KAnonymity(5)]
    for wrong in ({"assign": "nearest"}, {"window": 0}, {"window": 2.5}, {"window": True}):
        with pytest.raises(BadOption):
            top_down(few[1], models, **wrong)
    for wrong in ({"search": "some"}, {"window": 65}, {"window": 0}):
        with pytest.raises(BadOption):
            bottom_up(few[1], models, **wrong)


FIGURE_1 = {"Age": [24, 25, 30, 30, 32, 32], "Zipcode": [53712, 53711, 53711, 53711, 53712, 53713]}


@pytest.mark.known_answer(
    "utility",
    "figure 1 (b) and (c)",
    what="six rows made 3-anonymous by global and by local recoding",
    answer="(b) [25-30], 53711 and [24-32], [53712-53713]; (c) [24-30], [53711-53712] and [30-32], [53711-53713]; "
    "widths 8 and 5, 1 and 0 in (b), 6 and 2, 1 and 2 in (c)",
)
def test_figure_1_global_and_local_recoding() -> None:
    table = pa.table(FIGURE_1)
    schema = am.Schema({name: am.Column(role="quasi", kind="numeric") for name in FIGURE_1})

    def published(method: str) -> list[tuple[str, ...]]:
        release = am.anonymize(table, schema, [am.KAnonymity(3)], method)
        return sorted({tuple(map(str, row.values())) for row in release.table.to_pylist()})

    assert published("mondrian") == [("[24-32]", "[53712-53713]"), ("[25-30]", "53711")]
    assert published("mondrian-relaxed") == [("[24-30]", "[53711-53712]"), ("[30-32]", "[53711-53713]")]

    def widths(method: str) -> list[tuple[int, ...]]:
        bounds = [[[int(end) for end in cell.strip("[]").split("-")] for cell in row] for row in published(method)]
        return [tuple(ends[-1] - ends[0] for ends in row) for row in bounds]

    assert widths("mondrian") == [(8, 1), (5, 0)]
    assert widths("mondrian-relaxed") == [(6, 1), (2, 2)]


@pytest.mark.known_answer(
    "utility",
    "figure 5",
    what="the leaves of the trees of work class and marital status",
    answer="eight and seven; Adult without unknown values lacks Never-worked",
)
def test_figure_5_the_leaves_of_its_trees() -> None:
    table = am.datasets.load("adult").table
    work = [
        "Private",
        "Self-emp-not-inc",
        "Self-emp-inc",
        "Federal-gov",
        "Local-gov",
        "State-gov",
        "Without-pay",
        "Never-worked",
    ]
    married = [
        "Married-civ-spouse",
        "Married-AF-spouse",
        "Divorced",
        "Separated",
        "Never-married",
        "Widowed",
        "Married-spouse-absent",
    ]
    assert set(work) - set(table["workclass"].to_pylist()) == {"Never-worked"}
    assert set(married) == set(table["marital-status"].to_pylist())
