"""How strongly two columns hang together, from their two-way table."""

from __future__ import annotations

import numpy as np


def association(
    table: np.ndarray, row_place: np.ndarray | None, column_place: np.ndarray | None
) -> tuple[str, float] | None:
    """The measure for the kinds of the two columns, and its value; None where a column does not vary.

    Parameters
    ----------
    table : ndarray of float64
        Shares of the rows, by the value of one column and of the other.
    row_place, column_place : ndarray of float64, or None
        Where the values lie on a line, not a number for missing ones; None for names.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.query.association import association
    >>> association(np.array([[0.5, 0.0], [0.0, 0.5]]), np.array([1.0, 2.0]), np.array([5.0, 1.0]))
    ('pearson', -1.0)
    """
    if row_place is not None:
        table, row_place = table[~np.isnan(row_place)], row_place[~np.isnan(row_place)]
    if column_place is not None:
        table, column_place = table[:, ~np.isnan(column_place)], column_place[~np.isnan(column_place)]
    total = table.sum()
    if total <= 0:
        return None
    table = table / total
    if row_place is not None and column_place is not None:
        return _named("pearson", _pearson(table, row_place, column_place))
    if row_place is not None:
        return _named("correlation ratio", _ratio(table.T, row_place))
    if column_place is not None:
        return _named("correlation ratio", _ratio(table, column_place))
    return _named("cramers v", _cramers_v(table))


def _named(name: str, value: float | None) -> tuple[str, float] | None:
    return None if value is None else (name, round(value, 12))


def _scaled(place: np.ndarray) -> np.ndarray:
    """Places between -1 and 1: no measure depends on the unit, and squares of large ones would overflow."""
    return place / max(float(np.abs(place).max(initial=0.0)), 1e-300)


def _pearson(table: np.ndarray, x: np.ndarray, y: np.ndarray) -> float | None:
    px, py = table.sum(axis=1), table.sum(axis=0)
    x, y = _scaled(x), _scaled(y)
    x, y = x - px @ x, y - py @ y
    spread = np.sqrt((px @ x**2) * (py @ y**2))
    return float(x @ table @ y / spread) if spread > 0 else None


def _ratio(table: np.ndarray, place: np.ndarray) -> float | None:
    """The root of the share of the variance that lies between the rows of the table."""
    place, share = _scaled(place), table.sum(axis=1)
    mean = table.sum(axis=0) @ place
    whole = table.sum(axis=0) @ (place - mean) ** 2
    if whole <= 0:
        return None
    means = (table @ place)[share > 0] / share[share > 0]
    return float(np.sqrt(min(share[share > 0] @ (means - mean) ** 2 / whole, 1.0)))


def _cramers_v(table: np.ndarray) -> float | None:
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    return float(np.sqrt(min(((table - expected) ** 2 / expected).sum() / (min(table.shape) - 1), 1.0)))
