"""A release as an intruder sees it: distinct boxes, how many records lie in each, and what is said of those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.attack.finding import listed
from amongst.attack.made import Made, made_of
from amongst.attack.texts import texts_of
from amongst.errors import BadInput, BadOption
from amongst.published.distinct_labels import Labels
from amongst.published.layout import Leaf, lay_out
from amongst.published.open_published import open_published
from amongst.published.pair_columns import pair_columns
from amongst.published.readings import Reading, read_labels
from amongst.published.source import Source
from amongst.published.spellings import folded
from amongst.published.tally import Distinct, Tally, one_key, tally
from amongst.schema.column import Column
from amongst.schema.schema import Schema

LABEL_ARRAYS = ("kind", "lo", "hi", "lo_closed", "hi_closed", "empty")


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What a release says about one sensitive column, box by box.

    Attributes
    ----------
    values : list of (str or None)
        The values as text, ``None`` for missing.
    box, value : ndarray of int64
        One entry for every value that occurs in a box.
    weight : ndarray of float64
        How many records of the box have it; in two tables as many as the group makes one expect.
    """

    values: list[str | None]
    box: np.ndarray
    value: np.ndarray
    weight: np.ndarray

    @property
    def n_values(self) -> int:
        return len(self.values)

    @cached_property
    def total(self) -> np.ndarray:
        """The records of every value."""
        return np.bincount(self.value, self.weight, self.n_values)


@dataclass(frozen=True, eq=False)
class Items:
    """The distinct records: boxes with the columns that are published as they are.

    Attributes
    ----------
    box, size : ndarray of int64
        The box of every item, and how many records are equal to it.
    values : dict of str to list
        The values of every plain column as text.
    code : dict of str to ndarray of int64
        The number of every item's value.
    """

    box: np.ndarray
    size: np.ndarray
    values: dict[str, list[str | None]]
    code: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Boxes:
    """The distinct boxes of a release.

    Attributes
    ----------
    readings : dict of str to Reading
        What the labels of every column that the intruder knows can mean; their codes are one a box.
    size : ndarray of int64
        The records of every box.
    beliefs : dict of str to Beliefs
    made : Made
        How the release was made, as far as that is known.
    group : ndarray of int64, or None
        In two tables the group of every box.
    """

    readings: dict[str, Reading]
    size: np.ndarray
    beliefs: dict[str, Beliefs]
    items: Items
    made: Made
    group: np.ndarray | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return list(self.readings)

    @property
    def n_boxes(self) -> int:
        return len(self.size)

    @property
    def n_records(self) -> int:
        return int(self.size.sum())

    @property
    def threshold(self) -> int:
        return self.made.threshold

    def with_columns(self, names: Sequence[str]) -> Boxes:
        """The same boxes to somebody who knows some of the columns only; boxes may then be alike."""
        return replace(self, readings={name: self.readings[name] for name in names})

    def take(self, at: np.ndarray) -> Boxes:
        """Some of the boxes, also several times, with their labels and sizes alone."""
        readings = {name: _some(one, at) for name, one in self.readings.items()}
        return replace(self, readings=readings, size=self.size[at], beliefs={}, group=None)


def _some(reading: Reading, at: np.ndarray) -> Reading:
    """The labels of some boxes, and no others."""
    columns, texts, labels = [], [], []
    for column, text, label in zip(reading.columns, reading.texts, reading.labels, strict=True):
        used, codes = np.unique(column.codes[at], return_inverse=True)
        taken = pa.array(used)
        columns.append(Distinct(codes.reshape(-1), column.values.take(taken), column.null_like[used]))
        texts.append(text.take(taken))
        arrays = {name: getattr(label, name)[used] for name in LABEL_ARRAYS}
        members = {i: label.members[j] for i, j in enumerate(used.tolist()) if j in label.members}
        labels.append(Labels(**arrays, members=members))
    return replace(reading, columns=columns, texts=texts, labels=labels)


