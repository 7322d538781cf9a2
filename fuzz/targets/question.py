"""Questions in SQL: an answer whose estimate lies within its bounds, or a refusal."""

from __future__ import annotations

import pyarrow as pa
from draw import Draw
from invariant import Broken, result_or_own_error

import amongst as am
from amongst.query.ask import open_any

TABLE = pa.table(
    {
        "age": ["[20-29]", "[20-29]", "30", "30", "*", "*"],
        "born": ["[1990-01-01 - 1999-12-31]", "1995-03-01", "*", None, "2001-01-01", "[2000-01-01 - 2000-01-02]"],
        "land": ["Europe", "Italy", "{Italy,Peru}", "*", "Peru", None],
        "grade": ["low", "[low-mid]", "high", "high", "*", "{low,high}"],
        "sick": ["flu", "cold", None, "flu", "flu", "x"],
        "pay": [1.5, 2.0, None, 1e308, -1e308, 0.0],
        "well": [True, False, None, True, True, False],
    }
)
SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "born": am.Column(role="quasi", kind="date", nulls="own value"),
        "land": am.Column(
            role="quasi", hierarchy=am.Hierarchy.nested({"Europe": ["Italy", "France"], "Else": ["Peru"]})
        ),
        "grade": am.Column(role="quasi", kind="ordered", order=("low", "mid", "high")),
        "sick": am.Column(role="sensitive"),
        "pay": am.Column(role="sensitive"),
        "well": am.Column(role="keep"),
    }
)
RELEASES = [open_any(TABLE, SCHEMA), open_any(TABLE, ["age", "born", "land", "grade"])]


def seeds() -> list[bytes]:
    texts = [
        "SELECT COUNT(*) WHERE age BETWEEN 20 AND 30 AND NOT (sick = 'flu' OR pay > 1e3)",
        "SELECT AVG(age), SUM(pay) AS total, MIN(born), MAX(grade) FROM x WHERE land IN ('Italy', 'Europe')",
        "SELECT sick, COUNT(*) FROM t WHERE born >= DATE '1995-01-01' GROUP BY sick, grade",
        "SELECT COUNT(age) WHERE well AND born IS NOT NULL AND grade <> 'mid' AND 3 < age",
        "SELECT COUNT(*) WHERE age = '[20-25]' OR age = -5 OR age = 9007199254740993 OR true",
        "SELECT COUNT(*) WHERE land = '*' AND age = NULL; DROP TABLE x",
        "SELECT COUNT(DISTINCT age) OVER (PARTITION BY sick) FROM a JOIN b LIMIT 3",
        "SELECT COUNT(*) WHERE " + "(" * 300 + "age = 1",
        "SELECT COUNT(*) WHERE " + "NOT " * 200 + "well",
        "SELECT COUNT(*) WHERE age = " + "9" * 5000,
        "SELECT COUNT(*) WHERE age < 1e999 AND sick = 'it''s' AND \"pay\" = .5 AND age = 0x1F AND age = 1_000",
        "SELECT age, COUNT(*) GROUP BY age HAVING COUNT(*) > 1 ORDER BY 1",
        "SELECT COUNT(*) WHERE born = '0001-01-01T00:00+05:00' OR born BETWEEN '9999-12-31' AND '2020'",
        "SELECT COUNT(*) WHERE sick LIKE 'f%' OR EXISTS (SELECT 1) OR age IN (SELECT 1) OR age = ²",
    ]
    return [bytes([i % 2]) + text.encode() for i, text in enumerate(texts)]


def one(data: bytes) -> None:
    draw = Draw(data)
    release = draw.choose(RELEASES)
    sql = draw.rest().decode("utf-8", errors="replace")
    answers = result_or_own_error(lambda: am.query(release, sql), may_show=True)
    for line in answers.lines if answers is not None else []:
        for answer in line:
            _in_bounds(answer)
    if answers is not None:
        [answer.words for line in answers.lines for answer in line]


def _in_bounds(answer: object) -> None:
    low, high, estimate = answer.lower, answer.upper, answer.estimate  # type: ignore[attr-defined]
    if all(isinstance(one, (int, float)) for one in (low, high, estimate)):
        slack = 1e-9 * max(abs(low), abs(high), 1.0)
        if low - slack > estimate or estimate > high + slack:
            raise Broken("an estimate outside its bounds")
