"""Which method runs where nobody says which: the least loss for about the time that the rest of a job takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amongst.encode.frequency import frequency_set
from amongst.kernels.search import is_compiled
from amongst.models import Model
from amongst.partition.conditions import asks_for_rows_only
from amongst.partition.methods import find_method

if TYPE_CHECKING:
    from amongst.encode.coded import CodedTable

USUAL = "best"
LITTLE: Mapping[str, Any] = {"effort": 0.1, "starts": "few"}
"""Chosen by measurement: see ``benchmarks/loss.py`` and docs/methods/index.md."""

FAST = "mondrian"
"""Everywhere else: where rows are not in memory, or more is to be done with the groups than to publish them."""

LARGE = "hilbert"
"""Of a large table whose rows mostly come more than once: a tenth of the search, for a loss some 10 to 15 % higher."""
LARGE_FROM, ROWS_OF_TUPLE, MOST_COLUMNS = 500_000, 2, 9
"""Rows from which a table is large, rows that every distinct combination then has on average, and columns at most."""


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


def method_for_size(
    usual: tuple[str, dict[str, Any]], coded: CodedTable, models: Sequence[Model]
) -> tuple[str, dict[str, Any]]:
    """The usual method and its options once the table is known: a large one is not searched.

    It follows from the table alone. Where more than the size of groups is asked, or most rows have no equal, nothing
    changes: there the search is worth its time.
    """
    method, options = usual
    more = {name: one for name, one in options.items() if name not in LITTLE}
    if method != USUAL or {**LITTLE, **more} != options or not set(more) <= set(find_method(LARGE).options):
        return usual
    if coded.n_rows < LARGE_FROM or coded.n_qi > MOST_COLUMNS or not asks_for_rows_only(coded, models):
        return usual
    if frequency_set(coded.codes).n_tuples * ROWS_OF_TUPLE > coded.n_rows:
        return usual
    return LARGE, more
