"""Groups of a frequency set that no driver holds: the kernel runs in the executors, part by part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.engines.parts.group_rows import GroupRows
from amongst.engines.spark.columns import to_spark
from amongst.engines.spark.count import N
from amongst.engines.spark.cut_tree import CutTree, box_columns
from amongst.engines.spark.join import join_known
from amongst.engines.spark.kernel_of_part import KernelOfPart
from amongst.engines.spark.one_line import OneLine, grouped_on_a_line
from amongst.engines.spark.plain_errors import spoken
from amongst.engines.spark.value_codes import ValueCodes
from amongst.partition.partition import Partition
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups, and where the tuples of each are.

    Attributes
    ----------
    tuples : DataFrame
        The codes of every tuple (q0, q1, ...), its part, and its group within the part.
    table : CodedTable
        One coded row for every group, with the number of its rows in ``count``; where a column is published as a set,
        has a statistic or a null that matches anything, one for every combination of its codes in the group.
    partition : Partition
    kinds : pyarrow.Table
        Part, group and codes that say which coded row of ``table`` a tuple belongs to.
    divided : bool
        Whether the rows of a tuple may be in several groups; ``tuples`` then has it once for each of them.
    """

    tuples: DataFrame
    table: CodedTable
    partition: Partition
    kinds: pa.Table
    divided: bool = False

    def with_class(self, class_of_kind: np.ndarray, part_of_class: np.ndarray | None, small: bool) -> DataFrame:
        """The tuples with the class they are published in, and the part of the release."""
        import pyarrow as pa

        told = self.kinds.append_column("class", pa.array(class_of_kind.astype(np.int32)))
        if part_of_class is not None:
            told = told.append_column("place", pa.array(part_of_class[class_of_kind].astype(np.int32)))
        mapping = to_spark(self.tuples.sparkSession, told, told.column_names)
        joined = join_known(self.tuples, mapping, self.kinds.column_names, small=small)
        own = [name for name in self.tuples.columns if name.startswith("q")]
        wanted = ["class", *(["place"] if part_of_class is not None else [])]
        classed = (_by_place(joined, own, wanted) if self.divided else joined).select(*own, *wanted, *self.number)
        return classed.withColumnRenamed("place", "part")

    @property
    def number(self) -> list[str]:
        """What tells the rows of a tuple apart: where they may be in several groups their number in it, from 0."""
        return ["number"] if self.divided else []


