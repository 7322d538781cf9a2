"""The synthetic tables of the Mondrian paper: discrete uniform and discrete skewed."""

from __future__ import annotations

import math

import numpy as np

from amongst.datasets.dataset import About, Dataset
from amongst.datasets.draw import draw, draw_in_chunks, whole
from amongst.errors import BadOption
from amongst.schema import Column, Hierarchy, Schema

_SOURCE = "made by amongst after LeFevre, DeWitt, Ramakrishnan, ICDE 2006, section 6.1 and figure 9"
_LICENCE = "made-up rows; no licence needed"
UNIFORM = About("Discrete uniform numbers", _SOURCE, _LICENCE)
SKEWED = About("Discrete skewed numbers, from a normal distribution", _SOURCE, _LICENCE)


def uniform(n_rows: int = 10_000, n_columns: int = 5, cardinality: int = 8, seed: int = 0) -> Dataset:
    """Whole numbers from 0 to ``cardinality - 1``, all equally likely, columns independent.

    The hierarchies are binary trees, as in the paper's section 6.2; the defaults are its first experiment.

    Parameters
    ----------
    n_rows, n_columns, cardinality : int
        Rows, columns, and values a column may have.
    seed : int
        The same seed gives the same table.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.uniform(n_rows=100, n_columns=2).table.column_names
    ['x1', 'x2']
    """
    weights = np.ones(whole("cardinality", cardinality, least=1))
    return _independent("uniform", UNIFORM, weights, n_rows, n_columns, seed)


def skewed(
    n_rows: int = 10_000,
    n_columns: int = 5,
    cardinality: int = 8,
    mean: float | None = None,
    sigma: float = 0.2,
    seed: int = 0,
) -> Dataset:
    """A multivariate normal distribution, cut into ``cardinality`` ranges of equal width.

    Value c stands for the range from c - 1/2 to c + 1/2. What falls outside the ranges is drawn again,
    so the tails do not pile up at the ends.

    Parameters
    ----------
    n_rows, n_columns, cardinality : int
        Rows, columns, and values a column may have: whole numbers from 0 to ``cardinality - 1``.
    mean : float, optional
        The mean, on the scale of the values. Left out, the middle: 3.5 for 8 values.
    sigma : float
        The standard deviation, as a share of the whole width: 0.2 with 50 values is 10 values. Small is
        very skewed; with a large one the table becomes uniform.
    seed : int
        The same seed gives the same table.

    Notes
    -----
    The paper gives the mean on the scale of the values (3.5 of 8, 25 of 50) and sigma = 0.2 for both.
    On that scale 0.2 would leave one or two values of the 50 that its figures 15 and 16 spread over, so
    sigma is taken relative to the width. It names no correlation, so there is none.

    Examples
    --------
    >>> import amongst as am
    >>> two = am.datasets.skewed(n_rows=1000, n_columns=2, cardinality=50, mean=25, sigma=0.2)
    >>> two.table.num_rows
    1000
    """
    n_values = whole("cardinality", cardinality, least=1)
    middle = (n_values - 1) / 2 if mean is None else mean
    _check_normal(middle, sigma, n_values)
    return _independent("skewed", SKEWED, normal_weights(n_values, middle, sigma), n_rows, n_columns, seed)


def normal_weights(cardinality: int, mean: float, sigma: float) -> np.ndarray:
    """The share of the normal distribution in every range; to draw from it is to redraw the tails."""
    edges = (np.arange(cardinality + 1) - 0.5 - mean) / (sigma * cardinality * math.sqrt(2))
    return np.diff([math.erf(edge) for edge in edges])


def _independent(name: str, about: About, weights: np.ndarray, n_rows: int, n_columns: int, seed: int) -> Dataset:
    import pyarrow as pa

    names = [f"x{i + 1}" for i in range(whole("n_columns", n_columns, least=1))]
    columns = draw_in_chunks(
        n_rows, seed, lambda rng, n: {column: draw(rng, weights, n).astype(np.int32) for column in names}
    )
    column = Column(role="quasi", kind="numeric", hierarchy=Hierarchy.fanout(2))
    return Dataset(name, pa.table(columns), Schema(dict.fromkeys(names, column)), about)


def _check_normal(mean: float, sigma: float, cardinality: int) -> None:
    if not 0 <= mean <= cardinality - 1:
        raise BadOption(
            "The mean must lie among the values.",
            found=f"mean = {mean!r}, values from 0 to {cardinality - 1}",
            fix="leave mean out for the middle",
        )
    if not (sigma > 0 and math.isfinite(sigma)):
        raise BadOption(
            "sigma must be a positive number.",
            found=f"sigma = {sigma!r}",
            fix="use a share of the width, such as sigma=0.2",
        )
