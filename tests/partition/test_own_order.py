"""Groups of neighbours in an order of one's own: the best there are in that order, whatever it is."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption

NUMBERS = am.Schema({name: am.Column(role="quasi", kind="numeric") for name in ("a", "b")})


def numbers(seed: int, n: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table({"a": rng.integers(0, 9, n), "b": rng.integers(0, 40, n)})


def best_loss(rows: list[tuple[int, int]], k: int) -> float:
    """The least loss of all divisions of a line into runs of at least k, all of them looked at."""
    spans = [max(column) - min(column) for column in zip(*rows, strict=True)]

    def price(run: list[tuple[int, int]]) -> float:
        widths = [max(column) - min(column) for column in zip(*run, strict=True)]
        return len(run) * sum(width / span for width, span in zip(widths, spans, strict=True)) / len(spans)

    best = float("inf")
    for n_cuts in range(len(rows) // k):
        for cuts in itertools.combinations(range(1, len(rows)), n_cuts):
            edges = [0, *cuts, len(rows)]
            if min(np.diff(edges)) >= k:
                best = min(best, sum(price(rows[i:j]) for i, j in itertools.pairwise(edges)))
    return best / len(rows)


def by_sum(places: dict[str, np.ndarray]) -> np.ndarray:
    return places["a"] * 5 + places["b"] + places["a"] / 100


@pytest.mark.parametrize(
    ("order", "key"),
    [
        (["b", "a"], lambda row: (row[1], row[0])),
        (["-a", "b"], lambda row: (-row[0], row[1])),
        (by_sum, lambda row: row[0] * 5 + row[1] + row[0] / 100),
    ],
)
def test_the_best_groups_of_the_order(order: Any, key: Any) -> None:
    table = numbers(3, 12)
    release = am.anonymize(table, NUMBERS, [am.KAnonymity(3)], method="own-order", order=order)
    rows = sorted(zip(*table.to_pydict().values(), strict=True), key=key)
    assert release.utility.gcp == pytest.approx(best_loss(rows, 3))
    assert release.verdict.ok


def test_the_order_of_the_input_has_no_say() -> None:
    table = numbers(5, 300)
    mixed = table.take(np.random.default_rng(1).permutation(300))
    made = [
        am.anonymize(one, NUMBERS, [am.KAnonymity(5)], method="own-order", order=["b"], seed=1)
        .table.sort_by("a")
        .to_pylist()
        for one in (table, mixed)
    ]
    count = [sorted(map(str, rows)) for rows in made]
    assert count[0] == count[1]


def test_categories_go_in_the_order_of_their_tree_and_diversity_holds() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 600)
    models = [am.KAnonymity(4), am.LDiversity(2, column="occupation")]
    roles = {name: replace(column, role="sensitive") for name, column in adult.schema.items() if name == "occupation"}
    schema = am.Schema({**adult.schema, **roles})
    release = am.anonymize(table, schema, models, method="own-order", order=["education", "age"])
    assert release.verdict.ok


def test_a_function_is_told_as_one() -> None:
    release = am.anonymize(numbers(1, 30), NUMBERS, [am.KAnonymity(3)], method="own-order", order=by_sum)
    assert release.told_options["order"] == "a function of one's own"


@pytest.mark.parametrize(
    "order",
    [
        ["c"],
        ["a", "a"],
        ["a", "-a"],
        lambda places: "much",
        lambda places: places["a"][:2],
        lambda places: places["a"] * np.nan,
    ],
)
def test_what_is_no_order_is_refused(order: Any) -> None:
    with pytest.raises(BadOption):
        am.anonymize(numbers(1, 30), NUMBERS, [am.KAnonymity(3)], method="own-order", order=order)
