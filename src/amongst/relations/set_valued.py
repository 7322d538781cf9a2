"""One table with lists of codes in its cells: a person's own columns, and codes of which a few may be known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadSchema
from amongst.read import read
from amongst.relations.anonymize import anonymize_database
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.release import DatabaseRelease

ROWS, ROW = "rows", "row"
"""The table of the rows themselves, and its key."""


def anonymize_lists(
    data: Any,
    schema: Schema,
    models: Sequence[Any],
    *,
    lists: Sequence[str] | Mapping[str, str],
    **options: Any,
) -> tuple[pa.Table, DatabaseRelease]:
    """Anonymize one table, a row a person, some of whose cells hold several codes.

    The codes of a cell become rows of a table of their own, of which as many may be known as ``am.KmAnonymity`` says:
    any m of a person are shared by k persons who look alike, or by none. Rarer ones are published as a node of the
    column's hierarchy, or not at all. A code counts once, however often a list has it.

    Parameters
    ----------
    data : path, or table in memory
    schema : Schema
        A role for every column; of the lists it says what one code is, with its hierarchy. They are quasi-identifiers.
    models : sequence of privacy models
        ``am.KAnonymity`` and ``am.KmAnonymity``; ``am.Diversity`` and ``am.Closeness`` of other columns.
    lists : sequence of str, or mapping of str to str
        The columns; of texts with what stands between two codes.
    **options
        As of ``am.anonymize_database``: its method, seed and options.

    Returns
    -------
    table, release
        The published table, with lists in the order of their codes; and the release of many tables that it is made
        of, with its verdict.

    Examples
    --------
    >>> import amongst as am
    >>> import pyarrow as pa
    >>> table = pa.table({"age": [30, 31, 32, 33], "codes": ["J45,I10", "I10,J45", "I10", "I10,E11"]})
    >>> schema = am.Schema({"age": am.Column(role="quasi"), "codes": am.Column(role="quasi")})
    >>> models = [am.KAnonymity(2), am.KmAnonymity(2, m=2)]
    >>> made, release = am.anonymize_lists(table, schema, models, lists={"codes": ","})
    >>> release.verdict.ok, sorted(made["codes"].to_pylist())
    (True, [['I10'], ['I10'], ['I10', 'J45'], ['I10', 'J45']])
    """
    table = read(data).table
    told = dict(lists) if isinstance(lists, Mapping) else dict.fromkeys(lists, "")
    tables, relations = _split(table, schema, told)
    release = anonymize_database(tables, DatabaseSchema(relations), models, **options)
    return _joined(release.arrow, list(told), table.column_names), release


def _split(
    table: pa.Table, schema: Schema, lists: Mapping[str, str]
) -> tuple[dict[str, pa.Table], dict[str, Relation]]:
    """The rows with a key, and for every list a table of its codes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wrong = [name for name in lists if name not in table.column_names or schema[name].role != "quasi"]
    if wrong or ROW in table.column_names:
        raise BadSchema(
            "These columns cannot be lists of codes.",
            found=", ".join(wrong) or f"a column called '{ROW}'",
            fix='name columns of the table with role = "quasi"; call no column "row"',
        )
    row = pc.binary_join_element_wise("row", pa.array(np.arange(table.num_rows)).cast(pa.string()), " ")
    own = Schema({name: rule for name, rule in schema.items() if name not in lists})
    tables = {ROWS: table.drop(list(lists)).append_column(ROW, row)}
    relations = {ROWS: Relation(own, key=ROW)}
    for name, between in lists.items():
        cells = table.column(name).combine_chunks()
        if not pa.types.is_nested(cells.type):
            if not between:
                fix = f'say what stands between two codes: lists={{"{name}": ","}}'
                raise BadSchema(f"The column '{name}' holds no lists.", found=str(cells.type), fix=fix)
            cells = pc.split_pattern(cells.cast(pa.string()), between)
        flat = pa.table({ROW: pc.list_parent_indices(cells), name: pc.list_flatten(cells)})
        if pa.types.is_string(flat.schema.field(name).type):
            flat = flat.set_column(1, name, pc.utf8_trim_whitespace(flat.column(name)))
            flat = flat.filter(pc.not_equal(flat.column(name), ""))
        flat = flat.filter(pc.is_valid(flat.column(name))).group_by([ROW, name]).aggregate([])
        tables[name] = flat.set_column(flat.column_names.index(ROW), ROW, row.take(flat.column(ROW)))
        rule = schema[name] if schema[name].kind is not None else replace(schema[name], kind="categorical")
        relations[name] = Relation(Schema({name: rule}), None, ROWS, ROW, known="codes")
    return tables, relations


def _joined(tables: Mapping[str, pa.Table], lists: Sequence[str], columns: Sequence[str]) -> pa.Table:
    """One table again: for every row its codes in their order, without the key that linked them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    made = tables[ROWS]
    for name in lists:
        texts = tables[name].column(name).cast(pa.string())
        codes = pa.table({ROW: tables[name].column(ROW), name: texts}).group_by([ROW, name]).aggregate([])
        codes = codes.sort_by([(ROW, "ascending"), (name, "ascending")])  # the order of a list says nothing
        place = pc.index_in(codes.column(ROW), value_set=made.column(ROW).combine_chunks()).to_numpy()
        order = np.argsort(place, kind="stable")
        first = np.searchsorted(place[order], np.arange(made.num_rows + 1)).astype(np.int32)
        held = codes.column(name).combine_chunks().take(pa.array(order))
        made = made.append_column(name, pa.ListArray.from_arrays(pa.array(first), held))
    return made.select([name for name in columns if name in made.column_names])
