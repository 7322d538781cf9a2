"""What the worker can do: every command is one call of the library, and gives plain data."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from amongst.app.error_words import error_in_page_words
from amongst.app.figures import front_view, lattice_view, partition_view
from amongst.app.look import column_facts, first_rows, preview_of, texts_of
from amongst.app.many_tables import ManyTables, open_database, write_example
from amongst.app.one_table import OneTable
from amongst.app.text_preview import text_preview
from amongst.errors import BadOption
from amongst.job.job import Input, Job
from amongst.own_files import inside_beside
from amongst.read import Source, read
from amongst.read.reads import FOUND, Reads
from amongst.release.analyses import facts_of
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema


class Desk:
    """What is open, one table or many, the release made of it, and commands over them."""

    def __init__(self) -> None:
        self.say: Callable[..., None] = lambda step, done=0, total=0: None
        self.opened: OneTable | ManyTables | None = None
        self.release: Any = None
        self._view: dict[str, Any] | None = None

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
        self.opened, self.release = OneTable(source), None
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

    def check(self, job: dict[str, Any]) -> list[dict[str, Any]]:
        """All that does not fit between the roles and hierarchies and what is open."""
        return [error_in_page_words(problem) for problem in self._opened.problems(job)]

    def values(self, column: str, most: int) -> dict[str, Any]:
        """The distinct values of a column, for the editor of groups."""
        return texts_of(self._opened.column(column), most)

    def preview(self, column: str, kind: str | None, hierarchy: dict[str, Any]) -> dict[str, Any]:
        """The levels that a hierarchy gives the values of a column."""
        return preview_of(self._opened.column(column), kind, Hierarchy.from_dict(hierarchy))

    def trial(self, job: dict[str, Any], **window: Any) -> dict[str, Any]:
        """What a release would be like, while a slider is dragged: told as such, not proved, and forgotten."""
        return self._opened.trial(job, **window)

    def anonymize(self, job: dict[str, Any]) -> dict[str, Any]:
        """Make the release that a job asks for, prove it, and tell what it came to."""
        self.release = self._view = None  # two releases of a large table may not fit
        self.release, told = self._opened.anonymized(job, self.say)
        return told

    def view(self) -> dict[str, Any]:
        """All figures of the release; worked out when somebody looks at them."""
        if self._view is None:
            self._view = self._opened.view(self._made)
        return self._view

    def rows(self, **window: Any) -> dict[str, Any]:
        """Rows before and after; of many tables those of one."""
        return self._opened.rows(self._made, **window)

    def explain(self, row: int, table: str | None = None) -> dict[str, Any]:
        """Why a row is published as it is."""
        return self._opened.explained(self._made, row, table)

    def compare(
        self, job: dict[str, Any], methods: list[Any] | None, ks: list[int] | None, budget: float | None
    ) -> dict[str, Any]:
        """Many methods side by side: their names, or with their options."""
        found = self._opened.compared(
            job,
            [one if isinstance(one, str) else tuple(one) for one in methods] if methods else None,
            ks=ks,
            budget=budget,
            progress=lambda done, total, left: self.say("compare", done, total, left=left),
        )
        return {**json.loads(found.to_json()), "view": front_view(found)}

    def lattice(self, job: dict[str, Any], suppression: float, limits: dict[str, int] | None) -> dict[str, Any]:
        """All full-domain generalizations of the table: which hold, and what each loses."""
        asked = Job.from_dict(job)
        quasi = Schema({name: column for name, column in asked.schema.items() if column.role == "quasi"})
        source = replace(self._one.source, table=self._one.table.select(quasi.quasi))
        return lattice_view(source, quasi, asked.models, suppression, limits=limits, progress=self.say)

    def partition(self, x: str, y: str, window: list[float] | None) -> dict[str, Any] | None:
        """The groups as boxes over two columns, or over a part of them."""
        return partition_view(self._made, x, y, window)

    def query(self, sql: str) -> dict[str, Any]:
        """A question answered from the release, with the true answer beside it where it is about one table."""
        return self._opened.answer(self._made, sql)

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
        found = self._opened.attacked(self._made, attacks, self.say)
        return dict(json.loads(json.dumps(found.to_dict(), default=str)))

    def evidence(self, folder: str, review: dict[str, Any] | None, public: str, inside: str) -> dict[str, Any]:
        """An evidence pack of the release: one archive for the board's public, one for the house."""
        place = Path(folder)
        self.write(str(place / "release"), "parquet")
        pack = self._opened.evidence(self._made, place / "release", review, self.say)
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
        stored, facts = open_database(address, namespace)
        self.opened, self.release = ManyTables(stored), None
        return facts

    def example_database(self, name: str, options: dict[str, Any], folder: str) -> dict[str, Any]:
        """Write a bundled set of tables to a folder, and give its schema."""
        self.say("make")
        return write_example(name, options, Path(folder))

    def take_table(self, table: str, path: str) -> dict[str, Any]:
        """Put one table of the database into a file of its own."""
        from amongst.new_file import write_table

        self.say("make")
        write_table(self._many.stored.tables[table], Path(path))
        return {}

    @property
    def _opened(self) -> OneTable | ManyTables:
        if self.opened is None:
            raise BadOption("There is no table yet.", found="nothing loaded", fix="load one first")
        return self.opened

    @property
    def _one(self) -> OneTable:
        assert isinstance(self._opened, OneTable)
        return self._opened

    @property
    def _many(self) -> ManyTables:
        assert isinstance(self._opened, ManyTables)
        return self._opened

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
