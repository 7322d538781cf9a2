"""Where a table came from, and how to give one back in the same kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.brief import Brief
from amongst.errors import BadInput
from amongst.read.as_read import Spelling, as_read

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.read.evidence import Found
    from amongst.read.header import Layout


@dataclass(frozen=True, eq=False)
class Source(Brief):
    """A table that was read.

    Attributes
    ----------
    table : pyarrow.Table
    frame : {"pandas", "polars", "pyarrow"}
        The kind of frame it came in; files come as pyarrow.
    name : str
        What to call it in a report: the file's name, or "a data frame".
    sha256 : str, or None
        The digest of the file's bytes.
    notes : tuple of str
        What to know about how it was read; no cells.
    spelled : mapping of str to Spelling
        How numbers and times of a text file were written, where they print otherwise.
    layout : Layout, or None
        How a text file is laid out.
    reads : mapping of str to Reads or Codes
        The columns that were read by a form, and by which; and those whose numbers stand for something.
    found : mapping of str to Found
        What the cells of text columns show, where that was asked for.
    raw : mapping of str to pyarrow.Array
        The cells of the columns in ``reads`` as they were written.
    labels : mapping of str to str
        What columns are about, where the file says it.
    """

    table: pa.Table
    frame: str
    name: str
    sha256: str | None = None
    notes: tuple[str, ...] = ()
    spelled: Mapping[str, Spelling] = field(default_factory=dict, repr=False)
    layout: Layout | None = None
    reads: Mapping[str, Any] = field(default_factory=dict)
    found: Mapping[str, Found] = field(default_factory=dict, repr=False)
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    labels: Mapping[str, str] = field(default_factory=dict, repr=False)

    def brief(self) -> str:
        return f"{self.name}, {self.table.num_rows:,} rows in {self.table.num_columns:,} columns"

    @property
    def n_columns(self) -> int:
        return int(self.table.num_columns)

    def as_read(self, table: pa.Table, names: Collection[str]) -> pa.Table:
        """A table of rows that stay in which some columns have the texts of the file, in the types of these texts."""
        from amongst.read.staying import by_cells_that_stay

        shown = as_read(table, {name: one for name, one in self.spelled.items() if name in names})
        if self.layout is None or shown.num_rows == self.table.num_rows:
            return shown
        own = [name for name in names if name in shown.column_names and name not in self.reads]
        return by_cells_that_stay(shown, own)

    def whole_in(self, name: str, rows: pa.Array) -> bool:
        """Whether a column of a text file has whole numbers in these rows, whatever others have."""
        import pyarrow as pa

        if name in self.raw:
            cells = self.raw[name]
            stay = cells.dictionary.take(cells.indices.take(rows).unique().drop_null())
            kind = self.reads[name].values(stay)[0].type
        else:
            kind = self.as_read(self.table.select([name]).take(rows), [name]).schema.field(name).type
        return bool(pa.types.is_integer(kind))

    def with_texts(self, table: pa.Table, names: Collection[str]) -> pa.Table:
        """A table of the rows that were read in which some columns have their cells as they were written, where they
        were read by a form."""
        for name in self.raw:
            if name in names:
                table = table.set_column(table.column_names.index(name), name, self.raw[name])
        return table

    def without_texts(self, table: pa.Table, names: Collection[str]) -> Source:
        """The source with a table in which some columns are no longer what was written in the file."""

        def others(of: Mapping[str, Any]) -> dict[str, Any]:
            return {name: one for name, one in of.items() if name not in names}

        return replace(self, table=table, spelled=others(self.spelled), reads=others(self.reads), raw=others(self.raw))

    def values_of(self, plan: Any) -> Any:
        """A plan that was made with texts: they are set aside, and the table has the values again."""
        from amongst.read.from_cells import by_its_form
        from amongst.read.text import whole

        names = [name for name in plan.others if name in self.raw]
        texts = {name: plan.table.column(name) for name in names}
        table = plan.table
        for name in names:
            values = by_its_form(name, whole(texts[name]), self.reads[name])
            table = table.set_column(table.column_names.index(name), name, values)
        return replace(plan, table=table, texts=texts) if names else plan

    def native(self, table: pa.Table) -> Any:
        """``table`` as the kind of frame that came in."""
        if self.frame == "polars":
            import polars

            return polars.from_arrow(table)
        return _to_pandas(table) if self.frame == "pandas" else table


@dataclass(frozen=True, eq=False)
class StoredSource(Source):
    """A table of which the frequency set alone was read."""

    n_stored: int = 0

    @property
    def n_columns(self) -> int:
        return self.n_stored


def _to_pandas(table: pa.Table) -> Any:
    """Whole numbers stay whole numbers where some are missing: as floats, large ones would change."""
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import pyarrow as pa

    def nullable(kind: pa.DataType) -> Any:
        return pandas.array([], dtype=_PANDAS_NAME[str(kind)]).dtype if pa.types.is_integer(kind) else None

    columns = {
        name: column.to_pandas(types_mapper=nullable if column.null_count else None)
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return pandas.DataFrame(columns)


_PANDAS_NAME = {f"{sign}int{size}": f"{sign.upper()}Int{size}" for sign in ("", "u") for size in (8, 16, 32, 64)}


def refuse_unusable(table: pa.Table, name: str) -> None:
    """Raise for a table that nothing can be done with: no columns, doubled names, no rows."""
    names = table.column_names
    doubled = sorted({column for column in names if names.count(column) > 1})
    nameless = sum(1 for column in names if not column.strip())
    problems = []
    if not names:
        problems.append("no columns")
    if doubled:
        problems.append("more than once: " + ", ".join(doubled))
    if nameless:
        problems.append(f"{nameless} column{'s' if nameless > 1 else ''} without a name")
    if problems:
        raise BadInput(f"The columns of {name} need names of their own.", found=problems, fix="name every column once")
    if table.num_rows == 0:
        raise BadInput(f"{name} has no rows.", found=f"{len(names)} columns, 0 rows", fix="give a table with rows")
