"""Tables that are no snowflake are refused, with the table that breaks the rule."""

from __future__ import annotations

import pytest

import amongst as am

QUASI = am.Column(role="quasi")


def problems_of(schema: am.DatabaseSchema) -> list[str]:
    with pytest.raises(am.errors.BadSchema) as caught:
        schema.complete()
    return [problem["problem"] for problem in caught.value.facts["problems"]]


def test_a_snowflake_is_fine_and_foreign_keys_follow_from_keys() -> None:
    schema = am.DatabaseSchema(
        {
            "books": am.Relation({"b": QUASI}, parent="courses"),
            "courses": am.Relation({"c": QUASI}, key="cid", parent="students"),
            "students": am.Relation({}, key="sid"),
        }
    ).complete()
    assert schema.person == "students"
    assert schema.in_order() == ["students", "courses", "books"]
    assert schema["books"].foreign_key == "cid"
    assert schema["courses"].foreign_key == "sid"


def test_two_tables_of_persons() -> None:
    assert problems_of(am.DatabaseSchema({"a": am.Relation(key="i"), "b": am.Relation(key="j")})) == ["several persons"]


def test_a_circle() -> None:
    schema = am.DatabaseSchema(
        {
            "p": am.Relation(key="i"),
            "a": am.Relation(key="j", parent="b", foreign_key="x"),
            "b": am.Relation(key="k", parent="a", foreign_key="y"),
            "c": am.Relation(parent="b", foreign_key="z"),
        }
    )
    assert problems_of(schema) == ["cycle"]
    with pytest.raises(am.errors.BadSchema, match="a, b, c"):
        schema.complete()


def test_no_table_of_persons() -> None:
    both = am.DatabaseSchema({"a": am.Relation(key="i", parent="b"), "b": am.Relation(key="j", parent="a")})
    assert problems_of(both) == ["no person", "cycle"]


@pytest.mark.parametrize(
    ("relation", "problem"),
    [
        (am.Relation({"i": QUASI}, parent="p", foreign_key="i"), "quasi key"),
        (am.Relation({"i": am.Column(role="keep")}, parent="p", foreign_key="i"), "key"),
        (am.Relation(parent="nobody", foreign_key="i"), "parent"),
    ],
)
def test_a_table_that_breaks_a_rule_is_named(relation: am.Relation, problem: str) -> None:
    schema = am.DatabaseSchema({"p": am.Relation(key="pid"), "child": relation})
    assert problems_of(schema) == [problem]
    with pytest.raises(am.errors.BadSchema, match="'child'"):
        schema.complete()


def test_a_parent_without_a_key() -> None:
    assert problems_of(am.DatabaseSchema({"p": am.Relation(), "c": am.Relation(parent="p", foreign_key="x")})) == [
        "no key"
    ]


def test_a_schema_is_made_of_relations() -> None:
    with pytest.raises(am.errors.BadSchema, match="Relation"):
        am.DatabaseSchema({"a": am.Schema({})})  # type: ignore[dict-item]
