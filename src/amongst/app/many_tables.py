"""Many tables in the worker: what the workbench asks of them, as plain data; the same as of one table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from amongst.app.figures import ask_tables, explain_row, gauges_of_tables, rows_of_table, schema_drawing, told_of
from amongst.app.live_tables import (
    STAND_IN,
    STAND_IN_OF_CODES,
    LiveTables,
    live_tables,
    look_at_tables,
    method_of_tables,
    quick_persons,
)
from amongst.app.look import column_facts, first_rows
from amongst.app.trial import by_lot, quick_method
from amongst.errors import AmongstError
from amongst.job.job import Input, Job, Output
from amongst.relations.check_tables import check_tables
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database
from amongst.schema.problem import problems_of

if TYPE_CHECKING:
    from amongst.relations.release import DatabaseRelease

AS_CAME_IN = Output(format=None)
"""Tables are written as the kind of database that they came in."""
Say = Callable[..., None]


class ManyTables:
    """Tables that were read together, and what is kept of them while somebody turns knobs."""

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self._live: dict[str, LiveTables] = {}
        self._parts: dict[Any, LiveTables] = {}
        self._seconds: dict[str, float] = {}
        """How long every method took on all persons."""

    def column(self, name: str) -> Any:
        """A column of one of the tables, whose name stands before it."""
        named = {
            f"{table}.{column}": one.column(column)
            for table, one in self.stored.tables.items()
            for column in one.column_names
        }
        return named[name]

    def problems(self, job: Mapping[str, Any]) -> list[dict[str, Any]]:
        """All that does not fit between what is said of the tables and them; columns are told with their tables."""
        try:
            check_tables(cast(DatabaseSchema, Job.from_dict(job).schema), self.stored)
        except AmongstError as error:
            told = [one.to_dict() for one in problems_of(error)]
            return [{**one, "column": f"{one['table']}.{one['column']}"} if "column" in one else one for one in told]
        return []

    def trial(self, job: dict[str, Any], **window: Any) -> dict[str, Any]:
        """What a release would be like."""
        live = self._live_for(job)
        n_all, method = live.forest.n_persons, method_of_tables(Job.from_dict(job))
        n = quick_persons(live.forest)
        stand_in = STAND_IN_OF_CODES if live.asked_of.bounded else STAND_IN
        asked = quick_method(job, method, stand_in, self._seconds.get(method, math.inf) * n / n_all)
        if n < n_all:
            lots = by_lot(asked, n / n_all)
            key = (id(live), lots is not None)
            if key not in self._parts:
                self._parts = {key: live.part(n, by_lot=lots is not None)}
            live, asked = self._parts[key], lots or asked
        release = look_at_tables(live, Job.from_dict(asked))
        return {
            "gauges": gauges_of_tables(release),
            "method": release.method,
            "sample": 0 if live.whole else live.forest.n_persons,
            "of": n_all,
            "rows": self.rows(release, **window) if live.whole and window["table"] else None,
        }

    def _live_for(self, job: dict[str, Any]) -> LiveTables:
        """The tables coded as a job asks; those of the last one are kept."""
        key = _coded_by(job)
        if key not in self._live:
            self._live = {}  # one at a time: it takes its share of memory
            self._live = {key: live_tables(self.stored, Job.from_dict(job))}
        return self._live[key]

    def anonymized(self, job: dict[str, Any], say: Say) -> tuple[Any, dict[str, Any]]:
        """The release that a job asks for, proved, and what it came to."""
        start = time.monotonic()
        release = cast("DatabaseRelease", Job.from_dict(job).anonymize(self.stored, on_progress=say))
        self._seconds[release.method] = time.monotonic() - start
        if "harden" not in job:  # which may code them otherwise
            self._live = {_coded_by(job): LiveTables(release.source, asked_of=release.schema, forest=release.coded)}
        say("verify")
        release.tables  # raises where the verifier does not agree  # noqa: B018
        say("measure")
        return release, told_of(release)

    def view(self, release: Any) -> dict[str, Any]:
        """What was kept and lost in every table, what was proved, and a few published rows of each."""
        utility, verdict = release.utility, release.verdict
        few = 0 < utility.suppressed_persons < release.threshold
        return {
            "database": True,
            "drawing": schema_drawing(release),
            "checked": [f"{reached.words} Reached: {reached.reached:,.6g}." for reached in verdict.models],
            "hardened": [] if release.certificate is None else list(release.certificate.words),
            "persons": verdict.n_persons,
            "groups": verdict.n_groups,
            "smallest": verdict.smallest,
            "suppressed": f"fewer than {release.threshold:,}" if few else f"{utility.suppressed_persons:,}",
            "lm": utility.lm,
            "tables": {
                name: {
                    "rows": verdict.rows[name],
                    "lost": dict(table.columns),
                    "sample": first_rows(release.arrow[name]),
                }
                for name, table in utility.tables.items()
            },
        }

    def rows(self, release: Any, *, first: int, n: int, order: str, table: str | None = None) -> dict[str, Any]:
        """Rows of one of the tables before and after."""
        assert table is not None
        return rows_of_table(release, self.stored, table, first, n, order)

    def explained(self, release: Any, row: int, table: str | None) -> dict[str, Any]:
        """Why a row of one of the tables is published as it is."""
        assert table is not None
        return explain_row(release, self.stored, table, row)

    def answer(self, release: Any, sql: str) -> dict[str, Any]:
        """A question about one of the tables, answered from the release."""
        return ask_tables(release, sql)

    def compared(self, job: dict[str, Any], methods: Any, **how: Any) -> Any:
        """Many methods side by side."""
        from amongst.compare.many_tables import compare_database

        asked = Job.from_dict(job)
        schema = cast(DatabaseSchema, asked.schema)
        return compare_database(self.stored, schema, asked.models, methods, seed=asked.seed, **how)

    def attacked(self, release: Any, attacks: list[str] | None, say: Say) -> Any:
        """What a motivated intruder finds in a release."""
        from amongst.relations.attacks.attack_database import attack_database

        say("attack")
        return attack_database(release)

    def evidence(self, release: Any, folder: Path, review: dict[str, Any] | None, say: Say) -> Any:
        """What a board needs to know of a release that was written there."""
        from amongst.evidence.many_tables import evidence_database

        return evidence_database(folder, schema=release.schema, original=self.stored, step=say)


def _coded_by(job: Mapping[str, Any]) -> str:
    """What of a job the codes of its tables follow from."""
    return repr((job["input"], job["tables"], job["method"].get("seed", 0)))


def open_database(address: str, namespace: str | None) -> tuple[Stored, dict[str, Any]]:
    """The tables, and what the page shows of them."""
    stored = read_database(address, namespace=namespace)
    job = Job(Input.at(str(address), namespace=namespace), stored.suggested(), (), output=AS_CAME_IN)
    asked = job.to_dict()
    return stored, {
        "name": stored.name,
        "tables": {name: _table_facts(table) for name, table in stored.tables.items()},
        "columns": [
            {**facts, "name": f"{name}.{facts['name']}"}
            for name, table in stored.tables.items()
            for facts in column_facts(table.select([*asked["tables"].get(name, {}).get("columns", {})]))
        ],
        "job": asked,
    }


def write_example(name: str, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A bundled set of tables as a folder of Parquet files, with its schema as the fields of a job file."""
    from amongst.datasets import load_database
    from amongst.new_file import write_table

    made = load_database(name, **options)
    folder.mkdir()
    for table, rows in made.tables.items():
        write_table(rows, folder / f"{table}.parquet")
    return Job(Input(folder), made.schema, (), output=AS_CAME_IN).to_dict()


def _table_facts(table: Any) -> dict[str, Any]:
    return {"rows": table.num_rows, "columns": table.column_names, "sample": first_rows(table)}
