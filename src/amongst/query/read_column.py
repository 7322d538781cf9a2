"""What the labels of one column can mean, whichever form they are published in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.errors import BadHierarchy
from amongst.published.known import Digits, Known, known_labels
from amongst.published.tally import Distinct
from amongst.query.cells import Cells
from amongst.query.nulls import Nulls, nulls_of
from amongst.query.question import Condition, Literal
from amongst.query.read_line import (
    Intervals,
    LineColumn,
    Nodes,
    are_whole,
    intervals_of_texts,
    line_labels,
    places_of_values,
)
from amongst.query.read_names import loose_column, name_column
from amongst.schema.column import Column
from amongst.schema.tree import Tree

PLAIN_NUMBER = r"^-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
PLAIN_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?)?$"


class Asked(Protocol):
    """A column that conditions can be put to.

    Attributes
    ----------
    n_labels : int
        The last label stands for rows that are not in the release.
    sort : {"number", "date", "order", "name"}
        What its values are.
    loose : bool
        Its hierarchy is not known here.
    whole : bool
        Nothing but whole numbers can be behind it.
    """

    @property
    def name(self) -> str: ...

    @property
    def n_labels(self) -> int: ...

    @property
    def sort(self) -> str: ...

    @property
    def loose(self) -> bool: ...

    @property
    def whole(self) -> bool: ...

    def cells(self, conditions: Sequence[Condition]) -> Cells: ...

    def said(self, place: float) -> Literal:
        """The value at a place on the line."""

    def values(self) -> list[Literal] | None:
        """The values that its labels can stand for, in order; None where there are too many to list."""


def read_published(
    name: str, rule: Column, leaves: Sequence[Distinct], size: np.ndarray, *, closed: bool, foreign: bool
) -> Asked:
    """A quasi-identifier, from the label or the bounds of every number.

    Parameters
    ----------
    rule : Column
        What is known of it.
    leaves : sequence of Distinct
        One for labels, two for bounds; the code of every label.
    size : ndarray of int64
        The rows of every label.
    closed : bool
        Its hierarchy or order is not known.
    foreign : bool
        Nobody tells how it was made.
    """
    if len(leaves) > 1:
        return _bounds(name, rule, leaves, size, foreign)
    texts = _texts(leaves[0])
    known, tree = _known(rule)
    nulls = _nulls_of_labels(texts, rule, size, foreign)
    if known.kind is None and rule.hierarchy is None:
        read = replace(known, kind="numeric").read(pa.array(texts, pa.string()))
        if (~np.isnan(read.lo) | read.are("all") | read.are("null")).all():
            known = replace(known, kind="numeric")
    untold = closed and rule.hierarchy is None and rule.order is None
    if isinstance(known.nodes, Digits) or known.order is not None or known.kind in ("numeric", "date"):
        # Names of nodes that only look like ranges are not trusted, unless ranges are what is published.
        trusted = not untold or foreign or rule.publish == "range"
        return _line(name, known, tree=tree, texts=texts, nulls=nulls, trusted=trusted, foreign=foreign)
    if untold or known.opaque or known.kind != "categorical":
        return loose_column(name, texts, nulls, size)
    if known.listed and tree is not None:
        return name_column(name, texts, nulls, tree)
    recipe = {} if rule.hierarchy is None else rule.hierarchy.to_dict()
    if rule.hierarchy is None or "flat" in recipe or "prefix" in recipe:
        return name_column(name, texts, nulls, None)
    return loose_column(name, texts, nulls, size)


def read_plain(
    name: str, rule: Column, leaf: Distinct, size: np.ndarray, stored: pa.DataType, *, is_text_file: bool
) -> Asked:
    """A column that is published as it is; its hierarchy, where there is one, names sets of values."""
    sure = np.append(leaf.null_like, False)
    nulls = nulls_of(sure, np.append(np.zeros(leaf.n_codes, dtype=bool), True), np.append(size, 0))
    known, tree = _known(rule)
    if known.order is not None:
        return _line(name, known, tree, _texts(leaf), nulls, trusted=True, foreign=False)
    kind, places = _places(leaf, stored, is_text_file)
    if kind is None or rule.kind == "categorical":
        if isinstance(known.nodes, Digits):
            return _line(name, known, tree, _texts(leaf), nulls, trusted=True, foreign=False)
        return name_column(name, _texts(leaf), nulls, tree, plain_values=True)
    there = np.flatnonzero(~np.isnan(places))
    nodes = Nodes(replace(known, kind=kind), tree)
    return LineColumn(name, line_labels(Intervals(there, places[there], places[there]), nulls, False, False), nodes)


def _line(
    name: str, known: Known, tree: Tree | None, texts: list[str | None], nulls: Nulls, trusted: bool, foreign: bool
) -> Asked:
    nodes = Nodes(known, tree)
    if trusted:
        intervals = intervals_of_texts(texts, nodes)
    else:
        values = [text if text is not None and _is_value(text, known) else text and "*" for text in texts]
        intervals = intervals_of_texts(values, nodes)
    digits = isinstance(known.nodes, Digits)
    counts = known.order is not None or digits or are_whole(texts, known.kind)
    whole = known.order is not None or digits or (counts and not foreign)
    return LineColumn(name, line_labels(intervals, nulls, counts, whole, nodes.limits()), nodes)


def _is_value(text: str, known: Known) -> bool:
    label = known.read(pa.array([text], pa.string()))
    return bool(label.are("value")[0])


def _bounds(name: str, rule: Column, leaves: Sequence[Distinct], size: np.ndarray, foreign: bool) -> Asked:
    """Two columns with the ends. Two nulls are a group of nulls, or of nulls and values together."""
    known, tree = _known(rule)
    stored = leaves[0].values.type
    whole = pa.types.is_integer(stored) or pa.types.is_date32(stored)
    if known.order is not None or not (_is_number(stored) or pa.types.is_temporal(stored)):
        texts = [_texts(leaf) for leaf in leaves]
        kind = known.kind or ("numeric" if _fits(texts, PLAIN_NUMBER) else "date" if _fits(texts, PLAIN_DATE) else None)
        known = replace(known, kind=kind)
        ends = [_ends(one, Nodes(known)) for one in texts]
        whole = known.order is not None
        counts = whole or all(are_whole(one, kind) for one in texts)
    else:
        known = replace(known, kind="date" if pa.types.is_temporal(stored) else "numeric")
        ends = [places_of_values(leaf.values)[leaf.codes] for leaf in leaves]
        ends = [np.where(leaf.null_like[leaf.codes], np.nan, end) for leaf, end in zip(leaves, ends, strict=True)]
        counts = whole
    null = np.isnan(ends[0]) | np.isnan(ends[1])
    there = np.flatnonzero(~null)
    sure = null & (rule.nulls == "match anything") & (not foreign)
    mixed = np.flatnonzero(null & ~sure)
    owner = np.concatenate([there, mixed])
    lo = np.concatenate([ends[0][there], np.full(len(mixed), -np.inf)])
    hi = np.concatenate([ends[1][there], np.full(len(mixed), np.inf)])
    maybe = np.append(null & ~sure, True)
    nulls = nulls_of(np.append(sure, False), maybe, np.append(size, 0))
    nodes = Nodes(known, tree)
    return LineColumn(name, line_labels(Intervals(owner, lo, hi), nulls, counts, whole, nodes.limits()), nodes)


def _ends(texts: Sequence[str | None], nodes: Nodes) -> np.ndarray:
    found = [None if text is None else nodes.interval(text) for text in texts]
    return np.array([np.nan if one is None else one[0] for one in found], dtype=np.float64)


def _nulls_of_labels(texts: Sequence[str | None], rule: Column, size: np.ndarray, foreign: bool) -> Nulls:
    """A label is null for sure where it is missing; ``*`` may hide nulls where they are a value of their own."""
    sure = np.array([text is None for text in texts] + [False], dtype=bool)
    hides = rule.nulls == "own value" or (foreign and rule.nulls is None)
    stars = [hides and text is not None and text != "" and not text.strip("*") for text in texts]
    return nulls_of(sure, np.array([*stars, True], dtype=bool), np.append(size, 0))


def _known(rule: Column) -> tuple[Known, Tree | None]:
    known = known_labels(rule)
    if rule.hierarchy is None or not known.listed or isinstance(known.nodes, Digits):
        return known, None
    try:
        return known, rule.hierarchy.tree(list(rule.order or ()), rule.kind)
    except BadHierarchy:
        return replace(known, listed=False), None


def _places(leaf: Distinct, stored: pa.DataType, is_text_file: bool) -> tuple[str | None, np.ndarray]:
    """The kind of a column of plain values, and the place of every value on the line."""
    values = leaf.values
    if _is_number(stored) and not pa.types.is_decimal(stored):
        return "numeric", np.where(leaf.null_like, np.nan, places_of_values(values))
    if pa.types.is_timestamp(stored) or pa.types.is_date(stored):
        return "date", np.where(leaf.null_like, np.nan, places_of_values(values))
    texts = _texts(leaf)
    if pa.types.is_decimal(stored) or (is_text_file and _fits([texts], PLAIN_NUMBER)):
        return "numeric", np.array([np.nan if text is None else float(text) for text in texts])
    if is_text_file and _fits([texts], PLAIN_DATE):
        return "date", _ends(texts, Nodes(Known("date")))
    return None, np.zeros(0)


def _fits(texts: Sequence[Sequence[str | None]], pattern: str) -> bool:
    there = pa.array([text for one in texts for text in one if text is not None], pa.string())
    return len(there) > 0 and bool(pc.all(pc.match_substring_regex(there, pattern)).as_py())


def _is_number(of: pa.DataType) -> bool:
    return pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of)


def _texts(leaf: Distinct) -> list[str | None]:
    """The text of every label, in the order of their numbers."""
    texts = leaf.values.cast(pa.string())
    texts = pc.if_else(pa.array(leaf.null_like), None, texts) if leaf.null_like.any() else texts
    return list(texts.to_pylist() if len(leaf.codes) == 0 else texts.take(pa.array(leaf.codes)).to_pylist())
