"""What the worker can do: every command is one call of the library, and gives plain data."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.app.error_words import error_in_page_words
from amongst.app.figures import (
    ask_tables,
    columns_to_ask,
    example_questions,
    explain,
    explain_row,
    front_view,
    gauges,
    lattice_view,
    partition_view,
    query_view,
    result_view,
    rows_of_table,
    rows_view,
    told_of,
)
from amongst.app.live_store import LiveStore, look_at
from amongst.app.look import column_facts, first_rows, preview_of, texts_of
from amongst.app.many_tables import database_view, open_database, problems_of_tables, write_example
from amongst.app.text_preview import text_preview
from amongst.app.trial import by_lot, part_by_lot, part_by_neighbourhoods, quick_job
from amongst.errors import AmongstError, BadOption
from amongst.job.job import Input, Job
from amongst.own_files import inside_beside
from amongst.read import Source, read
from amongst.read.reads import FOUND, Reads
from amongst.release.analyses import facts_of
from amongst.schema.check import check
from amongst.schema.file import columns_from_fields
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import Problem, problems_of
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.attack.finding import Findings


class Desk:
    """One table, the releases made of it, and commands over them."""

    def __init__(self) -> None:
        self.say: Callable[..., None] = lambda step, done=0, total=0: None
        self.source: Source | None = None
        self.release: Any = None
        self.database: Any = None
        self._view: dict[str, Any] | None = None
        self._parts: dict[Any, Source] = {}
        self._coded: dict[Any, Any] = {}
        self._sensitive: dict[Any, Any] = {}
        self._seconds: dict[str, float] = {}
        """How long every method took on the whole table."""

    def open(self, path: str, reads: Any = None, **told: Any) -> dict[str, Any]:
        """Read a file, and suggest what its columns are. What was open before stays if it cannot be read.

        Forms that are not told are those that the cells show without doubt; what they show is told in any case.
        """
        self.say("read")
        source = read(path, reads=FOUND, **told)
        found = source.found
        if reads is not None and reads != {name: one.plain for name, one in source.reads.items() if name in found}:
            source = read(path, reads=reads, **told)
        self.say("look")
        table = source.table
        facts = {
            "name": source.name,
            "rows": table.num_rows,
            "columns": column_facts(table),
            "sample": first_rows(table),
            "bytes": Path(path).stat().st_size,
            "notes": list(source.notes),
            "found": _found(source),
            "evidence": [
                {"name": name, "form": one.form, "either": list(one.either), "words": one.words}
                for name, one in found.items()
            ],
        }
        self.source, self.release, self.database = source, None, None
        self._parts, self._seconds, self._coded, self._sensitive = {}, {}, {}, {}
        return facts

    def peek(
        self, path: str, separator: str | None, encoding: str | None, header: bool | None, **told: Any
    ) -> dict[str, Any]:
        """The first lines of a text file as they would be read, and what it seems to be."""
        return text_preview(Path(path), separator, encoding, header)

    def example(self, name: str, options: dict[str, Any], path: str) -> dict[str, Any]:
        """Write a bundled table to a file, as ``amongst datasets NAME --write`` does, and give its schema."""
        from amongst.datasets import load
        from amongst.new_file import write_table

        self.say("make")
        data = load(name, **options)
        write_table(data.table, Path(path))
        return {"columns": Job(Input(Path(path)), data.schema, ()).to_dict()["columns"]}

    def check(self, columns: dict[str, Any], form: str) -> list[dict[str, Any]]:
        """All that does not fit between the roles and hierarchies and the table."""
        problems: list[Problem] = []
        schema = columns_from_fields(columns, "", problems)
        if not problems:
            try:
                check(schema, self._table, form=form)
            except AmongstError as error:
                problems = problems_of(error)
        return [error_in_page_words(problem.to_dict()) for problem in problems]

    def check_tables(self, job: dict[str, Any]) -> list[dict[str, Any]]:
        """The same for many tables; columns are told with their tables."""
        return [error_in_page_words(one) for one in problems_of_tables(job, self.database)]

    def values(self, column: str, most: int) -> dict[str, Any]:
        """The distinct values of a column, for the editor of groups."""
        return texts_of(self._column(column), most)

    def _column(self, name: str) -> Any:
        """A column of the table, or of one of many tables, whose name stands before it."""
        if self.database is None:
            return self._table.column(name)
        named = {
            f"{table}.{column}": (table, column)
            for table, one in self.database.tables.items()
            for column in one.column_names
        }
        table, column = named[name]
        return self.database.tables[table].column(column)

    def preview(self, column: str, kind: str | None, hierarchy: dict[str, Any]) -> dict[str, Any]:
        """The levels that a hierarchy gives the values of a column."""
        return preview_of(self._column(column), kind, Hierarchy.from_dict(hierarchy))

    def trial(self, job: dict[str, Any], first: int, n: int, order: str) -> dict[str, Any]:
        """What a release would be like, while a slider is dragged: told as such, not proved, and forgotten."""
        asked, n_rows = quick_job(job, self._table.num_rows, self._seconds)
        store = LiveStore(read=self._source, coded_before=self._coded)
        whole = n_rows >= self._table.num_rows
        if not whole:
            store, asked = self._part_for(store, asked, n_rows)
        release = look_at(store, Job.from_dict({**asked, "engine": {}}))
        return {
            "gauges": gauges(release, self._sensitive if whole else None),
            "method": asked["method"]["name"],
            "sample": 0 if whole else store.read.table.num_rows,
            "rows": rows_view(release, self._table, first, n, order) if whole else None,
        }

    def _part_for(self, store: LiveStore, job: dict[str, Any], n_rows: int) -> tuple[LiveStore, dict[str, Any]]:
        """A part of a large table that stands for it, and what to ask of that part."""
        lots = by_lot(job, n_rows / self._table.num_rows)
        quasi = sorted(name for name, fields in job["columns"].items() if fields.get("role") == "quasi")
        key = ("by lot", n_rows) if lots is not None else ("neighbourhoods", *quasi)
        if key not in self._parts:
            part = part_by_lot(self._source, n_rows) if lots else part_by_neighbourhoods(store, job, n_rows)
            self._parts = {key: part}  # one at a time: it takes its share of memory
            self._coded.clear()  # they are told apart by the table that is there
        return replace(store, read=self._parts[key]), lots or job

    def anonymize(self, job: dict[str, Any]) -> dict[str, Any]:
        """Make the release that a job of one table or of many asks for, prove it, and tell what it came to."""
        self.release = self._view = None  # two releases of a large table may not fit
        self.release, told = self._anonymize_many(job) if "tables" in job else self._anonymize_one(job)
        return told

    def _anonymize_one(self, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        asked, start = Job.from_dict({**job, "engine": {}}), time.monotonic()  # the table is in memory already
        release = asked.anonymize(self._source, on_progress=self.say, on_loss=lambda loss: self.say("group", loss=loss))
        self._seconds[release.method] = time.monotonic() - start
        self.say("verify")
        release.table  # raises where the verifier does not agree  # noqa: B018
        self.say("measure")
        told = {
            "gauges": gauges(release, self._sensitive),
            "checks": [reached.words for reached in release.verdict.models],
            "questions": [] if release.is_pair else example_questions(release),
            "columns": [] if release.is_pair else columns_to_ask(release),
            "worth": [{"danger": one.danger, "words": one.words} for one in release.worth_knowing],
        }
        return release, told

    def view(self) -> dict[str, Any]:
        """All figures of the release; worked out when somebody looks at them."""
        if self._view is None:
            self._view = result_view(self._made) if self.database is None else database_view(self._made)
        return self._view

    def rows(self, first: int, n: int, order: str, table: str | None = None) -> dict[str, Any]:
        """Rows before and after; of many tables those of one."""
        if table is not None:
            return rows_of_table(self._made, self.database, table, first, n, order)
        return rows_view(self._made, self._table, first, n, order)

    def explain(self, row: int, table: str | None = None) -> dict[str, Any]:
        """Why a row is published as it is."""
        if table is not None:
            return explain_row(self._made, self.database, table, row)
        return explain(self._made, self._table, row)

    def _anonymize_many(self, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        release = Job.from_dict(job).anonymize(self.database, on_progress=self.say)
        self.say("verify")
        release.tables  # raises where the verifier does not agree  # noqa: B018
        self.say("measure")
        return release, told_of(release)

    def compare(
        self, job: dict[str, Any], methods: list[str] | None, ks: list[int] | None, budget: float | None
    ) -> dict[str, Any]:
        """Many methods side by side."""
        from amongst.compare.compare import compare

        asked = Job.from_dict(job)
        found = compare(
            self._source,
            asked.schema,
            asked.models,
            methods or None,
            ks=ks,
            budget=budget,
            form=asked.output.form,
            seed=asked.seed,
            progress=lambda done, total, left: self.say("compare", done, total, left=left),
        )
        return {**json.loads(found.to_json()), "view": front_view(found)}

    def lattice(self, job: dict[str, Any], suppression: float, limits: dict[str, int] | None) -> dict[str, Any]:
        """All full-domain generalizations of the table: which hold, and what each loses."""
        asked = Job.from_dict(job)
        quasi = Schema({name: column for name, column in asked.schema.items() if column.role == "quasi"})
        source = replace(self._source, table=self._table.select(quasi.quasi))
        return lattice_view(source, quasi, asked.models, suppression, limits=limits, progress=self.say)

    def partition(self, x: str, y: str, window: list[float] | None) -> dict[str, Any] | None:
        """The groups as boxes over two columns, or over a part of them."""
        return partition_view(self._made, x, y, window)

    def query(self, sql: str) -> dict[str, Any]:
        """A question answered from the release, with the true answer beside it where it is about one table."""
        if self.database is not None:
            return ask_tables(self._made, sql)
        return query_view(self._made, self._table, sql)

    def regression(self, formula: str) -> dict[str, Any]:
        """A model fitted before and after, with what is left of its intervals."""
        self.say("fit")
        found = facts_of(self._made, formula)
        return {
            "formula": found.formula,
            "words": found.words,
            "table": [found.headings, found.rows],
            "notes": found.notes,
        }

    def attack(self, attacks: list[str] | None) -> dict[str, Any]:
        """What a motivated intruder finds in the release."""
        from amongst.attack.attack import attack

        found: Findings
        if self.database is not None:
            from amongst.relations.attacks.attack_database import attack_database

            self.say("attack")
            found = attack_database(self._made)
        else:
            found = attack(
                self._made, attacks=attacks, progress=lambda name, done, total: self.say("attack", done, total)
            )
        return dict(json.loads(json.dumps(found.to_dict(), default=str)))

    def evidence(self, folder: str, review: dict[str, Any] | None, public: str, inside: str) -> dict[str, Any]:
        """An evidence pack of the release: one archive for the board's public, one for the house."""
        from amongst.evidence.gather import evidence
        from amongst.review import Review

        place = Path(folder)
        self.write(str(place / "release"), "parquet")
        context = None if review is None else Review(**review)
        told: dict[str, Any] = {key: (review or {}).get(key) or None for key in ("author", "purpose", "recipient")}
        pack = evidence(
            place / "release", original=self._table, schema=self._made.schema, review=context, step=self.say, **told
        )
        pack.write(place / "evidence")
        self.say("pack")
        _zip(place / "evidence", Path(public))
        _zip(inside_beside(place / "evidence"), Path(inside))
        return {}

    def write(self, folder: str, format: str, shape: str | None = None) -> dict[str, Any]:
        """Write the release folder; it is read back and verified first."""
        told = {} if shape is None else {"shape": shape}  # many tables have none
        verdict = self._made.write(folder, format=format, step=self.say, **told)
        public = Path(folder).absolute()
        inside = inside_beside(public)
        return {
            **_told(public),
            "inside": _told(inside) if inside.is_dir() else None,
            "verdict": verdict.words(),
        }

    def pack(self, folder: str, format: str, archive: str, inside: str, shape: str | None = None) -> dict[str, Any]:
        """Write the release, and put what may be given away into one archive and what stays inside into another."""
        written = self.write(folder, format, shape)
        self.say("pack")
        _zip(Path(folder), Path(archive))
        if written["inside"] is not None:
            _zip(Path(written["inside"]["folder"]), Path(inside))
        return written

    def open_database(self, address: str, namespace: str | None) -> dict[str, Any]:
        """Read the tables of a database, and suggest keys and roles."""
        self.say("read")
        database, facts = open_database(address, namespace)
        self.source, self.release, self.database = None, None, database
        return facts

    def example_database(self, name: str, options: dict[str, Any], folder: str) -> dict[str, Any]:
        """Write a bundled set of tables to a folder, and give its schema."""
        self.say("make")
        return write_example(name, options, Path(folder))

    def take_table(self, table: str, path: str) -> dict[str, Any]:
        """Put one table of the database into a file of its own."""
        from amongst.new_file import write_table

        self.say("make")
        write_table(self.database.tables[table], Path(path))
        return {}

    @property
    def _source(self) -> Source:
        if self.source is None:
            raise BadOption("There is no table yet.", found="nothing loaded", fix="load one first")
        return self.source

    @property
    def _table(self) -> Any:
        return self._source.table

    @property
    def _made(self) -> Any:
        if self.release is None:
            raise BadOption("There is no release yet.", found="nothing made", fix="make one first")
        return self.release


def _told(folder: Path) -> dict[str, Any]:
    files = [{"name": file.name, "bytes": file.stat().st_size} for file in sorted(folder.iterdir())]
    return {"folder": str(folder), "files": files}


def _zip(folder: Path, archive: Path) -> None:
    import zipfile

    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                packed.write(file, file.relative_to(folder))


def _found(source: Source) -> dict[str, Any]:
    """What was found out about a file, as a job says it."""
    laid = {} if source.layout is None else source.layout.told
    reads = {name: one.plain for name, one in source.reads.items() if isinstance(one, Reads)}
    return {name: one for name, one in {**laid, "reads": reads or None}.items() if one is not None}
