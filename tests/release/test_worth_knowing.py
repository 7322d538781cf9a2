"""What to know after a run: each kind of danger is told where it is, and nothing where it is not."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import amongst as am
from amongst.schema.doubts import doubts_of_release

N = 200
DRAW = np.random.default_rng(5)
AGE = DRAW.integers(20, 80, N)
PLAIN: dict[str, Any] = {
    "age": AGE,
    "sex": DRAW.choice(["f", "m"], N),
    "ill": np.tile(["flu", "cold", "asthma", "gout"], N // 4)[
        np.argsort(np.argsort(AGE, kind="stable"), kind="stable")
    ],
}


def told(columns: dict[str, Any], sensitive: str = "ill", **more: Any) -> list[tuple[bool, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = am.anonymize(pd.DataFrame(columns), quasi=["age", "sex"], sensitive=sensitive, k=8, **more)
    return [(one.danger, one.words) for one in release.worth_knowing]


def test_a_sound_release_has_nothing_to_tell() -> None:
    assert told(PLAIN, method="mondrian") == []


@pytest.mark.parametrize(
    ("more", "danger", "words"),
    [
        ({"ill": np.where(AGE < 50, "flu", "cold")}, True, "ask for l-diversity"),
        ({"cost": DRAW.lognormal(5, 1, N)}, True, "'cost' is published as it is and nearly every row"),
        ({"decade": AGE // 10 * 10}, True, "follows the order of 'age'"),
        ({"who": [f"Dr. Anna{chr(97 + i % 26)} Meier" for i in range(N)]}, True, "names of people"),
        ({"fee": np.append(np.arange(N - 1) % 50, 9999)}, False, "'fee' is published as it is and has values far"),
        ({"ward": ["Ulm", "ulm ", "Bonn", "Kiel"] * (N // 4)}, False, "another spelling"),
    ],
)
def test_each_kind_is_told(more: dict[str, Any], danger: bool, words: str) -> None:
    found = told({**PLAIN, **more}, rest="keep")
    assert any(one == danger and words in text for one, text in found), found
    assert [one for one, _ in found] == sorted((one for one, _ in found), reverse=True)
    cells = {str(cell) for name in more for cell in list(more[name])[:5]} - {"flu", "cold"}
    assert not any(cell in text for cell in cells for _, text in found)


def test_two_columns_whose_values_all_differ_are_no_copies_of_each_other() -> None:
    born = pd.Timestamp("1950-01-01") + pd.to_timedelta(DRAW.permutation(N) * 31, unit="D")
    asked: dict[str, Any] = {"quasi": ["born"], "sensitive": "cost", "k": 8}
    cost = DRAW.permutation(N) * 7.25
    by_chance = am.anonymize(pd.DataFrame({"born": born, "cost": cost}), **asked).worth_knowing
    assert not any("follows the order" in one.words for one in by_chance)
    for following in (np.argsort(np.argsort(born)), -np.argsort(np.argsort(born))):
        copied = am.anonymize(pd.DataFrame({"born": born, "cost": following * 7.25}), **asked).worth_knowing
        assert any("'cost' is published as it is and follows the order of 'born'" in one.words for one in copied)


def test_people_with_several_rows_are_told_unless_they_are_counted() -> None:
    person = np.arange(N) % 50
    sex, born = DRAW.choice(["f", "m"], 50), DRAW.integers(1930, 2000, 50)
    table = pd.DataFrame({"nr": person * 13 + 1000, "sex": sex[person], "born": born[person], "ill": ["a", "b"] * 100})
    asked: dict[str, Any] = {"quasi": ["sex", "born"], "sensitive": "ill", "identifier": "nr", "k": 5}
    counted = am.anonymize(table, **asked, unit="nr").worth_knowing
    rows = am.anonymize(table, **asked).worth_knowing
    assert any("4.0 rows each" in one.words for one in rows)
    assert not any("rows each" in one.words for one in counted)


def test_where_people_are_counted_their_rows_are_not_called_people() -> None:
    person = np.arange(N) % 50
    table = pd.DataFrame({"nr": person, "born": 1930 + person // 10, "ill": "flu"})
    asked: dict[str, Any] = {"quasi": "born", "sensitive": "ill", "identifier": "nr", "k": 5, "unit": "nr"}
    (told,) = (one.words for one in am.anonymize(table, **asked).worth_knowing if "'ill'" in one.words)
    assert "people, who have 200 rows there," in told


def test_of_many_sensitive_columns_those_are_told_first_of_which_most_is_learned() -> None:
    told_by = {f"s{i}": ["same"] * (20 * (i + 1)) + ["a", "b"] * (90 - 10 * i) for i in range(8)}
    table = pd.DataFrame({"age": np.repeat(np.arange(20), 10), **told_by})
    release = am.anonymize(table, quasi="age", sensitive=list(told_by), k=10)
    words = [one.words for one in release.worth_knowing if "one value" in one.words]
    assert [one.split("'")[1] for one in words[:5]] == ["s7", "s6", "s5", "s4", "s3"]
    assert words[5:] == ["groups with one value have also 's2', 's1', 's0', for fewer rows: ask for l-diversity"]


@pytest.mark.parametrize("role", ["sensitive", "keep"])
def test_a_top_is_an_advice_that_helps(role: str) -> None:
    table = pd.DataFrame({"age": AGE, "fee": [*range(100, 100 + N - 1), 1_000_000]})
    fee = am.Column(role=role, kind="numeric")
    schema = {"age": am.Column(role="quasi", kind="numeric"), "fee": fee}
    plain = am.anonymize(table, am.Schema(schema), [am.KAnonymity(5)])
    (words,) = (one.words for one in plain.worth_knowing if "far from all" in one.words)
    assert "give it a top" in words
    topped = {**schema, "fee": am.Column(role=role, kind="numeric", top=290)}
    mended = am.anonymize(table, am.Schema(topped), [am.KAnonymity(5)])
    assert not any("far from all" in one.words for one in mended.worth_knowing)
    assert (mended.table["fee"] == "290 or more").sum() == 10


def test_many_quasi_identifiers_that_lose_most_are_told() -> None:
    columns = {f"q{i}": DRAW.integers(0, 50, N) for i in range(12)}
    release = am.anonymize(pd.DataFrame(columns), quasi=list(columns), k=20, method="mondrian")
    assert any("12 quasi-identifiers" in one.words and not one.danger for one in release.worth_knowing)


def test_a_column_of_which_nearly_all_is_lost_is_told_and_the_weight_that_is_advised_helps() -> None:
    numbers = {f"n{i}": DRAW.integers(0, 50, 1_200) for i in range(4)}
    table = pd.DataFrame({"area": [f"a{i}" for i in range(20)] * 60, **numbers})

    def made(weight: float) -> am.Release:
        area = am.Column(role="quasi", hierarchy=am.Hierarchy.flat(), weight=weight)
        others = {name: am.Column(role="quasi", kind="numeric") for name in numbers}
        return am.anonymize(table, am.Schema({"area": area, **others}), [am.KAnonymity(12)])

    plain, heavy = made(1), made(10)
    (words,) = (one.words for one in plain.worth_knowing if "nearly everything" in one.words)
    assert "of 'area'" in words
    assert "weight = 10" in words
    assert heavy.utility.ncp["area"] < plain.utility.ncp["area"] / 2


def test_the_same_is_told_where_rows_are_not_in_memory(tmp_path: Path) -> None:
    more = {"cost": DRAW.lognormal(5, 1, N), "ill": np.where(AGE < 50, "flu", "cold"), "seen": ["01.02.2023 08:30"] * N}
    pd.DataFrame({**PLAIN, **more}).to_csv(tmp_path / "in.csv", index=False)
    asked: dict[str, Any] = {
        "quasi": ["age", "sex", "seen"],
        "sensitive": "ill",
        "keep": "cost",
        "k": 8,
        "reads": "found",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = am.anonymize(tmp_path / "in.csv", **asked, memory="4GB")
        found = " ".join(one.words for one in release.worth_knowing if one.danger)
        assert "'cost' is published as it is and nearly every row" in found
        assert "'ill': some groups have one value" in found
        release.write(tmp_path / "out", format="csv", shape="input")
    assert doubts_of_release(release, tmp_path / "out" / "release.csv") == ()
