"""Does one column of the schema fit its data?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.errors import BadHierarchy
from amongst.schema.arrow_kind import (
    distinct_values,
    is_nested,
    is_text,
    n_not_finite,
    n_nulls,
    natural_kind,
    value_type,
)
from amongst.schema.column import NULL_RULES, Column
from amongst.schema.problem import Problem, are, count, problems_of, values_are
from amongst.schema.value_text import reader_like, text_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

NUMBER = r"^\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$"


def check_column(
    column: Column, data: pa.ChunkedArray, stays: np.ndarray | None = None
) -> tuple[Column, list[Problem]]:
    """The column with its kind and way to be published filled in, and all that does not fit.

    The column has a role and is not an identifier. Of rows that are left out, which ``stays`` tells, the values need
    no place in an order or a hierarchy.
    """
    import pyarrow as pa

    kind, problems = _kind(column, data)
    if column.has_limits:  # where they can be carried out, that was done before
        fix = "use am.anonymize or a job in memory; or coarsen the column first"
        problems.append(Problem("limits (finest, top, bottom) cannot be carried out here", fix, {"problem": "limits"}))
    if column.role != "quasi":
        if column.statistic:
            problems.append(Problem(f"a statistic for a column whose role is {column.role}", "take it out"))
        if column.role == "weight" and kind is not None:
            problems += _not_weights(data)
        if column.role == "household" and n_nulls(data):
            text = f"{are(n_nulls(data), 'household')} missing"
            problems.append(Problem(text, "give every row its household", {"problem": "households"}))
        if column.role in ("keep", "weight", "household") or kind is None:
            return (replace(column, kind=kind) if column.role == "weight" else column), problems
    if column.role == "quasi":
        problems += _nulls(column, data) + _not_finite(data)
    if kind is None or any(problem.facts.get("problem") == "not finite" for problem in problems):
        return column, problems
    data = data if stays is None else data.filter(pa.array(stays))
    column, found = _with_order(replace(column, kind=kind), data)
    # Without a sound order only the cover of the hierarchy can be looked at.
    as_set = replace(column, kind="categorical", order=None)
    problems += found + _hierarchy_problems(as_set if found else column, data)
    if column.role == "quasi":
        column = replace(column, publish=column.publish or _usual_publish(column))
        problems += _publish_problems(column)
    return column, problems


def _kind(column: Column, data: pa.ChunkedArray) -> tuple[str | None, list[Problem]]:
    """The kind that is asked for, or that the type has; None when nothing can be done with the column."""
    of = value_type(data)
    natural = natural_kind(of)
    facts: dict[str, Any] = {"problem": "type", "type": str(of)}
    if is_nested(of):
        fix = 'make columns of its parts, or drop it with role = "identifier"'
        return None, [Problem(f"nested values ({of}) cannot be published safely", fix, facts)]
    if natural is None:
        if column.role != "quasi":
            return None, []
        fix = "turn it into text, numbers or dates"
        return None, [Problem(f"the type {of} cannot be a quasi-identifier", fix, facts)]
    if column.kind is None and column.hierarchy is not None and column.hierarchy.names_categories:
        natural = "categorical"
    asked = column.kind or ("ordered" if column.order is not None else natural)
    if asked in ("categorical", "ordered", natural):
        return asked, []
    return None, [_wrong_kind(asked, data, facts)]


def _wrong_kind(asked: str, data: pa.ChunkedArray, facts: dict[str, Any]) -> Problem:
    of = value_type(data)
    things = {"numeric": "numbers", "date": "dates"}[asked]
    fix = f"turn the column into {things}, or choose another kind"
    if asked == "numeric" and is_text(of):
        n_wrong = _n_not_numbers(data)
        text = f'kind is "numeric" but the column is text, with {count(n_wrong, "cell")} without a number'
        return Problem(text, fix, {**facts, "count": n_wrong})
    return Problem(f'kind is "{asked}" but the type is {of}', fix, facts)


def _n_not_numbers(data: pa.ChunkedArray) -> int:
    import pyarrow.compute as pc

    matches = pc.match_substring_regex(data.cast(value_type(data)), NUMBER)
    return int(pc.sum(pc.invert(matches)).as_py() or 0)


def _nulls(column: Column, data: pa.ChunkedArray) -> list[Problem]:
    n_missing = n_nulls(data) if column.nulls is None else 0
    if not n_missing:
        return []
    fix = "set nulls to one of: " + ", ".join(f'"{rule}"' for rule in NULL_RULES)
    facts = {"problem": "nulls", "count": n_missing}
    return [Problem(f"{count(n_missing, 'missing value')} and no rule for them", fix, facts)]


def _not_finite(data: pa.ChunkedArray) -> list[Problem]:
    n_wrong = n_not_finite(data)
    if not n_wrong:
        return []
    fix = "make them nulls, or replace them with numbers"
    facts = {"problem": "not finite", "count": n_wrong}
    return [Problem(f"{are(n_wrong, 'cell')} NaN or infinite", fix, facts)]


def _not_weights(data: pa.ChunkedArray) -> list[Problem]:
    """Sampling weights are positive numbers, one a row."""
    import pyarrow.compute as pc

    fix = 'use a column of positive numbers, or give it role = "keep"'
    if natural_kind(value_type(data)) != "numeric":
        return [Problem("sampling weights are numbers", fix, {"problem": "weights"})]
    plain = data.cast(value_type(data))
    right = pc.and_(pc.greater(plain, 0), pc.is_finite(plain))
    n_wrong = len(data) - int(pc.sum(right.cast("int64")).as_py() or 0)
    if not n_wrong:
        return []
    facts = {"problem": "weights", "count": n_wrong}
    return [Problem(f"{are(n_wrong, 'weight')} missing or not positive", fix, facts)]


def _with_order(column: Column, data: pa.ChunkedArray) -> tuple[Column, list[Problem]]:
    """The column with its order in the data's type, and what is wrong with that order."""
    if column.kind != "ordered":
        if column.order is None:
            return column, []
        return column, [Problem(f'an order for kind "{column.kind}"', 'use kind = "ordered", or no order')]
    if column.order is None:
        if natural_kind(value_type(data)) != "categorical":
            return column, []  # numbers and dates have an order of their own
        return column, [Problem('kind is "ordered" but there is no order', "list the values from first to last")]
    values = distinct_values(data)
    order, n_unread = _read_order(column.order, values)
    return replace(column, order=order), _order_problems(order, values, n_unread)


