"""Columns of text as what their cells are: of themselves, or by the forms that were told or found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amongst.errors import BadInput
from amongst.read.cells import refuse_long_cells
from amongst.read.evidence import find_forms
from amongst.read.formats import Content
from amongst.read.plain import plain
from amongst.read.reads import FOUND, Reads, all_reads, refuse_unknown
from amongst.read.source import Source, refuse_unusable
from amongst.read.text import settled_columns, whole


def from_cells(cells: Mapping[str, Any], told: Any, source: Source, *, usual_dates: bool = False) -> Source:
    """The source with a table of these columns, dictionary-encoded texts in one piece each."""
    import pyarrow as pa

    found = find_forms(cells, usual_dates=usual_dates) if told == FOUND else {}
    reads = {name: one.reads for name, one in found.items()} if told == FOUND else all_reads(told or {})
    by_form: dict[str, Reads] = {name: one for name, one in reads.items() if one is not None}
    refuse_unknown(by_form, list(cells))
    settled, spelled = settled_columns({name: column for name, column in cells.items() if name not in by_form})
    settled |= {name: by_its_form(name, cells[name], one) for name, one in by_form.items()}
    return replace(
        source,
        table=pa.table({name: settled[name] for name in cells}),
        spelled=spelled,
        reads=by_form,
        found=found,
        raw={name: cells[name] for name in by_form},
    )


def by_its_form(name: str, column: Any, reads: Any) -> Any:
    """A dictionary-encoded column as the values that its cells stand for; raises where some fit neither."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    count = np.bincount(column.indices.drop_null().to_numpy(), minlength=len(column.dictionary))
    values = values_of_cells(name, column.dictionary, count, reads)
    if pa.types.is_string(values.type):
        return pc.dictionary_encode(values.take(column.indices))
    return values.take(column.indices)


def values_of_cells(name: str, cells: Any, count: Any, reads: Any) -> Any:
    """What distinct cells stand for, of which each occurs so often; raises where some that occur fit neither."""
    values, odd = reads.values(cells)
    n = int(count[odd.to_numpy(zero_copy_only=False)].sum())
    if n:
        raise BadInput(
            f"Cells of '{name}' are not as its form says.",
            found=f"{n:,} of {int(count.sum()):,} cells are no {reads.settled.words}, and not told as missing",
            fix="name the texts that mean missing (missing = [...]), correct these cells, or take another form",
            say=["reads"],
        )
    return values


def from_content(content: Content, told: Any, name: str) -> Source:
    """What a file of another format holds, as a Source: codes as what they stand for, and columns of text by forms."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = plain(content.table)
    for column in table.column_names:
        refuse_long_cells(name, column, table.column(column))
    refuse_unusable(table, name)
    raw = {column: whole(pc.dictionary_encode(table.column(column))) for column in content.codes}
    for column, codes in content.codes.items():
        table = table.set_column(
            table.column_names.index(column), column, pa.chunked_array([by_its_form(column, raw[column], codes)])
        )
    source = Source(table, "pyarrow", name, notes=content.notes, labels=content.labels)
    source = read_text_columns(source, told) if told else source
    return replace(source, reads={**content.codes, **source.reads}, raw={**raw, **source.raw})


def read_text_columns(source: Source, told: Any) -> Source:
    """A frame whose columns of text are read by forms."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def cells(column: Any) -> Any:
        text = column.cast(pa.string())
        return whole(pc.dictionary_encode(text))

    def is_text(kind: Any) -> bool:
        inner = kind.value_type if pa.types.is_dictionary(kind) else kind
        return bool(pa.types.is_string(inner) or pa.types.is_large_string(inner))

    table = source.table
    refuse_unknown({} if told == FOUND else all_reads(told), table.column_names)
    texts = [field.name for field in table.schema if is_text(field.type)]
    named = texts if told == FOUND else [name for name in all_reads(told) if name in texts]
    other = [] if told == FOUND else [name for name in all_reads(told) if name not in texts]
    if other:
        raise BadInput(
            "Forms are for columns of text.",
            found="columns of another type: " + ", ".join(f"'{name}'" for name in other),
            fix="leave their forms out",
        )
    read = from_cells({name: cells(table.column(name)) for name in named}, told, source, usual_dates=True)
    for name in read.reads:
        table = table.set_column(table.column_names.index(name), name, read.table.column(name))
    return replace(read, table=table, spelled=source.spelled)
