"""Does the schema fit the table? Everything that does not is said at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from amongst.errors import BadSchema, did_you_mean
from amongst.schema.arrow_kind import value_type
from amongst.schema.check_column import check_column
from amongst.schema.problem import Problem, count, listed, raise_all
from amongst.schema.schema import Schema, as_schema

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from amongst.schema.column import Column


def check(schema: Schema, table: pa.Table, *, form: str = "labels") -> Schema:
    """The schema with everything filled in that follows from the table.

    Every quasi-identifier gets a kind and a way to be published; the values of an order get the
    column's type.

    Parameters
    ----------
    schema : Schema
    table : pyarrow.Table
    form : {"labels", "bounds", "structs"}
        How ranges will be published: ``bounds`` adds columns, whose names must be free.

    Raises
    ------
    BadSchema
        With all problems: ``error.facts["problems"]`` has a dict for each.

    Examples
    --------
    >>> import amongst as am
    >>> import pyarrow as pa
    >>> from amongst.schema.check import check
    >>> schema = am.Schema({"age": am.Column(role="quasi")})
    >>> check(schema, pa.table({"age": [31, 42]}))["age"].kind
    'numeric'
    """
    import pyarrow as pa

    schema = as_schema(schema)
    problems = [*_names(schema, table), *_roles(schema, table)]
    columns: dict[str, Column] = {}
    stays = rows_that_stay(schema, table) if isinstance(table, pa.Table) else None  # else values without their rows
    for name, column in schema.items():
        place = table.column_names.index(name) if name in table.column_names else None
        if place is not None and column.role not in (None, "identifier"):
            column, found = check_column(column, table.column(place), stays)
            problems += [problem.about(name) for problem in found]
        columns[name] = column
    checked = Schema(columns)
    problems += _clashes(checked, table, form)
    raise_all(BadSchema, "The schema does not fit the table.", problems)
    return checked


def rows_that_stay(schema: Mapping[str, Column], table: pa.Table) -> np.ndarray | None:
    """Which rows are not left out because a value is missing; None where all stay."""
    import numpy as np

    missing = np.zeros(table.num_rows, dtype=bool)
    for name, column in schema.items():
        if column.role == "quasi" and column.nulls == "suppress" and name in table.column_names:
            missing |= _is_null(table.column(table.column_names.index(name)))
    return ~missing if missing.any() else None


def _is_null(column: pa.ChunkedArray) -> np.ndarray:
    """Where a cell is missing, also where a dictionary has a null among its values."""
    import numpy as np

    return np.asarray(column.cast(value_type(column)).is_null().to_numpy())


def _names(schema: Schema, table: pa.Table) -> list[Problem]:
    """Columns of the schema that the table lacks, and names that the table has twice."""
    problems = []
    for name in schema:
        if name not in table.column_names:
            fix = did_you_mean(name, table.column_names).strip() or "take it out of the schema"
            facts = {"problem": "missing column", "column": name}
            problems.append(Problem(f"'{name}' is in the schema but not in the table", fix, facts))
    twice = [name for name, n in Counter(table.column_names).items() if n > 1]
    if twice:
        text = f"names used more than once: {listed(twice)}"
        problems.append(Problem(text, "name every column once", {"problem": "doubled name", "columns": twice}))
    return problems


def _roles(schema: Schema, table: pa.Table) -> list[Problem]:
    problems = []
    undecided = [name for name in dict.fromkeys(table.column_names) if _role(schema, name) is None]
    if undecided:
        text = f"no role for {count(len(undecided), 'column')}: " + ", ".join(f"'{name}'" for name in undecided)
        fix = "give each a role: identifier (dropped), quasi, sensitive or keep"
        problems.append(Problem(text, fix, {"problem": "undecided", "columns": undecided}))
    if not schema.quasi:
        fix = 'give role = "quasi" to the columns that others may know people by'
        problems.append(Problem("no column is a quasi-identifier", fix, {"problem": "no quasi-identifier"}))
    for role in ("weight", "household"):
        if len(schema.named(role)) > 1:
            text = f"{count(len(schema.named(role)), 'column')} with role {role}: {listed(schema.named(role))}"
            problems.append(Problem(text, "give the role to one of them, and keep the others", {"problem": f"{role}s"}))
    return problems


def _role(schema: Schema, name: str) -> Any:
    return schema[name].role if name in schema else None


def _clashes(schema: Schema, table: pa.Table, form: str) -> list[Problem]:
    """Names of columns that a release adds, which the table uses already."""
    taken = set(table.column_names) - set(schema.identifiers)
    problems = []
    for name in schema.quasi:
        column = schema[name]
        endings = list(column.statistic)
        if form == "bounds" and column.publish == "range":
            endings += ["lower", "upper"]
        clashing = [f"{name}_{ending}" for ending in endings if f"{name}_{ending}" in taken]
        if clashing:
            text = f"the release would add {listed(clashing)}, which the table has already"
            facts = {"problem": "name clash", "columns": clashing}
            problems.append(Problem(text, "rename that column of the table", facts).about(name))
    return problems
