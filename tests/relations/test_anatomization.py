"""Anatomization of many tables: rows as they are, values bound to classes; held against d-miracle's tables in lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import AmongstError, BadOption, BadSchema
from amongst.relations.values_apart import values_tables

ROWS = am.Diversity(2, count="rows")


def made(seed: int, n: int = 24) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Persons, visits and tests below visits; persons and visits have sensitive columns, visits two."""
    rng = np.random.default_rng(seed)
    visits = [p for p in range(n) for _ in range(rng.integers(0, 4))]
    tests = [v for v in range(len(visits)) for _ in range(rng.integers(0, 3))]
    ward = am.Hierarchy.nested({"inner": ["heart", "lung"], "head": ["eye", "ear"]})
    tables = {
        "people": pa.table({"id": np.arange(n) + 50, "age": rng.integers(20, 60, n), "income": rng.integers(1, 9, n)}),
        "visits": pa.table(
            {
                "visit": np.arange(len(visits)),
                "id": np.array(visits, dtype=np.int64) + 50,
                "ward": rng.choice(["heart", "lung", "eye", "ear"], len(visits)),
                "ill": rng.choice(["a", "b", "c", "d"], len(visits)),
                "cost": rng.integers(1, 6, len(visits)),
            }
        ),
        "tests": pa.table({"visit": np.array(tests, dtype=np.int64), "kind": rng.choice(["x", "y"], len(tests))}),
    }
    quasi, secret = am.Column(role="quasi"), am.Column(role="sensitive")
    schema = am.DatabaseSchema(
        {
            "people": am.Relation({"age": quasi, "income": secret}, key="id"),
            "visits": am.Relation(
                {"ward": am.Column(role="quasi", hierarchy=ward), "ill": secret, "cost": secret},
                key="visit",
                parent="people",
                foreign_key="id",
            ),
            "tests": am.Relation({"kind": am.Column(role="keep")}, parent="visits", foreign_key="visit"),
        }
    )
    return tables, schema


def kinds(release: Any, tables: dict[str, pa.Table]) -> dict[str, dict[int, Any]]:
    """What rows of an anonymization look like, by their rows of the input: group, own labels, above and below."""
    shown = {name: table.to_pylist() for name, table in release.tables_of.items()}
    rows = release.plan.input_row
    group = release.group_of_person
    below_visit: dict[Any, list[Any]] = defaultdict(list)
    for row in shown["tests"]:
        below_visit[row["visit"]].append("test")  # tests have no quasi-identifier: being there is all that is known
    visit_of: dict[Any, list[Any]] = defaultdict(list)
    own_visit = [(row["ward"], len(below_visit[row["visit"]])) for row in shown["visits"]]
    for row, what in zip(shown["visits"], own_visit, strict=True):
        visit_of[row["id"]].append(what)
    person = {
        row["id"]: (int(group[at]), row["age"], tuple(sorted(visit_of[row["id"]])))
        for row, at in zip(shown["people"], rows["people"].tolist(), strict=True)
    }
    people = {at: person[row["id"]] for row, at in zip(shown["people"], rows["people"].tolist(), strict=True)}
    visits = {
        at: (person[row["id"]], what)
        for row, what, at in zip(shown["visits"], own_visit, rows["visits"].tolist(), strict=True)
    }
    return {"people": people, "visits": visits}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("model", [ROWS, am.Diversity(2, "distinct"), am.Diversity(1.5, "entropy"), am.Diversity(2)])
