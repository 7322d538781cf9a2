"""Values that a release leaves open, drawn again and again under the model that is fitted to them.

Notes
-----
In turn, parameters are drawn given the rows as they are filled in, and every open value is drawn given the parameters,
the other values of its row, and its label: data augmentation (M. A. Tanner, W. H. Wong, JASA 82, 1987). A predictor is
as likely as the other predictors make it, times the likelihood of the response there (so that what fills in and what is
fitted agree: J. W. Bartlett, S. R. Seaman, I. R. White, J. R. Carpenter, Statistical Methods in Medical Research 24,
2015). A value is drawn from a handful of candidates, one of them the value it has; chosen by their weights this leaves
the distribution as it is (C. Andrieu, A. Doucet, R. Holenstein, JRSS B 72, 2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from amongst.analysis import covariates
from amongst.analysis.coarse import Coarse, CoarseTable
from amongst.analysis.design import Design
from amongst.analysis.ends import ends_of
from amongst.analysis.fit import Fitted, fit
from amongst.analysis.formula import Formula
from amongst.analysis.guess import Guess, Weigh
from amongst.analysis.move import move


class Completion:
    """A table whose open values are filled in, and filled in anew with every turn."""

    def __init__(self, table: CoarseTable, formula: Formula, family: str, rng: np.random.Generator) -> None:
        self.table, self.formula, self.family = table, formula, family
        self.rng = rng
        self.values = {name: self._begin(column) for name, column in table.columns.items()}
        self.open = {name: column.uncertain for name, column in table.columns.items() if len(column.uncertain)}
        self.ends = {name: ends_of(table.columns[name], table.class_of_row) for name in self.open}
        for name, ends in self.ends.items():
            if ends is not None:
                ends.begin(self.values[name], self.rng)
        self.n_names = {name: len(one.names) for name, one in table.columns.items() if one.names is not None}
        every = np.arange(table.n_rows)
        self.bins = {
            name: covariates.Bins.of(self.values[name], *one.ends_of_rows(every), one.whole)
            for name, one in table.columns.items()
            if one.names is None
        }
        self.design = Design(formula, table.columns, self.values)
        self.guesses: dict[str, Guess] = {}

    def _begin(self, column: Coarse) -> np.ndarray:
        return column.draw(np.arange(len(column.label_of_row)), self.rng)

    def fitted(self, *, weak_prior: bool = False) -> Fitted:
        """The model, fitted to the rows as they are filled in."""
        matrix, response = self.design.matrix(self.values), self.design.response(self.values)
        return fit(matrix, response, self.family, weak_prior=weak_prior)

    def turn(self) -> None:
        """Draw parameters, and every open value once."""
        model = self.fitted(weak_prior=True).drawn(self.rng)
        for name in self.rng.permutation(list(self.open)).tolist():
            likely = self._weigh_response(model) if name == self.formula.response else self._weigh(name, model)
            weigh = self.guesses[name].added(likely) if name in self.guesses else likely
            move(self.table.columns[name], self.values[name], self.open[name], self.ends[name], weigh, self.rng)

    def run(self, n: int, first: int, apart: int) -> Iterator[Fitted]:
        """Fits of n completed tables that are some turns apart, after some turns that nobody looks at."""
        for at in range(n):
            self.guesses = {
                name: Guess.drawn(self.table.columns[name], self.values[name], self.rng) for name in self.open
            }
            for _ in range(first if at == 0 else apart):
                self.turn()
            yield self.fitted()

    def _weigh(self, name: str, model: Fitted) -> Weigh:
        """How likely values of a predictor are, up to a constant of every row."""
        predictors = {one: self.values[one] for one in self.formula.predictors}
        other = covariates.features(predictors, self.n_names, name)
        value = self.values[name]
        if name in self.n_names:
            known: Any = covariates.of_names(value, other, self.n_names[name], self.rng)
        else:
            known = covariates.on_a_line(value, other, self.bins[name], self.rng)
        response = self.design.response(self.values)
        rest = self.design.linear(self.values, model.beta) - self.design.linear(self.values, model.beta, name)
        together = {one for term in self.design.terms if name in term.columns for one in term.columns}

        def weigh(rows: np.ndarray, tried: np.ndarray) -> np.ndarray:
            many = np.tile(rows, len(tried))
            beside = {one: self.values[one][many] for one in together}
            linear = self.design.linear({**beside, name: tried.reshape(-1)}, model.beta, name).reshape(tried.shape)
            likely = model.log_likelihood(response[rows], rest[rows] + linear)
            return likely + covariates.of_rows(known, rows).log_density(tried)

        return weigh

    def _weigh_response(self, model: Fitted) -> Weigh:
        """How likely values of the response are, given all predictors."""
        name = self.formula.response
        linear = self.design.linear(self.values, model.beta)
        step = None if self.formula.is_bare else _step(self.table.columns[name])

        def response(values: np.ndarray) -> np.ndarray:
            return self.design.response({name: values.reshape(-1)}).reshape(values.shape)

        def weigh(rows: np.ndarray, tried: np.ndarray) -> np.ndarray:
            likely = model.log_likelihood(response(tried), linear[rows])
            if step is not None:  # candidates are even in the column, the model is of a function of it
                slope = np.abs(response(tried + step) - response(tried - step)) / (2 * step)
                likely += np.log(np.maximum(slope, 1e-300))
            return likely

        return weigh


def _step(column: Coarse) -> float:
    lo, hi = column.ends_of_rows(np.arange(len(column.label_of_row)))
    return max(float(hi.max() - lo.min()), 1e-9) * 1e-6
