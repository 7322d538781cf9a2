"""Numbers and times of a text file, published as they were written: 2.100 stays 2.100, and is not 2.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.brief import Brief
from amongst.errors import Changed

if TYPE_CHECKING:
    import pyarrow as pa

A_FEW = 1000
"""Cells that are looked at first: where one of them prints differently, the others need not be looked at."""
PRECISION = 38
"""Digits of the widest decimal number that Parquet readers know."""


@dataclass(frozen=True, eq=False)
class Spelling(Brief):
    """How the values of a column were written in the file.

    Attributes
    ----------
    values : pyarrow.Array
        The distinct values, each once.
    texts : pyarrow.Array
        The cell of every value: as a decimal number where all have as many decimals, so that a typed file still has
        numbers; otherwise as text.
    """

    values: pa.Array
    texts: pa.Array

    def brief(self) -> str:
        return f"{len(self.texts):,} texts"

    def only(self, column: pa.ChunkedArray) -> Spelling:
        """That of the values of a column alone."""
        import pyarrow.compute as pc

        there = pc.is_in(self.values, column.unique().cast(self.values.type))
        return Spelling(self.values.filter(there), self.texts.filter(there))


def spelling_of(cells: pa.Array, values: pa.Array) -> Spelling | None:
    """How distinct values were written, where they do not print so by themselves."""
    if prints_back(cells, values):
        return None
    decimals = _decimals(cells)
    return Spelling(values, cells if decimals is None else decimals)


def _decimals(cells: pa.Array) -> pa.Array | None:
    """Texts as decimal numbers, where these print as the texts do."""
    import pyarrow as pa

    scale = len(cells[0].as_py().partition(".")[2])
    try:
        decimals = cells.cast(pa.decimal128(PRECISION, scale))
    except pa.ArrowInvalid:  # more decimals, or no numbers
        return None
    return decimals if prints_back(cells, decimals) else None


def prints_back(cells: pa.Array, values: pa.Array) -> bool:
    """Whether every value is written as it prints."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_integer(values.type) or pa.types.is_date(values.type) or pa.types.is_dictionary(values.type):
        return True  # only those that print back are read as such
    return all(
        pc.all(pc.equal(values.slice(*part).cast(pa.string()), cells.slice(*part)), min_count=0).as_py()
        for part in ((0, A_FEW), (A_FEW,))
    )


def as_read(table: pa.Table, spelled: Mapping[str, Spelling]) -> pa.Table:
    """The table with the texts of the file in place of values that print differently."""
    for name, spelling in spelled.items():
        if name in table.column_names:
            place = table.column_names.index(name)
            table = table.set_column(place, name, _texts(table.column(name), spelling))
    return table


def each_as_read(tables: Iterable[pa.Table], spelled: Mapping[str, Spelling]) -> Iterator[pa.Table]:
    """The same tables, with the texts of the file."""
    for table in tables:
        yield as_read(table, spelled)


def _texts(column: pa.ChunkedArray, spelling: Spelling) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pc.add(column, 0.0) if pa.types.is_floating(column.type) else column  # -0 is 0
    place = pc.index_in(values, spelling.values)
    if place.null_count > column.null_count:
        raise Changed(
            "The file changed while it was read.",
            found="values that it did not have before",
            fix="run it again when nobody writes to it",
        )
    return spelling.texts.take(place)
