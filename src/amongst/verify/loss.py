"""Loss as the published labels show it: a second opinion on the figures of the search's own measure.

Numbers, dates and ordered values: the width of the range over the width of everything published in the
column. Nodes of a listed hierarchy: leaves below the node over all leaves, or what its weight makes of it,
0 for a leaf. Sets: members over the distinct values that the column's labels name, 0 for one. ``*`` counts 1, a null 0.
It may differ from a measure that knows the original table: suppressed rows are not here to be counted,
and the width of what is published is not the width of what there was when bounds lie on a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.published.classes import classes_of
from amongst.published.distinct_labels import Labels
from amongst.published.known import Calendar, Known
from amongst.published.layout import Layout, lay_out
from amongst.published.open_published import open_published
from amongst.published.readings import Reading, read_labels
from amongst.schema.schema import Schema


def published_loss(published: Any, schema: Schema | Sequence[str] | None) -> dict[str, float | None]:
    """The mean loss of every quasi-identifier, between 0 and 1; None where labels cannot be measured.

    The mean of the figures is what the papers call GCP.

    Examples
    --------
    >>> import amongst as am, pyarrow as pa
    >>> from amongst.verify.loss import published_loss
    >>> schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    >>> published_loss(pa.table({"age": ["[20-25]", "[20-25]", "30"]}), schema)
    {'age': 0.3333333333333333}
    """
    source = open_published(published)
    layout = lay_out(source, schema)
    rows = classes_of(source, layout).tally
    return loss_of_columns(layout, read_labels(layout, rows), rows.size)


def loss_of_columns(layout: Layout, readings: Sequence[Reading], size: np.ndarray) -> dict[str, float | None]:
    """The mean loss of every quasi-identifier; None for one that is not there or cannot be measured."""
    losses: dict[str, float | None] = dict.fromkeys(layout.schema.quasi)
    for reading in readings:
        name, form = reading.key.quasi, reading.key.form
        if form == "statistic" or losses[name] is not None:
            continue
        penalty = _of_bounds(reading) if form == "bounds" else _of_labels(reading)
        if len(size) and not np.isnan(penalty).any():
            losses[name] = float(penalty @ size / size.sum())
    return losses


def _of_bounds(reading: Reading) -> np.ndarray:
    column, last = reading.columns[0], reading.columns[-1]
    width = _width(reading.labels[0].lo[column.codes], reading.labels[-1].lo[last.codes])
    # Without bounds a group may be all nulls, or nulls and values together: only a rule that keeps
    # these apart tells which.
    unbounded = 0.0 if reading.key.nulls == "match anything" else np.nan
    return np.where(column.null_like[column.codes], unbounded, width)


def _of_labels(reading: Reading) -> np.ndarray:
    known, texts, labels = reading.known, reading.texts[0], reading.labels[0]
    penalty = np.full(len(texts), np.nan)
    if known.kind in ("numeric", "date") or known.order is not None:
        penalty = _on_the_line(known, labels, texts)
    elif not known.listed and not known.opaque:
        penalty[labels.are("value")] = 0.0
    if known.listed and isinstance(known.nodes, dict):
        n_leaves = max(known.nodes.values())
        for i in np.flatnonzero(labels.are("node")).tolist():
            below = known.nodes[texts[i].as_py()]
            share = below / n_leaves if known.costs is None else known.costs[texts[i].as_py()]
            penalty[i] = share if below > 1 else 0.0
    _fill_sets(penalty, labels, texts)
    penalty[labels.are("all")] = 1.0
    penalty[labels.are("null")] = 0.0
    return penalty[reading.columns[0].codes]


def _on_the_line(known: Known, labels: Labels, texts: pa.Array) -> np.ndarray:
    lo, hi = labels.lo.copy(), labels.hi.copy()
    if isinstance(known.nodes, Calendar):
        for i in np.flatnonzero(labels.are("node")).tolist():
            lo[i], hi[i] = known.nodes.days(texts[i].as_py()) or (np.nan, np.nan)
    return _width(lo, hi, None if known.order is None else (0.0, float(len(known.order) - 1)))


def _fill_sets(penalty: np.ndarray, labels: Labels, texts: pa.Array) -> None:
    sets = np.flatnonzero(labels.are("set")).tolist()
    if not sets:
        return
    named = {member for i in sets for member in labels.members[i]}
    named.update(texts.filter(pa.array(labels.are("value"))).to_pylist())
    for i in sets:
        n_members = len(set(labels.members[i]))
        penalty[i] = n_members / len(named) if n_members > 1 else 0.0


def _width(lo: np.ndarray, hi: np.ndarray, span: tuple[float, float] | None = None) -> np.ndarray:
    """The widths of ranges over that of everything; a range without an end has no width."""
    ends = np.concatenate([lo, hi])
    ends = ends[np.isfinite(ends)]
    first, last = span or (ends.min(initial=np.inf), ends.max(initial=-np.inf))
    with np.errstate(invalid="ignore", over="ignore"):
        # Halves where the distance of two floats is more than a float holds.
        scale = 1.0 if np.isfinite(last - first) else 0.5
        width, whole = hi * scale - lo * scale, last * scale - first * scale
        share = width / whole if last > first else np.zeros(len(width))
    return np.where(np.isfinite(width), share, np.nan)
