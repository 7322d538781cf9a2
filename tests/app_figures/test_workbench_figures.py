"""The figures of the workbench against naive ones: rows before and after, reasons of cells, gauges, trials."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.app import figures
from amongst.app.desk import Desk
from amongst.app.figures.kept import kept_share
from amongst.app.figures.rows import ORDERS
from amongst.app.trial import quick_job

TOWNS = ("Bern", "Chur", "Oslo", "Rome")
SCHEMA = am.Schema(
    {
        "name": am.Column(role="identifier"),
        "age": am.Column(role="quasi", kind="numeric"),
        "town": am.Column(role="quasi"),
        "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(2)),
        "ill": am.Column(role="sensitive"),
    }
)


def people(n: int, seed: int) -> pa.Table:
    draw = np.random.default_rng(seed)
    return pa.table(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": draw.integers(20, 40, n),
            "town": draw.choice(TOWNS, n),
            "zip": [f"{one:02d}" for one in draw.integers(10, 40, n)],
            "ill": draw.choice(["flu", "cold", "gout"], n),
        }
    )


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "incognito", "cell-generalization"])
def test_rows_after_are_the_published_rows(method: str) -> None:
    table = people(50, 3)
    schema = am.Schema({**SCHEMA, "town": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())})
    schema = am.Schema({**schema, "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 10]))})
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method=method)
    seen: Counter[Any] = Counter()
    for order in ("as read", "most changed"):
        view = figures.rows_view(release, table, 0, 60, order)
        assert sorted(view["rows"]) == list(range(50))
        names = [one["name"] for one in view["columns"]]
        for i, row in enumerate(view["rows"]):
            assert view["before"][i] == [str(table[name][row].as_py()) for name in names]
        kept = [c for c, one in enumerate(view["columns"]) if one["role"] != "identifier"]
        seen = Counter(tuple(row[c] for c in kept) for row in view["after"])
        published = release.table.select([names[c] for c in kept]).to_pylist()
        assert seen == Counter(tuple(str(cell) for cell in row.values()) for row in published)
        assert all(row[names.index("name")] is None for row in view["after"])
    assert ORDERS == ("as read", "most changed", "left out")


def test_rows_that_are_left_out_are_told() -> None:
    table = pa.table({"age": [30] * 6 + [None], "town": ["Bern"] * 7})
    schema = am.Schema({"age": am.Column(role="quasi", nulls="suppress"), "town": am.Column(role="quasi")})
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian")
    view = figures.rows_view(release, table, 0, 60, "left out")
    assert (view["rows"], view["gone"]) == ([6], [True])
    assert "missing" in figures.explain(release, table, 6)["gone"]
    assert figures.explain(release, table, 0)["size"] == 6


@given(st.integers(12, 40), st.integers(2, 5), st.integers(0, 50))
def test_the_reason_of_a_cell_is_a_count_that_anybody_can_repeat(n: int, k: int, seed: int) -> None:
    table = people(n, seed)
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(k)], method="mondrian")
    row = seed % n
    told = figures.explain(release, table, row)
    group = release.group_of_row
    members = [i for i in range(n) if group[i] == group[row]]
    assert told["size"] == len(members)
    columns = {name: table[name].to_pylist() for name in ("age", "town", "zip")}

    def fits(name: str, i: int) -> bool:
        own = [columns[name][j] for j in members]
        if name == "age":
            return bool(min(own) <= columns[name][i] <= max(own))
        if name == "town":
            return columns[name][i] in own
        codes = sorted(set(columns["zip"]))  # a range of neighbours under one node
        return bool(codes.index(min(own)) <= codes.index(columns[name][i]) <= codes.index(max(own)))

    for cell in told["cells"]:
        name, others = cell["name"], [one for one in columns if one != cell["name"]]
        alike = [i for i in range(n) if columns[name][i] == columns[name][row]]
        whole = sum(all(fits(other, i) for other in others) for i in alike)
        if not cell["changed"]:
            assert "Kept" in cell["why"]
            continue
        words = "No other row" if whole <= 1 and k > whole else f"{whole} rows" if whole >= k else f"Only {whole} rows"
        assert cell["why"].startswith(words)
        without = [
            left for left in others if sum(all(fits(other, i) for other in others if other != left) for i in alike) >= k
        ]
        if whole < k:
            assert ("Without" in cell["why"]) == bool(without)
            assert all(one in cell["why"] for one in without)


def test_nothing_generalized_keeps_everything_and_the_more_the_less() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 4000)
    shares = [kept_share(am.anonymize(table, adult.schema, [am.KAnonymity(k)], method="mondrian")) for k in (1, 5, 400)]
    assert shares[0] == pytest.approx(1)
    assert 1 > shares[1] > shares[2] >= 0  # type: ignore[operator]


def test_a_trial_is_the_release_where_the_table_is_small(tmp_path: Any) -> None:
    import pyarrow.csv as csv

    csv.write_csv(people(300, 1), tmp_path / "people.csv")
    desk = Desk()
    desk.open(str(tmp_path / "people.csv"))
    job = {
        "input": {"path": str(tmp_path / "people.csv")},
        "columns": {name: {"role": column.role} for name, column in SCHEMA.items()},
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "method": {"name": "mondrian", "seed": 0},
        "output": {},
    }
    for k in (4, 9, 4):
        job["privacy"] = [{"model": "k-anonymity", "k": k}]
        tried, made = desk.trial(job, first=0, n=5, order="as read"), desk.anonymize(job)
        assert tried["gauges"] == made["gauges"]
        assert tried["rows"] == desk.rows(first=0, n=5, order="as read")
    assert (tried["sample"], tried["method"]) == (0, "mondrian")
    slow = {**job, "method": {"name": "best", "seed": 0, "options": {"effort": 2}}}
    assert quick_job(slow, 100, {})[0]["method"] == {"name": "mondrian", "seed": 0}
    assert quick_job(slow, 100, {"best": 0.1})[0]["method"] == slow["method"]


@pytest.mark.parametrize("k", [5, 50, 300])
def test_a_part_of_a_large_table_tells_nearly_what_the_whole_does(
    k: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    adult = am.datasets.load("adult")
    pq.write_table(adult.table, tmp_path / "adult.parquet")
    desk = Desk()
    facts = desk.open(str(tmp_path / "adult.parquet"))
    columns = {one["name"]: dict(one["fields"]) for one in facts["columns"]}
    job = {
        "input": {"path": "adult.parquet"},
        "columns": columns,
        "output": {},
        "method": {"name": "mondrian", "seed": 0},
    }
    job["privacy"] = [{"model": "k-anonymity", "k": k}]
    whole = desk.trial(job, first=0, n=5, order="as read")
    monkeypatch.setattr("amongst.app.trial.QUICK_CELLS", 100_000)
    part = desk.trial(job, first=0, n=5, order="as read")
    assert part["rows"] is None
    assert 8_000 < part["sample"] < 20_000
    assert part["gauges"]["lost"] == pytest.approx(whole["gauges"]["lost"], rel=0.25)
