"""From a decision on the frequency set to published rows, as plans that the executors carry out.

Rows find their class by a join on the quasi-identifiers, are laid out by class, sorted, and only then get the labels
of their class: what travels between machines is the number of a class and the columns that are published as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.rank import rank
from amongst.engines.counted import CLASS, FIRST, LAST
from amongst.engines.spark.columns import in_order, numbered, refuse_unordered, to_spark
from amongst.engines.spark.join import join_known, size_in_join
from amongst.engines.spark.parts import laid_out, part_of_class
from amongst.recode.plan import RecodingPlan

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, Observation, SparkSession


def published_rows(
    frame: DataFrame,
    plan: RecodingPlan,
    broadcast_limit: int,
    observation: Observation | None = None,
    kinds: Mapping[str, str] | None = None,
) -> DataFrame:
    """The release as a frame: sorted, its partitions in order. Nothing is computed yet.

    Parameters
    ----------
    broadcast_limit : int
        A side of a join that takes about so many bytes, or less, is sent to every executor; else both sides are
        shuffled.
    observation : Observation, optional
        Told how many rows there are ("rows") when they are computed.
    kinds : mapping of str to str, optional
        Columns that are published as texts, and the type in whose order their rows are.
    """
    from pyspark.sql import functions as F

    n_quasi, others = len(plan.quasi), plan.others
    rows = numbered(frame, [*plan.quasi, *others])
    kept = [f"c{n_quasi + i}" for i in range(len(others))]
    refuse_unordered(rows.select(*kept), others)
    order = in_order(rows, kept, {c: (kinds or {}).get(name) for c, name in zip(kept, others, strict=True)})
    part = part_of_class(plan)
    if plan.found_by is not None:  # the driver does not know the tuples
        classed = plan.found_by.classed(plan.class_of_row, rows, part, order, broadcast_limit)
    elif plan.divided:
        classed = _divided(rows, plan, part, kept, order, broadcast_limit)
    else:
        classed = _classed(rows, plan, part, broadcast_limit)
    classes = _class_frame(frame, plan)
    small = _size_in_join(plan.classes) <= broadcast_limit
    if not small:
        classed = join_known(classed, classes, "class", small=False)
    laid = laid_out(classed, plan, order)
    if observation is not None:  # the optimizer would drop a sort before a join, but not one before a count
        laid = laid.observe(observation, F.count(F.lit(1)).alias("rows"))
    if small:
        laid = join_known(laid, classes, "class", small=True)
    return _named(laid, plan, kept)


def rows_of_driver(session: SparkSession, plan: RecodingPlan, observation: Observation | None = None) -> DataFrame:
    """The release as a frame, where its rows are with the driver: sorted, in one partition."""
    import pyarrow as pa
    from pyspark.sql import functions as F

    tables = [table.cast(_plain_texts(table.schema)) for table in plan.found_by.tables(plan)]
    rows = to_spark(session, pa.concat_tables(tables), plan.columns).coalesce(1)
    return rows if observation is None else rows.observe(observation, F.count(F.lit(1)).alias("rows"))


def _plain_texts(schema: pa.Schema) -> pa.Schema:
    """Texts that are not encoded: pieces may have dictionaries of their own."""
    import pyarrow as pa

    encoded = pa.types.is_dictionary
    return pa.schema([one.with_type(one.type.value_type) if encoded(one.type) else one for one in schema])


def _classed(rows: DataFrame, plan: RecodingPlan, part: np.ndarray | None, broadcast_limit: int) -> DataFrame:
    """Rows with the class of their tuple and its part, and without those that have none."""
    tuples = _with_part(_by_number(plan), part)
    found = _found(rows, tuples, len(plan.quasi), broadcast_limit)
    return found.drop(*(f"{letter}{i}" for letter in "ck" for i in range(len(plan.quasi))))


def _by_number(plan: RecodingPlan) -> pa.Table:
    """The tuples as k0, k1, ... and their class."""
    names = [f"k{i}" for i in range(len(plan.quasi))]
    return plan.tuples.select([*plan.quasi, CLASS]).rename_columns([*names, "class"])


def _with_part(table: pa.Table, part: np.ndarray | None) -> pa.Table:
    import pyarrow as pa

    if part is None:
        return table
    return table.append_column("part", pa.array(part[table.column("class").to_numpy()]))


def _found(rows: DataFrame, tuples: pa.Table, n_quasi: int, broadcast_limit: int) -> DataFrame:
    """Rows joined with a table whose first columns are the quasi-identifiers."""
    keys = tuples.column_names[:n_quasi]
    mapping = to_spark(rows.sparkSession, tuples, tuples.column_names)
    nullable = [tuples.column(i).null_count > 0 for i in range(n_quasi)]
    on = _equal(rows, mapping, keys, nullable)
    return join_known(rows, mapping, on, small=_size_in_join(tuples) <= broadcast_limit)


def _equal(rows: DataFrame, mapping: DataFrame, keys: list[str], nullable: list[bool]) -> list[Column]:
    """Nulls equal nulls. Where no tuple has one, a row with a null has no class, as plain equality says too."""
    on = []
    for i, (key, null) in enumerate(zip(keys, nullable, strict=True)):
        on.append(rows[f"c{i}"].eqNullSafe(mapping[key]) if null else rows[f"c{i}"] == mapping[key])
    return on


def _divided(
    rows: DataFrame,
    plan: RecodingPlan,
    part: np.ndarray | None,
    kept: list[str],
    order: list[Column],
    broadcast_limit: int,
) -> DataFrame:
    """Rows of a tuple in several classes: numbered in the order of the other columns, and given out by number.

    Every row has a place: where its tuple begins, and its number in it. Places are joined with the classes they are
    of, spelled out one by one by the executors. Tuples of one class need no numbers.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    tuples, spans = _places(plan)
    found = _found(rows, _with_part(tuples, part), len(plan.quasi), broadcast_limit)
    wanted = [*(["class"] if part is None else ["class", "part"]), *kept]
    # Without other columns the rows of a tuple are equal.
    by_tuple = Window.partitionBy("start").orderBy(*order or [F.col("start")])
    placed = found.where("several").select("start", "end", *kept)
    placed = placed.withColumn("place", F.col("start") + F.row_number().over(by_tuple) - 1)
    spelled = _with_part(spans, part)
    places = to_spark(rows.sparkSession, spelled, spelled.column_names)
    places = places.withColumn("place", F.explode(F.sequence("first", "last")))
    # A row beyond the last place of its tuple is one too many: the table has changed, and the count will say so.
    several = join_known(placed.where(F.col("place") < F.col("end")), places, "place", small=False).select(*wanted)
    return found.where("not several").select(*wanted).unionByName(several)


