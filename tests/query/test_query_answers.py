"""Answers that can be worked out by hand, and an estimate that is counted point by point."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am

CITIES = {"North": ["oslo", "york"], "South": ["rome", "nice", "bern"]}
EVERYWHERE = [city for cities in CITIES.values() for city in cities]
LEAVES = {**{city: [city] for city in EVERYWHERE}, **CITIES, "*": EVERYWHERE}


def small_release(rng: np.random.Generator, n: int = 40) -> am.Release:
    table = pa.table(
        {
            "x": rng.integers(0, 12, n),
            "y": rng.integers(-3, 6, n),
            "city": [EVERYWHERE[i] for i in rng.integers(0, 5, n)],
            "pay": rng.integers(0, 5, n),
        }
    )
    schema = am.Schema(
        {
            "x": am.Column(role="quasi"),
            "y": am.Column(role="quasi"),
            "city": am.Column(role="quasi", hierarchy=am.Hierarchy.nested(CITIES)),
            "pay": am.Column(role="sensitive"),
        }
    )
    return am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian")


def points(row: dict[str, object]) -> list[dict[str, object]]:
    """All points of the box that a published row stands for."""

    def numbers(label: str) -> range:
        if found := re.fullmatch(r"\[(-?\d+)-(-?\d+)\]", label):
            return range(int(found[1]), int(found[2]) + 1)
        return range(int(label), int(label) + 1)

    sides = [numbers(str(row["x"])), numbers(str(row["y"])), LEAVES[str(row["city"])], [row["pay"]]]
    return [dict(zip(("x", "y", "city", "pay"), point, strict=True)) for point in product(*sides)]


QUESTIONS = [
    ("x BETWEEN 3 AND 7", lambda p: 3 <= p["x"] <= 7),
    ("x < 5 AND y >= 1", lambda p: p["x"] < 5 and p["y"] >= 1),
    ("x < 5 OR city = 'North'", lambda p: p["x"] < 5 or p["city"] in CITIES["North"]),
    (
        "(x < 5 AND y > 0) OR (x >= 5 AND city <> 'rome')",
        lambda p: (p["x"] < 5 and p["y"] > 0) or (p["x"] >= 5 and p["city"] != "rome"),
    ),
    ("NOT (x IN (1, 4) AND pay > 2)", lambda p: not (p["x"] in (1, 4) and p["pay"] > 2)),
    ("city IN ('oslo', 'South') AND NOT city = 'bern'", lambda p: p["city"] in ("oslo", "rome", "nice")),
]


@given(st.integers(0, 2**32 - 1), st.sampled_from(QUESTIONS))
def test_estimates_are_those_of_counting_every_point(seed: int, question: tuple) -> None:
    where, truth = question
    release = small_release(np.random.default_rng(seed))
    shares, sums, lower, upper = 0.0, 0.0, 0, 0
    for row in release.table.to_pylist():
        box = points(row)
        inside = [point for point in box if truth(point)]
        shares += len(inside) / len(box)
        sums += sum(point["x"] for point in inside) / len(box)
        lower += len(inside) == len(box)
        upper += len(inside) > 0
    count, total, mean = release.query(f"SELECT COUNT(*), SUM(x), AVG(x) WHERE {where}").lines[0]
    assert count.estimate == pytest.approx(shares)
    assert (count.lower, count.upper) == (lower, upper)
    if upper:
        assert total.estimate == pytest.approx(sums)
        assert shares == 0 or mean.estimate == pytest.approx(sums / shares)


@pytest.fixture(scope="module")
def patients() -> am.Release:
    data = am.datasets.load("patients")
    schema = data.schema.with_columns(Age=am.Column(role="quasi", kind="numeric", statistic=("mean",)))
    return am.anonymize(data.table, schema, [am.KAnonymity(2)], method="mondrian")


def test_what_matches_the_borders_is_exact(patients: am.Release) -> None:
    """Mondrian, section 5: a predicate that matches the ranges is answered precisely."""
    count, mean, least, largest, total = patients.query(
        "SELECT COUNT(*), AVG(Age), MIN(Age), MAX(Age), SUM(Age) WHERE Age <= 26"
    ).lines[0]
    assert (count.exact, count.lower) == (True, 3)
    assert (mean.lower, mean.upper) == pytest.approx((76 / 3, 76 / 3))
    assert (least.lower, largest.upper, least.exact, largest.exact) == (25, 26, True, True)
    assert (total.exact, total.lower) == (True, 76)
    assert not patients.query("SELECT COUNT(*) WHERE Age <= 25").exact


def test_sensitive_columns_are_exact(patients: am.Release) -> None:
    answer = patients.query("SELECT COUNT(*) WHERE Disease IN ('Flu', 'AIDS')")
    assert (answer.exact, answer.lower) == (True, 2)
    both = patients.query("SELECT COUNT(*) WHERE Disease = 'Flu' AND Age <= 26 AND Sex = 'Male'")
    assert (both.lower, both.upper, both.estimate) == (0, 1, 0.5)


def test_suppressed_rows_widen_the_upper_bound(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 1, 1, None], "s": ["a", "b", "a", "c"]})
    schema = am.Schema({"x": am.Column(role="quasi", nulls="suppress"), "s": am.Column(role="sensitive")})
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian")
    release.write(tmp_path / "out")
    for asked in (release, tmp_path / "out", tmp_path / "out" / "release.parquet"):
        answer = am.query(asked, "SELECT COUNT(*) WHERE s = 'a'")
        most = 1 if asked is release else 2  # a folder tells that fewer than k = 3 were suppressed
        assert (answer.lower, answer.upper) == (2, 2 + most)
        assert answer.estimate == pytest.approx(2 / 3 * (3 + most))
        assert am.query(asked, "SELECT SUM(x)").upper is None
        all_rows = am.query(asked, "SELECT COUNT(*)")
        assert (all_rows.lower, all_rows.upper) == (4, 3 + most)  # one was left out, or two
        assert am.query(asked, "SELECT COUNT(*) WHERE x > 1 AND x < 1").exact
    alone = am.query(
        pa.table({"x": ["1", "1", "1"], "s": ["a", "b", "a"]}), "SELECT COUNT(*) WHERE s = 'a'", schema=["x"]
    )
    assert (alone.lower, alone.upper) == (2, 2)
    assert any("suppressed" in note for note in alone.notes)


def test_a_hierarchy_that_the_manifest_does_not_tell(tmp_path: Path) -> None:
    release = small_release(np.random.default_rng(1))
    release.write(tmp_path / "out")
    sql = "SELECT COUNT(*) WHERE city = 'South'"
    alone, told = am.query(tmp_path / "out", sql), am.query(tmp_path / "out", sql, schema=release.schema)
    assert alone.lower <= told.lower <= told.upper <= alone.upper
    assert "hierarchy of 'city'" in alone.notes[0]
    assert told.notes == []
    assert (told.lower, told.upper) == (release.query(sql).lower, release.query(sql).upper)


def test_groups_are_the_values_that_can_be(patients: am.Release) -> None:
    answers = patients.query("SELECT Disease, COUNT(*) AS n WHERE Age < 27 GROUP BY Disease")
    assert set(answers.keys) == {("Flu",), ("Hepatitis",), ("Brochitis",)}
    assert all(line[0].figure == "n" for line in answers.lines)
    hidden = patients.query("SELECT Sex, COUNT(*) GROUP BY Sex")  # published as * and nothing else
    assert hidden.lines == []
    assert "not listed" in hidden.notes[-1]
    ages = patients.query("SELECT COUNT(*) GROUP BY Age")
    assert [key[0] for key in ages.keys] == [25, 26, 27, 28]
    assert sum(line[0].estimate for line in ages.lines) == pytest.approx(6)


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT COUNT(DISTINCT Age)", "DISTINCT"),
        ("SELECT MEDIAN(Age)", "none of these"),
        ("SELECT COUNT(*) WHERE Age = Zipcode", "two columns"),
        ("SELECT COUNT(*) WHERE Age IN (SELECT 1)", "another kind"),
        ("SELECT COUNT(*) WHERE Age = NULL", "NULL"),
        ("SELECT COUNT(*) WHERE Disease LIKE 'F%'", "another kind"),
        ("SELECT COUNT(*) ORDER BY 1", "ORDER BY"),
        ("SELECT COUNT(*) FROM a JOIN b", "JOIN"),
        ("SELECT Age", "by itself"),
        ("SELECT SUM(Disease)", "names"),
        ("SELECT COUNT(*) WHERE Disease < 'Flu'", "by size"),
        ("SELECT COUNT(*) WHERE Age < 'young'", "no place"),
        ("SELECT COUNT(*) WHERE Agee < 3", "none of 4 columns"),
        ("DELETE FROM a", "no SELECT"),
        ("SELECT COUNT(*) WHERE Age = 'x", "no SQL"),
        ("", "0 statements"),
    ],
)
def test_what_cannot_be_answered_is_refused(patients: am.Release, sql: str, found: str) -> None:
    with pytest.raises(am.errors.BadQuestion) as error:
        patients.query(sql)
    assert found in " ".join(error.value.found)
    assert error.value.fix


def test_tangled_conditions_are_decided_or_refused(patients: am.Release) -> None:
    tangled = " OR ".join(f"(Age = {25 + i % 4} AND Zipcode = {53710 + i % 3})" for i in range(12))
    answer = patients.query(f"SELECT COUNT(*) WHERE {tangled}")
    assert answer.lower <= 6 <= answer.upper
