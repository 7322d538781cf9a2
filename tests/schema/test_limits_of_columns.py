"""Limits of columns: what is finer is published by no method, and what is beyond is one value."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.engines.postgresql.store import PostgresqlStore
from amongst.engines.store import Store
from amongst.errors import BadOption, BadSchema
from amongst.partition.methods import METHODS
from amongst.release.folder import release_in
from amongst.schema.limits import limited
from thorough import some

N = 96
TABLE = pa.table(
    {
        "age": [12 + (i * 7) % 90 for i in range(N)],
        "zip": [f"{53700 + (i * 13) % 60:05}" for i in range(N)],
        "day": [dt.date(2020, 1, 1) + dt.timedelta(days=(i * 11) % 700) for i in range(N)],
        "ill": [["flu", "cold", "asthma"][i % 3] for i in range(N)],
    }
)
SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", finest=5, top=90, bottom=17),
        "zip": am.Column(role="quasi", finest=3, hierarchy=am.Hierarchy.digits(5)),
        "day": am.Column(role="quasi", finest="month"),
        "ill": am.Column(role="sensitive"),
    }
)
ONE = [name for name, method in METHODS.items() if method.publishes != "two tables" and method.takes != "l"]


def test_values_become_labels_that_hold_them() -> None:
    table, schema = limited(TABLE, SCHEMA)
    for age, label in zip(TABLE["age"].to_pylist(), table["age"].to_pylist(), strict=True):
        if age >= 90 or age <= 17:
            assert label == ("90 or more" if age >= 90 else "17 or less")
        else:
            low, high = map(int, re.fullmatch(r"\[(\d+)-(\d+)\]", label).groups())  # type: ignore[union-attr]
            assert low <= age <= high
            assert (high - low, low % 5) == (4, 0) or (low, high) == (18, 24)
    assert all(re.fullmatch(r"\d{3}\*\*", label) for label in table["zip"].to_pylist())
    days = zip(TABLE["day"].to_pylist(), table["day"].to_pylist(), strict=True)
    assert all(label == f"{day:%Y-%m}" for day, label in days)
    assert not any(column.has_limits for column in schema.values())


_LABEL = re.compile(r"(?P<open>[\[\]])(?P<low>[-0-9.]+?)-(?P<high>[-0-9.]+)(?P<close>[\[\]])|(?P<one>-?[0-9.]+)")


def _holds(label: str, value: float) -> bool:
    """Whether a value fits a label, as a reader takes it."""
    if label == "*":
        return True
    if label.endswith((" or less", " or more")):
        bound = float(label.split()[0])
        return value <= bound if label.endswith("less") else value >= bound
    found = _LABEL.fullmatch(label)
    assert found is not None, label
    if found["one"]:
        return value == float(found["one"])
    low, high = float(found["low"]), float(found["high"])
    above = value > low if found["open"] == "]" else value >= low
    return above and (value < high if found["close"] == "[" else value <= high)


@settings(max_examples=some(60))
@given(
    values=st.lists(st.integers(-40, 160), min_size=1, max_size=60, unique=True),
    halves=st.booleans(),
    finest=st.sampled_from([None, 1, 5, 7]),
    tails=st.tuples(st.none() | st.integers(-20, 60), st.none() | st.integers(75, 130)).filter(any),
)
def test_a_number_fits_one_label_of_a_level_and_none_is_finer(values, halves, finest, tails) -> None:
    """Not in two: neither beside a tail that begins amid an interval, nor where fractions begin at its very end."""
    bottom, top = tails
    numbers = [value / 2 for value in values] if halves else values
    if halves and finest is None:
        return
    column = am.Column(role="quasi", finest=finest, bottom=bottom, top=top)
    _, schema = limited(pa.table({"x": numbers}), am.Schema({"x": column}))
    rows = schema["x"].hierarchy.recipe.rows
    for level in range(len(rows[0]) - 1):
        labels = {row[level] for row in rows}
        assert all(sum(_holds(label, number) for label in labels) == 1 for number in numbers)
        widths = [
            float(found["high"]) - float(found["low"])
            for one in labels
            if (found := _LABEL.fullmatch(one)) and found["low"]
        ]
        assert all(width + (not halves) >= (finest or 0) for width in widths)


@pytest.mark.parametrize("method", ONE)
def test_no_method_publishes_anything_finer(method: str) -> None:
    models = [am.KAnonymity(4)]
    release = am.anonymize(TABLE, SCHEMA, models, method=method)
    finest = {name: set(column.to_pylist()) for name, column in zip(TABLE.column_names, TABLE.columns, strict=True)}
    for name in SCHEMA.quasi:
        shown = {str(label) for label in release.table[name].to_pylist()}
        assert not shown & {str(value) for value in finest[name]}, name
    ages = set(release.table["age"].to_pylist())
    assert not any(re.fullmatch(r"\d+", str(label)) for label in ages)
    assert release.verdict.ok


def test_a_release_with_limits_is_proved_from_its_folder_and_by_job(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(TABLE, tmp_path / "t.parquet")
    text = """
        [input]
        path = "t.parquet"
        [columns.age]
        role = "quasi"
        finest = 5
        top = 90
        [columns.zip]
        role = "quasi"
        finest = 3
        hierarchy = { digits = 5 }
        [columns.day]
        role = "quasi"
        finest = "month"
        [columns.ill]
        role = "keep"
        [[privacy]]
        model = "k-anonymity"
        k = 4
        [output]
        folder = "out"
    """
    (tmp_path / "job.toml").write_text(text, encoding="utf-8")
    job = am.Job.from_file(tmp_path / "job.toml")
    assert job.schema["day"].finest == "month"
    job.run()
    told = release_in(tmp_path / "out")
    assert am.verify(tmp_path / "out", told.schema, [am.KAnonymity(4)]).ok
    release = am.anonymize(TABLE, SCHEMA, k=4, method="mondrian")
    assert am.verify(release.arrow, release.schema, [am.KAnonymity(4)]).ok


@pytest.mark.parametrize(
    "wrong",
    [
        {"finest": 0},
        {"finest": True},
        {"top": "high"},
        {"top": 5, "bottom": 9},
        {"role": "identifier", "finest": 5},
    ],
)
def test_limits_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSchema):
        am.Column(**{"role": "quasi", **wrong})


@pytest.mark.parametrize(
    ("name", "limit"), [("zip", {"finest": "month"}), ("zip", {"top": 3}), ("day", {"finest": 5}), ("ill", {"top": 1})]
)
def test_limits_that_do_not_fit_the_values_are_refused(name: str, limit: dict[str, Any]) -> None:
    columns: dict[str, Any] = dict.fromkeys(TABLE.column_names, "keep")
    with pytest.raises(BadSchema) as refused:
        am.anonymize(TABLE, {**columns, name: am.Column(role="quasi", **limit)}, k=3, method="mondrian")
    assert f"'{name}'" in str(refused.value)


def test_where_limits_cannot_be_carried_out_they_are_refused() -> None:
    with pytest.raises(BadOption, match="carried out"):
        Store.with_limits(PostgresqlStore.__new__(PostgresqlStore), SCHEMA)
    with pytest.raises(BadSchema):
        am.largest_k(TABLE, SCHEMA, 0.5)


@pytest.mark.parametrize("ages", [(5, 61), (142, 0)])
@pytest.mark.parametrize("limits", [{"finest": 5}, {"finest": 5, "top": 90, "bottom": 20}, {"top": 150}])
def test_whom_a_null_left_out_changes_no_byte_of_the_public_folder(tmp_path, ages, limits) -> None:
    draw = np.random.default_rng(3)
    people = {
        "age": draw.integers(18, 99, 300),
        "sex": draw.choice(["f", "m"], 300),
        "ill": draw.choice(["a", "b"], 300),
    }
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", **limits),
            "sex": am.Column(role="quasi", nulls="suppress"),
            "ill": am.Column(role="sensitive"),
        }
    )
    folders = []
    for age in ages:
        table = pa.table(people)
        left_out = pa.table({"age": [age], "sex": pa.array([None], pa.string()), "ill": ["a"]})
        release = am.anonymize(pa.concat_tables([left_out, table]), schema, [am.KAnonymity(5)], method="mondrian")
        release.write(tmp_path / str(age))
        assert am.verify(tmp_path / str(age), release.schema, release.models).ok
        folders.append({file.name: file.read_bytes() for file in (tmp_path / str(age)).iterdir()})
    assert folders[0] == folders[1]


@pytest.mark.parametrize("limits", [{"finest": 5}, {"top": 90, "bottom": 20}])
def test_the_order_of_the_input_changes_nothing(limits) -> None:
    draw = np.random.default_rng(4)
    table = pa.table({"age": draw.integers(18, 99, 200), "ill": draw.choice(["a", "b"], 200)})
    schema = am.Schema({"age": am.Column(role="quasi", **limits), "ill": am.Column(role="sensitive")})
    shuffled = table.take(draw.permutation(200))
    first, second = (
        am.anonymize(one, schema, [am.KAnonymity(5)], method="mondrian").table for one in (table, shuffled)
    )
    assert first.equals(second)


AS_THEY_ARE = am.Schema(
    {
        "age": am.Column(role="quasi", finest=5, top=90),
        "zip": am.Column(role="identifier"),
        "day": am.Column(role="keep", finest="month"),
        "cost": am.Column(role="sensitive", top=5000),
        "stay": am.Column(role="sensitive", finest=10, top=40),
        "ill": am.Column(role="quasi"),
    }
)
COSTS = TABLE.append_column("cost", pa.array([round(1.37 * i**2, 2) for i in range(N)])).append_column(
    "stay", pa.array([1 + i % 50 for i in range(N)])
)
LONGEST = am.LDiversity(2, "distinct", column="stay")


@pytest.mark.parametrize("method", [name for name in ONE if METHODS[name].takes == "models"])
def test_sensitive_and_kept_columns_are_no_finer_than_their_limits(method: str) -> None:
    release = am.anonymize(COSTS, AS_THEY_ARE, [am.KAnonymity(4), LONGEST], method=method)
    assert release.verdict.ok
    assert set(release.table["stay"].to_pylist()) <= {"[0-9]", "[10-19]", "[20-29]", "[30-39]", "40 or more"}
    assert all(re.fullmatch(r"20\d\d-\d\d", day) for day in release.table["day"].to_pylist())
    shown = release.table["cost"].to_pylist()
    assert "5000 or more" in shown
    assert max(float(cost) for cost in shown if cost != "5000 or more") < 5000


@pytest.mark.parametrize("asked", [{}, {"memory": "4GB"}], ids=["memory", "files"])
def test_no_byte_of_a_written_release_is_finer_than_the_limits(asked: dict[str, Any], tmp_path: Path) -> None:
    """Of a text file cells go out as they were written, but for columns with limits."""
    lines = [f"{70 + i};{'fm'[i % 2]};{i * 1111 + 0.25:.2f};{1 + i % 28:02}.03.20{10 + i % 9}" for i in range(28)]
    cells = "\n".join(lines).replace(".25;", ",25;")
    (tmp_path / "in.csv").write_text(f"age;sex;cost;seen\n{cells}\n")
    schema = {
        "age": am.Column(role="quasi", top=90, finest=5),
        "sex": "quasi",
        "cost": am.Column(role="sensitive", top=9000),
        "seen": am.Column(role="keep", finest="year"),
    }
    release = am.anonymize(tmp_path / "in.csv", schema, k=4, method="mondrian", reads="found", **asked)
    assert release.write(tmp_path / "out", format="csv", shape="input").ok
    assert am.verify(tmp_path / "out", release.schema, release.models).ok
    public = "".join(one.read_text() for one in (tmp_path / "out").iterdir())
    assert "9000 or more" in public
    for i in range(28):
        assert f".03.20{10 + i % 9}" not in public
        assert i * 1111 < 9000 or f"{i * 1111}" not in public


def test_who_knows_a_cell_finds_its_label() -> None:
    """An original that is finer than the release is no false comfort: what is found of a file is what memory finds."""
    rows = 80
    table = pa.table({"age": list(range(20, 20 + rows)), "pay": [float(i // 7) for i in range(rows)]})
    schema = am.Schema({"age": am.Column("quasi", top=90, finest=5), "pay": am.Column("sensitive", finest=2, top=9)})
    release = am.anonymize(table, schema, k=4, method="mondrian")
    attacks = {"attacks": ["inference", "label learner", "re-identification"], "k": 4, "split": False}
    there = am.attack(release, **attacks)
    again = am.attack(release.arrow, schema, original=table, **attacks)
    assert [one.achieved for one in again.attacks] == [one.achieved for one in there.attacks]
