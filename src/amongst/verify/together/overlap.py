"""Which labels of two releases can stand for the same value.

A label is taken for what its column says it is: a stretch of the number line, some names, the beginning of a text. Two
labels that cannot be compared, because a hierarchy is not known here, may overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.published.exact_numbers import beyond_floats, ranks
from amongst.published.known import Calendar, Digits, Prefixes
from amongst.published.readings import Reading
from amongst.schema.column import Column
from amongst.schema.value_text import text_of

End = tuple[Any, int] | None
MISSING = frozenset({"\0missing"})


@dataclass(frozen=True)
class Mask:
    """A text of which the first, or the last, characters are known; the length where that is known too."""

    part: str
    at_start: bool = True
    length: int | None = None

    def fits(self, text: str) -> bool:
        inside = text.startswith(self.part) if self.at_start else text.endswith(self.part)
        return inside and self.length in (None, len(text))

    def meets(self, other: Mask) -> bool:
        if self.at_start != other.at_start:
            return True
        if None not in (self.length, other.length) and self.length != other.length:
            return False
        ends = (self.part, other.part)
        whole = ends if self.at_start else tuple(end[::-1] for end in ends)
        return whole[0].startswith(whole[1]) or whole[1].startswith(whole[0])


@dataclass(frozen=True, eq=False)
class Extents:
    """What the labels of one column stand for.

    Attributes
    ----------
    label_of_row : ndarray of int64
        The label of every distinct row.
    anything : ndarray of bool
        Labels that say nothing, or nothing that is understood here.
    lo, hi : ndarray of float64
        The stretch of the line, both ends in it; NaN for other labels.
    names : dict of int to frozenset of str
    masks : dict of int to Mask
    whole : ndarray of bool
        Labels that stand for every value there is.
    texts : list of str
        As they are written.
    first, last : list, optional
        The exact ends of every stretch, where floats may not hold them: a number, and -1, 0 or 1 for one that lies
        just below it, at it, or just above it; None for other labels.
    """

    label_of_row: np.ndarray
    anything: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    names: dict[int, frozenset[str]]
    masks: dict[int, Mask]
    whole: np.ndarray
    texts: list[str]
    first: list[End] | None = None
    last: list[End] | None = None

    @property
    def n_labels(self) -> int:
        return len(self.anything)

    @cached_property
    def placed(self) -> np.ndarray:
        return ~np.isnan(self.lo)


def extents_of(reading: Reading, described: Column, *, untold: bool) -> Extents:
    """What every label of a reading stands for. ``untold``: there is a hierarchy or order that is not known here."""
    if reading.key.form == "bounds":
        return _of_bounds(reading)
    labels, texts = reading.labels[0], reading.texts[0].to_pylist()
    whole = labels.are("all")
    anything = whole | (labels.are("null") & (reading.key.nulls == "match anything"))
    lo, hi = _closed(labels)
    names: dict[int, frozenset[str]] = {}
    masks: dict[int, Mask] = {}
    below = _leaves_of(described) if isinstance(reading.known.nodes, dict) else None
    for i in np.flatnonzero(~anything & np.isnan(lo)).tolist():
        kind, text = str(_KIND[labels.kind[i]]), texts[i]
        found = _stands_for(kind, text, labels.members.get(i, ()), reading.known.nodes, below, untold)
        if isinstance(found, Mask):
            masks[i] = found
        elif isinstance(found, frozenset):
            names[i] = found
        elif isinstance(found, tuple):
            lo[i], hi[i] = found
        else:
            anything[i] = True
    if reading.known.kind in ("numeric", "date"):
        _place_members(names, lo, hi, reading)
    first, last = _exact_ends(reading, lo, hi)
    return Extents(
        label_of_row=reading.columns[0].codes,
        anything=anything,
        lo=lo,
        hi=hi,
        names=names,
        masks=masks,
        whole=whole,
        texts=list(map(str, texts)),
        first=first,
        last=last,
    )


def _exact_ends(reading: Reading, lo: np.ndarray, hi: np.ndarray) -> tuple[list[End] | None, list[End] | None]:
    """The exact ends of labels with a stretch; None where floats hold all of them."""
    if not any(map(beyond_floats, reading.texts)):
        return None, None
    first, last = _as_ends(lo), _as_ends(hi)
    for i in np.flatnonzero(~np.isnan(lo)).tolist():
        label = reading.known.read_one(reading.texts[0][i].as_py())
        if label.lo is not None:
            first[i], last[i] = (label.lo, 0 if label.lo_closed else 1), (label.hi, 0 if label.hi_closed else -1)
        elif label.members:
            places: list[Any] = [reading.known.read_one(member).lo for member in label.members]
            if None not in places:
                first[i], last[i] = (min(places), 0), (max(places), 0)
    return first, last


def _as_ends(places: np.ndarray) -> list[End]:
    return [None if np.isnan(place) else (place, 0) for place in places.tolist()]


_KIND = ("value", "range", "mask", "set", "node", "all", "null")


def _stands_for(
    kind: str, text: Any, members: tuple[str, ...], nodes: Any, below: dict[str, frozenset[str]] | None, untold: bool
) -> Mask | frozenset[str] | tuple[float, float] | None:
    """Names, a mask, ends; None where nobody knows."""
    if kind == "null":
        return MISSING
    if isinstance(nodes, Calendar) and kind == "node":
        return nodes.days(text)
    if isinstance(nodes, Digits) and kind == "node":
        # A whole number has lost its leading zeros.
        return Mask(text.rstrip("*") if "*" in text else text.zfill(nodes.n), length=nodes.n)
    if isinstance(nodes, Prefixes) and kind == "node":
        return Mask(text.rstrip("*"))
    if untold:
        return None
    if kind == "mask":
        stars = len(text) - len(members[0])
        return Mask(members[0], not text.startswith("*"), len(text) if stars > 1 else None)
    if below is not None:
        leaves = [below.get(one) for one in (members if kind == "set" else (text,))]
        known = [one for one in leaves if one is not None]
        return frozenset().union(*known) if len(known) == len(leaves) else None
    if kind == "set":
        return frozenset(members)
    return frozenset({text}) if kind == "value" else None


def _leaves_of(described: Column) -> dict[str, frozenset[str]]:
    """The leaves below every node of a hierarchy that lists them."""
    hierarchy = described.hierarchy
    assert hierarchy is not None
    try:
        tree = hierarchy.tree([], described.kind)
    except BadHierarchy:
        return {}
    texts = [text_of(leaf) for leaf in tree.leaves]
    found: dict[str, frozenset[str]] = {text: frozenset({text}) for text in texts}
    for level, labels in enumerate(tree.labels):
        for first, label in labels.items():
            below = frozenset(texts[first : int(tree.end[level, first]) + 1])
            found[label] = found.get(label, frozenset()) | below
    return found


def _closed(labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Ends that belong to the stretch: one that is left out gives way to the number next to it."""
    lo = np.where(labels.lo_closed, labels.lo, np.nextafter(labels.lo, np.inf))
    hi = np.where(labels.hi_closed, labels.hi, np.nextafter(labels.hi, -np.inf))
    return lo, hi


