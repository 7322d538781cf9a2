"""Tables that cannot be used are refused with counts and names, never with values; odd ones that can be used are."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest

import amongst as am

SCHEMA = am.DatabaseSchema(
    {
        "people": am.Relation({"age": am.Column(role="quasi")}, key="id"),
        "visits": am.Relation({"ward": am.Column(role="quasi")}, key="visit", parent="people", foreign_key="id"),
    }
)


def tables(**changed: Any) -> dict[str, pa.Table]:
    people = pa.table({"id": [1, 2, 3, 4], "age": [30, 31, 50, 52]})
    visits = pa.table({"visit": [10, 11, 12, 13], "id": [1, 2, 3, 3], "ward": ["a", "b", "a", "b"]})
    return {"people": people, "visits": visits, **changed}


def anonymized(data: dict[str, pa.Table], k: int = 2, **options: Any) -> am.DatabaseRelease:
    return am.anonymize_database(data, SCHEMA, [am.KAnonymity(k)], **options)


def problem(data: dict[str, pa.Table], error: type[Exception] = am.errors.BadInput) -> dict[str, Any]:
    with pytest.raises(error) as caught:
        anonymized(data)
    (one,) = caught.value.facts["problems"]  # type: ignore[attr-defined]
    assert "secret" not in str(caught.value)
    return dict(one)


def test_orphan_references() -> None:
    visits = pa.table({"visit": [1, 2, 3], "id": [1, 77, 78], "ward": ["secret"] * 3})
    found = problem(tables(visits=visits))
    assert (found["problem"], found["table"], found["count"]) == ("orphan", "visits", 2)


def test_children_without_a_person() -> None:
    visits = pa.table({"visit": [1, 2], "id": [1, None], "ward": ["a", "b"]})
    assert problem(tables(visits=visits))["problem"] == "null reference"


def test_null_keys() -> None:
    people = pa.table({"id": [1, 2, 3, None], "age": [1, 2, 3, 4]})
    assert problem(tables(people=people))["problem"] == "null key"


def test_doubled_keys() -> None:
    people = pa.table({"id": [1, 2, 3, 3], "age": [1, 2, 3, 4]})
    assert problem(tables(people=people))["problem"] == "doubled key"


def test_keys_of_another_type() -> None:
    visits = pa.table({"visit": [1, 2], "id": ["one", "two"], "ward": ["a", "b"]})
    assert problem(tables(visits=visits))["problem"] == "type"


def test_all_problems_at_once() -> None:
    people = pa.table({"id": [1, 1, None], "age": [1, 2, 3]})
    visits = pa.table({"visit": [1, 1], "id": [5, None], "ward": ["a", "b"]})
    with pytest.raises(am.errors.BadInput) as caught:
        anonymized({"people": people, "visits": visits})
    found = {one["problem"] for one in caught.value.facts["problems"]}
    assert found == {"null key", "doubled key", "null reference", "orphan"}


def test_undecided_columns_and_tables() -> None:
    people = tables()["people"].append_column("name", pa.array(["secret"] * 4))
    with pytest.raises(am.errors.BadSchema, match="'name'") as caught:
        anonymized(tables(people=people, logs=pa.table({"x": [1]})))
    assert {one["problem"] for one in caught.value.facts["problems"]} == {"undecided", "undecided table"}


def test_a_table_that_is_left_out() -> None:
    schema = am.DatabaseSchema(dict(SCHEMA), leave_out=["logs"])
    release = am.anonymize_database(tables(logs=pa.table({"x": [1]})), schema, [am.KAnonymity(2)])
    assert list(release.tables) == ["people", "visits"]


def test_k_above_the_number_of_persons() -> None:
    with pytest.raises(am.errors.Infeasible) as caught:
        anonymized(tables(), k=5)
    assert caught.value.facts["largest_k"] == 4


def test_more_diversity_than_there_are_values() -> None:
    schema = SCHEMA.with_relations(visits=am.Relation({"ward": am.Column(role="sensitive")}, "visit", "people", "id"))
    with pytest.raises(am.errors.Infeasible) as caught:
        am.anonymize_database(tables(), schema, [am.KAnonymity(2), am.Diversity(3)])
    assert caught.value.facts["largest_l"] == 2


def test_two_parents_in_a_catalogue(tmp_path: Any) -> None:
    path = tmp_path / "two.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE people (id INT PRIMARY KEY, age INT)")
        database.execute("CREATE TABLE places (place INT PRIMARY KEY, town TEXT)")
        database.execute("CREATE TABLE visits (id INT REFERENCES people, place INT REFERENCES places, ward TEXT)")
        database.execute("INSERT INTO people VALUES (1, 2)")
    quasi = am.Column(role="quasi")
    schema = am.DatabaseSchema(
        {
            "people": am.Relation({"age": quasi}),
            "places": am.Relation({"town": quasi}),
            "visits": am.Relation({"ward": quasi}),
        }
    )
    with pytest.raises(am.errors.BadSchema, match="'visits' has 2 foreign keys"):
        am.anonymize_database(path, schema, [am.KAnonymity(1)])


def test_a_reference_with_fewer_columns_than_the_key() -> None:
    quasi = am.Column(role="quasi")
    schema = am.DatabaseSchema(
        {"people": am.Relation({"age": quasi}, key=("a", "b")), "visits": am.Relation({}, None, "people", "a")}
    )
    with pytest.raises(am.errors.BadSchema, match="by 1 columns, and its key has 2"):
        schema.complete()


def test_persons_without_children_and_tables_without_rows() -> None:
    empty = pa.table(
        {"visit": pa.array([], pa.int64()), "id": pa.array([], pa.int64()), "ward": pa.array([], pa.string())}
    )
    for method in ("miracle", "miracle-x", "bitmap"):
        release = anonymized(tables(visits=empty), method=method)
        assert release.verdict.ok
        assert release.tables["visits"].num_rows == 0
        assert anonymized(tables(), method=method).verdict.ok


@pytest.mark.parametrize("frame", [pa.table, pandas.DataFrame, polars.DataFrame])
def test_frames_without_rows_and_types(frame: Any) -> None:
    release = anonymized(tables(visits=frame({"visit": [], "id": [], "ward": []})))
    assert release.verdict.ok
    assert len(release.tables["visits"]) == 0


def test_one_person_with_thousands_of_children() -> None:
    rng = np.random.default_rng(1)
    owner = np.concatenate([np.full(4000, 3), rng.integers(1, 5, 12)])
    visits = pa.table({"visit": np.arange(len(owner)), "id": owner, "ward": rng.choice(list("abcdef"), len(owner))})
    for method in ("miracle", "miracle-x"):
        release = anonymized(tables(visits=visits), method=method, pairing="optimal")
        assert release.verdict.ok
        assert release.tables["visits"].num_rows <= 24


def test_two_persons_with_more_pairs_of_children_than_are_priced_in_advance() -> None:
    owner = np.repeat([1, 2], 2200)
    visits = pa.table({"visit": np.arange(len(owner)), "id": owner, "ward": np.tile(list("abcd"), 1100)})
    release = anonymized(tables(visits=visits), method="miracle")
    assert release.verdict.ok
    assert release.tables["visits"].num_rows == 4400


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("pairing", "best"),
        ("distance", "far"),
        ("leftovers", "x"),
        ("diversity", "x"),
        ("threshold", -1),
        ("cluster_limit", 0),
        ("nothing", 1),
        ("skeleton", "x"),
    ],
)
def test_options_that_cannot_be(option: str, value: Any) -> None:
    with pytest.raises(am.errors.BadOption):
        anonymized(tables(), **{option: value})


def test_methods_and_models_that_are_none() -> None:
    with pytest.raises(am.errors.BadOption, match="miracle-x"):
        anonymized(tables(), method="mirakle-x")
    with pytest.raises(am.errors.BadOption):
        am.anonymize_database(tables(), SCHEMA, [])
    with pytest.raises(am.errors.BadOption, match="diversity"):
        anonymized(tables(), method="d-miracle")
    for wrong in (
        {"l": 0},
        {"l": 2, "sense": "x"},
        {"l": 2.5, "sense": "distinct"},
        {"l": 2, "c": 0},
        {"l": 2, "count": "x"},
    ):
        with pytest.raises(am.errors.BadOption):
            am.Diversity(**wrong)
