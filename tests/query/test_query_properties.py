"""What always holds of an answer: the truth lies within its bounds, whatever the table, method and question."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_questions import Row, naive_figure, random_where

import amongst as am
from amongst.partition.methods import METHODS
from flow_tables import GRADES, Made, random_table

seeds = st.integers(0, 2**32 - 1)
GENERALIZING = METHODS.names(lambda method: method.publishes == "one table")
QUICK = [name for name in GENERALIZING if name not in ("best", "incognito-superroots", "incognito-cube")]


def released(rng: np.random.Generator, made: Made) -> am.Release | None:
    """A release by a random method, perhaps with rows left out; None where it is not possible."""
    method = str(rng.choice(QUICK))
    form = str(rng.choice(["labels", "bounds", "structs"]))
    left_out = "suppression" in METHODS[method].options and rng.random() < 0.5
    options: dict[str, Any] = {"suppression": 0.3} if left_out else {}
    try:
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method, form=form, **options)
        return release if release.verdict.ok else None
    except am.errors.AmongstError:
        return None


def places(value: Any, kind: str | None) -> Any:
    """A true value, or a bound, as something that can be compared."""
    if kind == "ordered":
        return GRADES.index(value)
    if isinstance(value, dt.datetime):
        return value.timestamp() if value.tzinfo else value.replace(tzinfo=dt.UTC).timestamp()
    if isinstance(value, str):
        return dt.datetime.fromisoformat(value).replace(tzinfo=dt.UTC).timestamp()
    if isinstance(value, dt.date):
        return dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC).timestamp()
    return value


def assert_within(answer: Any, truth: Any, kind: str | None = None) -> None:
    if truth is None:
        assert answer.may_be_empty or (answer.lower is None and answer.upper is None), answer
        return
    value = places(truth, kind)
    slack = 1e-9 * max(1.0, abs(value)) if isinstance(value, float) and math.isfinite(value) else 0
    if answer.lower is not None:
        assert places(answer.lower, kind) <= value + slack, (answer, truth)
    if answer.upper is not None:
        assert places(answer.upper, kind) >= value - slack, (answer, truth)


def as_published(made: Made) -> list[Row]:
    """The rows; a short float is the number that its digits say, which is how a release spells it."""
    rows: list[Row] = made.table.to_pylist()
    for name in (field.name for field in made.table.schema if pa.types.is_float32(field.type)):
        for row in rows:
            row[name] = None if row[name] is None else float(str(np.float32(row[name])))
    return rows


def figures_for(made: Made, names: list[str]) -> list[tuple[str, str]]:
    found = []
    for name in names:
        values = [value for value in made.cells(name) if value is not None]
        rule = made.schema[name]
        if not values or isinstance(values[0], bool):
            continue
        if rule.kind == "ordered" or isinstance(values[0], dt.date):
            found += [("MIN", name), ("MAX", name)]
        elif isinstance(values[0], (int, float)) and rule.kind != "categorical":
            found += [(function, name) for function in ("SUM", "AVG", "MIN", "MAX", "COUNT")]
    return found


def ask_and_check(rng: np.random.Generator, made: Made, asked: Any, n_questions: int = 4) -> None:
    names = [name for name in made.table.column_names if made.schema[name].role != "identifier"]
    rows = as_published(made)
    for number in range(n_questions):
        everything = number == 0 and rng.random() < 0.5
        where = random_where(rng, made, names)
        figures = [("COUNT", "*"), *figures_for(made, names)]
        select = ", ".join(f'{f}("{n}")' if n != "*" else f"{f}(*)" for f, n in figures)
        answers = asked(f"SELECT {select} FROM t" + ("" if everything else f" WHERE {where.sql}")).lines[0]
        matching = [row for row in rows if everything or where.truth(row) is True]
        for (function, name), answer in zip(figures, answers, strict=True):
            values = [1] * len(matching) if name == "*" else [row[name] for row in matching]
            if function in ("MIN", "MAX") and made.schema[name].kind == "ordered":
                there = [GRADES.index(value) for value in values if value is not None]
                truth = None if not there else GRADES[min(there) if function == "MIN" else max(there)]
                assert_within(answer, truth, "ordered")
            else:
                assert_within(answer, naive_figure(function, values))
                if function == "COUNT":
                    assert answer.lower - 1e-9 <= answer.estimate <= answer.upper + 1e-9


@given(seeds)
def test_the_truth_lies_within_the_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = random_table(rng)
    release = released(rng, made)
    if release is not None:
        ask_and_check(rng, made, release.query)


@given(seeds)
def test_the_truth_lies_within_the_bounds_of_a_written_release(seed: int) -> None:
    """From the folder alone, and with the schema beside it; as Parquet and as CSV."""
    rng = np.random.default_rng(seed)
    made = random_table(rng, linked=False)
    release = released(rng, made)
    if release is None:
        return
    if any(
        isinstance(value, float) and abs(value) > 1e300
        for name in made.table.column_names
        for value in made.cells(name)
    ):
        return  # a report cannot always draw what is further apart than a float can say
    format = "parquet" if release.form == "structs" else str(rng.choice(["parquet", "csv"]))
    with tempfile.TemporaryDirectory() as folder:
        release.write(Path(folder) / "out", format=format)
        for schema in (None, made.schema):

            def asked(sql: str, schema: Any = schema) -> Any:
                return am.query(Path(folder) / "out", sql, schema=schema)

            # Without the schema some columns have no order, and some hierarchies no nodes.
            refused = [am.errors.BadQuestion] if schema is None else []
            with contextlib.suppress(*refused):
                ask_and_check(rng, made, asked, 2)


@pytest.mark.parametrize("method", ["mondrian", "incognito", "cell-suppression", "unrestricted", "hilbert"])
def test_the_truth_lies_within_the_bounds_for_every_sort_of_method(method: str) -> None:
    for seed in range(15):
        rng = np.random.default_rng(seed)
        made = random_table(rng, linked=False)
        try:
            release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method)
        except am.errors.AmongstError:
            continue
        ask_and_check(rng, made, release.query, 2)
