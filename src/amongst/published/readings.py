"""The published labels of every key, read once in the light of the schema."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.distinct_labels import Labels
from amongst.published.known import Known, known_labels
from amongst.published.layout import Key, Layout
from amongst.published.tally import Distinct, Tally


@dataclass(frozen=True, eq=False)
class Reading:
    """What the labels of one key say.

    Attributes
    ----------
    key : Key
    known : Known
        What the schema knows about them.
    columns : list of Distinct
        One a leaf; their codes are places in ``texts`` and ``labels``.
    texts : list of pyarrow.Array
    labels : list of Labels
    rank : dict, optional
        The rank of every exact number, where the places of the labels are ranks.
    """

    key: Key
    known: Known
    columns: list[Distinct]
    texts: list[pa.Array]
    labels: list[Labels]
    rank: dict[Any, float] | None = None


def read_labels(layout: Layout, rows: Tally) -> list[Reading]:
    """Read the labels of every key."""
    readings = []
    for key in layout.keys:
        columns = [rows.columns[leaf] for leaf in key.leaves]
        known = _for_key(key, known_labels(layout.schema[key.quasi]), columns[0].values.type)
        texts = [_texts(column) for column in columns]
        readings.append(Reading(key, known, columns, texts, [known.read(text) for text in texts]))
    return readings


def _for_key(key: Key, known: Known, of: pa.DataType) -> Known:
    """Statistics are numbers. Bounds are single values; without a kind their type says which."""
    if key.form == "statistic":
        return Known("numeric")
    if key.form == "bounds":
        numbers = pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of)
        typed = "numeric" if numbers else "date" if pa.types.is_temporal(of) else None
        return replace(known, kind=known.kind or typed, nodes=None, listed=False)
    return known


def _texts(column: Distinct) -> pa.Array:
    """The value of every code as the text a reader sees; null where a cell is missing or not a number."""
    texts = column.values.cast(pa.string())
    return pc.if_else(pa.array(column.null_like), None, texts) if column.null_like.any() else texts
