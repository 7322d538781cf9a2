"""Which columns tell people apart: distinction and separation.

Motwani and Xu, *Efficient Algorithms for Masking and Finding Quasi-Identifiers*, VLDB 2007: a set of columns has
distinction alpha when a share of alpha of the rows can be kept so that all differ in it, that is distinct values over
rows; and separation alpha when a share of alpha of all pairs of rows differ in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from amongst.risk.keys import Keys

MOST_PAIRS = 300


@dataclass(frozen=True)
class ColumnRisk:
    """How well some columns tell rows apart.

    Attributes
    ----------
    columns : tuple of str
    n_values : int
        Different values, or combinations of them.
    distinction, separation : float
    """

    columns: tuple[str, ...]
    n_values: int
    distinction: float
    separation: float


def column_risk(keys: Keys, chosen: Sequence[int]) -> ColumnRisk:
    """Distinction and separation of some of the columns."""
    _, rows = keys.sizes_on(chosen)
    n = keys.n_rows
    alike = float((rows * (rows - 1)).sum())
    separation = 1.0 - alike / (n * (n - 1)) if n > 1 else 0.0
    return ColumnRisk(tuple(keys.names[c] for c in chosen), len(rows), len(rows) / n, separation)


def column_risks(keys: Keys) -> tuple[list[ColumnRisk], list[ColumnRisk]]:
    """Every column, and every two of them, those that tell most apart first."""
    n_qi = len(keys.names)
    pairs = list(combinations(range(n_qi), 2)) if n_qi * (n_qi - 1) // 2 <= MOST_PAIRS else []
    singles = [column_risk(keys, [c]) for c in range(n_qi)]
    return _sorted(singles), _sorted([column_risk(keys, pair) for pair in pairs])


def _sorted(risks: list[ColumnRisk]) -> list[ColumnRisk]:
    return sorted(risks, key=lambda one: (-one.separation, -one.distinction, one.columns))
