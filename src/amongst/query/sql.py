"""From SQL to a question. What cannot be answered from a release is refused, with what can."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any as Anything

from amongst.errors import BadQuestion, did_you_mean
from amongst.query.question import (
    EVERYTHING,
    FUNCTIONS,
    All,
    Any,
    Condition,
    Figure,
    Formula,
    Literal,
    Question,
    simplified,
)

KNOWN_CLAUSES = ("expressions", "from", "from_", "where", "group")
CLAUSE_WORDS = {"distinct": "DISTINCT", "joins": "JOIN", "having": "HAVING", "order": "ORDER BY", "limit": "LIMIT"}
MOST_DEEP = 200
"""How many conditions may lie within each other."""
MOST_DIGITS = 300
"""Of a whole number: no float is longer."""


def parse_question(sql: str, columns: Sequence[str]) -> Question:
    """Read ``SELECT figures FROM anything WHERE conditions GROUP BY columns``.

    Examples
    --------
    >>> from amongst.query.sql import parse_question
    >>> question = parse_question("SELECT COUNT(*) WHERE age BETWEEN 20 AND 30", ["age", "sex"])
    >>> question.figures[0].words, question.where.values
    ('COUNT(*)', (20, 30))
    """
    select = _parsed(sql)
    _refuse_other_clauses(select)
    names = _Names(columns)
    group = select.args.get("group")
    group_by = tuple(names.of(one) for one in group.expressions) if group is not None else ()
    if group is not None and any(value for key, value in group.args.items() if key != "expressions"):
        raise _refused("more than a list of columns after GROUP BY", "name the columns only")
    figures = tuple(_figures(select.expressions, names, group_by))
    where = select.args.get("where")
    formula = EVERYTHING if where is None else simplified(_formula(where.this, names, MOST_DEEP))
    return Question(figures, formula, group_by)


def table_asked(sql: str) -> str | None:
    """The table that ``FROM`` names; None where it is left out.

    Examples
    --------
    >>> from amongst.query.sql import table_asked
    >>> table_asked("SELECT COUNT(*) FROM visits"), table_asked("SELECT COUNT(*)")
    ('visits', None)
    """
    select = _parsed(sql)
    named = select.args.get("from_") or select.args.get("from")
    return None if named is None else str(named.this.name)


def _parsed(sql: str) -> Anything:
    import logging

    import sqlglot
    from sqlglot import errors, exp

    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    if not isinstance(sql, str):
        raise _refused("something that is not text", 'write "SELECT COUNT(*) WHERE ..."')
    try:
        statements = [one for one in sqlglot.parse(sql, dialect="duckdb") if one is not None]
    except (errors.ParseError, errors.TokenError, RecursionError) as error:
        told = getattr(error, "errors", None) or [{}]
        place = f" in line {told[0]['line']}, column {told[0]['col']}" if told[0].get("line") else ""
        raise _refused(f"no SQL{place}", 'write "SELECT COUNT(*) WHERE age < 30"') from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise _refused(f"{len(statements)} statements" if len(statements) != 1 else "no SELECT", "ask with one SELECT")
    return statements[0]


def _refuse_other_clauses(select: Anything) -> None:
    from sqlglot import exp

    for key, value in select.args.items():
        if value and key not in KNOWN_CLAUSES:
            raise _refused(CLAUSE_WORDS.get(key, key.strip("_").upper()), "use SELECT, FROM, WHERE and GROUP BY")
    source = select.args.get("from_") or select.args.get("from")
    if source is not None and (not isinstance(source.this, exp.Table) or source.this.args.get("joins")):
        raise _refused("FROM with more than a name", "a release is one table: name it as you like, or leave FROM out")


class _Names:
    """The columns that a question may speak of."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = list(columns)
        folded = [name.casefold() for name in self.columns]
        self.of_folded = {
            fold: name for fold, name in zip(folded, self.columns, strict=True) if folded.count(fold) == 1
        }

    def of(self, node: Anything) -> str:
        from sqlglot import exp

        if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
            raise _refused("an expression where a column is needed", "name a column alone")
        written = node.name
        if written in self.columns:
            return written
        if written.casefold() in self.of_folded:
            return self.of_folded[written.casefold()]
        near = did_you_mean(written, self.columns)
        raise BadQuestion(
            f"The release has no column {written!r}.",
            found=f"a name in the question that is none of {len(self.columns)} columns",
            fix=f"{near}there are: {', '.join(self.columns)}; a text stands in single quotes",
        )


def _figures(nodes: Sequence[Anything], names: _Names, group_by: tuple[str, ...]) -> list[Figure]:
    from sqlglot import exp

    figures = []
    for node in nodes:
        name = node.alias if isinstance(node, exp.Alias) else ""
        node = node.this if isinstance(node, exp.Alias) else node
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            if names.of(node) not in group_by:
                raise _refused(f"the column {names.of(node)!r} by itself", "add it to GROUP BY, or ask for a figure")
            continue
        figures.append(_figure(node, names, name))
    if not figures:
        raise _refused("no figure", "ask for one of: " + ", ".join(FUNCTIONS))
    return figures


