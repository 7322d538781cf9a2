"""One table in the worker: what the workbench asks of it, as plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from amongst.app.figures import (
    columns_to_ask,
    example_questions,
    explain,
    gauges,
    query_view,
    result_view,
    rows_view,
)
from amongst.app.live_store import LiveStore, look_at
from amongst.app.trial import by_lot, part_by_lot, part_by_neighbourhoods, quick_job
from amongst.errors import AmongstError
from amongst.job.job import Job
from amongst.read import Source
from amongst.review import Review
from amongst.schema.check import check
from amongst.schema.file import columns_from_fields
from amongst.schema.problem import Problem, problems_of

Say = Callable[..., None]


class OneTable:
    """A table that was read, and what is kept of it while somebody turns knobs."""

    def __init__(self, source: Source) -> None:
        self.source, self.table = source, source.table
        self._parts: dict[Any, Source] = {}
        self._coded: dict[Any, Any] = {}
        self._sensitive: dict[Any, Any] = {}
        self._seconds: dict[str, float] = {}
        """How long every method took on the whole table."""

    def column(self, name: str) -> Any:
        return self.table.column(name)

    def problems(self, job: Mapping[str, Any]) -> list[dict[str, Any]]:
        """All that does not fit between the roles and hierarchies and the table."""
        problems: list[Problem] = []
        schema = columns_from_fields(job["columns"], "", problems)
        if not problems:
            try:
                check(schema, self.table, form=job["output"].get("form", "labels"))
            except AmongstError as error:
                problems = problems_of(error)
        return [problem.to_dict() for problem in problems]

    def trial(self, job: dict[str, Any], **window: Any) -> dict[str, Any]:
        """What a release would be like."""
        n_all = self.table.num_rows
        asked, n = quick_job(job, n_all, self._seconds)
        store, whole = LiveStore(read=self.source, coded_before=self._coded), n >= n_all
        if not whole:
            store, asked = self._part_for(store, asked, n)
        release = look_at(store, Job.from_dict({**asked, "engine": {}}))
        return {
            "gauges": gauges(release, self._sensitive if whole else None),
            "method": asked["method"]["name"],
            "sample": 0 if whole else store.read.table.num_rows,
            "of": n_all,
            "rows": self.rows(release, **window) if whole else None,
        }

    def _part_for(self, store: LiveStore, job: dict[str, Any], n_rows: int) -> tuple[LiveStore, dict[str, Any]]:
        """A part of a large table that stands for it, and what to ask of that part."""
        lots = by_lot(job, n_rows / self.table.num_rows)
        quasi = sorted(name for name, fields in job["columns"].items() if fields.get("role") == "quasi")
        key = ("by lot", n_rows) if lots is not None else ("neighbourhoods", *quasi)
        if key not in self._parts:
            part = part_by_lot(self.source, n_rows) if lots else part_by_neighbourhoods(store, job, n_rows)
            self._parts = {key: part}  # one at a time: it takes its share of memory
            self._coded.clear()  # they are told apart by the table that is there
        return replace(store, read=self._parts[key]), lots or job

    def anonymized(self, job: dict[str, Any], say: Say) -> tuple[Any, dict[str, Any]]:
        """The release that a job asks for, proved, and what it came to."""
        asked, start = Job.from_dict({**job, "engine": {}}), time.monotonic()  # the table is in memory already
        release = asked.anonymize(self.source, on_progress=say, on_loss=lambda loss: say("group", loss=loss))
        self._seconds[release.method] = time.monotonic() - start
        say("verify")
        release.table  # raises where the verifier does not agree  # noqa: B018
        say("measure")
        return release, {
            "gauges": gauges(release, self._sensitive),
            "checks": [reached.words for reached in release.verdict.models],
            "questions": [] if release.is_pair else example_questions(release),
            "columns": [] if release.is_pair else columns_to_ask(release),
            "worth": [{"danger": one.danger, "words": one.words} for one in release.worth_knowing],
        }

    def view(self, release: Any) -> dict[str, Any]:
        """All figures of a release."""
        return result_view(release)

    def rows(self, release: Any, *, first: int, n: int, order: str, table: str | None = None) -> dict[str, Any]:
        """Rows before and after."""
        return rows_view(release, self.table, first, n, order)

    def explained(self, release: Any, row: int, table: str | None) -> dict[str, Any]:
        """Why a row is published as it is."""
        return explain(release, self.table, row)

    def answer(self, release: Any, sql: str) -> dict[str, Any]:
        """A question answered from the release, with the true answer beside it."""
        return query_view(release, self.table, sql)

    def compared(self, job: dict[str, Any], methods: Any, **how: Any) -> Any:
        """Many methods side by side."""
        from amongst.compare.compare import compare

        asked = Job.from_dict(job)
        return compare(self.source, asked.schema, asked.models, methods, form=asked.output.form, seed=asked.seed, **how)

    def attacked(self, release: Any, attacks: list[str] | None, say: Say) -> Any:
        """What a motivated intruder finds in a release."""
        from amongst.attack.attack import attack

        return attack(release, attacks=attacks, progress=lambda name, done, total: say("attack", done, total))

    def evidence(self, release: Any, folder: Path, review: dict[str, Any] | None, say: Say) -> Any:
        """What a board needs to know of a release that was written there."""
        from amongst.evidence.gather import evidence

        context = None if review is None else Review(**review)
        return evidence(folder, original=self.table, schema=release.schema, review=context, step=say)
