"""What two releases of the same people tell together.

Somebody whose quasi-identifiers are known is in one class of each release: in a *cell*, a pair of classes whose boxes
have a value in common. Columns that both publish as they are have the same value in both, so those of a cell can be
no more than the rows that the two classes have in common there, value by value (Ganta, Kasiviswanathan, Smith,
*Composition Attacks and Auxiliary Information in Data Privacy*, KDD 2008). Where both releases have all the rows of
one table, the cells of a class must add up to it, which bounds every cell further from both sides. In a release of two
tables a class is the rows of a group with the same quasi-identifiers; any value of the group can be theirs.

Guarantees: the most people of a cell is never too low, if the two releases are about the same people and the shared
columns did not change in between. What is found rests on the two published tables alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from amongst.published.layout import Leaf
from amongst.published.meaning import in_one_spelling
from amongst.published.readings import read_labels
from amongst.published.release_part import Part, PartClasses, classes_of_part
from amongst.published.tally import one_key
from amongst.verify.population import fitting_pairs
from amongst.verify.together.came_and_went import Moved, Sets, alike, everything, hanging_together, holding, moved
from amongst.verify.together.common_rows import MOST_CELLS, Counts, left, matched
from amongst.verify.together.overlap import extents_of, overlap, within

N_ROUNDS = 30


@dataclass(frozen=True, eq=False)
class Cells:
    """Pairs of classes that can have people in common.

    Attributes
    ----------
    ours, theirs : ndarray of int64
        The class in this release and in the earlier one.
    most, least : ndarray of int64
        Between which numbers the people of the cell are.
    n_values : dict of str to ndarray
        For every sensitive column how many values are left for somebody of the cell.
    l_of_cell : dict of str to ndarray
        One over the share of the most frequent of them.
    size_ours, size_theirs : ndarray of int64
        The rows of every class.
    shared : list of str
        The columns that both publish as they are.
    same_rows : bool
        Both have all rows of one table.
    values_ours, values_theirs : dict of str to ndarray
        For every sensitive column how many values the class of the cell has, in this release and in the earlier one.
    came, went : Moved
        Who is in this release only, and who in the earlier one only, by sets of classes.
    n_sets : int
        How many such sets there are.
    all_sets : bool
        Whether all were looked at; where classes overlap in too many ways only some are.
    same_labels : bool
        Every class has one with the same labels in the other release.
    """

    ours: np.ndarray
    theirs: np.ndarray
    most: np.ndarray
    least: np.ndarray
    n_values: dict[str, np.ndarray]
    l_of_cell: dict[str, np.ndarray]
    size_ours: np.ndarray
    size_theirs: np.ndarray
    shared: list[str]
    same_rows: bool
    values_ours: dict[str, np.ndarray]
    values_theirs: dict[str, np.ndarray]
    came: Moved
    went: Moved
    n_sets: int
    all_sets: bool
    same_labels: bool

    @property
    def unchanged(self) -> bool:
        """Every class is in both, with the same rows."""
        moved = self.came.n_people.any() or self.went.n_people.any()
        return self.same_labels and not moved

    def exposed(self, k: int) -> np.ndarray:
        """Cells that are too small: somebody in one of them hides amongst fewer than k."""
        return self.most < k

    def n_certain(self, k: int) -> int:
        """How many people are in such cells at the least, whoever they are."""
        small = self.exposed(k)
        found = int(self.least[small].sum())
        if not self.same_rows:
            return found
        for cls, size in ((self.ours, self.size_ours), (self.theirs, self.size_theirs)):
            room = np.bincount(cls[~small], weights=self.most[~small], minlength=len(size))
            found = max(found, int(np.maximum(size - room, 0).sum()))
        return found


def cells_of(ours: Part, theirs: Part, sensitive: list[str]) -> Cells:
    """All cells of two releases."""
    shared = [name for name in ours.published_as_is if name in theirs.published_as_is]
    tallies = [classes_of_part(part, shared) for part in (ours, theirs)]
    value, whole = _one_numbering(tallies, shared)
    counts = [
        Counts(one.class_of_item, own, one.items.size, one.rows.size) for one, own in zip(tallies, value, strict=True)
    ]
    same_rows = counts[0].n_rows == counts[1].n_rows and np.array_equal(whole[0], whole[1]) and bool(shared)
    columns = [name for name in sensitive if name in shared]
    sensitive_of_value = {name: _of_value(tallies, value, name) for name in columns}
    tables = _tables(ours, theirs, tallies)
    overlapping = _Overlapping(tables, ours, theirs)
    sets = _sets(tallies, (ours, theirs), tables, overlapping)
    came, went = moved(counts, sets, sensitive_of_value)
    one_pair = (ours.pair is None) != (theirs.pair is None)
    for part, own in zip((ours, theirs), counts, strict=True):
        if part.pair is not None:
            same_rows = False
            if one_pair:  # any row of the other release with one of the group's values can be the person's
                own.count = np.full_like(own.count, np.iinfo(np.int64).max)
    found = list(matched(overlapping.pairs(), counts, sensitive_of_value))
    a, b, most, *per_column = (np.concatenate(one) for one in zip(*found, strict=True)) if found else _nothing(columns)
    least = np.zeros_like(most)
    if same_rows:
        most, least, same_rows = _bounded(a, b, most, counts[0].size, counts[1].size)
    there = most > 0
    n_values = {name: per_column[2 * i][there] for i, name in enumerate(columns)}
    l_of_cell = {name: per_column[2 * i + 1][there] for i, name in enumerate(columns)}
    alone = [
        {
            name: left(one.cls, of[one.value], one.count, one.n_classes)[0][cls[there]]
            for name, of in sensitive_of_value.items()
        }
        for one, cls in zip(counts, (a, b), strict=True)
    ]
    return Cells(
        ours=a[there],
        theirs=b[there],
        most=most[there],
        least=least[there],
        n_values=n_values,
        l_of_cell=l_of_cell,
        size_ours=counts[0].size,
        size_theirs=counts[1].size,
        shared=shared,
        same_rows=same_rows,
        values_ours=alone[0],
        values_theirs=alone[1],
        came=came,
        went=went,
        n_sets=sum(one.n for one in sets),
        all_sets=overlapping.complete,
        same_labels=len(sets) > 1 and len(sets[1].ours[1]) == counts[0].n_classes and sets[1].n == counts[1].n_classes,
    )


def _nothing(columns: list[str]) -> list[np.ndarray]:
    return [np.zeros(0, dtype=np.int64)] * (3 + 2 * len(columns))


def _one_numbering(tallies: list[PartClasses], shared: list[str]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The combination of shared values of every item, numbered alike in both; and how often each occurs."""
    n_ours = len(tallies[0].items.size)
    codes = [_texts_numbered(tallies, name) for name in shared]
    key = one_key(codes, n_ours + len(tallies[1].items.size))
    number = np.unique(key, return_inverse=True)[1].reshape(-1)
    n_values = int(number.max(initial=-1)) + 1
    value = [number[:n_ours], number[n_ours:]]
    whole = [
        np.bincount(own, weights=one.items.size, minlength=n_values) for own, one in zip(value, tallies, strict=True)
    ]
    return value, whole