def _figure(node: Anything, names: _Names, name: str) -> Figure:
    from sqlglot import exp

    kinds = {exp.Count: "COUNT", exp.Sum: "SUM", exp.Avg: "AVG", exp.Min: "MIN", exp.Max: "MAX"}
    function = kinds.get(type(node))
    if function is None:
        raise _refused("a figure that is none of these, or arithmetic", "use one of: " + ", ".join(FUNCTIONS))
    extra = [key for key, value in node.args.items() if value and key not in ("this", "big_int")]
    if extra or isinstance(node.this, exp.Distinct):
        raise _refused(f"{function} with DISTINCT or more than one column", f"use {function}(column)")
    if function == "COUNT" and (isinstance(node.this, exp.Star) or _is_one(node.this)):
        return Figure("COUNT", None, name)
    return Figure(function, names.of(node.this), name)


def _is_one(node: Anything) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Literal) and not node.is_string


def _formula(node: Anything, names: _Names, room: int) -> Formula:
    from sqlglot import exp

    if room == 0:
        raise _refused(f"more than {MOST_DEEP} conditions within each other", "use IN (...) for long lists")
    if isinstance(node, exp.Paren):
        return _formula(node.this, names, room)
    if isinstance(node, (exp.And, exp.Or)):
        parts = tuple(_formula(part, names, room - 1) for part in node.flatten())
        return All(parts) if isinstance(node, exp.And) else Any(parts)
    if isinstance(node, exp.Not):
        return _formula(node.this, names, room - 1).opposite()
    if isinstance(node, exp.Boolean):
        return All() if node.this else Any()
    return _condition(node, names)


def _condition(node: Anything, names: _Names) -> Condition:
    from sqlglot import exp

    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return Condition(names.of(node.this), "null")
    if isinstance(node, exp.Between):
        ends = (_literal(node.args["low"]), _literal(node.args["high"]))
        return Condition(names.of(node.this), "range", ends)
    if isinstance(node, exp.In) and node.expressions and not node.args.get("query"):
        return Condition(names.of(node.this), "in", tuple(map(_literal, node.expressions)))
    if isinstance(node, exp.Column):  # a column of truths by itself
        return Condition(names.of(node), "in", (True,))
    for kind, make in _comparisons().items():
        if type(node) is kind:
            return _comparison(node, names, make)
    raise _refused("a condition of another kind", "use =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL, AND, OR, NOT")


def _comparisons() -> dict[Anything, Callable[[str, Literal], Condition]]:
    from sqlglot import exp

    return {
        exp.EQ: lambda c, v: Condition(c, "in", (v,)),
        exp.NEQ: lambda c, v: Condition(c, "in", (v,), negated=True),
        exp.LT: lambda c, v: Condition(c, "range", (None, v), hi_closed=False),
        exp.LTE: lambda c, v: Condition(c, "range", (None, v)),
        exp.GT: lambda c, v: Condition(c, "range", (v, None), lo_closed=False),
        exp.GTE: lambda c, v: Condition(c, "range", (v, None)),
    }


def _comparison(node: Anything, names: _Names, make: Callable[[str, Literal], Condition]) -> Condition:
    from sqlglot import exp

    left, right = node.this, node.expression
    if isinstance(left, exp.Column) and not isinstance(right, exp.Column):
        return make(names.of(left), _literal(right))
    if isinstance(right, exp.Column) and not isinstance(left, exp.Column):
        turned = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE}
        make = _comparisons()[turned.get(type(node), type(node))]
        return make(names.of(right), _literal(left))
    raise _refused(
        "a comparison of two columns or two constants",
        "compare a column with a constant; a text stands in single quotes",
    )


def _literal(node: Anything) -> Literal:
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return _literal(node.this)
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal):  # DATE '2020-01-31'
        return _literal(node.this)
    if isinstance(node, exp.Neg):
        number = _literal(node.this)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return -number
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else _number(str(node.this))
    if isinstance(node, exp.Null):
        raise _refused("a comparison with NULL, which is never true", "use IS NULL or IS NOT NULL")
    if isinstance(node, exp.Column):
        raise _refused("a name where a constant is needed", "a text stands in single quotes")
    raise _refused("an expression where a constant is needed", "write the number, text or date itself")


def _number(text: str) -> int | float:
    try:
        number = int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else float(text)
    except ValueError:
        raise _refused("a number that is not written as one", "write it with digits and a point") from None
    if not math.isfinite(number):
        raise _refused("a number that is too large", "use a number that a float can hold")
    return number


def _refused(found: str, fix: str) -> BadQuestion:
    return BadQuestion("This question cannot be answered from a release.", found=found, fix=fix)
