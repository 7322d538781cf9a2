"""One call from a notebook: roles as lists, k alone, what is left over, and what objects show of themselves."""

from __future__ import annotations

from typing import Any, get_args

import pandas as pd
import pytest

import amongst as am
from amongst import choices
from amongst.errors import BadOption, BadSchema
from amongst.partition.methods import METHODS
from amongst.schema import column as column_words

SECRET = "qwertz-secret"


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    n = 60
    return pd.DataFrame(
        {
            "name": [f"{SECRET}-{i}" for i in range(n)],
            "age": [20 + i % 17 for i in range(n)],
            "sex": ["f", "m"] * (n // 2),
            "zip": [53700 + i % 4 for i in range(n)],
            "ill": [f"{SECRET} {i % 3}" for i in range(n)],
        }
    )


def test_lists_of_names_and_k_are_enough(people: pd.DataFrame) -> None:
    release = am.anonymize(people, quasi=["age", "sex"], sensitive="ill", k=5, rest="drop")
    asked = am.Schema({"name": "identifier", "age": "quasi", "sex": "quasi", "zip": "identifier", "ill": "sensitive"})
    assert release.table.equals(am.anonymize(people, asked, [am.KAnonymity(5)]).table)
    assert isinstance(release.table, pd.DataFrame)


def test_columns_without_a_role_are_listed_unless_it_is_said_what_becomes_of_them(
    people: pd.DataFrame, tmp_path: Any
) -> None:
    with pytest.raises(BadSchema) as refused:
        am.anonymize(people, quasi=["age"], k=5)
    assert all(f"'{name}'" in str(refused.value) for name in ("name", "sex", "zip", "ill"))
    assert SECRET not in str(refused.value)
    kept = am.anonymize(people.drop(columns="name"), quasi="age", k=5, rest="keep").table
    assert list(kept.columns) == ["age", "sex", "zip", "ill"]
    people.to_csv(tmp_path / "p.csv", index=False)
    from_file = am.anonymize(tmp_path / "p.csv", quasi="age", sensitive="ill", k=5, rest="drop")
    assert from_file.table.column_names == ["age", "ill"]


def test_lists_go_before_the_schema_and_keep_its_hierarchies(people: pd.DataFrame) -> None:
    schema = {"zip": am.Column(role="keep", hierarchy=am.Hierarchy.digits(5)), "age": "quasi"}
    release = am.anonymize(people, schema, quasi=["zip"], k=5, rest="drop")
    assert release.schema.quasi == ["zip", "age"]
    assert release.schema["zip"].hierarchy == am.Hierarchy.digits(5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"quasi": ["age"], "keep": ["age"], "k": 5, "rest": "drop"}, "one role"),
        ({"quasi": ["age"], "k": 5, "rest": "hide"}, "rest"),
        ({"quasi": ["age"], "rest": "drop"}, "k=10"),
        ({"schema": {"age": "quasy"}, "k": 5}, "quasy"),
        ({"quasi": ["age"], "k": 5, "rest": "drop", "progress": "yes"}, "called"),
        ({"quasi": 5, "k": 5, "rest": "drop"}, "list of texts"),
        ({"quasi": ["age"], "k": 5, "rest": "drop", "harden": True}, "am.Harden()"),
    ],
)
def test_what_cannot_be_meant_is_refused(people: pd.DataFrame, given: dict[str, Any], said: str) -> None:
    with pytest.raises((BadOption, BadSchema)) as refused:
        am.anonymize(people, **given)
    assert said in str(refused.value)


def test_progress_can_be_asked_for_with_true(people: pd.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    am.anonymize(people, quasi=["age"], k=5, rest="drop", progress=True)
    told = capsys.readouterr()
    assert (told.out, "group" in told.err) == ("", True)
    am.anonymize(people, quasi=["age"], k=5, rest="drop", progress=False)
    assert capsys.readouterr().err == ""


def test_words_for_editors_are_the_words_that_are_taken() -> None:
    assert set(get_args(choices.MethodName)) == set(METHODS)
    assert get_args(choices.Role) == column_words.ROLES
    assert get_args(choices.Kind) == column_words.KINDS
    assert get_args(choices.NullRule) == column_words.NULL_RULES
    assert get_args(choices.Publish) == column_words.PUBLISH


def test_what_a_notebook_shows_has_no_cell_in_it(people: pd.DataFrame) -> None:
    release = am.anonymize(people, quasi=["age", "sex"], sensitive="ill", k=5, rest="drop")
    compared = am.compare(people, release.schema, [am.KAnonymity(5)], methods=["mondrian"], processes=1)
    shown = [release, release.schema, release.verdict, release.utility, am.risk(release), compared]
    for one in shown:
        text = one._repr_html_()
        assert text.startswith("<p><b>"), type(one)
        assert SECRET not in text, type(one)
    assert "sorted" in release._repr_html_()
    odd = am.Schema({"<b>": "quasi"})
    assert "<td><b></td>" not in odd._repr_html_()


def test_ranges_become_middles_and_labels_indicators(people: pd.DataFrame) -> None:
    release = am.anonymize(people, quasi=["age", "sex", "zip"], sensitive="ill", k=5, rest="drop")
    middles, labels = release.for_models(), release.table
    for label, middle in zip(labels["age"].astype(str), middles["age"], strict=True):
        ends = [float(end) for end in label.strip("[]").split("-")]
        assert middle == (ends[0] + ends[-1]) / 2
    assert middles["sex"].tolist() == labels["sex"].tolist()
    flags = release.for_models("indicators")
    made = [name for name in flags.columns if name.startswith("sex=")]
    assert (flags[made].sum(axis=1) == 1).all()
    assert [f"sex={label}" for label in sorted(set(labels["sex"]))] == made
    with pytest.raises(BadOption):
        release.for_models("middles")


def test_what_a_method_calls_keep_stays_the_methods_own(people: pd.DataFrame) -> None:
    """A quasi-identifier that must not be dropped is still one."""
    schema = dict.fromkeys(("age", "zip"), "quasi")
    release = am.anonymize(people[["age", "zip"]], schema, k=2, method="attribute-suppression", keep=["age"])
    assert release.schema.quasi == ["age", "zip"]
    assert dict(release.options) == {"keep": ["age"]}


def test_what_is_no_setting_at_all_is_not_told_as_an_option_of_a_method_that_nobody_chose(people: pd.DataFrame) -> None:
    with pytest.raises(BadOption, match="no such setting") as refused:
        am.anonymize(people, quasi=["age", "sex"], k=5, rest="drop", l=3)
    assert "LDiversity" in refused.value.fix
    assert "mondrian" not in str(refused.value)
    with pytest.raises(BadOption, match="'hilbert' does not take every option"):
        am.anonymize(people, quasi=["age", "sex"], k=5, rest="drop", method="hilbert", cuts="all")


def test_a_part_of_the_calendar_for_texts_says_that_they_are_texts(people: pd.DataFrame) -> None:
    dated = people.assign(born="1980-01-31")
    roles = {"age": "quasi", "born": am.Column(role="quasi", finest="month")}
    with pytest.raises(BadSchema, match="limits of dates") as refused:
        am.anonymize(dated, roles, k=5, rest="drop")
    assert "reads" in str(refused.value)
