"""Strict Mondrian on codes that are larger than memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from amongst import kernels
from amongst.encode.frequency import frequency_set, mostly_distinct
from amongst.engines.parts.code_file import CodeFile
from amongst.engines.parts.conditions import CountedConditions
from amongst.engines.parts.cut_tree import cut_until_fits
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.parts import deal_out
from amongst.engines.parts.summary import Grouped, Summary
from amongst.kernels.axis import Axis
from amongst.kernels.conditions import Conditions
from amongst.schema.schema import Schema

Tick = Callable[[int, int], None]


def mondrian_by_parts(
    rows: EncodedRows,
    schema: Schema,
    asked: CountedConditions,
    cuts: int,
    most_rows: int,
    folder: Path,
    *,
    progress: Tick | None = None,
) -> Grouped:
    """The groups that ``partition.mondrian.mondrian`` makes of the whole table, numbered in the same way.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006, section 4.
    Guarantees
        The same groups as in memory: cuts from counts until the parts fit (``cut_tree.cut_until_fits``), then the
        kernel on every part, from left to right. Equal rows are in one part. Models of sensitive values hold as in
        memory: of the first cuts both sides are counted.
    Cost
        The codes are read once for every depth of the first cuts, written once and read once more.

    Parameters
    ----------
    asked : CountedConditions
        What every group must hold.
    most_rows : int
        The largest part that is given to the kernel.
    """
    axes, k = rows.table.axes, asked.k
    holds = asked.hold if asked.tests else None
    tree = cut_until_fits(rows.codes, rows.counts, axes=axes, k=k, cuts=cuts, most_rows=most_rows, holds=holds)
    parts = deal_out(rows.codes, tree.part_of, len(tree.parts), folder)
    if parts.part_of_row is not None:
        rows.codes.path.unlink()
    summary = Summary(rows.table, schema, folder, None if rows.others is None else rows.others.n_keys)
    boxes: list[tuple[np.ndarray, np.ndarray]] = []
    n_groups = n_alone = done = 0
    for node, file in zip(tree.parts, parts.files, strict=True):
        if node.box is not None:
            lo, hi = (np.array([end], dtype=np.uint32) for end in node.box)
            summary.add_whole(file.blocks(), n_groups)
            n_alone += count_alone(file, len(axes), most_rows)
        else:
            tick = None if progress is None else _shifted(progress, done, rows.codes.n_rows)
            columns = file.columns()
            key = None if rows.others is None else columns.pop()
            conditions = asked.on_rows(columns[len(axes) :])
            columns = columns[: len(axes)]
            group, lo, hi, alone = _kernel(columns, axes, k, cuts, conditions, tick)
            summary.add(columns, group, len(lo), n_groups, key)
            n_alone += alone
        file.path.unlink()
        boxes.append((lo, hi))
        n_groups, done = n_groups + len(lo), done + file.n_rows
        if progress is not None:
            progress(done, rows.codes.n_rows)
    lo, hi = (np.concatenate(ends) for ends in zip(*boxes, strict=True))
    return summary.grouped(parts, lo, hi, {"uniques": n_alone, "parts": len(parts.files)})


def _kernel(
    columns: list[np.ndarray], axes: list[Axis], k: int, cuts: int, conditions: Conditions | None, tick: Tick | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """As in ``partition.mondrian.mondrian``: on the distinct tuples where there are fewer of them."""
    if mostly_distinct(columns) or conditions is not None:
        return kernels.mondrian(columns, None, axes, k, cuts=cuts, relaxed=False, conditions=conditions, tick=tick)
    tuples = frequency_set(columns)
    group, lo, hi, n_alone = kernels.mondrian(tuples.codes, tuples.count, axes, k, cuts=cuts, relaxed=False, tick=tick)
    return kernels.gather(group, tuples.tuple_of_row), lo, hi, n_alone


def count_alone(file: CodeFile, n_columns: int, most_rows: int) -> int:
    """The rows of a file that equal no other, by as many passes as keep what is looked at small."""
    n_passes = -(-file.n_rows // max(most_rows, 1))
    names = [f"c{c}" for c in range(n_columns)]
    n_alone = 0
    for number in range(n_passes):
        found: list[list[np.ndarray]] = [[] for _ in names]
        for block in file.blocks():
            own = _hash([block[name] for name in names]) % np.uint64(n_passes) == number
            for pieces, name in zip(found, names, strict=True):
                pieces.append(block[name][own])
        if sum(map(len, found[0])):
            n_alone += int((kernels.distinct([np.concatenate(pieces) for pieces in found])[2] == 1).sum())
    return n_alone


def _hash(columns: list[np.ndarray]) -> np.ndarray:
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _shifted(progress: Tick, done: int, total: int) -> Tick:
    return lambda part_done, part_total: progress(done + part_done, total)