def _texts_numbered(tallies: list[PartClasses], name: str) -> np.ndarray:
    columns = [one.items.columns[Leaf(name)] for one in tallies]
    texts = pa.concat_arrays(in_one_spelling([column.values for column in columns])).dictionary_encode()
    code = texts.indices.fill_null(len(texts.dictionary)).to_numpy(zero_copy_only=False).astype(np.int64)
    first, second = code[: columns[0].n_codes], code[columns[0].n_codes :]
    return np.concatenate([first[columns[0].codes], second[columns[1].codes]])


def _of_value(tallies: list[PartClasses], value: list[np.ndarray], name: str) -> np.ndarray:
    """The value of one column in every combination."""
    codes, numbers = _texts_numbered(tallies, name), np.concatenate(value)
    found = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    found[numbers] = codes
    return found


@dataclass(frozen=True, eq=False)
class _Labels:
    """The labels of a quasi-identifier of both: which can stand for the same value, which lie within which."""

    ours: np.ndarray
    theirs: np.ndarray
    fits: np.ndarray
    in_theirs: np.ndarray
    in_ours: np.ndarray
    number_ours: np.ndarray
    number_theirs: np.ndarray


def _tables(ours: Part, theirs: Part, tallies: list[PartClasses]) -> list[_Labels]:
    """For every quasi-identifier of both its labels."""
    readings = [
        {one.key.quasi: one for one in read_labels(part.layout, classes.rows) if one.key.form != "statistic"}
        for part, classes in zip((ours, theirs), tallies, strict=True)
    ]
    tables = []
    for name in readings[0]:
        if name in readings[1] and comparable(ours, theirs, name):
            first, second = (
                extents_of(read[name], part.layout.schema[name], untold=name in part.untold)
                for read, part in zip(readings, (ours, theirs), strict=True)
            )
            numbers = {text: i for i, text in enumerate(dict.fromkeys([*first.texts, *second.texts]))}
            number = [np.array([numbers[text] for text in one.texts], dtype=np.int64) for one in (first, second)]
            same = number[0][:, None] == number[1][None, :]
            inside = within(first, second) | same, within(second, first).T | same
            tables.append(
                _Labels(first.label_of_row, second.label_of_row, overlap(first, second) | same, *inside, *number)
            )
    tables.sort(key=lambda one: one.fits.mean() if one.fits.size else 1.0)  # those that rule out most come first
    return tables


