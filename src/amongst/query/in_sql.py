"""Questions written as SQL: from lists to choose from, and the names and texts in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst import sql_text

RELATIONS = {
    "number": ("at least", "at most", "between", "is", "missing"),
    "date": ("at least", "at most", "between", "is", "missing"),
    "name": ("one of", "none of", "missing"),
}
"""What can be said of a column, by what it holds."""


def in_sql(
    figure: str, of: str | None, conditions: Sequence[Mapping[str, Any]], by: str | None, table: str | None = None
) -> str:
    """The question in SQL, of one of many tables where it is named; a condition that lacks something says nothing.

    Examples
    --------
    >>> from amongst.query.in_sql import in_sql
    >>> old = {"column": "age", "holds": "number", "relation": "at least", "values": ["60"]}
    >>> ill = {"column": "ill", "holds": "name", "relation": "one of", "values": ["flu", "a 'cold'"]}
    >>> in_sql("COUNT", None, [old, ill], "sex")
    "SELECT sex, COUNT(*) WHERE age >= 60 AND ill IN ('flu', 'a ''cold''') GROUP BY sex"
    >>> in_sql("AVG", "age", [{**old, "values": [""]}], None)
    'SELECT AVG(age)'
    >>> in_sql("COUNT", None, [], None, "visits")
    'SELECT COUNT(*) FROM visits'
    """
    asked = f"{figure}({'*' if of is None else quoted(of)})"
    said = [words for words in map(_said, conditions) if words]
    where = f" FROM {quoted(table)}" if table else ""
    where += f" WHERE {' AND '.join(said)}" if said else ""
    return f"SELECT {quoted(by)}, {asked}{where} GROUP BY {quoted(by)}" if by else f"SELECT {asked}{where}"


def lacks_a_value(conditions: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a condition has a column, and not yet what is said of it."""
    return any(one.get("column") and not _said(one) for one in conditions)


def _said(condition: Mapping[str, Any]) -> str:
    """One condition, or nothing where its column or a value is not told yet."""
    if not condition.get("column"):
        return ""
    name, relation = quoted(condition["column"]), condition["relation"]
    if relation == "missing":
        return f"{name} IS NULL"
    given = [str(one).strip() for one in condition["values"] if str(one or "").strip()]
    values = [one if condition["holds"] == "number" else sql_text.text(one) for one in given]
    if len(values) < (2 if relation == "between" else 1):
        return ""
    match relation:
        case "at least":
            return f"{name} >= {values[0]}"
        case "at most":
            return f"{name} <= {values[0]}"
        case "between":
            return f"{name} BETWEEN {values[0]} AND {values[1]}"
        case "none of":
            return f"{name} NOT IN ({', '.join(values)})"
        case _:
            return f"{name} IN ({', '.join(values)})"


def quoted(name: str) -> str:
    """The name of a column as SQL writes it."""
    plain = name.isidentifier() and name.isascii()
    return name if plain else sql_text.quoted(name)
