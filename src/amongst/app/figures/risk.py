"""How many others a row hides amongst, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.figures.plain import plain
from amongst.encode.frequency import tuples_of
from amongst.report.charts.crowds import crowd_chart
from amongst.report.coarsen import add_up, coarsen, round_counts
from amongst.report.wording import count, hidden_count, percent

if TYPE_CHECKING:
    from amongst.release.release import Release

BELOW_K = (2, 3, 5, 10, 20, 50, 100)
"""Below k, bands begin at these sizes."""
TIMES_K = (2, 5, 10)
"""Above k, at so many times k."""


def risk_figures(release: Release) -> dict[str, Any]:
    """Rows by the number of rows that look like them, and the chance of picking out the right one.

    Bands with fewer rows than the threshold are put together with their neighbours, and counts are rounded to
    multiples of it, as in every report.
    """
    k, n_rows = release.threshold, release.coded.n_input
    before = tuples_of(release.coded).count.astype(np.int64)
    after = np.asarray(_sizes_that_fit(release), dtype=np.int64)
    alone, exposed = int((before == 1).sum()), int(before[before < k].sum())
    hidden = 0 < exposed < k
    told: dict[str, Any] = {
        "exposed_before": hidden_count(exposed, k),
        "exposed_share": _share(exposed, n_rows, k),
        "smallest_after": int(after.min()) if len(after) else 0,
    }
    bands = _bands(before, after, k)
    return plain(
        {
            **bands,
            **told,
            "drawing": crowd_chart(*bands.values(), desc=_words(k=k, **told)),
            "k": k,
            "alone_before": hidden_count(alone, k),
            "alone_share": _share(alone, n_rows, k),
            # The mean over rows of 1 over the size of their class: what a blind matcher would get right.
            "mean_before": None if hidden else len(before) / max(int(before.sum()), 1),
            "mean_after": len(after) / max(int(after.sum()), 1),
        }
    )


def _words(*, k: int, exposed_before: str, exposed_share: str, smallest_after: int) -> str:
    share = f" ({exposed_share})" if exposed_share else ""
    return (
        f"Before, {exposed_before} rows{share} looked like fewer than {count(k)} rows. "
        f"After, every row looks like {count(smallest_after)} or more."
    )


def _sizes_that_fit(release: Release) -> np.ndarray:
    """The classes; where nulls match anything the groups, whose rows fit each other whatever of them is missing."""
    if any(column.wildcard >= 0 for column in release.coded.columns):
        return release.partition.size_of_group
    return release.plan.size_of_class


def band_starts(k: int) -> list[int]:
    """Where the bands of class sizes begin; one of them begins at k.

    Examples
    --------
    >>> from amongst.app.figures.risk import band_starts
    >>> band_starts(10)
    [1, 2, 3, 5, 10, 20, 50, 100]
    """
    return sorted({1, k, *(size for size in BELOW_K if size < k), *(k * times for times in TIMES_K)})


def rows_by_band(size_of_class: np.ndarray, starts: list[int]) -> np.ndarray:
    """Rows that are in classes of the sizes of every band.

    Examples
    --------
    >>> from amongst.app.figures.risk import rows_by_band
    >>> rows_by_band([1, 1, 4, 7], [1, 2, 5]).tolist()
    [2.0, 4.0, 7.0]
    """
    sizes = np.asarray(size_of_class)
    return np.bincount(np.searchsorted(starts, sizes, side="right") - 1, weights=sizes, minlength=len(starts))


def _bands(before: np.ndarray, after: np.ndarray, k: int) -> dict[str, Any]:
    """The bands are the same whatever is in the table, so that before and after can be told apart in all of them."""
    starts = band_starts(k)
    ends = [*(start - 1 for start in starts[1:]), None]
    rows = (_seen(rows_by_band(before, starts), k), round_counts(rows_by_band(after, starts), k))
    shares = [own / max(float(own.sum()), 1.0) for own in rows]
    return {
        "bands": [_name(start, end) for start, end in zip(starts, ends, strict=True)],
        "before": shares[0],
        "after": shares[1],
        "below_k": [start < k for start in starts],
    }


def _seen(rows_of_band: np.ndarray, k: int) -> np.ndarray:
    """What may be shown of the input: few rows stand with those of a band beside them, where most of both are."""
    cell_of_band = coarsen(rows_of_band, k, ordered=True)
    seen = np.zeros(len(rows_of_band))
    for cell, n_rows in enumerate(round_counts(add_up(rows_of_band, cell_of_band), k)):
        own = np.flatnonzero(cell_of_band == cell)
        seen[own[np.argmax(rows_of_band[own])]] = n_rows
    return seen


def _name(start: int, end: int | None) -> str:
    if end is None:
        return f"{count(start)} or more"
    return count(start) if start == end else f"{count(start)} to {count(end)}"


def _share(n: int, n_rows: int, k: int) -> str:
    return "" if 0 < n < k else percent(n / max(n_rows, 1))
