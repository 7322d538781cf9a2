"""A workload as a guide for the search: which columns matter to it, and where in a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import BadOption
from amongst.published.tally import Distinct
from amongst.query.line_many import match_ranges
from amongst.query.matching import apart, match_labels
from amongst.query.question import EVERYTHING, All, Condition, Formula, Question, columns_of, conditions_of
from amongst.query.read_column import Asked, read_plain
from amongst.query.read_line import LineColumn
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.query.workload import Workload

UNASKED = 0.02
"""A column that nobody asks for weighs this share of the heaviest."""
EVENLY = 0.5
"""This share of a column's width is as it was; the rest lies where conditions begin and end."""
MOST_CELLS = 1 << 22
"""Pairs of a condition and a code that are looked at together."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a workload wants of one column.

    Attributes
    ----------
    importance : float
        How much it hangs on the column, against the others.
    border : ndarray of float64, one a pair of neighbouring codes
        How often, weighted, a condition holds for one of the two and not for the other.
    """

    importance: float
    border: np.ndarray


def steered(table: CodedTable, schema: Schema, workload: Workload) -> CodedTable:
    """The same codes, with weights and widths by what a workload asks.

    A group answers a question exactly, as far as a column goes, if the condition on it holds for all of the group's
    range or for none. So the width of a range becomes the share of the workload's borders that lie within it, and a
    method that keeps groups narrow keeps borders out of them. What is measured later is not touched by this.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006, section 5: an anticipated
        workload taken into the algorithm is a future direction there, and what counts is how well the borders of
        groups match those of the questions' conditions.
    Choices
        In a question every condition counts by its borders over the share of rows that it selects: of two conditions
        the narrower one loses more by a group that sticks out of it. A question's weight is divided among its columns
        in that proportion. A column to group by counts as a condition for each of its values, a column to sum as one
        that selects all: a wide range moves a mean less than a count. The user's own column weights are kept as
        factors. A column that nobody asks for keeps a fiftieth of the weight of the heaviest, to be cut when nothing
        else can be. Half of a column's width lies at borders, half as before, since other questions may come. Widths
        of columns with a tree are numbers of leaves: only their weight changes.
    """
    wanted = {column.name: want for column, want in zip(table.columns, wants(table, schema, workload), strict=True)}
    most = max(want.importance for want in wanted.values())
    if most == 0:
        raise BadOption(
            "The workload asks for no quasi-identifier, so it cannot steer.",
            found=f"{len(workload.questions):,} questions, none with a condition on one",
            fix="leave the workload out, or ask for: " + ", ".join(wanted),
        )
    return replace(table, columns=[_steered(column, wanted[column.name], most) for column in table.columns])


def wants(table: CodedTable, schema: Schema, workload: Workload) -> list[Wanted]:
    """What the workload wants of every column, in their order."""
    names = {column.name for column in table.columns}
    parts = [_parts(question, names) for question in workload.questions]
    pull = {column.name: np.zeros(len(parts)) for column in table.columns}
    found = []
    for column in table.columns:
        formulas = list(dict.fromkeys(one[column.name] for one in parts if column.name in one))
        border, strength = _look_at(column, schema, formulas)
        number = {formula: i for i, formula in enumerate(formulas)}
        at = [i for i, one in enumerate(parts) if column.name in one]
        place = np.array([number[parts[i][column.name]] for i in at], dtype=np.int64)
        pull[column.name][at] = strength[place]
        found.append((at, place, border))
    total = np.sum(list(pull.values()), axis=0)
    share_of = {name: np.divide(own, total, out=np.zeros_like(own), where=total > 0) for name, own in pull.items()}
    wanted = []
    for column, (at, place, border) in zip(table.columns, found, strict=True):
        own = workload.weight[at] * share_of[column.name][at]
        of_formula = np.bincount(place, own, minlength=len(border)) if at else np.zeros(len(border))
        wanted.append(Wanted(float(own.sum()), _summed(border, of_formula)))
    return wanted


