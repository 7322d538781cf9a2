"""Which values of a population a published label can stand for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.errors import BadHierarchy
from amongst.published.distinct_labels import Labels
from amongst.published.exact_numbers import beyond_floats
from amongst.published.known import Known
from amongst.published.readings import Reading
from amongst.published.sensitive_values import own_values
from amongst.published.tally import Distinct
from amongst.schema.column import Column


def contained(reading: Reading, described: Column, people: Distinct) -> tuple[np.ndarray, np.ndarray]:
    """The label of every distinct row, and whether every label fits every value: labels down, values across.

    A label fits a value when it is that value, a range, set, mask or node around it, or ``*``; two bounds are one
    label. A missing label fits missing values, and everything where the rule for nulls says so; missing bounds say
    nothing and fit everything. A missing value fits nothing else but ``*``.
    """
    texts = people.values.cast(pa.string())
    reading, places = _on_one_line(reading, texts)
    if reading.key.form == "bounds":
        return _bounds(reading, places)
    return reading.columns[0].codes, _labels(reading, described, people, texts, places)


def _on_one_line(reading: Reading, texts: pa.Array) -> tuple[Reading, np.ndarray]:
    """The labels, and where the values lie among them: by their ranks where floats would take some for equal."""
    places = _places(reading.known, texts)
    if np.isnan(places).all() or not any(map(beyond_floats, [texts, *reading.texts])):
        return reading, places
    known = replace(reading.known, nodes=None, listed=False)
    people = [known.read_one(text) for text in texts.to_pylist()]
    shown = [[reading.known.read_one(text) for text in part.to_pylist()] for part in reading.texts]
    numbers: set[Any] = {
        end for label in [*people, *(label for part in shown for label in part)] for end in (label.lo, label.hi)
    }
    rank: dict[Any, float] = {number: i for i, number in enumerate(sorted(numbers - {None}))} | {None: np.nan}
    labels = [
        replace(
            old,
            lo=np.array([rank[label.lo] for label in part], dtype=np.float64),
            hi=np.array([rank[label.hi] for label in part], dtype=np.float64),
        )
        for old, part in zip(reading.labels, shown, strict=True)
    ]
    places = np.array([rank[one.lo] if one.kind == "value" else np.nan for one in people], dtype=np.float64)
    return replace(reading, labels=labels, rank=rank), places


def _places(known: Known, texts: pa.Array) -> np.ndarray:
    """Where the values lie on the line or in the order; NaN where they do not."""
    if known.kind not in ("numeric", "date") and known.order is None and known.kind is not None:
        return np.full(len(texts), np.nan)
    labels = replace(known, nodes=None, listed=False).read(texts)
    return np.where(labels.are("value"), labels.lo, np.nan)


def _bounds(reading: Reading, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = reading.columns[0], reading.columns[-1]
    pairs, label_of_row = np.unique(low.codes * high.n_codes + high.codes, return_inverse=True)
    lowest, highest = pairs // high.n_codes, pairs % high.n_codes
    fits = reading.labels[0].lo[lowest, None] <= places
    fits &= places <= reading.labels[-1].lo[highest, None]
    unbounded = reading.labels[0].are("null")[lowest] & reading.labels[-1].are("null")[highest]
    return label_of_row.reshape(-1), fits | unbounded[:, None]


def _labels(reading: Reading, described: Column, people: Distinct, texts: pa.Array, places: np.ndarray) -> np.ndarray:
    labels, shown, missing = reading.labels[0], reading.texts[0], people.null_like
    fits = np.zeros((len(shown), len(texts)), dtype=bool)
    ranged = np.flatnonzero(labels.are("range") | (labels.are("value") & ~np.isnan(labels.lo)))
    lo, hi = labels.lo[ranged, None], labels.hi[ranged, None]
    after = np.where(labels.lo_closed[ranged, None], lo <= places, lo < places)
    fits[ranged] = after & np.where(labels.hi_closed[ranged, None], places <= hi, places < hi)
    _fill_same(fits, shown, texts)
    _fill_members(fits, labels, shown, texts, reading, places)
    _fill_nodes(fits, labels, shown, described, people, texts)
    fits[:, missing] = False
    fits[labels.are("null")] = missing if reading.key.nulls != "match anything" else True
    fits[labels.are("all")] = True
    return fits


def _fill_same(fits: np.ndarray, shown: pa.Array, texts: pa.Array) -> None:
    """A text fits itself, whatever else it may say."""
    place = pc.index_in(shown, texts).fill_null(-1).to_numpy(zero_copy_only=False)
    same = np.flatnonzero(place >= 0)
    fits[same, place[same]] = True


def _fill_members(
    fits: np.ndarray, labels: Labels, shown: pa.Array, texts: pa.Array, reading: Reading, places: np.ndarray
) -> None:
    """Sets fit their members; masks fit what begins, or ends, as they do."""
    for i in np.flatnonzero(labels.are("set")).tolist():
        members = pa.array(labels.members[i], pa.string())
        inside = pc.is_in(texts, members).to_numpy(zero_copy_only=False)
        if reading.known.kind in ("numeric", "date"):
            inside = inside | np.isin(places, _places_of_members(reading, members))
        fits[i] |= inside
    for i in np.flatnonzero(labels.are("mask")).tolist():
        fits[i] |= _masked(shown[i].as_py(), labels.members[i][0], texts)


def _places_of_members(reading: Reading, members: pa.Array) -> np.ndarray:
    if reading.rank is None:
        return _places(reading.known, members)
    exact = [replace(reading.known, nodes=None, listed=False).read_one(text).lo for text in members.to_pylist()]
    return np.array([reading.rank.get(number, np.nan) for number in exact], dtype=np.float64)


def _masked(mask: str, part: str, texts: pa.Array) -> np.ndarray:
    match = pc.ends_with if mask.startswith("*") else pc.starts_with
    inside = match(texts, part).fill_null(False).to_numpy(zero_copy_only=False)
    n_hidden = len(mask) - len(part)
    if n_hidden > 1:  # a star a character; a single one may stand for any number of them
        inside = inside & (pc.utf8_length(texts).fill_null(0).to_numpy(zero_copy_only=False) == len(mask))
    return inside


def _fill_nodes(
    fits: np.ndarray, labels: Labels, shown: pa.Array, described: Column, people: Distinct, texts: pa.Array
) -> None:
    """A node of the tree fits the leaves below it; the tree is that of the population's values."""
    named = np.flatnonzero(labels.are("node") | labels.are("value")).tolist()
    if described.hierarchy is None or not named:
        return
    there = np.flatnonzero(~people.null_like)
    own = own_values(people.values.take(pa.array(there)), described.kind or "categorical")
    order = described.order if described.order is not None else sorted(set(own))
    try:
        tree = described.hierarchy.tree(list(dict.fromkeys(order)), described.kind)
    except BadHierarchy:
        # The hierarchy knows some of the values only: what it does not know is below no node but the root.
        tree = described.hierarchy.tree([], described.kind)
    code_of_leaf = {str(leaf): code for code, leaf in enumerate(tree.leaves)} | tree.code_of_leaf
    code = np.array([code_of_leaf.get(value, code_of_leaf.get(str(value), -1)) for value in own], dtype=np.int64)
    ends: dict[str, tuple[int, int]] = {}
    for level, nodes in enumerate(tree.labels):  # the highest node of a name counts
        ends |= {label: (first, int(tree.end[level, first])) for first, label in nodes.items()}
    for i in named:
        label = shown[i].as_py()
        first, last = ends.get(label, (0, -1))
        fits[i, there] |= (code >= first) & (code <= last)
        known = label.strip("*")
        if label not in ends and known != label:  # codes of another length than the population's
            fits[i] |= _masked(label, known, texts)
