"""What a release would be like, at once: while a slider is dragged there is no time for more.

The chosen method makes it where that was quick before, else Mondrian stands in for it. Of a large table a part of the
rows stands for all: where k is large rows drawn by lot, with k in the same proportion; else whole neighbourhoods, in
which rows are as close together as in the table, so that k can stay what it is. All of it is told, and what is
published is never made this way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.live_store import look_at
from amongst.job.job import Job

if TYPE_CHECKING:
    from amongst.app.live_store import LiveStore
    from amongst.read import Source

QUICK_CELLS = 1_000_000
"""Cells of quasi-identifiers that are grouped while somebody waits: some 0.2 s."""
QUICK_SECONDS = 0.25
"""What took longer on the whole table is not tried while a slider is dragged."""
STAND_IN = "mondrian"
SLOW_PARTS = ("harden", "analysis")
"""What a job asks beside a release."""
ENOUGH_BY_LOT = 20
"""From this k on, in the part of the table, rows drawn by lot are close enough to each other."""
NEIGHBOURS = 2_000
"""Rows of a neighbourhood: many times a k that is not enough by lot."""


def quick_job(
    job: Mapping[str, Any], n_rows: int, seconds_of_method: Mapping[str, float]
) -> tuple[dict[str, Any], int]:
    """The job for a look, and how many rows to take.

    Examples
    --------
    >>> from amongst.app.trial import quick_job
    >>> job = {"columns": {"age": {"role": "quasi"}}, "privacy": [], "method": {"name": "best"}}
    >>> quick, n_rows = quick_job(job, 4_000_000, {})
    >>> quick["method"], n_rows
    ({'name': 'mondrian'}, 1000000)
    """
    n_quasi = sum(fields.get("role") == "quasi" for fields in job["columns"].values())
    n = min(n_rows, max(QUICK_CELLS // max(n_quasi, 1), NEIGHBOURS))
    method = job["method"].get("name", STAND_IN)  # where it names none, the usual one takes too long
    unknown = 0.0 if method == STAND_IN else np.inf
    seconds = seconds_of_method.get(method, unknown) * n / max(n_rows, 1)
    return quick_method(job, method, {"name": STAND_IN}, seconds), n


def quick_method(job: Mapping[str, Any], name: str, stand_in: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """The job by its method, of this name, where that takes few seconds; else by one that stands in for it."""
    method = {**job["method"], "name": name}
    if seconds >= QUICK_SECONDS:
        method = {**stand_in, **{key: value for key, value in method.items() if key in ("seed", "target")}}
    return {**{key: value for key, value in job.items() if key not in SLOW_PARTS}, "method": method}


def by_lot(job: Mapping[str, Any], share: float) -> dict[str, Any] | None:
    """The job for a share of the rows drawn by lot; None where k would be too small for that.

    Examples
    --------
    >>> from amongst.app.trial import by_lot
    >>> by_lot({"privacy": [{"model": "k-anonymity", "k": 200}]}, 0.25)
    {'privacy': [{'model': 'k-anonymity', 'k': 50}]}
    >>> by_lot({"privacy": [{"model": "k-anonymity", "k": 20}]}, 0.25)
    """
    if any(one["k"] * share < ENOUGH_BY_LOT for one in job["privacy"] if "k" in one):
        return None
    privacy = [{**one, "k": round(one["k"] * share)} if "k" in one else one for one in job["privacy"]]
    return {**job, "privacy": privacy}


def part_by_lot(source: Source, n: int) -> Source:
    """So many rows of a table, drawn by lot, always the same ones."""
    places = np.sort(np.random.default_rng(0).choice(source.table.num_rows, n, replace=False))
    return replace(source, table=source.table.take(places))


def part_by_neighbourhoods(store: LiveStore, job: Mapping[str, Any], n: int) -> Source:
    """About so many rows: all rows of some boxes into which Mondrian divides the table, drawn by lot."""
    coarse = {
        **job,
        "privacy": [{"model": "k-anonymity", "k": min(NEIGHBOURS, max(store.read.table.num_rows // 4, 1))}],
        "method": {"name": STAND_IN, "seed": 0},
    }
    box_of_row = look_at(store, Job.from_dict({**coarse, "engine": {}})).group_of_row
    n_rows_of_box = np.bincount(box_of_row[box_of_row >= 0])
    drawn = np.random.default_rng(0).permutation(len(n_rows_of_box))
    n_boxes = int(np.searchsorted(np.cumsum(n_rows_of_box[drawn]), n)) + 1
    chosen = np.zeros(len(n_rows_of_box) + 1, dtype=bool)  # the last is for rows without a box
    chosen[drawn[:n_boxes]] = True
    return replace(store.read, table=store.read.table.take(np.flatnonzero(chosen[box_of_row])))
