"""A model formula: which columns it names, and its matrices for rows that are filled in anew again and again."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from amongst.errors import BadOption

ARITHMETIC = ("log", "log2", "log10", "exp", "exp2", "exp10", "sqrt", "abs", "I")
SHAPES = ("center", "scale", "standardize", "poly", "bs", "cr", "cc", "cs")
CATEGORIES = ("C", "Treatment", "Sum", "Helmert", "Diff", "Poly")
FUNCTIONS = frozenset([*ARITHMETIC, *SHAPES, *CATEGORIES])
"""What a formula may call. A formula may come from a job file of others: nothing else is run."""

ALLOWED = (
    ast.Expression,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.keyword,
    ast.BinOp,
    ast.UnaryOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.Pow,
    ast.USub,
    ast.List,
    ast.Tuple,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
)


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula that was understood.

    Attributes
    ----------
    text : str
    response : list of str
        The columns on its left side; one.
    predictors : list of str
        The columns on its right side, in their order.
    """

    text: str
    response: str
    predictors: list[str]
    parsed: Any

    @property
    def columns(self) -> list[str]:
        return [self.response, *self.predictors]

    @property
    def is_bare(self) -> bool:
        """The response is a column as it is, not a function of one."""
        return all(len(term.factors) == 1 and term.factors[0].expr == self.response for term in self.parsed.lhs)


def read_formula(text: str, columns: Sequence[str]) -> Formula:
    """Read a formula such as ``charges ~ age + C(region)``; names with other signs stand in backticks."""
    from_library = _library()
    try:
        parsed = from_library.Formula(text)
        sides = (parsed.lhs, parsed.rhs)
    except Exception as error:
        raise BadOption(
            "The formula cannot be read.",
            found=f"{text!r}: {type(error).__name__}",
            fix="write it as response ~ one + other; names with blanks or dashes in backticks: `marital-status`",
        ) from None
    named: list[list[str]] = []
    for side in sides:
        found: dict[str, None] = {}
        for term in side:
            for factor in term.factors:
                found.update(dict.fromkeys(_names(factor, columns, text)))
        named.append(list(found))
    if len(named[0]) != 1 or len(list(parsed.lhs)) != 1:
        raise BadOption(
            "A formula has one column on its left side.",
            found=f"{text!r} has {len(named[0])}",
            fix="write response ~ one + other",
        )
    return Formula(text, named[0][0], [name for name in named[1] if name != named[0][0]], parsed)


def _names(factor: Any, columns: Sequence[str], text: str) -> list[str]:
    """The columns that a factor speaks of; whatever is no plain arithmetic is refused."""
    kind = factor.eval_method.value
    if kind == "literal":
        return []
    if kind == "lookup":
        if factor.expr not in columns:
            raise BadOption(
                "The formula names a column that is not there.",
                found=f"{factor.expr!r}",
                fix=f"use one of: {', '.join(columns)}",
            )
        return [factor.expr]
    # Names in backticks are no Python: they are replaced by plain ones of the same sort.
    plain, known = str(factor.expr), {}
    for i, name in enumerate(columns):
        if f"`{name}`" in plain:
            plain, known[f"column_{i}_"] = plain.replace(f"`{name}`", f"column_{i}_"), name
    try:
        tree = ast.parse(plain, mode="eval")
    except SyntaxError:
        raise _refused(text) from None
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = []
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED) or (isinstance(node, ast.Constant) and not _is_plain(node.value)):
            raise _refused(text)
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
            raise _refused(text)
        if isinstance(node, ast.Name) and id(node) not in called:
            name = known.get(node.id, node.id)
            if name not in columns:
                raise _refused(text, f"{node.id!r}, which is no column")
            names.append(name)
    return names


def _is_plain(value: Any) -> bool:
    return isinstance(value, (int, float, str, bool)) or value is None


def _refused(text: str, found: str = "") -> BadOption:
    return BadOption(
        "The formula has something that is not run here.",
        found=found or f"{text!r}",
        fix=f"use columns, numbers, + - * / **, comparisons and: {', '.join(sorted(FUNCTIONS))}",
    )


def _library() -> Any:
    try:
        import formulaic
    except ImportError:
        raise BadOption(
            "A regression needs formulaic.", found="it is not installed", fix="pip install amongst[analysis]"
        ) from None
    return formulaic