def _by_place(pieces: DataFrame, own: list[str], wanted: list[str]) -> DataFrame:
    """An entry for every row of a tuple: in the order of its classes, numbered from 0."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    by_class = pieces.groupBy(*own, *wanted).agg(F.sum(N).alias(N))
    before = Window.partitionBy(*own).orderBy("class").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    ends = by_class.withColumn("end", F.sum(N).over(before))
    return ends.withColumn("number", F.explode(F.sequence(F.col("end") - F.col(N), F.col("end") - 1)))


def group_on_a_line(codes: ValueCodes, frame: DataFrame, asked: GroupRows) -> Groups:
    """Neighbours on a line: one worker looks at all tuples, in a stream, and the executors keep what it found."""
    from pyspark import StorageLevel
    from pyspark.sql import functions as F

    with spoken("The groups cannot be made"):
        pieces = grouped_on_a_line(frame, OneLine(codes.table, asked)).persist(StorageLevel.MEMORY_AND_DISK)
        quasi = frame.groupBy(*(f"q{c}" for c in range(codes.table.n_qi))).agg(F.sum(N).alias(N))
        n_alone = quasi.where(F.col(N) == 1).count()
        return _told(pieces, codes, {"uniques": n_alone}, divided=True)


def group_by_parts(codes: ValueCodes, frame: DataFrame, k: int, cuts: int, most_tuples: int) -> Groups:
    """Strict Mondrian on a frequency set that stays with the executors.

    ``frame`` has the codes q0, q1, ... and counts n. The boxes of all groups come to the driver, the tuples do not.
    """
    from pyspark import StorageLevel
    from pyspark.sql import functions as F

    axes = codes.table.axes
    tree = CutTree(frame, axes, k, cuts, most_tuples)
    with spoken("The groups cannot be made"):
        tuples = _grouped(tree, frame, KernelOfPart(axes, k, cuts)).persist(StorageLevel.MEMORY_AND_DISK)
        n_alone = tuples.where(F.col(N) == 1).count()
        facts = {"tuples": tree.root.n_tuples, "uniques": n_alone, "parts": len(tree.parts)}
        return _told(tuples, codes, facts)


def _told(tuples: DataFrame, codes: ValueCodes, facts: dict[str, Any], *, divided: bool = False) -> Groups:
    """What the driver must know of groups that the executors have."""
    boxes, kinds = _boxes(tuples, codes.table, codes.schema)
    group = _number(kinds)
    lo, hi = (
        np.stack([boxes.column(f"{end}{c}").to_numpy() for c in range(codes.table.n_qi)], axis=1).astype(np.uint32)
        for end in ("lo", "hi")
    )
    count = kinds.column(N).to_numpy().astype(np.int64)
    partition = Partition(group, lo, hi, facts=facts, count=count)
    columns = [_column(c, column, kinds, group, lo) for c, column in enumerate(codes.table.columns)]
    table = replace(codes.table, columns=columns, sensitive={}, count=count)
    return Groups(tuples, table, partition, kinds.drop_columns([N]), divided)


def _grouped(tree: CutTree, frame: DataFrame, kernel: KernelOfPart) -> DataFrame:
    """The tuples with their part and group; a part that is one group needs no kernel, and may not fit into one."""
    from pyspark.sql import functions as F

    routed = frame.withColumn("cell", tree.part_column())
    whole = [part.number for part in tree.parts if part.is_group]
    schema = routed.withColumn("group", F.lit(0)).schema

    def group(part: pa.Table) -> pa.Table:  # a function, as Spark takes an object that can be called for two arguments
        return kernel(part)

    made = routed.where(~F.col("cell").isin(whole)).groupBy("cell").applyInArrow(group, schema)
    if whole:
        made = made.unionByName(routed.where(F.col("cell").isin(whole)).withColumn("group", F.lit(0)))
    return made


def _boxes(tuples: DataFrame, table: CodedTable, schema: Schema) -> tuple[pa.Table, pa.Table]:
    """The box of every group, and what else must be known of its rows; both in the order of the groups."""
    from pyspark.sql import functions as F

    by_group = tuples.groupBy("cell", "group").agg(F.sum(N).alias(N), *box_columns(table.axes))
    boxes = by_group.toArrow().sort_by([("cell", "ascending"), ("group", "ascending")])
    told = [f"q{c}" for c, column in enumerate(table.columns) if _needs_rows(column, schema)]
    if not told:
        return boxes, boxes.select(["cell", "group", N])
    kinds = tuples.groupBy("cell", "group", *told).agg(F.sum(N).alias(N)).toArrow()
    return boxes, kinds.sort_by([(name, "ascending") for name in ("cell", "group", *told)])


def _number(kinds: pa.Table) -> np.ndarray:
    """The groups of all parts numbered through, in the order in which the kernel would come to them."""
    cell, group = kinds.column("cell").to_numpy(), kinds.column("group").to_numpy()
    differs = (np.diff(cell, prepend=-1) != 0) | (np.diff(group, prepend=-1) != 0)
    return (np.cumsum(differs) - 1).astype(np.int32)


def _column(c: int, column: CodedColumn, kinds: pa.Table, group: np.ndarray, lo: np.ndarray) -> CodedColumn:
    """Of a column that is told by boxes alone any code of the group will do."""
    told = f"q{c}" in kinds.column_names
    codes = kinds.column(f"q{c}").to_numpy() if told else lo[:, c][group]
    return replace(column, codes=codes.astype(column.codes.dtype))


def _needs_rows(column: CodedColumn, schema: Schema) -> bool:
    """Whether what a group publishes in a column is more than its box tells."""
    rule = schema[column.name]
    return rule.publish == "set" or bool(rule.statistic) or column.wildcard >= 0
