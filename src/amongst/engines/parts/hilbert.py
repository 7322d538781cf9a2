"""Groups of neighbours on a line, the Hilbert curve or rings around centres, where the rows do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from amongst import kernels
from amongst.engines.parts.code_file import CodeFile, CodeWriter
from amongst.engines.parts.curve_parts import Line, Stretches, cut_curve
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.parts import Parts, deal_out
from amongst.engines.parts.summary import Grouped, Summary
from amongst.kernels.one_dimensional import Intervals, begins_of_runs, sort_keys
from amongst.partition.pricing import prices_of
from amongst.schema.schema import Schema

Tick = Callable[[int, int], None]
BLOCK = 1 << 16
ORDER = np.dtype(np.uint32)


def runs_by_parts(
    rows: EncodedRows,
    schema: Schema,
    k: int,
    most_rows: int,
    folder: Path,
    *,
    line: Line,
    fast: bool = False,
    progress: Tick | None = None,
) -> Grouped:
    """The groups that ``partition.line.hilbert`` or ``idistance`` makes of the whole table, numbered in the same way.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007: Hilb, iDist,
        HilbFast and iDistFast (section 5): one pass over the sorted rows.
    Guarantees
        The same groups as in memory, so cutting the line costs nothing. Rows are dealt out over stretches of the
        line, and each stretch is sorted in memory; the program of section 3 runs through all of them in order and
        carries over what the last 2k-2 rows need. What the way back needs is one number a row, on disk. Rows with
        equal keys are in one stretch, in the order of the input.
    Cost
        Four passes over the codes: two to find the stretches and deal rows out, two over the parts (and for rings
        what ``ring_parts.rings_of`` needs). Memory for one part with its keys, and for the boxes of all groups.

    Parameters
    ----------
    most_rows : int
        The largest part that is sorted.
    line : Line
    """
    prices = prices_of(rows.table)
    stretches, parts = dealt_along(rows, line, most_rows, folder)
    program = Intervals(k, None if fast else prices)
    lengths, orders, n_alone = _forward(
        rows, parts, line=line, stretches=stretches, program=program, folder=folder, progress=progress
    )
    begins = begins_of_runs(_Blocks(lengths))
    return _deal(
        rows,
        parts,
        orders=orders,
        begins=begins,
        schema=schema,
        folder=folder,
        facts={"uniques": n_alone, "parts": len(parts.files)},
    )


def dealt_along(rows: EncodedRows, line: Line, most_rows: int, folder: Path) -> tuple[Stretches, Parts]:
    """The rows dealt out over stretches of the line; their codes are in the parts then, and nowhere else."""
    stretches = cut_curve(rows.codes, line, most_rows)
    parts = deal_out(rows.codes, lambda block: stretches.part_of(line.words(block)), len(stretches.first), folder)
    if parts.part_of_row is not None:
        rows.codes.path.unlink()
    return stretches, parts


def _forward(
    rows: EncodedRows,
    parts: Parts,
    line: Line,
    stretches: Stretches,
    program: Intervals,
    folder: Path,
    progress: Tick | None,
) -> tuple[CodeFile, list[CodeFile], int]:
    """Sort every part and run the program through it: the lengths of last runs, and the orders of the parts."""
    lengths = CodeWriter(folder / "lengths", np.dtype(np.min_scalar_type(2 * program.k - 1)))
    orders, n_alone, done = [], 0, 0
    for number, file in enumerate(parts.files):
        columns = file.columns()[: rows.table.n_qi]
        keys = line.keys(columns)
        order = sort_keys(keys)
        fast = program.prices is None
        position = line.positions(keys[order, 0], stretches, program.k) if fast else None
        n_alone += _n_alone(keys, order)
        del keys
        for start in range(0, len(order), BLOCK):
            at = order[start : start + BLOCK]
            own: Any = (
                [kernels.gather(column, at) for column in columns]
                if position is None
                else position[start : start + BLOCK]
            )
            lengths.write(program.feed(own, np.ones(len(at), dtype=np.uint32)))
            if progress is not None:
                progress(done + start + len(at), rows.codes.n_rows)
        writer = CodeWriter(folder / f"order_{number}", ORDER)
        writer.write(order)
        orders.append(writer.close())
        done += file.n_rows
    return lengths.close(), orders, n_alone


def _n_alone(keys: np.ndarray, order: np.ndarray) -> int:
    """Rows whose key no other has: keys are equal where tuples are."""
    differs = np.ones(len(order) + 1, dtype=bool)
    for start in range(0, len(order) - 1, BLOCK):
        near = keys[order[start : start + BLOCK + 1]]
        differs[start + 1 : start + len(near)] = (near[1:] != near[:-1]).any(axis=1)
    return int((differs[1:] & differs[:-1]).sum())


class _Blocks(Sequence[np.ndarray]):
    """A file of lengths as a sequence of blocks, each read when it is asked for."""

    def __init__(self, file: CodeFile) -> None:
        self.file = file

    def __len__(self) -> int:
        return -(-self.file.n_rows // BLOCK)

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        first = number * BLOCK
        return self.file.part(first, min(BLOCK, self.file.n_rows - first))


def _deal(
    rows: EncodedRows,
    parts: Parts,
    orders: list[CodeFile],
    begins: np.ndarray,
    schema: Schema,
    folder: Path,
    facts: dict[str, Any],
) -> Grouped:
    """Back to the rows: their groups, and the boxes of groups, of which one may be in two parts or more."""
    n_qi, n_rows = rows.table.n_qi, rows.codes.n_rows
    summary = Summary(rows.table, schema, folder, None if rows.others is None else rows.others.n_keys)
    lo = np.full((len(begins), n_qi), np.iinfo(np.uint32).max, dtype=np.uint32)
    hi = np.zeros((len(begins), n_qi), dtype=np.uint32)
    first = 0
    for file, ordered in zip(parts.files, orders, strict=True):
        if file.n_rows == 0:
            summary.add_nothing()
            continue
        columns, order = file.columns(), ordered.read()
        key = None if rows.others is None else columns.pop()
        end = first + file.n_rows
        groups = slice(int(np.searchsorted(begins, first, side="right")) - 1, int(np.searchsorted(begins, end)))
        edges = np.maximum(begins[groups], first) - first
        for c, column in enumerate(rows.table.columns):
            own = kernels.gather(columns[c], order)
            lo[groups, c] = np.minimum(lo[groups, c], np.minimum.reduceat(own, edges))
            if column.wildcard >= 0:
                own = np.where(own == column.wildcard, 0, own)
            hi[groups, c] = np.maximum(hi[groups, c], np.maximum.reduceat(own, edges))
        group = np.empty(file.n_rows, dtype=np.int32)
        n_groups = groups.stop - groups.start
        group[order] = kernels.repeat(np.arange(n_groups, dtype=np.int32), np.diff(edges, append=file.n_rows))
        summary.add(columns[:n_qi], group, n_groups, groups.start, key)
        for used in (file, ordered):
            used.path.unlink()
        first = end
    assert first == n_rows
    return summary.grouped(parts, lo, np.maximum(hi, lo), facts)
