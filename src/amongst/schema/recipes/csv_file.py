"""A hierarchy in a CSV file as ARX writes it: ``leaf;level1;...;*``, no header."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from amongst.errors import BadHierarchy
from amongst.schema.digest import digest_of
from amongst.schema.problem import count
from amongst.schema.recipes.rows import Row, tree_of_rows
from amongst.schema.tree import Tree


@dataclass(frozen=True)
class CsvFile:
    """The rows of a CSV file; read once, when the hierarchy is made.

    Blank lines are skipped. Two of these are equal when path, separator and content are.
    """

    path: str
    separator: str = ";"
    sha256: str = ""
    rows: tuple[Row, ...] = field(default=(), repr=False, compare=False)
    lines: tuple[int, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def read(cls, path: str | Path, separator: str = ";") -> CsvFile:
        content = _bytes_of(Path(path))
        rows, lines = _parsed(content, separator)
        if not rows:
            _stop("the file is empty", "give a row for every value: leaf;level 1;...;*")
        return cls(str(path), separator, digest_of(content), tuple(rows), tuple(lines))

    def bind(self, values: list[Any], kind: str) -> Tree:
        return tree_of_rows(self.rows, values, kind, self.lines)

    def to_dict(self) -> dict[str, Any]:
        return {"csv": self.path} if self.separator == ";" else {"csv": self.path, "separator": self.separator}

    def describe(self) -> str:
        return f"the file {Path(self.path).name} of {count(len(self.rows), 'leaf', 'leaves')}"

    def public_dict(self) -> dict[str, Any]:
        return {"csv": len(self.rows), "sha256": self.sha256}


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        _stop(f"there is no file '{path}'", "check the path; in a job file it starts at the job file's folder")
    except OSError as error:
        _stop(f"the file '{path}' cannot be read: {error.strerror}", "check the path and its permissions")
    except ValueError:  # a NUL in it
        _stop("the path of the file is no path", "check the path")


def _parsed(content: bytes, separator: str) -> tuple[list[Row], list[int]]:
    """The rows, and the line that every one of them ends on."""
    if not isinstance(separator, str) or len(separator) != 1 or separator in '\r\n"':
        _stop("the separator is not a single character", 'use separator=";" or the like')
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _stop(f"the file is not UTF-8: byte {error.start + 1}", "save it as UTF-8")
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            if row:
                rows.append(tuple(row))
                lines.append(reader.line_num)
    except csv.Error:
        _stop(f"line {reader.line_num} is no CSV", "check the quotes around it")
    return rows, lines


def _stop(found: str, fix: str) -> NoReturn:
    raise BadHierarchy("The file of the hierarchy cannot be used.", found=found, fix=fix)
