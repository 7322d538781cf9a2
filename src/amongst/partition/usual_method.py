"""Which method runs where nobody says which: the least loss for about the time that the rest of a job takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amongst.kernels.search import is_compiled
from amongst.partition.methods import find_method

USUAL = "best"
LITTLE: Mapping[str, Any] = {"effort": 0.1, "starts": "few"}
"""Chosen by measurement: see ``benchmarks/loss.py`` and docs/methods/index.md."""

FAST = "mondrian"
"""Everywhere else: where rows are not in memory, or more is to be done with the groups than to publish them."""


def usual_method(
    method: str | None,
    options: Mapping[str, Any],
    *,
    engine: str = "memory",
    guided: bool = False,
    hardened: bool = False,
) -> tuple[str, dict[str, Any]]:
    """The method and its options: those that were told, else the usual ones.

    Parameters
    ----------
    method : str or None
    options : mapping
        What was told to the method. Options that the usual one does not take are those of ``mondrian``.
    engine : str
        Where the rows live: groups of rows that stay elsewhere are made by cutting and counting.
    guided : bool
        Whether it is told what the release is for: mondrian cuts by that itself.
    hardened : bool
        Whether releases are made again and again until no attack succeeds.

    Examples
    --------
    >>> from amongst.partition.usual_method import usual_method
    >>> usual_method("hilbert", {})
    ('hilbert', {})
    >>> usual_method(None, {}, engine="duckdb")
    ('mondrian', {})
    """
    if method is not None:
        return method, dict(options)
    elsewhere = engine != "memory" or guided or hardened or not is_compiled()
    if elsewhere or not set(options) <= set(find_method(USUAL).options):
        return FAST, dict(options)
    searching = {"effort", "seconds", "steps", "starts"} & set(options)
    return USUAL, {**({} if searching else LITTLE), **options}
