"""`best` ends with a release that holds, or with an error that says why, on tables at the edge of what a table is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.partition.methods import METHODS

N = 12
TABLES: dict[str, tuple[list[Any], list[Any]]] = {
    "one row": ([3], ["x"]),
    "all equal": ([3] * N, ["x"] * N),
    "all distinct": (list(range(N)), [f"v{i}" for i in range(N)]),
    "some null": ([None if i % 3 == 0 else i for i in range(N)], [None if i % 4 == 0 else "x" for i in range(N)]),
    "all null": ([None] * N, [None] * N),
}
MODELS: dict[str, list[Any]] = {
    "k": [am.KAnonymity(2)],
    "k of one": [am.KAnonymity(1)],
    "k above half": [am.KAnonymity(N // 2 + 1)],
    "l frequency": [am.LDiversity(2)],
    "l distinct": [am.LDiversity(2, "distinct")],
    "l entropy": [am.LDiversity(1.5, "entropy")],
    "l recursive": [am.LDiversity(2, ("recursive", 2.0))],
    "t": [am.TCloseness(0.2)],
    "alpha": [am.AlphaK(0.6, 2)],
    "beta": [am.BetaLikeness(0.5)],
    "delta": [am.DeltaDisclosure(1.0)],
    "proximity": [am.Proximity(2, 1.0, "number")],
    "weighted": [am.WeightedK(3.0, "number")],
    "subsets": [am.KOfSubsets(2, 1)],
}


def table_of(numbers: list[Any], words: list[Any]) -> pa.Table:
    n = len(numbers)
    return pa.table(
        {
            "a": pa.array(numbers, pa.int64()),
            "b": pa.array(words, pa.string()),
            "s": pa.array([f"s{i % 3}" for i in range(n)]),
            "number": pa.array([float(i) for i in range(n)]),
        }
    )


def schema_with(nulls: str) -> am.Schema:
    quasi = {name: am.Column(role="quasi", nulls=nulls) for name in ("a", "b")}
    quasi["a"] = am.Column(role="quasi", kind="numeric", nulls=nulls)
    return am.Schema({**quasi, "s": am.Column(role="sensitive"), "number": am.Column(role="sensitive")})


@pytest.mark.parametrize("nulls", ["own value", "match anything", "suppress"])
@pytest.mark.parametrize("models", MODELS.values(), ids=MODELS)
def test_best_ends_on_every_small_table(models: list[Any], nulls: str) -> None:
    ended = 0
    for numbers, words in TABLES.values():
        table = table_of(numbers, words)
        try:
            release = am.anonymize(table, schema_with(nulls), models, method="best")
        except (am.errors.Infeasible, am.errors.BadOption):
            continue
        assert release.verdict.ok or [model.k for model in models if isinstance(model, am.KAnonymity)] == [1]
        assert release.arrow.num_rows <= table.num_rows
        ended += 1
    assert ended > 0


@pytest.mark.parametrize("population", ["itself", "twice"])
def test_best_ends_against_a_population(population: str) -> None:
    for name in ("one row", "all equal", "all distinct"):
        table = table_of(*TABLES[name])
        people = table.select(["a", "b"])
        people = pa.concat_tables([people] * (1 if population == "itself" else 2))
        for models in ([am.KMap(2, people)], [am.DeltaPresence(0, 0.5, people)]):
            try:
                assert am.anonymize(table, schema_with("own value"), models, method="best").verdict.ok
            except am.errors.Infeasible:
                assert population == "itself" or name == "one row"


def test_best_does_not_begin_with_what_takes_longer_than_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods of cells look at a lattice: of 14 columns it has millions of generalizations."""
    asked: list[int] = []

    def told(table: Any, models: Any) -> Any:
        asked.append(table.n_qi)
        raise am.errors.Infeasible("Not asked here.", found="nothing", fix="nothing")

    for name in ("cell-generalization", "cell-suppression"):
        method = METHODS[name]
        monkeypatch.setitem(METHODS._known, name, replace(method, group=told))
    rng = np.random.default_rng(0)
    words = {f"v{i}": rng.choice([f"{j:02}" for j in range(27)], 60) for i in range(14)}
    trees = dict.fromkeys(words, am.Column(role="quasi", hierarchy=am.Hierarchy.fanout(3)))
    for columns in (14, 3):
        table = pa.table(words).select(list(words)[:columns])
        schema = am.Schema({name: trees[name] for name in table.column_names})
        assert am.anonymize(table, schema, [am.KAnonymity(5)], method="best").verdict.ok
    assert asked == [3, 3]


def test_best_ends_under_a_hierarchy_of_many_leaves() -> None:
    rng = np.random.default_rng(0)
    codes = [f"{i:05}" for i in range(20_000)]
    table = pa.table({"zip": pa.array(rng.choice(codes, 2_000)), "a": rng.integers(0, 50, 2_000)})
    zips = am.Column(
        role="quasi", hierarchy=am.Hierarchy.from_rows([[c, c[:3] + "**", c[:2] + "***", "*"] for c in codes])
    )
    release = am.anonymize(table, am.Schema({"zip": zips, "a": am.Column(role="quasi")}), [am.KAnonymity(10)], "best")
    assert release.verdict.ok
    assert release.utility.smallest >= 10