def open_boxes(
    published: Any,
    schema: Schema | Sequence[str] | None = None,
    known: Sequence[str] | None = None,
    k: int | None = None,
    sensitive: Sequence[str] = (),
    address: str | None = None,
) -> Boxes:
    """Open a release for attacks.

    Parameters
    ----------
    published : path, table or Release
    schema : Schema or names of quasi-identifiers, optional
    known : sequence of str, optional
        The published columns that an intruder may know of people; the quasi-identifiers if left out.
    k : int, optional
        Counts of people below it are not shown; what the release was asked to hold if left out.
    sensitive : sequence of str
        Columns to take as sensitive besides those of the schema.
    address : str, optional
        Of the database, where the release is a table there.
    """
    made = replace(made_of(published, schema, k, address), secret=tuple(sensitive))
    first = open_published(made.first)
    if made.second is not None:
        return _open_pair(first, open_published(made.second), made, known)
    rules = made.schema if made.schema is not None else lay_out(first, made.names).schema
    rules = _known_columns(first, rules, known)
    layout = lay_out(first, rules)
    secret = [name for name in _sensitive(rules, made) if name in layout.others]
    kept = [name for name in layout.others if name in rules and rules[name].role in ("keep", "weight", "household")]
    leaves = [leaf for key in layout.keys if key.form != "statistic" for leaf in key.leaves]
    counted = tally(first, [*leaves, *map(Leaf, [*secret, *kept])])
    box_of_item, rows = _boxes(counted, leaves)
    layout.keys[:] = [key for key in layout.keys if key.form != "statistic"]
    readings = {reading.key.quasi: reading for reading in read_labels(layout, rows)}
    items = _items(counted, box_of_item, [*secret, *kept])
    beliefs = {name: _beliefs(items, name) for name in secret}
    return Boxes(
        readings=readings,
        size=rows.size,
        beliefs=beliefs,
        items=items,
        made=replace(made, schema=rules),
        notes=_notes(made, known),
    )


def _open_pair(first: Source, second: Source, made: Made, known: Sequence[str] | None) -> Boxes:
    """Two tables: the boxes are points, and what is said of them is what their group says."""
    assert made.schema is not None
    columns = pair_columns(first, second, made.schema)
    if columns.link is None or columns.count is None or columns.sensitive not in second.names:
        raise BadInput(
            "The two tables cannot be put together.",
            found="no group number in both, or no sensitive column with its counts",
            fix="check it with amongst verify",
        )
    rules = _known_columns(first, made.schema, known)
    plain = Schema({name: rules[name] for name in rules.quasi})
    layout = lay_out(first, plain)
    leaves = [leaf for key in layout.keys for leaf in key.leaves]
    link, value, count = Leaf(columns.link), Leaf(columns.sensitive), Leaf(columns.count)
    kept = [name for name in first.names if name in rules and rules[name].role in ("keep", "weight")]
    counted = tally(first, [*leaves, link, *map(Leaf, kept)])
    box_of_item, rows = _boxes(counted, [*leaves, link])
    readings = {reading.key.quasi: reading for reading in read_labels(layout, rows)}
    number = {text: i for i, text in enumerate(texts_of(counted.columns[link].values))}
    entries = tally(second, [link, value, count])
    group = _take([number.get(text, -1) for text in texts_of(entries.columns[link].values)], entries.columns[link])
    times = _take([int(text or 0) for text in texts_of(entries.columns[count].values)], entries.columns[count])
    times = times * entries.size
    there = group >= 0
    group_of_box = rows.columns[link].codes
    beliefs = _group_beliefs(
        texts_of(entries.columns[value].values),
        (group[there], entries.columns[value].codes[there], times[there].astype(np.float64)),
        group_of_box,
        rows.size,
    )
    made = replace(made, schema=rules)
    items = _items(counted, box_of_item, kept)
    return Boxes(
        readings=readings,
        size=rows.size,
        beliefs={columns.sensitive: beliefs},
        items=items,
        made=made,
        group=group_of_box,
        notes=_notes(made, known),
    )


def _group_beliefs(
    values: list[str | None],
    entries: tuple[np.ndarray, np.ndarray, np.ndarray],
    group_of_box: np.ndarray,
    size: np.ndarray,
) -> Beliefs:
    """Every value of a group for every box of it, by its share in the group."""
    values, number = one_spelling(values)
    group, value, count = entries
    n = max(len(values), 1)
    distinct, entry = np.unique(group * n + number[value], return_inverse=True)
    group, value, count = distinct // n, distinct % n, np.bincount(entry.reshape(-1), count, len(distinct))
    order = np.argsort(group, kind="stable")
    group, value, count = group[order], value[order], count[order]
    n_groups = max(int(group.max(initial=-1)), int(group_of_box.max(initial=-1))) + 1
    n_entries = np.bincount(group, minlength=n_groups)
    total = np.bincount(group, count, n_groups)
    first = np.cumsum(n_entries) - n_entries
    times = n_entries[group_of_box]
    box = np.repeat(np.arange(len(size)), times)
    at = first[group_of_box[box]] + np.arange(len(box)) - np.repeat(np.cumsum(times) - times, times)
    weight = size[box] * count[at] / np.maximum(total[group_of_box[box]], 1)
    return Beliefs(values, box, value[at], weight)


