"""The verifier: never ok for a table that a naive count says fails, and no cell in what it says."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from draw import Draw
from invariant import SECRET, Broken, result_or_own_error

import amongst as am
import judges

LABELS: list[Any] = [
    "[20-29]", "20", "*", None, "[30-20]", "2020-01-01", "Europe", "{a,b}", "5371*", "", " ", "[20-29] ", "\x00",
    "\u202e20", "NaN", "20.0", "020", SECRET,
]  # fmt: skip
VALUES: list[Any] = ["flu", "cold", None, SECRET, "flu ", ""]
NUMBERS: list[Any] = [1.0, 2.0, None, float("nan"), 0.0, -0.0, 1e308, float("inf")]
KINDS = [None, "numeric", "categorical", "date"]


def seeds() -> list[bytes]:
    return [bytes((i * 37 + j * j * (i + 1)) % 256 for j in range(48)) for i in range(24)] + [b"", b"\x00" * 40]


def model_from(draw: Draw) -> Any:
    makers = [
        lambda: am.KAnonymity(draw.whole(1, 5)),
        lambda: am.LDiversity(1 + draw.whole(0, 8) / 4, column="s"),
        lambda: am.LDiversity(draw.whole(1, 4), "distinct"),
        lambda: am.LDiversity(1 + draw.whole(0, 8) / 4, "entropy", "s"),
        lambda: am.LDiversity(draw.whole(1, 3), ("recursive", 0.5 + draw.whole(0, 10) / 4), "s"),
        lambda: am.TCloseness(draw.whole(0, 20) / 20, "equal", "s"),
        lambda: am.AlphaK((1 + draw.whole(0, 19)) / 20, draw.whole(1, 4), "s"),
        lambda: am.BetaLikeness((1 + draw.whole(0, 19)) / 5, draw.flag(), "s"),
        lambda: am.DeltaDisclosure((1 + draw.whole(0, 19)) / 10, draw.choose(("ignored", "counted")), "s"),
        lambda: am.Proximity(1 + draw.whole(0, 8) / 4, draw.whole(0, 5) / 2, "n"),
        lambda: am.KOfSubsets(draw.whole(1, 4), draw.whole(1, 2)),
    ]
    return draw.choose(makers)()


def one(data: bytes) -> None:
    draw = Draw(data)
    models = [model_from(draw) for _ in range(draw.whole(1, 2))]
    table, schema = _table(draw)
    verdict = result_or_own_error(lambda: am.verify(table, schema, models, nulls="own value"))
    if verdict is None:
        return
    if SECRET in verdict.words() or SECRET in str(verdict.to_dict()):
        raise Broken("a verdict shows a cell")
    rows = [_plain(row) for row in table.to_pylist()]
    for model, reached in zip(models, verdict.models, strict=True):
        naively = judges.holds(model, rows, ["a", "b"], ["s", "n"]) if rows else True
        if reached.ok and not naively:
            raise Broken(f"ok, but {model} does not hold")
        if verdict.ok and not naively:
            raise Broken(f"a verdict of ok, but {model} does not hold")


def _table(draw: Draw) -> tuple[pa.Table, am.Schema]:
    n = draw.whole(0, 9)
    columns: dict[str, pa.Array] = {
        "a": pa.array([draw.choose(LABELS) for _ in range(n)], pa.string()),
        "b": pa.array([draw.choose(LABELS[:4]) for _ in range(n)], pa.string()),
        "s": pa.array([draw.choose(VALUES) for _ in range(n)], pa.string()),
        "n": pa.array([draw.choose(NUMBERS) for _ in range(n)], pa.float64()),
    }
    for name in ("a", "s"):
        if draw.flag():
            columns[name] = columns[name].dictionary_encode()
    if draw.flag():
        columns["extra"] = pa.array(range(n))
    roles = {"a": am.Column(role="quasi", kind=draw.choose(KINDS)), "b": am.Column(role="quasi")}
    schema = am.Schema({**roles, "s": am.Column(role="sensitive"), "n": am.Column(role="sensitive")})
    table = pa.table(columns)
    if draw.flag() and n > 1:
        table = pa.concat_tables([table.slice(0, n // 2), table.slice(n // 2)])
    return table, schema


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Not a number and missing are one value, and so are the two zeros."""
    number = row["n"]
    return row | {"n": None if number is None or number != number else number + 0.0}
