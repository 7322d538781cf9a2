"""A folder of Parquet files as one table: by the order of the files' names, with the columns that folders' names tell.

Spark, DuckDB, Arrow and others write ``region=North/part-0.parquet``: the column is in no file. Here it comes after
those of the files. Values are whole numbers where all of them are written as such, days where all are, and text
otherwise; ``01`` is text, as its zero would be lost.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from amongst.errors import BadInput
from amongst.read.plain import plain

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = (".parquet", ".pq")
MISSING = "__HIVE_DEFAULT_PARTITION__"
"""What a folder of rows whose value is missing is called."""
WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class Folder:
    """The files of a folder.

    Attributes
    ----------
    paths : list of Path
    schema : pyarrow.Schema
        The columns of the files, in a type that holds what each of them has.
    told : pyarrow.Table
        What the names of their folders tell, a row for every file.
    alike : bool
        Whether every file has just these columns in these types, and names of folders tell nothing.
    """

    paths: list[Path]
    schema: pa.Schema
    told: pa.Table
    alike: bool

    def whole(self, rows: pa.Table, file: int) -> pa.Table:
        """Rows of a file with all columns, in their common types; text may stay in dictionaries."""
        import pyarrow as pa

        own = [rows.column(name) for name in self.schema.names]
        cast = [
            one if _value_type(one.type) == want.type else one.cast(want.type)
            for one, want in zip(own, self.schema, strict=True)
        ]
        cells = [column[file] for column in self.told.columns]
        columns = [*cast, *(pa.chunked_array([pa.repeat(cell, rows.num_rows)]) for cell in cells)]
        return pa.table(columns, names=[*self.schema.names, *self.told.column_names])


def folder_of_parquet(folder: Path) -> Folder:
    """The Parquet files of a folder; those that hold no rows by their name (_SUCCESS, hidden ones) are left out."""
    top = folder.resolve()
    found = sorted(
        path.resolve()
        for path in folder.rglob("*")
        if path.suffix.lower() in PARQUET and path.is_file() and not path.name.startswith(("_", "."))
    )
    if not found:
        raise BadInput(
            f"There is no Parquet file in {folder.name}.",
            found="none in the folder",
            fix="name a file, or another folder",
        )
    told = _told([_divided(path, top) for path in found], folder.name)
    schema, alike = _common(found, folder.name)
    both = [one for one in told.column_names if one in schema.names]
    if both:
        raise BadInput(
            f"Columns of {folder.name} are told twice.",
            found="in the files and in the names of folders: " + ", ".join(f"'{one}'" for one in both),
            fix="rename the folders, or leave these columns out of the files",
        )
    return Folder(found, schema, told, alike and not told.num_columns)


def _common(paths: Sequence[Path], name: str) -> tuple[pa.Schema, bool]:
    """The columns of some files in types that hold what all of them have, and whether all have just these."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        stored = [plain(pq.read_schema(path).empty_table()).schema for path in paths]
    except (pa.ArrowException, OSError):
        raise BadInput(
            f"{name} cannot be read as Parquet.", found="a file is damaged or of another kind", fix="write it anew"
        ) from None
    if len({tuple(sorted(one.names)) for one in stored}) > 1:
        raise BadInput(
            f"The files of {name} have different columns.",
            found=f"{len({tuple(sorted(one.names)) for one in stored})} lists of names",
            fix="mend them",
        )
    first = stored[0].names
    if len(set(first)) < len(first):  # told, and refused, where columns are looked at
        return stored[0], len(paths) == 1
    types = [pa.schema([(column, _value_type(one.field(column).type)) for column in first]) for one in stored]
    try:
        schema = pa.unify_schemas(types, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise of_other_types(name) from None
    return schema, all(one.names == first for one in stored) and all(one == schema for one in types)


def of_other_types(name: str) -> BadInput:
    """What to say of files whose columns have types that nothing holds together."""
    return BadInput(
        f"The files of {name} have columns of different types.",
        found="a column is of one type in one file and of another in the next",
        fix="write them with the same types",
    )


def _told(divided: Sequence[Sequence[tuple[str, str | None]]], name: str) -> pa.Table:
    import pyarrow as pa

    names = [column for column, _ in divided[0]]
    if any([column for column, _ in one] != names for one in divided) or len(set(names)) < len(names):
        raise BadInput(
            f"The files of {name} are not divided by the same columns.",
            found="in the names of folders: " + ", ".join(sorted({column for one in divided for column, _ in one})),
            fix="keep the files that are divided alike, or write these columns into the files",
        )
    return pa.table([_typed([one[place][1] for one in divided]) for place in range(len(names))], names=names)


def digest_of_files(digests: Sequence[str]) -> str:
    """One digest for several files: of theirs, in the order of the files' names; that of the only one."""
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def _divided(path: Path, top: Path) -> list[tuple[str, str | None]]:
    """Name and value of the columns that the folders of a file tell."""
    if not path.is_relative_to(top):
        return []
    split = [part.partition("=") for part in path.relative_to(top).parent.parts]
    return [(unquote(name), None if value == MISSING else unquote(value)) for name, equals, value in split if equals]


def _typed(values: Sequence[str | None]) -> pa.Array:
    import pyarrow as pa

    there = [value for value in values if value is not None]
    texts = pa.array(values, pa.string())
    if there and all(WHOLE.fullmatch(value) for value in there):
        return texts.cast(pa.int64())
    if there and all(DAY.fullmatch(value) for value in there):
        try:
            return texts.cast(pa.date32())
        except pa.ArrowInvalid:  # the 31st of February
            return texts
    return texts


def _value_type(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if pa.types.is_large_string(kind) else kind
