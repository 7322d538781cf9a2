"""No original key is published under any role: a second reference, a copy, by catalogue, name or values alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.relations.loose_keys import FEW_TEXTS, MANY

ROLES = ["keep", "sensitive", "quasi"]


def clinic(*, gaps: bool = False, text: bool = False, n: int = 40) -> dict[str, pa.Table]:
    """Persons, two visits each, two conditions each: one a visit."""
    rng = np.random.default_rng(4)
    person, visit = np.arange(1, n + 1), np.arange(1, 2 * n + 1)
    if gaps:
        person, visit = (np.sort(rng.permutation(10**6)[: len(one)]) for one in (person, visit))
    person_key, visit_key = (
        pa.array([f"{mark}-{one:x}" for one in keys.tolist()]) if text else pa.array(keys)
        for mark, keys in (("p", person), ("v", visit))
    )
    of_visit = pa.array(np.arange(2 * n) // 2)
    return {
        "person": pa.table({"pk": person_key, "born": 1950 + np.arange(n) // 4, "age": rng.integers(18, 90, n)}),
        "visit": pa.table({"vk": visit_key, "who": person_key.take(of_visit), "ward": rng.choice(["a", "b"], 2 * n)}),
        "finding": pa.table({"who": person_key.take(of_visit), "code": rng.choice(list("xyz"), 2 * n)}),
    }


def schema_with(table: str, column: str, role: str) -> am.DatabaseSchema:
    quasi, rest = am.Column(role="quasi"), am.Column(role="sensitive")
    columns: dict[str, dict[str, am.Column]] = {
        "person": {"born": quasi, "age": rest},
        "visit": {"ward": quasi},
        "finding": {"code": rest},
    }
    columns[table][column] = am.Column(role=role, nulls="own value" if role == "quasi" else None)
    return am.DatabaseSchema(
        {
            "person": am.Relation(columns["person"], key="pk"),
            "visit": am.Relation(columns["visit"], "vk", "person", "who"),
            "finding": am.Relation(columns["finding"], None, "person", "who"),
        }
    )


def with_column(tables: dict[str, pa.Table], table: str, column: str, cells: Any) -> dict[str, pa.Table]:
    return {**tables, table: tables[table].append_column(column, cells)}


def loose_column(tables: dict[str, pa.Table], case: str) -> tuple[str, str, Any]:
    rng = np.random.default_rng(0)
    persons, visits = tables["person"]["pk"].combine_chunks(), tables["visit"]["vk"].combine_chunks()
    return {
        "second reference": ("finding", "during", visits),
        "some missing": (
            "finding",
            "during",
            pa.array([None if i % 3 else one for i, one in enumerate(visits.to_pylist())]),
        ),
        "as a frame has it": (
            "finding",
            "during",
            pa.array([None if i % 3 else 1.0 * one for i, one in enumerate(visits.to_pylist())])
            if pa.types.is_integer(visits.type)
            else visits,
        ),
        "as text": ("finding", "during", visits.cast(pa.string())),
        "coded": ("finding", "during", visits.dictionary_encode()),
        "a copy of the person's key": ("visit", "patient", tables["visit"]["who"].combine_chunks()),
        "a copy of its own key": ("visit", "copy", visits),
        "a copy among the persons": ("person", "copy", persons),
        "another person": ("person", "mother_id", persons.take(pa.array(rng.permutation(len(persons))))),
        "another row": ("visit", "follows_nr", visits.take(pa.array(rng.permutation(len(visits))))),
        "by its name": ("finding", "vk", visits.take(pa.array([3] * len(visits)))),
    }[case]


CASES = [
    "second reference", "some missing", "as a frame has it", "as text", "coded", "a copy of the person's key",
    "a copy of its own key", "a copy among the persons", "another person", "another row", "by its name",
]  # fmt: skip


@pytest.mark.parametrize("keys", [{}, {"gaps": True}, {"text": True}], ids=["1 to n", "with gaps", "text"])
@pytest.mark.parametrize("case", CASES)
def test_keys_under_any_role_are_refused_by_their_values(case: str, keys: dict[str, bool]) -> None:
    tables = clinic(**keys)
    table, column, cells = loose_column(tables, case)
    made = with_column(tables, table, column, cells)
    for role in ROLES:
        with pytest.raises(am.errors.BadSchema, match=column) as caught:
            am.anonymize_database(made, schema_with(table, column, role), [am.KAnonymity(4)])
        assert {one["problem"] for one in caught.value.facts["problems"]} == {"loose key"}
    release = am.anonymize_database(made, schema_with(table, column, "identifier"), [am.KAnonymity(4)])
    assert release.verdict.ok
    assert column not in release.tables[table].column_names


@pytest.mark.parametrize("keys", [{}, {"gaps": True}, {"text": True}], ids=["1 to n", "with gaps", "text"])
def test_numbers_and_texts_that_happen_to_be_keys_are_no_references(keys: dict[str, bool]) -> None:
    """Ages, counts and codes lie within the keys 1 to n and refer to nothing."""
    rng = np.random.default_rng(1)
    tables = clinic(n=100, **keys)
    for name, cells in {
        "nights": rng.integers(1, 80, 200),
        "ward_id": rng.integers(1, 12, 200),
        "place": np.tile(np.arange(1, 3), 100),
        "day": rng.integers(1, 366, 200),
        "nights, one of them long": np.r_[rng.integers(1, 80, 199), 5000],
        "days before": np.r_[rng.integers(1, 80, 198), -300, 4000],
    }.items():
        made = with_column(tables, "finding", name, pa.array(cells))
        assert am.anonymize_database(made, schema_with("finding", name, "keep"), [am.KAnonymity(4)]).verdict.ok


def test_numbers_that_hit_the_few_gaps_between_keys_as_chance_has_it_are_no_references() -> None:
    """Of keys with a gap in 21, numbers that meet their share of the gaps are nearly all keys, and lead nowhere."""
    tables, rng = clinic(n=200), np.random.default_rng(3)
    keys = np.setdiff1d(np.arange(1, 421), np.arange(21, 421, 21))
    tables["visit"] = tables["visit"].set_column(0, "vk", pa.array(keys))
    schema = schema_with("finding", "days", "keep")
    days = pa.array(np.resize(rng.permutation(np.arange(1, 321)), 400))
    made = with_column(tables, "finding", "days", days)
    assert am.anonymize_database(made, schema, [am.KAnonymity(4)]).verdict.ok
    loose = with_column(tables, "finding", "days", pa.array(rng.permutation(keys)))
    with pytest.raises(am.errors.BadSchema, match="keys of 'visit'"):
        am.anonymize_database(loose, schema, [am.KAnonymity(4)])


def test_the_table_that_a_column_is_called_by_is_told() -> None:
    """Keys from 1 on are those of every table: the error names the one that is meant."""
    tables = clinic()
    made = with_column(tables, "finding", "vk", tables["finding"]["who"].combine_chunks())
    with pytest.raises(am.errors.BadSchema, match="keys of 'visit'"):
        am.anonymize_database(made, schema_with("finding", "vk", "keep"), [am.KAnonymity(4)])


@pytest.mark.parametrize(("n_texts", "refused"), [(FEW_TEXTS - 1, False), (FEW_TEXTS, True)])
def test_so_many_texts_that_are_keys_are_no_chance(n_texts: int, refused: bool) -> None:
    tables = clinic(text=True)
    some = tables["person"]["pk"].combine_chunks().take(pa.array(np.arange(40) % n_texts))
    made = with_column(tables, "person", "friend", some)
    if not refused:
        assert am.anonymize_database(made, schema_with("person", "friend", "keep"), [am.KAnonymity(4)]).verdict.ok
        return
    with pytest.raises(am.errors.BadSchema, match="friend"):
        am.anonymize_database(made, schema_with("person", "friend", "keep"), [am.KAnonymity(4)])


@pytest.mark.parametrize(("n_numbers", "refused"), [(MANY - 1, False), (MANY, True)])
def test_so_many_numbers_called_a_key_are_references(n_numbers: int, refused: bool) -> None:
    tables = clinic()
    spread = np.linspace(1, 40, n_numbers).round().astype(int)[::-1]
    made = with_column(tables, "person", "boss_id", pa.array(np.resize(spread, 40)))
    if not refused:
        assert am.anonymize_database(made, schema_with("person", "boss_id", "keep"), [am.KAnonymity(4)]).verdict.ok
        return
    with pytest.raises(am.errors.BadSchema, match="boss_id"):
        am.anonymize_database(made, schema_with("person", "boss_id", "keep"), [am.KAnonymity(4)])


def catalogue(path: Path) -> Path:
    """A database that states its references, to a table that is left out and to a lookup table too."""
    with sqlite3.connect(path) as database:
        database.executescript(
            """
            create table ward(ward_id integer primary key, title text);
            create table person(person_id integer primary key, born integer,
              guardian integer references Person(person_id));
            create table visit(visit_id integer primary key, person_id integer references person(person_id));
            create table condition(condition_id integer primary key, person_id integer references person(person_id),
              seen integer references visit(visit_id), ward integer references ward(ward_id), code text);
            """
        )
        for i in range(1, 21):
            database.execute("insert into person values (?, ?, ?)", (i, 1950 + i // 4, 1))
            database.execute("insert into visit values (?, ?)", (i, i))
            database.execute("insert into condition values (?, ?, 1, 1, 'x')", (i, i))
        database.execute("insert into ward values (1, 'Eye')")
    database.close()
    return path


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("table", "column"), [("condition", "seen"), ("person", "guardian")])
def test_what_the_catalogue_calls_a_reference_is_refused_whatever_it_holds(
    table: str, column: str, role: str, tmp_path: Path
) -> None:
    """One value alone, no sign by name: also where the table it refers to is left out, and to its own table."""
    columns = {
        "person": {"born": "quasi", "guardian": "identifier"},
        "condition": {"code": "keep", "seen": "identifier", "ward": "keep"},
    }
    columns[table][column] = role
    relations = {name: am.Relation({c: am.Column(role=r) for c, r in own.items()}) for name, own in columns.items()}
    relations["condition"] = am.Relation(relations["condition"].schema, None, "person", "person_id")
    schema = am.DatabaseSchema(relations, leave_out=["visit", "ward"])
    path = catalogue(tmp_path / "x.sqlite")
    with pytest.raises(am.errors.BadSchema, match=column):
        am.anonymize_database(path, schema, [am.KAnonymity(4)])


def test_a_reference_to_a_lookup_table_is_a_column_like_any_other(tmp_path: Path) -> None:
    columns = {
        "person": {"born": "quasi", "guardian": "identifier"},
        "condition": {"code": "keep", "seen": "identifier", "ward": "keep"},
    }
    relations = {name: am.Relation({c: am.Column(role=r) for c, r in own.items()}) for name, own in columns.items()}
    relations["condition"] = am.Relation(relations["condition"].schema, None, "person", "person_id")
    schema = am.DatabaseSchema(relations, leave_out=["visit", "ward"])
    assert am.anonymize_database(catalogue(tmp_path / "x.sqlite"), schema, [am.KAnonymity(4)]).verdict.ok


def test_a_key_that_the_schema_passes_over_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("create table person(nr integer primary key, other integer, born integer)")
        database.executemany("insert into person values (?, ?, ?)", [(i, 100 - i, 1950 + i // 4) for i in range(20)])
    database.close()
    columns = {"nr": am.Column(role="keep"), "born": am.Column(role="quasi")}
    with pytest.raises(am.errors.BadSchema, match="nr"):
        am.anonymize_database(
            path, am.DatabaseSchema({"person": am.Relation(columns, key="other")}), [am.KAnonymity(4)]
        )


@pytest.mark.parametrize("key", [{}, {"gaps": True}, {"text": True}], ids=["1 to n", "with gaps", "text"])
@pytest.mark.parametrize("column", ["vk", "during"])
def test_the_verifier_sees_keys_that_somebody_published(column: str, key: dict[str, bool]) -> None:
    """Original keys under the name of the key, or in two tables under one name: from the published tables alone."""
    tables = clinic(**key)
    schema = schema_with("finding", column, "identifier")
    release = am.anonymize_database(
        with_column(tables, "finding", column, tables["visit"]["vk"]), schema, [am.KAnonymity(4)]
    )
    said = schema_with("finding", column, "keep")
    rows = release.plan.input_row
    leaky = with_column(release.tables, "finding", column, tables["visit"]["vk"].take(pa.array(rows["finding"])))
    if column == "during":
        leaky = with_column(leaky, "visit", column, tables["visit"]["vk"].take(pa.array(rows["visit"])))
        visit = am.Relation({**said["visit"].schema, column: am.Column(role="keep")}, "vk", "person", "who")
        said = said.with_relations(visit=visit)
    verdict = am.verify_database(leaky, said, [am.KAnonymity(4)])
    assert [finding.code for finding in verdict.findings] == ["loose-key"], verdict.words()


def test_the_verifier_sees_references_to_new_keys_that_nobody_counted() -> None:
    tables = clinic()
    release = am.anonymize_database(tables, schema_with("person", "age", "keep"), [am.KAnonymity(4)])
    visits, findings = release.tables["visit"], release.tables["finding"]
    first = dict(zip(visits["who"].to_pylist(), visits["vk"].to_pylist(), strict=True))
    leaky = with_column(
        release.tables, "finding", "during", pa.array([first[one] for one in findings["who"].to_pylist()])
    )
    verdict = am.verify_database(leaky, schema_with("finding", "during", "keep"), [am.KAnonymity(4)])
    assert "loose-key" in [finding.code for finding in verdict.findings]


@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_the_verifier_lets_numbers_pass_that_happen_to_be_keys(role: str) -> None:
    tables = clinic()
    made = with_column(tables, "finding", "nights", pa.array(np.random.default_rng(1).integers(1, 40, 80)))
    release = am.anonymize_database(made, schema_with("finding", "nights", role), [am.KAnonymity(4)])
    assert release.verdict.ok, release.verdict.words()


@pytest.mark.parametrize("role", ["keep", "sensitive"])
@pytest.mark.parametrize(("per_row", "refused"), [(1, True), (2, False)])
def test_a_reference_one_to_one_to_a_table_that_is_left_out(per_row: int, refused: bool, role: str) -> None:
    """A holder of each person is as telling as her key; a code that rows share is none."""
    tables = with_column(clinic(), "person", "holder", pa.array(5000 + 7 * (np.arange(40)[::-1] // per_row)))
    tables["holder"] = pa.table({"holder": 5000 + 7 * np.arange(41), "name": [f"n{i}" for i in range(41)]})
    schema = am.DatabaseSchema(dict(schema_with("person", "holder", role)), leave_out=["holder"])
    if not refused:
        assert am.anonymize_database(tables, schema, [am.KAnonymity(4)]).verdict.ok
        return
    with pytest.raises(am.errors.BadSchema, match="holder"):
        am.anonymize_database(tables, schema, [am.KAnonymity(4)])
