"""Every method with every model under every rule for nulls: a release that a naive judge lets pass, or a refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
import judges
from amongst.errors import BadOption, Infeasible
from amongst.partition.methods import METHODS

AREA = {"north": ["a", "b"], "south": ["c", "d", "e"]}
ILLNESS = {"lungs": ["flu", "cold"], "gut": ["ulcer", "colic"]}
PATHS = {leaf: (leaf, group, "*") for group, leaves in ILLNESS.items() for leaf in leaves}
DISTANCES = {"illness": PATHS, "pay": "ordered"}
RULES = ("none missing", "own value", "suppress", "match anything")
KEYS = ["age", "area"]

MODELS: dict[str, list[Any]] = {
    "k": [am.KAnonymity(3)],
    "frequency": [am.LDiversity(2, column="illness")],
    "distinct": [am.KAnonymity(2), am.LDiversity(2, "distinct")],
    "entropy": [am.LDiversity(1.7, "entropy", column="illness")],
    "recursive": [am.LDiversity(2, ("recursive", 2.0), column="illness")],
    "t": [am.KAnonymity(2), am.TCloseness(0.4)],
    "t equal": [am.TCloseness(0.5, "equal", column="illness")],
    "alpha": [am.AlphaK(0.6, 3, column="illness")],
    "beta": [am.BetaLikeness(1.5, column="illness")],
    "beta enhanced": [am.BetaLikeness(1.5, enhanced=True, column="illness")],
    "delta": [am.DeltaDisclosure(1.2, column="illness")],
    "delta counted": [am.DeltaDisclosure(2.0, absent="counted", column="illness")],
    "proximity": [am.Proximity(2, width=3, column="pay")],
    "subsets": [am.KOfSubsets(4, m=1)],
    "k-map": [am.KMap(4, "everybody")],
    "presence": [am.DeltaPresence(0.0, 0.7, "everybody")],
}


def people(rng: np.random.Generator, rule: str) -> tuple[pa.Table, am.Schema]:
    n = int(rng.integers(12, 40))
    ages = [int(age) for age in rng.integers(20, 32, n)]
    areas = [str(area) for area in rng.choice(list("abcde"), n)]
    illness = [str(one) for one in rng.choice(list(PATHS), n, p=rng.dirichlet([3] * 4))]
    columns: dict[str, Any] = {"name": list(range(n)), "age": ages, "area": areas, "illness": illness}
    columns["pay"] = [int(pay) for pay in rng.integers(0, 12, n)]
    nulls = None if rule == "none missing" else rule
    if nulls is not None:
        columns["age"] = [None if rng.random() < 0.15 else age for age in ages]
        columns["area"] = [None if rng.random() < 0.15 else area for area in areas]
    if rng.random() < 0.3:
        columns["illness"] = [None if rng.random() < 0.1 else one for one in illness]
    schema = am.Schema(
        {
            "name": am.Column(role="identifier"),
            "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([4, 16]), nulls=nulls),
            "area": am.Column(role="quasi", hierarchy=am.Hierarchy.nested(AREA), nulls=nulls),
            "illness": am.Column(role="sensitive", hierarchy=am.Hierarchy.nested(ILLNESS)),
            "pay": am.Column(role="sensitive"),
        }
    )
    types = {"name": pa.int64(), "age": pa.int64(), "pay": pa.int64()}
    return pa.table({name: pa.array(cells, types.get(name, pa.string())) for name, cells in columns.items()}), schema


def with_population(models: list[Any], table: pa.Table) -> list[Any]:
    """Everybody is twice in the population."""
    everybody = pa.concat_tables([table.select(["age", "area"]).drop_null()] * 2)
    made: list[Any] = []
    for model in models:
        if isinstance(model, am.KMap):
            made.append(am.KMap(model.k, everybody))
        elif isinstance(model, am.DeltaPresence):
            made.append(am.DeltaPresence(model.lower, model.upper, everybody))
        else:
            made.append(model)
    return made


def one_age(row: dict[str, Any]) -> Any:
    """The published age whatever its form: a text, or two bounds; None where there is none."""
    cell = row["age"] if "age" in row else {"lower": row["age_lower"], "upper": row["age_upper"]}
    return (
        tuple(cell.values())
        if isinstance(cell, dict) and any(v is not None for v in cell.values())
        else (None if isinstance(cell, dict) else cell)
    )


def check(table: pa.Table, schema: am.Schema, models: list[Any], method: str, rule: str, form: str) -> str:
    """What became of it, once it is known to be right."""
    try:
        release = am.anonymize(table, schema, models, method=method, form=form)
    except (Infeasible, BadOption) as refused:
        return type(refused).__name__ if refused.what and refused.found and refused.fix else "a refusal without words"
    rows = [{**row, "age": one_age(row)} for row in release.arrow.to_pylist()]
    wild = KEYS if rule == "match anything" else []
    for model in models:
        if isinstance(model, (am.KMap, am.DeltaPresence)):
            continue  # which people a label fits is judged elsewhere
        assert judges.holds(model, rows, KEYS, ["illness", "pay"], distances=DISTANCES, wild=wild), (method, model)
    if rule == "suppress":
        assert not any(None in (row["age"], row["area"]) for row in rows)
    assert release.verdict.ok
    n_gone = table.num_rows - len(rows)
    complete = [row for row in table.to_pylist() if None not in (row["age"], row["area"])]
    assert n_gone == release.utility.n_suppressed
    if rule == "suppress":
        assert len(rows) <= len(complete)
    return "release"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("method", METHODS.names(lambda method: method.publishes == "one table"))
def test_a_naive_judge_agrees(method: str, rule: str) -> None:
    outcomes = []
    for i, (asked, models) in enumerate(MODELS.items()):
        rng = np.random.default_rng(sum(map(ord, method + rule + asked)))
        table, schema = people(rng, rule)
        form = ("labels", "bounds", "structs")[i % 3]
        outcomes.append(check(table, schema, with_population(models, table), method, rule, form))
    assert "release" in outcomes, outcomes
    assert set(outcomes) <= {"release", "Infeasible", "BadOption"}


def test_of_anatomy_too() -> None:
    made = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        table, schema = people(rng, "none missing")
        schema = schema.with_columns(pay=am.Column(role="keep"))
        try:
            release = am.anonymize(table, schema, [am.LDiversity(2)], method="anatomy")
        except Infeasible:
            continue
        made += 1
        group_of_value: dict[int, list[int]] = {}
        for row in release.sensitive_arrow.to_pylist():
            group_of_value.setdefault(row["group"], []).append(row["count"])
        sizes = {group: sum(counts) for group, counts in group_of_value.items()}
        assert all(2 * max(counts) <= sizes[group] for group, counts in group_of_value.items())
        people_of_group: dict[int, int] = {}
        for row in release.arrow.to_pylist():
            people_of_group[row["group"]] = people_of_group.get(row["group"], 0) + 1
        assert people_of_group == sizes
    assert made >= 6
