"""What looks as if it should not be published, whatever the schema says: names, contact data, text all its own."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.schema.arrow_kind import is_text, value_type
from amongst.schema.profile import Profile, profile
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

READ_AHEAD = 1 << 18
"""Bytes of a column that are read at a time: a whole one would be as large as a row group."""
HEAD = 1 << 16
AS_ROLE = {
    "quasi": "a quasi-identifier",
    "sensitive": "a sensitive column",
    "keep": "a kept column",
    "weight": "a sampling weight",
    "household": "the number of a household",
}


class PublishedDoubt(UserWarning):
    """A release publishes what looks like names of people, contact data or text that is nobody else's."""


def doubts(table: pa.Table, schema: Schema, *, counted: bool = False) -> tuple[str, ...]:
    """A sentence for every published column that looks as if it names people. Column names and words, never cells.

    That a model holds says nothing about it: k people of a group may all be named in it. ``counted`` rows stand for
    several people each, so that how many values differ is not known.

    Examples
    --------
    >>> import amongst as am
    >>> import pyarrow as pa
    >>> from amongst.schema.doubts import doubts
    >>> table = pa.table({"who": ["Anna", "Peter", "Maria", "Paul"], "age": [1, 2, 3, 4]})
    >>> doubts(table, am.Schema({"who": "quasi", "age": "quasi"}))
    ("'who' looks like names of people, and is published as a quasi-identifier: make it an identifier to drop it",)
    """
    found = []
    for name in schema.published:
        if name in table.column_names and is_text(value_type(table.column(name))):
            looks = _looks(profile(name, table.column(name)), counted)
            if looks is not None:
                role = AS_ROLE[schema[name].role or "keep"]
                found.append(f"'{name}' {looks}, and is published as {role}: make it an identifier to drop it")
    return tuple(found)


def doubts_of_release(release: Any, data: Path | None = None) -> tuple[str, ...]:
    """The doubts about a release: of its source where that is in memory, else of what was counted of it, and of the
    first rows of its data file."""
    head = None if data is None or release.store.in_memory else _head(data)
    if head is None:
        known: tuple[str, ...] = release.doubts
        return known
    table, schema = release.source.table, release.schema
    unseen = [name for name in schema.published if name in table.column_names and name not in head.column_names]
    of_unseen = doubts(table, Schema({name: schema[name] for name in unseen}), counted=True)
    return (*of_unseen, *_of_published(head, schema))


def shown_doubts(release: Any, data: Path | None = None) -> tuple[str, ...]:
    """The doubts that the published table alone gives: who was left out shows in none of them."""
    if not release.store.in_memory:
        head = None if data is None else _head(data)
        return () if head is None else _of_published(head, release.schema)
    store, plan = release.store, release.plan
    tables = (store.shown(plan), store.second(plan)) if release.is_pair else (store.shown(plan),)
    return tuple(doubt for table in tables for doubt in _of_published(table, release.schema))


def _of_published(table: pa.Table, schema: Schema) -> tuple[str, ...]:
    """The doubts about published columns, and about the values that stand in labels."""
    shown = [name for name in schema.published if name in table.column_names]
    plain = [name for name in shown if schema[name].role != "quasi"]
    texts = [name for name in shown if name not in plain and schema[name].kind not in ("numeric", "date")]
    of_quasi = [doubts(_members(table, name), Schema({name: schema[name]}), counted=True) for name in texts]
    return (
        *(doubt for found in of_quasi for doubt in found),
        *doubts(table, Schema({name: schema[name] for name in plain})),
    )


def _members(head: pa.Table, name: str) -> pa.Table:
    """The values that stand in the published labels of a column: ``{a,b}`` and ``a`` alike."""
    import pyarrow as pa
    import pyarrow.compute as pc

    labels = head.column(name)
    if pa.types.is_dictionary(labels.type):
        labels = labels.cast(labels.type.value_type)
    if not pa.types.is_string(labels.type):
        return pa.table({})
    members = pc.list_flatten(pc.split_pattern_regex(pc.unique(labels), r"[{}\"]*,?[{}\"]+|,"))
    return pa.table({name: members.filter(pc.not_equal(members, ""))})


def _head(data: Path) -> pa.Table | None:
    """The first rows of a data file."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    if data.suffix == ".parquet":
        with pq.ParquetFile(data, buffer_size=READ_AHEAD, pre_buffer=False) as file:
            batch = next(file.iter_batches(HEAD, use_threads=False), None)
        return None if batch is None else pa.Table.from_batches([batch])
    if data.suffix == ".csv":
        beside = data.with_name(f"{data.name}-metadata.json")  # where its shape is not the usual one
        told = json.loads(beside.read_text("utf-8"))["dialect"] if beside.is_file() else {}
        reading = csv.ReadOptions(encoding=told.get("encoding", "utf-8"))
        if not told.get("header", True):
            return None
        parsing = csv.ParseOptions(newlines_in_values=True, delimiter=told.get("delimiter", ","))
        with csv.open_csv(data, read_options=reading, parse_options=parsing) as reader:
            return pa.Table.from_batches([reader.read_next_batch()])
    return None


def warn_of(found: tuple[str, ...]) -> None:
    """Warn a user of Python, once for every column."""
    for doubt in found:
        warnings.warn(doubt, PublishedDoubt, stacklevel=3)


def _looks(about: Profile, counted: bool) -> str | None:
    if about.by_value is not None and about.by_value.role == "identifier":
        return f"looks like {about.by_value.subject}"
    code = about.by_value is None or about.by_value.role == "sensitive"
    if code and about.nearly_all_different and not counted:
        return "has a different text in nearly every row"
    return None
