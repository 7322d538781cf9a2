"""Limits of a column: never finer than five years, a month or three digits; everything above and below in one.

Choices: a column with limits is coarsened before anything else looks at it, so that no method, measure or file can tell
more. Its values become the labels of the finest level that is allowed, with the levels above them as a hierarchy; what
is at or beyond ``top`` and ``bottom`` becomes one label each, which merges with others at the root alone, since no
range holds all of it. Loss is measured from there: what the limits themselves cost is not in it. A column that is
published as it is has the finest label of every value, or the value itself where only ``top`` and ``bottom`` are given;
what is asked of sensitive values is asked of these labels, as categories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from amongst.errors import BadHierarchy, BadSchema
from amongst.schema.arrow_kind import natural_kind, value_type
from amongst.schema.check import rows_that_stay
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import Problem, raise_all
from amongst.schema.recipes.dates import PARTS
from amongst.schema.recipes.intervals import Intervals
from amongst.schema.recipes.masks import Digits, Prefix
from amongst.schema.recipes.numbers import exact
from amongst.schema.recipes.rows import RowsWithinLimits
from amongst.schema.schema import Schema
from amongst.schema.value_text import text_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

WIDER = (1, 2, 4, 8, 16)
"""The levels above the finest width of numbers, as multiples of it."""
IN_ONES = (5, 10, 20, 40)
"""Levels above whole numbers that only have a top or a bottom."""


def limited(table: pa.Table, schema: Schema) -> tuple[pa.Table, Schema]:
    """The table and the schema with all limits carried out: columns of labels, with their hierarchies.

    Examples
    --------
    >>> import amongst as am
    >>> import pyarrow as pa
    >>> from amongst.schema.limits import limited
    >>> table, schema = limited(
    ...     pa.table({"age": [31, 34, 97]}), am.Schema({"age": am.Column(role="quasi", finest=5, top=90)})
    ... )
    >>> table["age"].to_pylist(), schema["age"].kind
    (['[30-34]', '[30-34]', '90 or more'], 'categorical')
    """
    stays = _stays(table, schema)
    names = [name for name, column in schema.items() if column.has_limits and name in table.column_names]
    coded = {name: _coded(table.column(name)) for name in names}
    values = {name: (one.dictionary, _used(one, stays)) for name, one in coded.items()}
    labels, coarse = coarsened(schema, values)
    for name in names:
        cells = labels[name].take(coded[name].indices)
        table = table.set_column(table.column_names.index(name), name, cells)
    return table, coarse


def coarsened(schema: Schema, values: Mapping[str, tuple[pa.Array, pa.Array]]) -> tuple[dict[str, pa.Array], Schema]:
    """Labels of the distinct values of some columns, and the schema without their limits.

    ``values`` has for every column all its distinct values, and those of the rows that stay. The levels are those of
    the latter, in their order: neither who is left out nor the order of the rows may show in what is published. A
    value that only left out rows have gets a label of another.
    """
    import pyarrow as pa

    columns, labels, problems = dict(schema), {}, []
    for name, (every, staying) in values.items():
        try:
            label_of, columns[name] = _coarsened(schema[name], sorted(staying.to_pylist()), every.type)
        except BadHierarchy as error:
            problems.append(Problem(error.what, error.fix or "choose another limit").about(name))
            continue
        other = next(iter(label_of.values()), None)
        labels[name] = pa.array([label_of.get(value, other) for value in every.to_pylist()], pa.string())
    raise_all(BadSchema, "The limits do not fit the table.", problems)
    return labels, Schema(columns)


def _stays(table: pa.Table, schema: Schema) -> np.ndarray:
    """Which rows are not left out because a value is missing; all, where none would stay."""
    import numpy as np

    stays = rows_that_stay(schema, table)
    return np.ones(table.num_rows, dtype=bool) if stays is None or not stays.any() else stays


def _coded(data: pa.ChunkedArray) -> pa.DictionaryArray:
    import pyarrow as pa

    plain = data.cast(value_type(data))
    return (pa.concat_arrays(plain.chunks) if plain.num_chunks else pa.array([], plain.type)).dictionary_encode()


def _used(coded: pa.DictionaryArray, stays: np.ndarray) -> pa.Array:
    import pyarrow as pa

    return coded.dictionary.take(coded.indices.filter(pa.array(stays)).drop_null().unique())


def _coarsened(column: Column, values: list[Any], kind: pa.DataType) -> tuple[dict[Any, str], Column]:
    """The label of every value, and the column that the labels are of."""
    natural = natural_kind(kind) or "categorical"
    if column.role != "quasi" and column.finest is None:
        _refuse_tails(column, natural)
        label_of = {value: _tail(column, value) or text_of(value) for value in values}
        return label_of, replace(without_limits(column), kind="categorical", hierarchy=None, order=None)
    rows = _rows(column, values, natural)
    unique = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    levels: Hierarchy | None = Hierarchy(RowsWithinLimits(tuple(unique)))  # type: ignore[arg-type]
    label_of = {value: row[0] for value, row in zip(values, rows, strict=True)}
    if column.role != "quasi" and column.hierarchy is None:
        levels = None
    coarse = replace(without_limits(column), kind="categorical", hierarchy=levels, publish=None, order=None)
    return label_of, replace(coarse, grid=None, statistic=())


def _rows(column: Column, values: list[Any], kind: str) -> list[list[str]]:
    """For every value its label at the finest level and above, up to the root."""
    _refuse_tails(column, kind)
    in_between = [value for value in values if _tail(column, value) is None]
    hierarchy, first = _levels(column, kind, in_between)
    tree = hierarchy.tree(sorted(in_between), kind) if in_between else None
    n_levels = 2 if tree is None else tree.n_levels
    if tree is not None and first >= tree.n_levels - 1:
        raise BadHierarchy("No level but the root is as coarse as that.", found=f"finest = {column.finest!r}", fix="")
    place = {} if tree is None else tree.code_of_leaf
    between = _between_tails(column, hierarchy, first, values)
    rows = []
    for value in values:
        tail = _tail(column, value)
        if tail is not None:
            rows.append([*[tail] * (n_levels - 1 - first), "*"])
        else:
            assert tree is not None
            levels = range(first, n_levels - 1)
            above = [between(level, value) or tree.label(level, place[value]) for level in levels]
            rows.append([*above, "*"])
    return rows


def _refuse_tails(column: Column, kind: str) -> None:
    if (column.top is not None or column.bottom is not None) and kind != "numeric":
        raise BadHierarchy(
            "Only numbers have a top and a bottom.", found=f"a column of kind {kind}", fix="leave them out"
        )


def _between_tails(column: Column, hierarchy: Hierarchy, first: int, values: list[Any]) -> Callable[[int, Any], str]:
    """The label of a number at a level, where its interval reaches into a tail; else nothing.

    Beside a tail no interval is narrower than the finest width: what a tail leaves of one goes to its neighbour, so
    that with ``finest=5, bottom=17`` the first is ``[18-24]``.
    """
    recipe = hierarchy.recipe
    if not isinstance(recipe, Intervals) or (column.top is None and column.bottom is None):
        return lambda level, value: ""
    whole = all(isinstance(number, int) for number in (*values, *recipe.widths, recipe.origin))
    origin, finest = exact(recipe.origin), exact(recipe.widths[first - 1]) if first else Fraction(0)
    low = None if column.bottom is None else exact(column.bottom)
    high = None if column.top is None else exact(column.top)
    if whole:
        low, high = (
            (None if low is None else Fraction(floor(low) + 1)),
            (None if high is None else Fraction(ceil(high))),
        )
    if low is not None and high is not None and high - low < finest:
        found = f"finest = {column.finest!r}, bottom = {column.bottom!r}, top = {column.top!r}"
        raise BadHierarchy(
            "Top and bottom leave less between them than the finest width.",
            found=found,
            fix="move them apart, or leave one out",
        )

    def near_low(cut: Fraction) -> bool:
        return low is not None and (cut <= low or cut - low < finest)

    def near_high(cut: Fraction) -> bool:
        return high is not None and (cut >= high or high - cut < finest)

    def label(level: int, value: Any) -> str:
        if level == 0:
            return ""
        width = exact(recipe.widths[level - 1])
        start = usual = origin + width * floor((exact(value) - origin) / width)
        end = start + width
        while near_high(start):
            start -= width
        while near_low(end):
            end += width
        if low is not None and near_low(start):
            start = low
        if high is not None and near_high(end):
            end = high
        if (start, end) == (usual, usual + width) and (whole or start != low):
            return ""
        if whole:
            return f"[{start}-{end - 1}]" if end - start > 1 else f"{start}"
        return f"{']' if start == low else '['}{float(start)!r}-{float(end)!r}["

    return label


def _tail(column: Column, value: Any) -> str | None:
    if column.top is not None and value >= column.top:
        return f"{text_of(column.top)} or more"
    if column.bottom is not None and value <= column.bottom:
        return f"{text_of(column.bottom)} or less"
    return None


def _levels(column: Column, kind: str, values: list[Any]) -> tuple[Hierarchy, int]:
    """A hierarchy, and its first level that may be published."""
    finest, own = column.finest, column.hierarchy
    if isinstance(finest, str):
        return _calendar(finest, kind), 1
    if own is not None and isinstance(own.recipe, Digits) and finest is not None:
        return own, own.recipe.n - int(finest)
    if own is not None and isinstance(own.recipe, Prefix) and finest is not None:
        return own, 1 + sum(keep > finest for keep in own.recipe.keeps)
    if own is not None:
        return own, int(finest or 0)
    if kind == "numeric" and finest is not None:
        return Hierarchy.intervals([finest * times for times in WIDER]), 1
    if kind == "numeric":
        whole = all(float(value).is_integer() for value in values)
        if not whole:
            raise BadHierarchy(
                "Fractions need a finest width beside their top.", found="finest is left out", fix="finest=1"
            )
        return Hierarchy.intervals(IN_ONES), 0
    if kind == "categorical":
        assert finest is not None
        return Hierarchy.prefix(list(range(int(finest), 0, -1))), 1
    raise BadHierarchy("Dates are limited by a part of the calendar.", found=f"finest = {finest!r}", fix='use "month"')


def _calendar(part: str, kind: str) -> Hierarchy:
    if part in PARTS and kind != "date":
        raise BadHierarchy(
            "Parts of the calendar are limits of dates.",
            found=f"finest = {part!r} for a column that is {kind}",
            fix='read texts as dates (reads="found", or the form they have); what is no date is limited by a number',
        )
    if part not in PARTS:
        found = f"finest = {part!r} for a column of kind {kind}"
        raise BadHierarchy("There is no such limit.", found=found, fix="use one of: " + ", ".join(PARTS))
    order = [one for one in PARTS if one != "week" or part == "week"]
    coarser = order[order.index(part) :]
    return Hierarchy.dates(*(["week"] if part == "week" else coarser))


def limited_as_they_are(schema: Schema) -> list[str]:
    """The columns that are published as they are but for their limits: not as they were written."""
    return [name for name, column in schema.items() if column.has_limits and column.role != "quasi"]


def without_limits(column: Column) -> Column:
    return replace(column, finest=None, top=None, bottom=None)