class _Overlapping:
    """All pairs of classes that fit, found once and kept as far as they are not too many."""

    def __init__(self, tables: list[_Labels], ours: Part, theirs: Part) -> None:
        self.tables = tables
        names = [set(part.layout.schema.quasi) for part in (ours, theirs)]
        # What only the other release tells apart is not known to lie within.
        self.comparable = [len(tables) == len(own) for own in names]
        self.n_classes = 0, 0
        self.complete = True
        self.found: list[tuple[np.ndarray, ...]] = []

    def look(self, n_ours: int, n_theirs: int) -> None:
        """Find them."""
        self.n_classes, n = (n_ours, n_theirs), 0
        for a, b in _pairs(self.tables, *self.n_classes):
            n += len(a)
            if n > MOST_CELLS:
                self.complete, self.found = False, []
                return
            self.found.append((a, b, *self._within(a, b)))

    def _within(self, a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
        """Whether the class of theirs lies within ours, and the other way round."""
        told = [np.full(len(a), one) for one in self.comparable]
        for one in self.tables:
            told[0] &= one.in_ours[one.ours[a], one.theirs[b]]
            told[1] &= one.in_theirs[one.ours[a], one.theirs[b]]
        return told

    def pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        if not self.complete:
            return _pairs(self.tables, *self.n_classes)
        return ((a, b) for a, b, *_ in self.found)

    def sets(self) -> list[Sets]:
        """Classes that hang together, and those that lie within one another."""
        if not (self.complete and self.found):
            return []
        a, b, in_ours, in_theirs = (np.concatenate(one) for one in zip(*self.found, strict=True))
        held = holding((a, b), in_ours, self.n_classes[0], ours=True)
        return [
            hanging_together((a, b), *self.n_classes),
            held,
            holding((a, b), in_theirs, self.n_classes[1], ours=False),
        ]


def _sets(
    tallies: list[PartClasses], parts: tuple[Part, Part], tables: list[_Labels], overlapping: _Overlapping
) -> list[Sets]:
    """The sets of classes in which people who came or went can be seen."""
    n_classes = [len(one.rows.size) for one in tallies]
    overlapping.look(n_classes[0], n_classes[1])
    if any(part.pair is not None for part in parts):  # a value is that of a group: of these each counts once
        return [everything(*[_one_a_group(one, part) for one, part in zip(tallies, parts, strict=True)])]
    codes = [np.concatenate([one.number_ours[one.ours], one.number_theirs[one.theirs]]) for one in tables]
    key = np.unique(one_key(codes, sum(n_classes)), return_inverse=True)[1].reshape(-1)
    whole = everything(np.arange(n_classes[0]), np.arange(n_classes[1]))
    same = [alike(key[: n_classes[0]], key[n_classes[0] :])] if tables else []
    return [whole, *same, *overlapping.sets()]


def _one_a_group(classes: PartClasses, part: Part) -> np.ndarray:
    if part.pair is None or part.pair[1].link is None:
        return np.arange(len(classes.rows.size))
    return np.unique(classes.rows.columns[Leaf(part.pair[1].link)].codes, return_index=True)[1]


def _pairs(tables: list[_Labels], n_ours: int, n_theirs: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All pairs of classes that fit; classes with the same labels, groups of two tables, are compared once."""
    ours, theirs = _Alike([one.ours for one in tables], n_ours), _Alike([one.theirs for one in tables], n_theirs)
    few = [(one.ours[ours.head], one.theirs[theirs.head], one.fits) for one in tables]
    for a, b in fitting_pairs(few, len(ours.head), len(theirs.head)):
        times = ours.n_classes[a] * theirs.n_classes[b]
        pair = np.repeat(np.arange(len(a)), times)
        number = np.arange(len(pair)) - np.repeat(np.cumsum(times) - times, times)
        wide = theirs.n_classes[b][pair]
        yield ours.at(a[pair], number // wide), theirs.at(b[pair], number % wide)


class _Alike:
    """Classes that have the same labels: one of each, how many there are, and which."""

    def __init__(self, labels: list[np.ndarray], n: int) -> None:
        key = one_key(labels, n)
        _, self.head, alike = np.unique(key, return_index=True, return_inverse=True)
        self.order = np.argsort(alike.reshape(-1), kind="stable")
        self.n_classes = np.bincount(alike.reshape(-1), minlength=len(self.head))
        self.first = np.cumsum(self.n_classes) - self.n_classes

    def at(self, which: np.ndarray, number: np.ndarray) -> np.ndarray:
        return np.asarray(self.order[self.first[which] + number])


def comparable(ours: Part, theirs: Part, name: str) -> bool:
    """Whether places on the line, or in the order, mean the same in both releases."""
    first, second = ours.layout.schema[name], theirs.layout.schema[name]
    kinds = {kind for kind in (first.kind, second.kind) if kind is not None}
    return len(kinds) <= 1 and (first.kind != "ordered" or first.order == second.order)


def _bounded(
    a: np.ndarray, b: np.ndarray, most: np.ndarray, size_a: np.ndarray, size_b: np.ndarray
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Bounds that follow from every class being divided into its cells; False where no division fits."""
    upper, lower = most.copy(), np.zeros_like(most)
    sides = ((a, size_a), (b, size_b))
    for _ in range(N_ROUNDS):
        before = int(upper.sum()), int(lower.sum())
        for cls, size in sides:
            room = np.bincount(cls, weights=upper, minlength=len(size)).astype(np.int64)
            if (room < size).any():
                return most, np.zeros_like(most), False
            lower = np.maximum(lower, size[cls] - (room[cls] - upper))
            taken = np.bincount(cls, weights=lower, minlength=len(size)).astype(np.int64)
            if (taken > size).any():
                return most, np.zeros_like(most), False
            upper = np.minimum(upper, size[cls] - (taken[cls] - lower))
        if before == (int(upper.sum()), int(lower.sum())):
            break
    return upper, lower, True


def overlapping_pairs(ours: Part, theirs: Part, tallies: list[PartClasses]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All pairs of classes of two releases that can stand for the same person."""
    return _pairs(_tables(ours, theirs, tallies), len(tallies[0].rows.size), len(tallies[1].rows.size))
