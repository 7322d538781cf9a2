"""CSV files in Spark, with the types they would have in memory: text, unless nothing is lost by another type."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from amongst.engines.spark.formed import by_forms
from amongst.errors import BadInput
from amongst.read.header import SEPARATORS, separator_of
from amongst.read.text import DATE, INTEGER, NUMBER, TIMESTAMP

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

NO_CELL = "\0"
"""What no cell is: Spark's way to keep an empty cell, which is missing, apart from a quoted one, which is text."""
KINDS = ((INTEGER, "bigint"), (NUMBER, "double"), (DATE, "date"), (TIMESTAMP, "timestamp_ntz"))


class TextOptions(NamedTuple):
    """How a CSV file is written: cells that are missing, what stands between cells, the encoding, a line of names.

    Columns in ``as_read`` are published with the texts of the file. ``reads`` has the forms of columns, or "found".
    """

    nulls: tuple[str, ...] = ()
    separator: str | None = None
    encoding: str | None = None
    header: bool | None = None
    as_read: tuple[str, ...] = ()
    reads: Any = None


class Files(NamedTuple):
    """What files hold: their values, and the same rows as they are published.

    Attributes
    ----------
    values : DataFrame
        What methods and models look at.
    shown : DataFrame
        Texts of the file, or decimal numbers, in the place of values that print otherwise.
    kinds : dict of str to str
        The type that the values of such columns have, in whose order rows are published.
    """

    values: DataFrame
    shown: DataFrame
    kinds: dict[str, str]


def read_text(session: SparkSession, path: str, name: str, text: TextOptions) -> Files:
    """CSV files as frames. Every cell is text first; a second look settles the types, as ``amongst.read`` does."""
    separator = separator_of(text.separator) or _separator(session, path, name)
    frame = session.read.csv(
        path,
        sep=separator,
        header=text.header is not False,
        inferSchema=False,
        quote='"',
        escape='"',
        multiLine=True,  # a cell may have several lines
        mode="FAILFAST",
        nullValue=NO_CELL,
        emptyValue="",
        encoding=text.encoding or "UTF-8",
        enforceSchema=False,
    )
    if text.header is False:
        frame = frame.toDF(*(f"column_{i}" for i in range(1, len(frame.columns) + 1)))
    formed, reads = by_forms(_without(frame, text.nulls), text.reads, usual_dates=False)
    return _settle(formed, text.as_read, reads)


def _without(frame: DataFrame, nulls: tuple[str, ...]) -> DataFrame:
    """Null for every cell that stands for a missing one."""
    from pyspark.sql import functions as F

    if not nulls:
        return frame
    plain = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
    cells = [F.when(~F.col(name).isin(list(nulls)), F.col(name)).alias(name) for name in plain.columns]
    return plain.select(*cells).toDF(*frame.columns)


def _separator(session: SparkSession, path: str, name: str) -> str:
    import re

    first = session.read.text(path).limit(1).toArrow()
    if first.num_rows == 0:
        raise BadInput(f"{name} is empty.", found="no lines", fix="give a file with a header and rows")
    header = re.sub(r'"[^"]*"', "", first.column(0)[0].as_py())
    return max(SEPARATORS, key=header.count)


def _settle(frame: DataFrame, as_read: tuple[str, ...], formed: Collection[str]) -> Files:
    """Columns as whole numbers, numbers, dates or times where every cell is one and no two cells become the same; but
    for those that were read by a form."""
    from pyspark.sql import functions as F

    plain = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
    settled = {f"c{i}": kind for i, (name, kind) in enumerate(frame.dtypes) if name in formed}
    asked: list[Column] = [F.lit(True).alias("rows")]
    for name in plain.columns:
        if name in settled:
            continue
        # The end of the text: where Java sees one, there may be a line break after it.
        asked += [
            F.bool_and(F.col(name).rlike(pattern[:-1] + r"\z")).alias(f"{name} {kind}") for pattern, kind in KINDS
        ]
    fits = plain.agg(*asked).toArrow().to_pylist()[0]
    kind_of = {
        name: next((kind for _, kind in KINDS if fits.get(f"{name} {kind}")), "string") for name in plain.columns
    }
    kind_of = {**_without_loss(plain, {**kind_of, **dict.fromkeys(settled, "string")}), **settled}
    published = [f"c{i}" for i, name in enumerate(frame.columns) if name in as_read and name not in formed]
    shown = kind_of | _as_read(plain, {name: kind_of[name] for name in published})
    values, texts = (
        plain.select(*(F.col(name).try_cast(kinds[name]).alias(name) for name in plain.columns)).toDF(*frame.columns)
        for kinds in (kind_of, shown)
    )
    named = zip(frame.columns, plain.columns, strict=True)
    return Files(values, texts, {name: kind_of[c] for name, c in named if kind_of[c] != shown[c]})


def _without_loss(frame: DataFrame, kind_of: dict[str, str]) -> dict[str, str]:
    """Text again where a cell is none of its kind after all, or 250.1 and 250.10 may be two codes."""
    from pyspark.sql import functions as F

    unsure = {name: kind for name, kind in kind_of.items() if kind not in ("string", "bigint")}
    if not unsure:
        return kind_of
    asked: list[Column] = []
    for name, kind in unsure.items():
        value = F.col(name).try_cast(kind)
        whole = value.isNotNull() if kind != "double" else value.isNotNull() & (F.abs(value) < float("inf"))
        asked.append(F.bool_and(F.when(F.col(name).isNotNull(), whole)).alias(f"{name} whole"))
        if kind != "date":  # two texts of this pattern are never one day
            asked.append(F.count_distinct(F.col(name)).alias(f"{name} cells"))
            asked.append(F.count_distinct(value).alias(f"{name} values"))
    seen = frame.agg(*asked).toArrow().to_pylist()[0]
    lossless = {
        name: seen[f"{name} whole"] and seen.get(f"{name} cells") == seen.get(f"{name} values") for name in unsure
    }
    return {name: kind if lossless.get(name, True) else "string" for name, kind in kind_of.items()}


def _as_read(frame: DataFrame, kind_of: dict[str, str]) -> dict[str, str]:
    """Decimal numbers, or text, where numbers and times print otherwise than they are written; as memory has them."""
    from pyspark.sql import functions as F

    unsure = {name: kind for name, kind in kind_of.items() if kind in ("double", "timestamp_ntz")}
    if not unsure:
        return kind_of
    asked: list[Column] = []
    for name, kind in unsure.items():
        cell = F.col(name)
        decimals = F.when(cell.rlike(r"^-?[0-9]{1,30}\.[0-9]{1,8}\z"), F.length(F.substring_index(cell, ".", -1)))
        asked += [
            F.bool_and(cell.try_cast(kind).cast("string") == cell).alias(f"{name} prints"),
            F.bool_and(F.when(cell.isNotNull(), decimals.isNotNull())).alias(f"{name} plain"),
            F.bool_or(cell.rlike(r"^-0\.0*\z")).alias(f"{name} zero"),  # -0.00 is no decimal number
            F.min(decimals).alias(f"{name} fewest"),
            F.max(decimals).alias(f"{name} most"),
        ]
    seen = frame.agg(*asked).toArrow().to_pylist()[0]

    def settled(name: str) -> str:
        if seen[f"{name} prints"] is not False:
            return unsure[name]
        same = seen[f"{name} plain"] and not seen[f"{name} zero"] and seen[f"{name} fewest"] == seen[f"{name} most"]
        return f"decimal(38,{seen[f'{name} most']})" if same else "string"

    return {**kind_of, **{name: settled(name) for name in unsure}}
