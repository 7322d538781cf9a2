"""The matrices of a formula, for rows that are filled in anew again and again.

A term is worked out once for every combination of values that its columns can have, and looked up from then on; a
number that stands in it as it is multiplies what is looked up. What can be neither is worked out by the library each
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.analysis.coarse import Coarse
from amongst.analysis.formula import Formula

MOST_LOOKED_UP = 100_000
"""Combinations of values that a term is worked out for beforehand."""

CONTEXT = {"sqrt": np.sqrt, "abs": np.abs}
Values = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Term:
    """One term of the right side.

    Attributes
    ----------
    at : ndarray of int64
        The places of its coefficients.
    columns : list of str
        What it speaks of.
    table : ndarray, or None
        Its values for all combinations; None where the library works it out.
    looked_up : list of (str, float, int)
        The columns that the table is by, with their least value and how many there are.
    factors : list of str
        Columns that it is multiplied by.
    """

    at: np.ndarray
    columns: list[str]
    table: np.ndarray | None
    looked_up: list[tuple[str, float, int]]
    factors: list[str]
    spec: Any

    def place(self, values: Values, n: int) -> np.ndarray:
        found = np.zeros(n, dtype=np.int64)
        for name, least, size in self.looked_up:
            found = found * size + (values[name] - least).astype(np.int64)
        return found


class Design:
    """The matrices of a formula; transformations keep the state of the rows they were first made of."""

    def __init__(self, formula: Formula, columns: Mapping[str, Coarse], values: Values) -> None:
        self.formula, self.columns = formula, columns
        matrices = formula.parsed.get_model_matrix(self.frame(values), context=CONTEXT)
        self._left, right = matrices.model_spec.lhs, matrices.model_spec.rhs
        self.names = [str(name) for name in right.column_names]
        self.terms = [self._term(term, right) for term in right.terms]

    def frame(self, values: Values) -> Any:
        """Filled-in rows as a data frame."""
        import pandas as pd

        made = {}
        for name, value in values.items():
            names = self.columns[name].names
            made[name] = value if names is None else pd.Categorical.from_codes(value.astype(np.int64), categories=names)
        return pd.DataFrame(made)

    def matrix(self, values: Values) -> np.ndarray:
        """The right side, one row a row."""
        n = len(values[self.formula.response])
        made = np.empty((n, len(self.names)))
        for term in self.terms:
            if term.table is None:
                made[:, term.at] = _worked_out(term.spec, self.frame(values))
                continue
            part = term.table[term.place(values, n)]
            for name in term.factors:
                part = part * values[name][:, None]
            made[:, term.at] = part
        return made

    def linear(self, values: Values, beta: np.ndarray, of: str | None = None) -> np.ndarray:
        """The linear predictor, of all terms or of those that speak of one column."""
        n = len(next(iter(values.values())))
        found = np.zeros(n)
        for term in self.terms:
            if of is not None and of not in term.columns:
                continue
            if term.table is None:
                found += _worked_out(term.spec, self.frame(values)) @ beta[term.at]
                continue
            part = (term.table @ beta[term.at])[term.place(values, n)]
            for name in term.factors:
                part = part * values[name]
            found += part
        return found

    def response(self, values: Values) -> np.ndarray:
        """The left side, as numbers."""
        if self.formula.is_bare:
            return values[self.formula.response]
        return _worked_out(self._left, self.frame({self.formula.response: values[self.formula.response]}))[:, 0]

    def _term(self, term: Any, spec: Any) -> Term:
        named = [name for name in self.formula.predictors if name in spec.term_variables[term]]
        # Names in backticks within a call are told otherwise: the text of the factor has them.
        named += [
            name
            for name in self.formula.predictors
            if name not in named and any(f"`{name}`" in str(factor.expr) for factor in term.factors)
        ]
        bare = [factor.expr for factor in term.factors if factor.eval_method.value == "lookup"]
        alone = [name for name in named if bare.count(name) == 1 and _mentions(term, name) == 1]
        factors = [name for name in alone if self.columns[name].names is None]
        looked_up = [(name, *self._range(name)) for name in named if name not in factors]
        at, own = np.asarray(spec.term_indices[term], dtype=np.int64), spec.subset([term])
        size = int(np.prod([float(n) for _, _, n in looked_up])) if looked_up else 1
        if size > MOST_LOOKED_UP:
            return Term(at, named, None, [], [], own)
        axes = [least + np.arange(n) for _, least, n in looked_up]
        grid = [axis.reshape(-1) for axis in np.meshgrid(*axes, indexing="ij")]
        values = {name: np.ones(size) for name in self.formula.predictors if self.columns[name].names is None}
        values |= {name: np.zeros(size) for name in self.formula.predictors if name not in values}
        values |= {name: axis for (name, _, _), axis in zip(looked_up, grid, strict=True)}
        table = _worked_out(own, self.frame(values) if values else _rows(size))
        return Term(at, named, table, looked_up, factors, own)

    def _range(self, name: str) -> tuple[float, int]:
        """The least value of a column and how many it can have, if it can be looked up at all."""
        column = self.columns[name]
        if column.names is not None:
            return 0.0, len(column.names)
        if not column.whole:
            return 0.0, MOST_LOOKED_UP + 1
        return float(column.lo.min()), int(min(column.hi.max() - column.lo.min(), MOST_LOOKED_UP)) + 1


def _mentions(term: Any, name: str) -> int:
    """How many factors of a term speak of a column, as far as their texts tell."""
    return sum(name in str(factor.expr) for factor in term.factors)


def _rows(n: int) -> Any:
    import pandas as pd

    return pd.DataFrame(index=range(n))


def _worked_out(spec: Any, frame: Any) -> np.ndarray:
    return np.asarray(spec.get_model_matrix(frame, context=CONTEXT), dtype=np.float64)


def taken(values: Values, rows: Sequence[int] | np.ndarray) -> dict[str, np.ndarray]:
    """Some rows of filled-in values."""
    return {name: value[rows] for name, value in values.items()}