def _summed(border: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Every condition's borders, together as heavy as the condition."""
    n_borders = np.maximum(border.sum(axis=1), 1)
    return np.asarray((weight / n_borders) @ border)


def _parts(question: Question, names: set[str]) -> dict[str, Formula | None]:
    """What a question asks of every column, apart from the others.

    None where it is grouped by the column: every value is asked for. ``EVERYTHING`` where a figure of it is wanted.
    """
    parts: dict[str, list[Formula]] = {}
    top = question.where.parts if isinstance(question.where, All) else (question.where,)
    for together in apart(top):
        formula = together[0] if len(together) == 1 else All(tuple(together))
        whole = len(columns_of(formula)) == 1
        for one in [formula] if whole else list(conditions_of(formula)):
            parts.setdefault(next(iter(columns_of(one))), []).append(one)
    found: dict[str, Formula | None] = {
        name: own[0] if len(own) == 1 else All(tuple(own)) for name, own in parts.items() if name in names
    }
    figures = {figure.column: EVERYTHING for figure in question.figures if figure.column in names}
    return {**figures, **found, **{name: None for name in question.group_by if name in names}}


def _look_at(column: CodedColumn, schema: Schema, formulas: Sequence[Formula | None]) -> tuple[np.ndarray, np.ndarray]:
    """The borders of every formula as 0 and 1, shape (n_formulas, n_values - 1), and how strongly each pulls."""
    count = np.bincount(column.codes, minlength=column.n_values)[: column.n_values].astype(np.float64)
    truth = _truths(column, schema, formulas, count)
    border = (truth[:, 1:] != truth[:, :-1]).astype(np.float64)
    every = np.array([formula is None for formula in formulas], dtype=bool)
    whole = np.array([formula == EVERYTHING for formula in formulas], dtype=bool)
    border[every | whole] = 1.0
    selected = np.clip(truth @ count / max(count.sum(), 1), 1 / max(count.sum(), 1), 1.0)
    n_borders = np.minimum(border.sum(axis=1), 2)
    pull = np.where(every, 2.0 * column.n_values, np.where(whole, 1.0, n_borders / selected))
    return border, pull * (n_borders > 0)


def _truths(column: CodedColumn, schema: Schema, formulas: Sequence[Formula | None], count: np.ndarray) -> np.ndarray:
    """Whether every formula holds for every value, shape (n_formulas, n_values)."""
    values = Distinct(np.arange(column.n_values), column.values, np.zeros(column.n_values, dtype=bool))
    size = count.astype(np.int64)
    asked = read_plain(column.name, schema[column.name], values, size, column.values.type, is_text_file=False)
    truth = np.zeros((len(formulas), column.n_values), dtype=bool)
    ranges: list[tuple[int, float, float]] = []
    for i, formula in enumerate(formulas):
        span = _single_range(asked, formula)
        if span is not None:
            ranges.append((i, *span))
        elif formula is not None:
            truth[i] = match_labels(asked, formula).share[:-1] > 0.5
    if ranges:
        assert isinstance(asked, LineColumn)
        at = np.array([i for i, _, _ in ranges])
        lo, hi = np.array([[a, b] for _, a, b in ranges]).T
        step = max(1, MOST_CELLS // max(column.n_values, 1))
        for first in range(0, len(at), step):
            block = slice(first, first + step)
            truth[at[block]] = match_ranges(asked.labels, lo[block], hi[block])[0][:, :-1] > 0.5
    return truth


def _single_range(column: Asked, formula: Formula | None) -> tuple[float, float] | None:
    if not isinstance(column, LineColumn) or not isinstance(formula, Condition) or formula.kind == "null":
        return None
    parts = column.span(formula).parts
    return parts[0] if len(parts) == 1 else None


def _steered(column: CodedColumn, wanted: Wanted, most: float) -> CodedColumn:
    weight = column.weight * max(wanted.importance / most, UNASKED)
    total = wanted.border.sum()
    if column.position is None or total == 0 or column.span == 0:
        return replace(column, weight=weight)
    gaps = EVENLY * np.diff(column.position) / column.span + (1 - EVENLY) * wanted.border / total
    position = np.concatenate([[0.0], np.cumsum(gaps)])
    return replace(column, weight=weight, position=position, lowest=0.0, span=float(position[-1]))
