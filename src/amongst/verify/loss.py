"""Loss as the published labels show it: a second opinion on the figures of the search's own measure.

Numbers, dates and ordered values: the width of the range over the width of everything published in the
column. Nodes of a listed hierarchy: leaves below the node over all leaves, 0 for a leaf. Sets: members
over the distinct values that the column's labels name, 0 for one. ``*`` counts 1, a null 0.
It may differ from a measure that knows the original table: suppressed rows are not here to be counted,
and the width of what is published is not the width of what there was when bounds lie on a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.schema.schema import Schema
from amongst.verify.check_labels import known_of_key, texts_of
from amongst.verify.classes import Classes, classes_of
from amongst.verify.distinct_labels import Labels
from amongst.verify.known import Calendar, Known, known_labels
from amongst.verify.layout import Key, Layout, lay_out
from amongst.verify.open_published import open_published


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
    return loss_of_columns(layout, classes_of(source, layout))


def loss_of_columns(layout: Layout, classes: Classes) -> dict[str, float | None]:
    """The mean loss of every quasi-identifier; one that cannot be measured has None."""
    losses: dict[str, float | None] = dict.fromkeys(layout.schema.quasi)
    rows = classes.tally
    for key in layout.keys:
        if key.form == "statistic" or losses[key.quasi] is not None or not rows.n_rows:
            continue
        known = known_of_key(key, known_labels(layout.schema[key.quasi]), classes)
        penalty = _of_bounds(key, known, classes) if key.form == "bounds" else _of_labels(key, known, classes)
        if penalty is not None and not np.isnan(penalty).any():
            losses[key.quasi] = float(penalty @ rows.size / rows.n_rows)
    return losses


def _of_bounds(key: Key, known: Known, classes: Classes) -> np.ndarray | None:
    if len(key.leaves) != 2:
        return None
    columns = [classes.tally.columns[leaf] for leaf in key.leaves]
    lo, hi = (known.read(texts_of(column)).lo[column.codes] for column in columns)
    gone = columns[0].null_like[columns[0].codes]
    return np.where(gone, 0.0, _width(lo, hi))


def _of_labels(key: Key, known: Known, classes: Classes) -> np.ndarray | None:
    column = classes.tally.columns[key.leaves[0]]
    texts = texts_of(column)
    labels = known.read(texts)
    on_line = labels.are("value") | labels.are("range")
    penalty = np.full(len(texts), np.nan)
    if isinstance(known.nodes, Calendar):
        _place_calendar(labels, texts, known.nodes)
        on_line |= labels.are("node")
    if known.kind in ("numeric", "date") or known.order is not None:
        span = None if known.order is None else (0.0, float(len(known.order) - 1))
        penalty[on_line] = _width(labels.lo, labels.hi, span)[on_line]
    elif not known.listed:
        penalty[labels.are("value")] = 0.0
    if known.listed and isinstance(known.nodes, dict):
        n_leaves = max(known.nodes.values())
        for i in np.flatnonzero(labels.are("node")).tolist():
            below = known.nodes[texts[i].as_py()]
            penalty[i] = below / n_leaves if below > 1 else 0.0
    _fill_sets(penalty, labels, texts)
    penalty[labels.are("all")] = 1.0
    penalty[labels.are("null")] = 0.0
    return penalty[column.codes]


def _place_calendar(labels: Labels, texts: pa.Array, calendar: Calendar) -> None:
    for i in np.flatnonzero(labels.are("node")).tolist():
        days = calendar.days(texts[i].as_py())
        assert days is not None
        labels.lo[i], labels.hi[i] = days


def _fill_sets(penalty: np.ndarray, labels: Labels, texts: pa.Array) -> None:
    sets = np.flatnonzero(labels.are("set")).tolist()
    if not sets:
        return
    named = {member for i in sets for member in labels.members[i]}
    named.update(texts.filter(pa.array(labels.are("value"))).to_pylist())
    for i in sets:
        penalty[i] = len(set(labels.members[i])) / len(named)


def _width(lo: np.ndarray, hi: np.ndarray, span: tuple[float, float] | None = None) -> np.ndarray:
    """The widths of ranges over that of everything; a range without an end has no width."""
    ends = np.concatenate([lo, hi])
    ends = ends[np.isfinite(ends)]
    if not len(ends):
        return np.zeros(len(lo))
    first, last = span or (ends.min(), ends.max())
    with np.errstate(invalid="ignore"):
        width = hi - lo
    return np.where(np.isfinite(width), width / (last - first) if last > first else 0.0, np.nan)
