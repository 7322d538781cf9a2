"""Requirement 3: every published row is true of the row it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from amongst.published.finding import Finding
from amongst.relations.relation import DatabaseSchema, Link
from amongst.relations.verify.cover import Cover
from amongst.schema.column import Column

if TYPE_CHECKING:
    import pyarrow as pa


def correct(
    published: Mapping[str, pa.Table],
    original: Mapping[str, pa.Table],
    input_row: Mapping[str, np.ndarray],
    schema: DatabaseSchema,
) -> list[Finding]:
    """What is wrong with published cells and references, each row beside the original one it stands for."""
    findings = []
    for name, relation in schema.items():
        made, rows = published[name], np.asarray(input_row[name])
        if len(np.unique(rows)) < len(rows) or len(rows) != made.num_rows:
            findings.append(_finding(name, "an original row is published twice, or a published row stands for none"))
            continue
        source = original[name].take(rows)
        for column, rule in relation.schema.items():
            if rule.role == "identifier" or column not in made.column_names:
                continue
            true = (
                _covers(made.column(column), source.column(column), rule)
                if rule.role == "quasi"
                else _equal(made.column(column), source.column(column), withheld=rule.role == "sensitive")
            )
            if not true:
                findings.append(_finding(name, f"'{column}' says something that is not so"))
        if relation.parent is not None and not _same_parents(name, published, original, input_row, schema):
            findings.append(_finding(name, f"a row hangs on another row of '{relation.parent}' than it did"))
        findings += [
            _finding(name, f"'{link.columns[0]}' leads to another row of '{link.table}' than it did")
            for link in relation.links
            if not _same_targets(name, link, published, original, input_row, schema)
        ]
    return findings


def _finding(table: str, what: str) -> Finding:
    return Finding("not-true", f"Table '{table}': {what}.", fix="this is a defect in amongst: please report it")


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _equal(made: pa.ChunkedArray, source: pa.ChunkedArray, *, withheld: bool) -> bool:
    """Whether all cells are the original ones; a sensitive one may be withheld, which says nothing."""
    made, source = _plain(made), _plain(source)
    if withheld and made.null_count:
        source = source.filter(made.is_valid())
        made = made.drop_null()
    return bool(made.cast(source.type).equals(source))


def _covers(made: pa.ChunkedArray, source: pa.ChunkedArray, rule: Column) -> bool:
    """Whether every label holds the value it stands for; each pair of label and value is looked at once."""
    import pyarrow as pa

    pairs = pa.table({"label": _plain(made), "value": _plain(source)}).group_by(["label", "value"]).aggregate([])
    labels, values = pairs["label"].to_pylist(), pairs["value"].to_pylist()
    cover = Cover(rule)
    cover.learn([value for value in dict.fromkeys(values) if value is not None])
    return all(cover.holds(label, value) for label, value in zip(labels, values, strict=True))


def _same_parents(
    name: str,
    published: Mapping[str, pa.Table],
    original: Mapping[str, pa.Table],
    input_row: Mapping[str, np.ndarray],
    schema: DatabaseSchema,
) -> bool:
    import pyarrow.compute as pc

    relation = schema[name]
    parent, key, own = relation.parent or "", str(schema[relation.parent or ""].key), str(relation.foreign_key)
    now = pc.index_in(_plain(published[name][own]), value_set=_plain(published[parent][key]).combine_chunks())
    then = pc.index_in(_plain(original[name][own]), value_set=_plain(original[parent][key]).combine_chunks())
    if now.null_count or len(now) == 0:
        return len(now) == 0
    through = np.asarray(input_row[parent])[now.to_numpy()]
    return bool((then.to_numpy()[np.asarray(input_row[name])] == through).all())


def _same_targets(
    name: str,
    link: Link,
    published: Mapping[str, pa.Table],
    original: Mapping[str, pa.Table],
    input_row: Mapping[str, np.ndarray],
    schema: DatabaseSchema,
) -> bool:
    """Whether every reference that is not missing leads where it led."""
    import pyarrow.compute as pc

    (own,), key = link.columns, str(schema[link.table].key)
    made, source = _plain(published[name][own]), _plain(original[name][own])
    now = pc.index_in(made, value_set=_plain(published[link.table][key]).combine_chunks(), skip_nulls=True)
    then = pc.index_in(source, value_set=_plain(original[link.table][key]).combine_chunks(), skip_nulls=True)
    there = made.is_valid().to_numpy()
    if not there.any():
        return True
    if now.filter(made.is_valid()).null_count:
        return False
    through = np.asarray(input_row[link.table])[now.filter(made.is_valid()).to_numpy()]
    was = then.fill_null(-1).to_numpy()[np.asarray(input_row[name])][there]
    return bool((was == through).all())
