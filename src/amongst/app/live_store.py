"""A table that is grouped again and again while somebody turns knobs: what does not change is not done again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.anonymize import release_of
from amongst.engines.in_memory import MemoryStore
from amongst.recode.plan import plan_recoding
from amongst.request import Request

if TYPE_CHECKING:
    from amongst.encode.coded import CodedTable
    from amongst.engines.store import Counts, Grouping, Say
    from amongst.job.job import Job
    from amongst.recode.plan import RecodingPlan
    from amongst.release.release import Release

MOST_CODED = 1
"""Codings that are kept: one, of the table or of the part of it that stands for it."""


@dataclass(frozen=True, eq=False)
class LiveStore(MemoryStore):
    """A table that was read, with what it was coded to; it publishes no rows."""

    coded_before: dict[Any, CodedTable] = field(default_factory=dict)

    def encode(self, counts: Counts, request: Request, say: Say) -> CodedTable:
        key = (
            id(self.read.table),
            counts.table.num_rows,
            repr(request.schema),
            tuple(request.counted),
            request.unit,
            request.target,
        )
        if key not in self.coded_before:
            while len(self.coded_before) >= MOST_CODED:
                self.coded_before.pop(next(iter(self.coded_before)))
            self.coded_before[key] = super().encode(counts, request, say)
        return self.coded_before[key]

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        """What every class publishes, and no table of it."""
        return plan_recoding(grouping.coded, grouping.partition, request, counts.fields)


def look_at(store: LiveStore, job: Job) -> Release:
    """The release that a job asks for, for a look: without its rows, its proof and its warnings."""
    request = replace(Request.of_job(job), unit=job.input.unit)
    return release_of(store, request, lambda step, done, total: None)
