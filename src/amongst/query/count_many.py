"""Many COUNT questions at once: conditions are worked out once a label, and put together for all rows in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.query.line_many import match_ranges
from amongst.query.matching import apart, match_labels
from amongst.query.open_release import OpenRelease, Rows
from amongst.query.question import EVERYTHING, All, Condition, Figure, Formula, Question, columns_of
from amongst.query.read_column import Asked
from amongst.query.read_line import LineColumn

BLOCK = 1 << 22
"""Pairs of a question and a row that are looked at together."""
CAN, MUST = 1, 2


@dataclass(frozen=True, eq=False)
class Counts:
    """The answers to many questions: estimates and bounds, one a question."""

    estimate: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False)
class ColumnParts:
    """One column under the conditions of all questions.

    Attributes
    ----------
    part_of_question : ndarray of int64
        Which row of the tables belongs to every question; row 0 asks nothing.
    share : ndarray of float64, shape (n_parts, n_labels)
    bits : ndarray of uint8, shape (n_parts, n_labels)
        ``CAN`` and ``MUST``.
    """

    part_of_question: np.ndarray
    share: np.ndarray
    bits: np.ndarray


def parts_by_column(question: Question) -> dict[str, Formula] | None:
    """The conditions of a COUNT column by column; None where it is no COUNT or columns depend on each other."""
    if question.group_by or question.figures != (Figure("COUNT"),):
        return None
    if question.where == EVERYTHING:
        return {}
    parts = question.where.parts if isinstance(question.where, All) else (question.where,)
    found: dict[str, Formula] = {part.column: part for part in parts if isinstance(part, Condition)}
    if len(found) == len(parts):
        return found
    found = {}
    for together in apart(parts):
        formula = together[0] if len(together) == 1 else All(tuple(together))
        names = columns_of(formula)
        if len(names) != 1:
            return None
        found[next(iter(names))] = formula
    return found


def count_many(release: OpenRelease, parts_of_question: Sequence[dict[str, Formula]]) -> Counts:
    """Answer COUNT questions that come as conditions by column (see ``parts_by_column``)."""
    names = sorted({name for parts in parts_of_question for name in parts})
    rows = release.rows(names)
    columns = {name: _column_parts(release, name, parts_of_question) for name in names}
    n_rows, n_questions = len(rows.size), len(parts_of_question)
    n_published = n_rows - bool(release.n_suppressed)
    published = np.where(np.arange(n_rows) < n_published, rows.size, 0).astype(np.float64)
    total = published.sum()
    scale = 1 + (release.n_suppressed or 0) / total if total else 1.0
    made = [sum_block(columns, rows, published, block) for block in _blocks(n_questions, n_rows)]
    estimate, lower, upper = (np.concatenate(one) if made else np.zeros(0) for one in zip(*made, strict=True))
    return Counts(np.clip(estimate * scale, lower, upper), lower, upper)


def _blocks(n_questions: int, n_rows: int) -> list[slice]:
    step = max(1, BLOCK // max(n_rows, 1))
    return [slice(start, min(start + step, n_questions)) for start in range(0, n_questions, step)] or [slice(0, 0)]


def _column_parts(release: OpenRelease, name: str, parts_of_question: Sequence[dict[str, Formula]]) -> ColumnParts:
    number: dict[Formula | None, int] = {None: 0}
    part_of_question = np.array(
        [number.setdefault(parts.get(name), len(number)) for parts in parts_of_question], dtype=np.int64
    )
    column = release.column(name)
    share = np.ones((len(number), column.n_labels))
    bits = np.full((len(number), column.n_labels), CAN | MUST, dtype=np.uint8)
    ranges = _ranges(column, [formula for formula in number if formula is not None])
    for formula, i in number.items():
        if formula is not None and formula not in ranges:
            found = match_labels(column, formula)
            share[i] = found.share
            bits[i] = found.can * CAN + found.must * MUST
    if ranges:
        assert isinstance(column, LineColumn)
        ends = np.array(list(ranges.values()))
        at = np.array([number[formula] for formula in ranges])
        share[at], can, must = match_ranges(column.labels, ends[:, 0], ends[:, 1])
        bits[at] = can * CAN + must * MUST
    return ColumnParts(part_of_question, share, bits)


def _ranges(column: Asked, formulas: Sequence[Formula]) -> dict[Formula, tuple[float, float]]:
    """The formulas that are a single range of a column on a line."""
    if not isinstance(column, LineColumn):
        return {}
    conditions = [one for one in formulas if isinstance(one, Condition) and one.kind != "null"]
    spans = {one: column.span(one).parts for one in conditions}
    return {one: parts[0] for one, parts in spans.items() if len(parts) == 1}


def sum_block(
    columns: dict[str, ColumnParts],
    rows: Rows,
    published: np.ndarray,
    block: slice,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Estimate, lower and upper count of a block of questions; ``published`` are the sizes that are estimated from."""
    n = block.stop - block.start
    bits = np.full((n, len(rows.size)), CAN | MUST, dtype=np.uint8)
    for name, column in columns.items():
        used, place = np.unique(column.part_of_question[block], return_inverse=True)
        over_rows = column.bits[used][:, rows.label_of_row[name]]
        bits &= over_rows[place.reshape(-1)]
    # Few rows can match a question with several conditions: only these are estimated.
    question, row = np.nonzero(bits)
    share = published[row]
    for name, column in columns.items():
        part = column.part_of_question[block][question]
        share = share * column.share[part, rows.label_of_row[name][row]]
    must = bits[question, row] & MUST > 0
    estimate = np.bincount(question, share, n)
    lower = np.bincount(question[must], rows.least[row[must]], n).astype(np.int64)
    return estimate, lower, np.bincount(question, rows.size[row], n).astype(np.int64)
