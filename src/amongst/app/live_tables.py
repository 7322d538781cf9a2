"""Many tables that are grouped again and again while somebody turns knobs: they are coded once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from amongst.anonymize import release_of
from amongst.app.trial import ENOUGH_BY_LOT, NEIGHBOURS
from amongst.kernels.relations import Rules
from amongst.relations.other_persons import as_released
from amongst.relations.release import ManyTables
from amongst.relations.skeleton import groups_by
from amongst.relations.store import DatabaseRequest, TablesStore

if TYPE_CHECKING:
    from amongst.engines.store import Counts, Grouping, Say
    from amongst.job.job import Job
    from amongst.relations.forest import Forest
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stored import Stored
    from amongst.release.release import Release
    from amongst.request import Request

QUICK_ROWS = 400_000
"""Rows of all tables that are grouped while somebody waits: some 0.3 s."""
STAND_IN = {"name": "miracle-x", "options": {"skeleton": "hilbert-fast"}}
STAND_IN_OF_CODES = {"name": "codes"}
"""What groups persons where the chosen method takes too long: where all is known of every table, and where not."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LiveTables(TablesStore):
    """Tables that were checked and coded, or a part of their persons; a part publishes no rows."""

    asked_of: DatabaseSchema
    forest: Forest
    whole: bool = True

    def checked(self, counts: Counts, request: Request) -> Request:
        return replace(request, schema=cast("Any", self.asked_of))

    def encode(self, counts: Counts, request: Request, say: Say) -> Forest:
        return self.forest

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> Any:
        return super().plan(grouping, counts, request) if self.whole else None

    def part(self, n: int, *, by_lot: bool) -> LiveTables:
        """About so many persons: drawn by lot, or all of some neighbourhoods that were; always the same ones."""
        lots = np.random.default_rng(0)
        kept = np.zeros(self.forest.n_persons, dtype=bool)
        if by_lot:
            kept[lots.choice(len(kept), n, replace=False)] = True
        else:
            near = groups_by(self.forest, Rules(k=min(NEIGHBOURS, max(n // ENOUGH_BY_LOT, 1))), "mondrian")
            n_persons = np.bincount(near)
            drawn = lots.permutation(len(n_persons))
            n_drawn = int(np.searchsorted(np.cumsum(n_persons[drawn]), n)) + 1
            kept = np.isin(near, drawn[:n_drawn])
        return replace(self, forest=self.forest.of_persons(kept), whole=False)


def live_tables(stored: Stored, job: Job) -> LiveTables:
    """The tables as a job sees them, coded."""
    request = _asked(job)
    stored = as_released(stored, request.schema, request.threshold, job.seed)
    store = TablesStore(stored)
    counts = store.look(request, _nobody)
    known: Any = store.checked(counts, request)
    return LiveTables(stored, asked_of=known.schema, forest=store.encode(counts, known, _nobody))


def look_at_tables(store: LiveTables, job: Job) -> Release:
    """The release that a job asks for, for a look: without its proof."""
    return release_of(store, _asked(job), _nobody, account=ManyTables())


def method_of_tables(job: Job) -> str:
    """The method that a job of many tables runs."""
    return _asked(job).method


def quick_persons(forest: Forest) -> int:
    """How many persons can be grouped while somebody waits, by how many rows they have."""
    n_rows = sum(table.n_rows for table in forest.tables)
    return min(max(forest.n_persons * QUICK_ROWS // n_rows, 1), forest.n_persons)


def _asked(job: Job) -> DatabaseRequest:
    method, options = job.method_of()
    schema = cast("DatabaseSchema", job.schema)
    return DatabaseRequest(schema=schema, models=list(job.models), method=method, options=options, seed=job.seed)


def _nobody(step: str, done: int, total: int) -> None:
    pass
