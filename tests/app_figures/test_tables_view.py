"""Many tables in the workbench: rows before and after, and the share of rows that tell a sensitive value."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')

from amongst.app.desk import Desk
from amongst.app.figures import ask_tables, explain_row, rows_of_table, told_of


@pytest.fixture(scope="module")
def release() -> Any:
    made = am.datasets.load_database("hospital", n_persons=80)
    return am.anonymize_database(made.tables, made.schema, [am.KAnonymity(5)])


def shown(release: Any, table: str) -> dict[str, Any]:
    """All rows of a table, in pages of 50."""
    original, n = release.source, release.source.tables[table].num_rows
    pages = [rows_of_table(release, original, table, first, 50, "as read") for first in range(0, n, 50)]
    keys = ("rows", "before", "after", "changed", "gone")
    return pages[0] | {key: [one for page in pages for one in page[key]] for key in keys}


def test_rows_stand_beside_what_is_published_of_them(release: Any) -> None:
    for table, published in release.arrow.items():
        view = shown(release, table)
        names = [column["name"] for column in view["columns"]]
        assert view["rows"] == list(range(release.source.tables[table].num_rows))
        kept = [row for row, gone in zip(view["after"], view["gone"], strict=True) if not gone]
        assert len(kept) == published.num_rows
        schema = release.schema[table].schema
        for column in schema.quasi:
            cells = Counter(row[names.index(column)] for row in kept)
            assert cells == Counter(None if one is None else str(one) for one in published[column].to_pylist())
        for column in schema.sensitive:  # published as it is, so beside its own row
            c = names.index(column)
            pairs = zip(view["before"], view["after"], view["gone"], strict=True)
            assert all(was[c] == now[c] for was, now, gone in pairs if not gone)
    left = rows_of_table(release, release.source, "visits", 0, 50, "left out")
    assert left["gone"]
    assert all(left["gone"])


def test_what_is_learned_is_counted_row_by_row(release: Any) -> None:
    forest, grouped, found = release.coded, release.partition, []
    for t, name in enumerate(forest.names):
        for column in release.schema[name].schema.sensitive:
            values = release.source.tables[name][column].to_pylist()
            alike = defaultdict(list)
            for row, node in enumerate(grouped.node_of_row[t]):
                if node >= 0:
                    group = grouped.group_of_person[forest.person_of[t][row]]
                    alike[group, node].append(values[forest.row_of[t][row]])
            n = sum(map(len, alike.values()))
            found.append(sum(len(one) for one in alike.values() if len(set(one)) == 1) / n)
    told = told_of(release)["gauges"]
    assert told["learned"] == pytest.approx(max(found))
    assert told["lost"] == release.utility.lm
    assert told["found"] == 1 / 5


def test_a_row_is_explained_by_the_rows_it_looks_like_and_questions_are_answered(release: Any) -> None:
    view = shown(release, "visits")
    for row in range(40):
        told = explain_row(release, release.source, "visits", row)
        assert bool(told["gone"]) == view["gone"][row]
        if not told["gone"]:
            assert told["size"] >= 5
            assert [one["label"] for one in told["cells"]] == view["after"][row][: len(told["cells"])]
    asked = told_of(release)["questions"]
    assert len(asked) >= len(release.schema)
    for sql in asked:
        answer = ask_tables(release, sql)
        assert "error" not in answer
        assert answer["lines"]
    assert ask_tables(release, "SELECT nothing")["error"]["what"]


def test_a_frequent_value_beside_nulls_is_named_and_the_nulls_are_not() -> None:
    persons = pa.table({"id": range(40), "town": ["A"] * 12 + ["B"] * 3 + [None] * 25})
    town = am.Column(role="quasi", kind="categorical", nulls="own value")
    schema = am.DatabaseSchema({"persons": am.Relation(columns={"town": town}, key="id")})
    release = am.anonymize_database({"persons": persons}, schema, [am.KAnonymity(5)])
    (asked,) = told_of(release)["columns"]
    assert asked["values"] == ["A"]


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, dict[str, Any]]:
    """A desk with the tables of 600 persons, and a job about them."""
    folder, desk = tmp_path_factory.mktemp("many") / "hospital", Desk()
    desk.example_database("hospital", {"n_persons": 600}, str(folder))
    job = desk.open_database(str(folder), None)["job"]
    return desk, job | {"method": {"name": "miracle-x", "seed": 0}, "output": {"format": "parquet"}}


def k_asked(k: int) -> dict[str, Any]:
    return {"privacy": [{"model": "k-anonymity", "k": k}]}


def test_a_trial_of_many_tables_is_the_release(hospital: tuple[Desk, dict[str, Any]], monkeypatch: Any) -> None:
    desk, job = hospital
    monkeypatch.setattr("amongst.app.trial.QUICK_SECONDS", 1e9)
    for k in (5, 12):
        made = desk.anonymize(job | k_asked(k))
        for table in job["tables"]:
            tried = desk.trial(job | k_asked(k), first=25, n=25, order="as read", table=table)
            assert tried["gauges"] == made["gauges"]
            assert (tried["method"], tried["sample"]) == ("miracle-x", 0)
            seen = desk.rows(first=25, n=25, order="as read", table=table)
            assert tried["rows"] == seen
    heavy = {**job["tables"]["visits"], "columns": {c: dict(f) for c, f in job["tables"]["visits"]["columns"].items()}}
    heavy["columns"]["ward"]["weight"] = 5.0
    other = job | {"tables": job["tables"] | {"visits": heavy}} | k_asked(12)
    tried = desk.trial(other, first=0, n=1, order="as read", table="visits")  # coded anew
    assert tried["gauges"]["loss_of_column"]["visits.ward"] < made["gauges"]["loss_of_column"]["visits.ward"]
    assert tried["gauges"] == desk.anonymize(other)["gauges"]


@pytest.mark.parametrize("k", [5, 60])
def test_some_persons_tell_nearly_what_all_do(hospital: tuple[Desk, dict[str, Any]], monkeypatch: Any, k: int) -> None:
    desk, job = hospital
    slow = job | {"method": {"name": "bitmap", "seed": 0}} | k_asked(k)
    monkeypatch.setattr("amongst.app.trial.QUICK_SECONDS", 0.0)
    whole = desk.trial(slow, first=0, n=1, order="as read", table="visits")
    assert (whole["method"], whole["sample"], whole["of"]) == ("miracle-x", 0, 600)
    monkeypatch.setattr("amongst.app.live_tables.QUICK_ROWS", 2700)
    part = desk.trial(slow, first=0, n=1, order="as read", table="visits")
    assert part["rows"] is None
    assert 200 < part["sample"] < 400
    assert part["gauges"]["smallest"] >= (k if k == 5 else 20)  # drawn by lot, k is in proportion
    assert part["gauges"]["lost"] == pytest.approx(whole["gauges"]["lost"], rel=0.25)


def test_some_persons_keep_all_that_hangs_on_them(release: Any) -> None:
    forest = release.coded
    kept = np.arange(forest.n_persons) % 3 == 1
    some = forest.of_persons(kept)
    assert some.n_persons == kept.sum()
    for t in range(len(forest.tables)):
        assert some.row_of[t].tolist() == [
            row for row, who in zip(forest.row_of[t], forest.person_of[t], strict=True) if kept[who]
        ]
        assert (np.flatnonzero(kept)[some.person_of[t]] == forest.person_of[t][kept[forest.person_of[t]]]).all()
        if t:
            parent, own = some.parent_rows(t), forest.parent_rows(t)[kept[forest.person_of[t]]]
            above = some.tables[t].parent
            assert (some.row_of[above][parent] == forest.row_of[above][own]).all()