def test_classes_are_what_an_anonymization_does_not_tell_apart(seed: int, model: am.Diversity) -> None:
    tables, schema = made(seed)
    try:
        plain = am.anonymize_database(tables, schema, [model], "d-miracle", leftovers="join")
        release = am.anonymize_database(tables, schema, [model], "anatomization", leftovers="join")
    except am.errors.Infeasible:
        pytest.skip("no groups of these persons are so diverse")
    assert release.verdict.ok, release.verdict.words()
    object.__setattr__(plain, "tables_of", plain.arrow)
    looks = kinds(plain, tables)
    kept = set(release.plan.input_row["people"].tolist())
    for name in ("people", "visits"):
        shown = release.arrow[name].to_pylist()
        class_of = dict(zip(release.plan.input_row[name].tolist(), (row["class"] for row in shown), strict=True))
        mates: dict[Any, set[int]] = defaultdict(set)
        classes: dict[int, set[int]] = defaultdict(set)
        for at, look in looks[name].items():
            if at in class_of:
                mates[look].add(at)
                classes[class_of[at]].add(at)
        assert sorted(map(sorted, mates.values())) == sorted(map(sorted, classes.values()))
        original = tables[name].to_pylist()
        for row, at in zip(shown, release.plan.input_row[name].tolist(), strict=True):
            assert {c: row[c] for c in ("age", "ward") if c in row} == {
                c: original[at][c] for c in ("age", "ward") if c in original[at]
            }
        for column in schema[name].schema.sensitive:
            assert column not in release.arrow[name].column_names
            said = {(r["class"], r[column]): r["count"] for r in release.arrow[f"{name}_{column}"].to_pylist()}
            assert said == Counter((class_of[at], original[at][column]) for at in class_of)
            of_class: dict[int, list[int]] = defaultdict(list)
            for (kind, _), times in said.items():
                of_class[kind].append(times)
            for kind, times in of_class.items():
                if model.sense == "frequency":
                    rows = [at for at, own in class_of.items() if own == kind]
                    people = {at if name == "people" else original[at]["id"] for at in rows}
                    assert max(times) * 2 <= (len(rows) if model.count == "rows" else len(people))
                elif model.sense == "distinct":
                    assert len(times) >= 2
    assert kept <= set(plain.plan.input_row["people"].tolist())


def test_the_figures_students_as_an_anatomization(tmp_path: Path) -> None:
    """The four students of the paper: their courses stay as they are, grades are those of two rows each."""
    made = am.datasets.load_database("transcripts")
    release = am.anonymize_database(
        made.tables, made.schema, [am.Diversity(2, "distinct", count="rows")], "anatomization"
    )
    assert {row["Course"] for row in release.arrow["courses"].to_pylist()} <= set(
        made.tables["courses"]["Course"].to_pylist()
    )
    grades = release.arrow["courses_Grade"].to_pylist()
    assert min(Counter(row["class"] for row in grades).values()) >= 2
    assert release.utility.lm < am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)]).utility.lm


@pytest.mark.parametrize("kind", ["parquet", "csv", "duckdb", "sqlite"])
def test_what_is_written_is_proved_and_can_be_verified(kind: str, tmp_path: Path) -> None:
    tables, schema = made(1, 40)
    release = am.anonymize_database(tables, schema, [ROWS], "anatomization", leftovers="join")
    release.write(tmp_path / "out", format=kind)
    verdict = am.verify_database(tmp_path / "out", schema, [ROWS])
    assert verdict.ok, verdict.words()
    assert verdict.group_sizes == release.verdict.group_sizes
    assert not am.verify_database(tmp_path / "out", schema, [am.Diversity(20)]).ok
    assert not am.verify_database(tmp_path / "out", schema, [am.KAnonymity(2)]).ok


def _broken(tables: dict[str, pa.Table], original: dict[str, pa.Table]) -> dict[str, dict[str, pa.Table]]:
    visits, ill = tables["visits"], tables["visits_ill"]
    many = ill.set_column(2, "count", pa.array([int(n) + 1 for n in ill["count"].to_pylist()]))
    one = pa.table({**{name: ill[name] for name in ("class", "count")}, "ill": ["a"] * ill.num_rows})
    return {
        "a sensitive column beside": {**tables, "visits": visits.append_column("ill", pa.array(["a"] * len(visits)))},
        "counts that do not add up": {**tables, "visits_ill": many},
        "a class without values": {**tables, "visits_ill": ill.slice(1)},
        "one value everywhere": {**tables, "visits_ill": one.select(["class", "ill", "count"])},
        "no such table": {name: one for name, one in tables.items() if name != "people_income"},
        "another column that links": {**tables, "visits_ill": ill.append_column("ward", pa.array(["x"] * len(ill)))},
        "rows that hang on nobody": {**tables, "people": tables["people"].slice(1)},
    }


