"""What a file format declares: how it is read and written, and which packages that takes."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import AmongstError, BadInput, BadOption
from amongst.read.formats.fitting import FEW, Holds, fitted, same_cells

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.read.formats.codes import Codes

TABLE = "release"
"""What a release is called inside a file that holds tables by name."""


@dataclass(frozen=True, eq=False)
class Content:
    """What was read from a file.

    Attributes
    ----------
    table : pyarrow.Table
        Cells as they are stored: codes, not their labels.
    codes : mapping of str to Codes
        Columns whose numbers stand for something: labels, and codes that mean missing.
    labels : mapping of str to str
        What columns are about, where the file says it.
    notes : tuple of str
        What to know about how it was read.
    """

    table: pa.Table
    codes: Mapping[str, Codes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format.

    Attributes
    ----------
    name : str
        As job files say it, and as files of it end.
    words : str
        What people call such a file.
    endings : tuple of str
    needs : tuple of str
        The packages that it takes, beyond those that amongst needs anyway.
    extra : str
        The extra that brings them: ``pip install "amongst[extra]"``.
    read : callable
        ``read(path, table)`` gives the Content; ``table`` is None where it was not told.
    write : callable, or None
        ``write(table, path, codes)``; None where it can only be read.
    holds : Holds
        What it has types for; the rest is written as text.
    streams : bool
        Whether it takes an iterable of tables in the place of one: a release larger than memory.
    writes : str
        The format that takes its place in a release, where it cannot be written.
    """

    name: str
    words: str
    endings: tuple[str, ...]
    read: Callable[[Path, str | None], Content]
    write: Callable[[Any, Path, Mapping[str, Any]], None] | None = None
    holds: Holds = FEW
    streams: bool = False
    needs: tuple[str, ...] = ()
    extra: str = ""
    writes: str = ""

    @property
    def missing(self) -> list[str]:
        """The packages that it takes and that are not there."""
        return [name for name in self.needs if importlib.util.find_spec(name) is None]

    def refuse_missing(self) -> None:
        """Raise where a package is missing, with how to get it."""
        if self.missing:
            raise BadOption(
                f"For {self.words} a package is missing.",
                found="not installed: " + ", ".join(self.missing),
                fix=f'pip install "amongst[{self.extra}]"',
            )

    def write_tables(self, tables: Iterable[pa.Table], path: Path, codes: Mapping[str, Any]) -> None:
        """Write a table that comes in pieces; cells that a file of it would change are refused."""
        import pyarrow as pa

        assert self.write is not None
        if self.streams:
            self.write(fitted(tables, self.holds), path, codes)
            return
        pieces = list(tables)
        whole = pa.concat_tables([one.cast(pieces[0].schema) for one in pieces])
        (table,) = fitted([whole], self.holds)
        try:
            self.write(table, path, codes)
        except (AmongstError, OSError):
            raise
        except Exception as error:  # packages raise what they like
            raise self._cannot_hold(f"{type(error).__name__}: often a sign that such a file cannot have") from None
        self._refuse_changed(table, path)

    def _refuse_changed(self, table: pa.Table, path: Path) -> None:
        back = self.read(path, None).table
        wrong = [
            f"'{name}'"
            for name, column in zip(table.column_names, table.columns, strict=True)
            if name not in back.column_names or not same_cells(column, back.column(name), padded=self.holds.padded)
        ]
        if wrong:
            path.unlink()
            raise self._cannot_hold("cells that such a file does not give back as they are, in " + ", ".join(wrong))

    def _cannot_hold(self, found: str) -> BadOption:
        return BadOption(
            f"The release cannot be written as .{self.name}.",
            found=found,
            fix="write it as csv or parquet, or leave such columns out",
        )

    def content(self, path: Path, table: str | None) -> Content:
        """Read a file of it; whatever its package raises is told in our words, without a cell."""
        self.refuse_missing()
        try:
            return self.read(path, table)
        except (BadInput, BadOption):
            raise
        except Exception as error:  # packages raise what they like
            raise BadInput(
                f"{path.name} cannot be read as {self.words}.",
                found=f"{type(error).__name__} while reading: it is damaged, locked, or of another kind",
                fix="write it anew",
            ) from None


def one_of(names: list[str], table: str | None, path: Path, what: str) -> str:
    """The table that was told, or the only one there is."""
    if table is not None and table in names:
        return table
    listed = ", ".join(f"'{name}'" for name in names[:20]) or "none"
    if table is not None or len(names) != 1:
        raise BadInput(
            f"{path.name} has no {what} '{table}'." if table is not None else f"{path.name} does not hold one {what}.",
            found=f"{len(names)}: {listed}",
            fix='name one: table = "..." (--table), or many of them as a database: amongst inspect-database',
            say=["table"],
            tables=names,
        )
    return names[0]