def _place_members(names: dict[int, frozenset[str]], lo: np.ndarray, hi: np.ndarray, reading: Reading) -> None:
    """A set of numbers is taken for the stretch that holds them."""
    import pyarrow as pa

    for i in [i for i, members in names.items() if members != MISSING]:
        read = reading.known.read(pa.array(sorted(names[i]), pa.string()))
        if not np.isnan(read.lo).any():
            lo[i], hi[i] = read.lo.min(), read.hi.max()
            del names[i]


def _of_bounds(reading: Reading) -> Extents:
    low, high = reading.columns[0], reading.columns[-1]
    pairs, label_of_row = np.unique(low.codes * high.n_codes + high.codes, return_inverse=True)
    lo = reading.labels[0].lo[pairs // high.n_codes].copy()
    hi = reading.labels[-1].lo[pairs % high.n_codes].copy()
    unknown = np.isnan(lo) | np.isnan(hi)
    lo[unknown] = hi[unknown] = np.nan
    ends = [f"{first!r} {last!r}" for first, last in zip(lo.tolist(), hi.tolist(), strict=True)]
    made = Extents(
        label_of_row=label_of_row.reshape(-1),
        anything=unknown,
        lo=lo,
        hi=hi,
        names={},
        masks={},
        whole=np.zeros(len(lo), dtype=bool),
        texts=ends,
    )
    if not any(map(beyond_floats, reading.texts)):
        return made
    exact = [[reading.known.read_one(text).lo for text in texts.to_pylist()] for texts in reading.texts]
    first = [exact[0][i] for i in (pairs // high.n_codes).tolist()]
    last = [exact[-1][i] for i in (pairs % high.n_codes).tolist()]
    texts = [f"{start} {end}" for start, end in zip(first, last, strict=True)]
    both = [None not in pair for pair in zip(first, last, strict=True)]
    starts, stops = (
        [(end, 0) if known else None for end, known in zip(one, both, strict=True)] for one in (first, last)
    )
    return replace(made, texts=texts, first=starts, last=stops)


def _on_one_line(ours: Extents, theirs: Extents) -> tuple[Extents, Extents]:
    """Both with ends that compare as the exact ones do: by their ranks where floats would take some for equal."""
    if ours.first is None and theirs.first is None:
        return ours, theirs
    ends = [end for one in (ours, theirs) for end in (one.first or _as_ends(one.lo), one.last or _as_ends(one.hi))]
    lo, hi, other_lo, other_hi = ranks(*ends)
    return replace(ours, lo=lo, hi=hi), replace(theirs, lo=other_lo, hi=other_hi)


def overlap(ours: Extents, theirs: Extents) -> np.ndarray:
    """Whether two labels can stand for the same value: ours down, theirs across."""
    ours, theirs = _on_one_line(ours, theirs)
    both = ours.placed[:, None] & theirs.placed[None, :]
    with np.errstate(invalid="ignore"):
        meet = (ours.lo[:, None] <= theirs.hi[None, :]) & (theirs.lo[None, :] <= ours.hi[:, None])
    found = np.where(both, meet, True)
    _compare_names(found, ours, theirs)
    for i, mask in ours.masks.items():
        for j, names in theirs.names.items():
            found[i, j] = any(map(mask.fits, names))
        for j, other in theirs.masks.items():
            found[i, j] = mask.meets(other)
    for j, mask in theirs.masks.items():
        for i, names in ours.names.items():
            found[i, j] = any(map(mask.fits, names))
    for own, others, turned in ((ours, theirs, found), (theirs, ours, found.T)):
        gone = np.zeros(own.n_labels, dtype=bool)
        gone[[i for i, names in own.names.items() if names == MISSING]] = True
        turned[gone[:, None] & others.placed[None, :]] = False
    found |= ours.anything[:, None] | theirs.anything[None, :]
    return found


def within(ours: Extents, theirs: Extents) -> np.ndarray:
    """Whether all that a label of ours can stand for is what one of theirs can: ours down, theirs across.

    False where it is not known; labels that are written alike are for whoever compares texts.
    """
    ours, theirs = _on_one_line(ours, theirs)
    both = ours.placed[:, None] & theirs.placed[None, :]
    with np.errstate(invalid="ignore"):
        found = both & (theirs.lo[None, :] <= ours.lo[:, None]) & (ours.hi[:, None] <= theirs.hi[None, :])
    if ours.names and theirs.names:
        number = _numbered(ours, theirs)
        rows, columns = (_members(one, number) for one in (ours.names, theirs.names))
        found[np.ix_(list(ours.names), list(theirs.names))] = (rows @ columns.T) == rows.sum(axis=1)[:, None]
    for j, mask in theirs.masks.items():
        for i, names in ours.names.items():
            found[i, j] = all(map(mask.fits, names))
        for i, other in ours.masks.items():
            found[i, j] = other == mask or (mask.meets(other) and len(mask.part) < len(other.part))
    found |= theirs.whole[None, :]
    return found


def _numbered(ours: Extents, theirs: Extents) -> dict[str, int]:
    number: dict[str, int] = {}
    for names in (*ours.names.values(), *theirs.names.values()):
        for name in names:
            number.setdefault(name, len(number))
    return number


def _compare_names(found: np.ndarray, ours: Extents, theirs: Extents) -> None:
    """Names meet where they have one in common."""
    if not (ours.names and theirs.names):
        return
    number = _numbered(ours, theirs)
    rows, columns = (_members(one, number) for one in (ours.names, theirs.names))
    found[np.ix_(list(ours.names), list(theirs.names))] = (rows @ columns.T) > 0


def _members(names: dict[int, frozenset[str]], number: dict[str, int]) -> np.ndarray:
    found = np.zeros((len(names), len(number)), dtype=np.float32)
    for i, members in enumerate(names.values()):
        found[i, [number[name] for name in members]] = 1
    return found