def test_broken_tables_do_not_hold() -> None:
    tables, schema = made(1, 40)
    release = am.anonymize_database(tables, schema, [ROWS], "anatomization", leftovers="join")
    assert am.verify_database(dict(release.arrow), schema, [ROWS]).ok
    for what, broken in _broken(dict(release.arrow), tables).items():
        assert not am.verify_database(broken, schema, [ROWS]).ok, what


def test_a_copy_of_what_is_sensitive_is_found() -> None:
    tables, schema = made(1, 60)
    tables["visits"] = tables["visits"].append_column("copy", tables["visits"]["ill"])
    rules = {**schema["visits"].schema, "copy": am.Column(role="keep")}
    own = am.Relation(rules, key="visit", parent="people", foreign_key="id")
    release = am.anonymize_database(
        tables, schema.with_relations(visits=own), [ROWS], "anatomization", leftovers="join"
    )
    assert [finding.code for finding in release.verdict.findings] == ["copy"]


def test_a_value_that_many_rows_of_one_person_have_is_counted_as_of_many() -> None:
    """Counted in persons d-miracle may publish what an anatomization may not: whose rows they are is not told."""
    visits = pa.table({"id": [1, 1, 2, 2, 3, 3, 4, 4], "ill": ["a", "a", "b", "c", "d", "e", "f", "g"]})
    tables = {"people": pa.table({"id": [1, 2, 3, 4], "age": [30, 30, 30, 30]}), "visits": visits}
    schema = am.DatabaseSchema(
        {
            "people": am.Relation({"age": am.Column(role="quasi")}, key="id"),
            "visits": am.Relation({"ill": am.Column(role="sensitive")}, parent="people", foreign_key="id"),
        }
    )
    asked = am.Diversity(4, count="persons")
    assert am.anonymize_database(tables, schema, [asked], "d-miracle").verdict.ok
    with pytest.raises(am.errors.Infeasible):
        am.anonymize_database(tables, schema, [asked], "anatomization")
    assert am.anonymize_database(tables, schema, [am.Diversity(4, count="rows")], "anatomization").verdict.ok


def test_what_an_anatomization_cannot_do_is_refused() -> None:
    tables, schema = made(2)
    for models in ([am.KAnonymity(3)], [am.KAnonymity(3), ROWS]):
        with pytest.raises(BadOption, match="diversity and nothing else"):
            am.anonymize_database(tables, schema, models, "anatomization")
    taken = {**tables, "visits_ill": pa.table({"visit": [0]})}
    other = schema.with_relations(visits_ill=am.Relation({}, parent="visits", foreign_key="visit"))
    with pytest.raises((BadSchema, AmongstError), match="name is taken"):
        am.anonymize_database(taken, other, [ROWS], "anatomization", leftovers="join")
    assert values_tables(schema)["visits_ill"] == ("visits", "ill")


def test_numbers_of_classes_and_order_follow_the_seed_alone() -> None:
    tables, schema = made(3, 30)
    turned = {name: table.take(np.arange(len(table))[::-1].copy()) for name, table in tables.items()}
    turned["tests"] = tables["tests"]  # it has no key: its order is all there is to draw by
    one, other = (
        am.anonymize_database(own, schema, [ROWS], "anatomization", leftovers="join", seed=4).arrow
        for own in (tables, turned)
    )
    assert all(one[name].equals(other[name]) for name in ("people", "people_income"))