def _places(plan: RecodingPlan) -> tuple[pa.Table, pa.Table]:
    """The tuples, each with the places of its rows; and what places the classes of the divided ones have."""
    import pyarrow as pa

    entries = plan.tuples
    tuple_of_entry, head = _tuple_numbers(entries, plan.quasi)
    n_entries = np.bincount(tuple_of_entry, minlength=len(head))
    first, last = entries.column(FIRST).to_numpy(), entries.column(LAST).to_numpy()
    n_places = np.zeros(len(head), dtype=np.int64)
    np.maximum.at(n_places, tuple_of_entry, last + 1)
    start = np.cumsum(n_places) - n_places
    tuples = _by_number(plan).take(pa.array(head)).append_column("several", pa.array(n_entries > 1))
    tuples = tuples.append_column("start", pa.array(start)).append_column("end", pa.array(start + n_places))
    offset = start[tuple_of_entry]
    spans = pa.table({"class": entries.column(CLASS), "first": first + offset, "last": last + offset})
    return tuples, spans.filter(pa.array(n_entries[tuple_of_entry] > 1))


def _tuple_numbers(tuples: pa.Table, quasi: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The number of every entry's tuple, and one entry of every tuple."""

    codes = []
    for name in quasi:
        _, index, missing = rank(tuples.column(name))
        index = index.astype(np.int64) + 1
        codes.append(np.ascontiguousarray(index if missing is None else np.where(missing, 0, index), dtype=np.uint32))
    tuple_of_entry, head, _ = kernels.distinct(codes)
    return tuple_of_entry.astype(np.int64), head.astype(np.int64)


def _class_frame(frame: DataFrame, plan: RecodingPlan) -> DataFrame:
    import pyarrow as pa

    classes = plan.classes
    number = pa.array(np.arange(classes.num_rows, dtype=np.int32))
    names = [f"p{i}" for i in range(classes.num_columns)]
    return to_spark(frame.sparkSession, classes.append_column("class", number), [*names, "class"])


def _named(rows: DataFrame, plan: RecodingPlan, kept: list[str]) -> DataFrame:
    """The published columns in their order, under their names, without any metadata."""
    from pyspark.sql import functions as F

    short = {name: f"p{i}" for i, name in enumerate(plan.classes.column_names)}
    short.update(zip(plan.others, kept, strict=True))
    picked = [F.col(short[name]).alias(f"r{i}", metadata={}) for i, name in enumerate(plan.columns)]
    return rows.select(*picked).toDF(*plan.columns)


def _size_in_join(table: pa.Table) -> int:
    return size_in_join(table.nbytes, table.num_rows, table.num_columns)