def _read_order(order: tuple[Any, ...], values: list[Any]) -> tuple[tuple[Any, ...], int]:
    read = reader_like(values, "ordered")
    known, result, n_unread = set(values), [], 0
    for value in order:
        try:
            result.append(value if value in known else read(text_of(value)))
        except ValueError:
            n_unread += 1
    return tuple(result), n_unread


def _order_problems(order: tuple[Any, ...], values: list[Any], n_unread: int) -> list[Problem]:
    problems = []
    n_missing, n_twice = len(set(values) - set(order)), len(order) - len(set(order))
    if n_unread:
        text = f"{are(n_unread, 'value of the order', 'values of the order')} not of the column's type"
        problems.append(Problem(text, "write them as the column has them", {"count": n_unread}))
    if n_missing:
        facts = {"problem": "not covered", "count": n_missing}
        problems.append(Problem(values_are(n_missing, "not in the order"), "add them to the order", facts))
    if n_twice:
        problems.append(Problem(f"the order repeats {count(n_twice, 'value')}", "name every value once"))
    return problems


def _hierarchy_problems(column: Column, data: pa.ChunkedArray) -> list[Problem]:
    if column.hierarchy is None or column.kind is None or column.hierarchy.fits_any(column.kind):
        return []
    values = list(column.order) if column.order is not None else sorted(distinct_values(data))
    try:
        column.hierarchy.tree(values, column.kind)
    except BadHierarchy as error:
        return [Problem(f"hierarchy: {one.text}", one.fix, one.facts) for one in problems_of(error)]
    return []


def _usual_publish(column: Column) -> str:
    if column.kind != "categorical":
        return "range"
    return "set" if column.hierarchy is None else "ancestor"


def _publish_problems(column: Column) -> list[Problem]:
    problems = []
    if column.publish == "range" and column.kind == "categorical":
        fix = "publish the ancestor or the set, or give the column an order"
        problems.append(Problem('publish is "range" but categories have no order', fix))
    if column.publish == "ancestor" and column.hierarchy is None:
        problems.append(Problem('publish is "ancestor" but there is no hierarchy', "give the column a hierarchy"))
    if column.statistic and column.kind != "numeric":
        problems.append(Problem(f"a {column.statistic[0]} of values that are not numbers", "take the statistic out"))
    if column.grid is not None and (column.kind not in ("numeric", "date") or column.publish != "range"):
        fix = "take the grid out: it is for ranges of numbers and dates"
        problems.append(Problem("a grid for values that are not published as ranges of numbers or dates", fix))
    return problems