def _boxes(items: Tally, leaves: Sequence[Leaf]) -> tuple[np.ndarray, Tally]:
    """The box of every item, and the boxes as rows of their own."""
    key = one_key([items.columns[leaf].codes for leaf in leaves], len(items.size))
    _, first, box_of_item = np.unique(key, return_index=True, return_inverse=True)
    box_of_item = box_of_item.reshape(-1)
    size = np.bincount(box_of_item, items.size, len(first)).astype(np.int64)
    columns = {}
    for leaf in leaves:
        column = items.columns[leaf]
        columns[leaf] = Distinct(column.codes[first], column.values, column.null_like, column.n_unused)
    return box_of_item, Tally(columns, size)


def _items(counted: Tally, box_of_item: np.ndarray, names: Sequence[str]) -> Items:
    values: dict[str, list[str | None]] = {}
    code: dict[str, np.ndarray] = {}
    for name in names:
        column = counted.columns[Leaf(name)]
        texts = texts_of(column.values, column.null_like)
        values[name] = list(dict.fromkeys(texts))
        number = {text: i for i, text in enumerate(values[name])}
        code[name] = _take([number[text] for text in texts], column)
    return Items(box_of_item, counted.size, values, code)


def _beliefs(items: Items, name: str) -> Beliefs:
    values, number = one_spelling(items.values[name])
    return beliefs_of(items, number[items.code[name]], values)


def one_spelling(texts: Sequence[str | None]) -> tuple[list[str | None], np.ndarray]:
    """Values of which none is another spelling of one before, and the number of every text among them."""
    number: dict[str | None, int] = {}
    values: list[str | None] = []
    codes = []
    for text in texts:
        key = None if text is None else folded(text)
        if key not in number:
            number[key] = len(values)
            values.append(text)
        codes.append(number[key])
    return values, np.array(codes, dtype=np.int64)


def beliefs_of(items: Items, code: np.ndarray, values: list[Any]) -> Beliefs:
    """What the boxes say about a column, from the code of every item."""
    n = max(len(values), 1)
    distinct, entry = np.unique(items.box * n + code, return_inverse=True)
    weight = np.bincount(entry.reshape(-1), items.size, len(distinct))
    return Beliefs(values, distinct // n, distinct % n, weight)


def _take(of_code: Sequence[int], column: Distinct) -> np.ndarray:
    return np.array(of_code, dtype=np.int64)[column.codes]


def _known_columns(source: Source, rules: Schema, known: Sequence[str] | None) -> Schema:
    """The schema with the columns that the intruder knows as quasi-identifiers, and no others."""
    if known is None:
        there = [name for name in rules.quasi if _is_there(source, name)]
        return rules if there == rules.quasi else _roles(rules, there)
    gone = [name for name in known if not _is_there(source, name)]
    if gone or not known:
        raise BadOption(
            "An intruder can only compare columns that are published.",
            found="not in the release: " + ", ".join(f"'{name}'" for name in gone) if gone else "no column",
            fix="name columns of the release",
        )
    return _roles(rules, known)


def _roles(rules: Schema, known: Sequence[str]) -> Schema:
    changed = {name: replace(rules[name] if name in rules else Column(), role="quasi") for name in known}
    left = {name: replace(rule, role="keep", nulls=None) for name, rule in rules.items() if rule.role == "quasi"}
    return Schema({**rules, **left, **changed})


def _is_there(source: Source, name: str) -> bool:
    return name in source.names or {f"{name}_lower", f"{name}_upper"} <= set(source.names)


def _sensitive(rules: Schema, made: Made) -> list[str]:
    return [name for name in dict.fromkeys([*rules.sensitive, *made.secret]) if name not in rules.quasi]


def _notes(made: Made, known: Sequence[str] | None) -> list[str]:
    loose = [name for name in (known or (made.schema.quasi if made.schema is not None else ())) if name in made.closed]
    if not loose:
        return []
    return [
        f"The hierarchy of {listed(loose)} is not known here, so the intruder cannot rule anybody out by its "
        "nodes: with the schema the attacks are sharper."
    ]


def values_of(table: pa.Table, name: str) -> Distinct:
    """A column of a plain table: its distinct values, and the code of every row."""
    column = table.column(name)
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    column = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    encoded = column.dictionary_encode(null_encoding="encode")
    values = encoded.dictionary
    missing = values.is_null().to_numpy(zero_copy_only=False)
    if pa.types.is_floating(values.type):
        missing = values.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
    return Distinct(encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), values, missing)
