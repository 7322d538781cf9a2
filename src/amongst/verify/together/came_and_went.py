"""People who are in one of two releases only: what is left when what both have in common is taken away.

Whoever is in both releases has the same values in the columns that both publish as they are. So in a *set of classes*
of which nobody of both can be outside, what one release has more than the other, value by value, is that of people who
came or went in between. Such sets are, each of them looked at:

- everything: all classes of both;
- classes that hang together: any two whose boxes overlap are in one set;
- two classes with the same labels, and a class with all those that lie within it: what an intruder takes for the same
  people, whether or not the boxes of a release overlap each other.

Guarantees: what is found rests on the two published tables alone. Where somebody came with the values of another who
went, neither is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.verify.together.common_rows import Counts, left

Pairs = tuple[np.ndarray, np.ndarray]
"""The two classes of every pair that overlaps."""


@dataclass(frozen=True, eq=False)
class Sets:
    """Sets of classes, each with classes of both releases.

    Attributes
    ----------
    n : int
    ours, theirs : tuple of ndarray
        The set, and a class in it.
    """

    n: int
    ours: Pairs
    theirs: Pairs


@dataclass(frozen=True, eq=False)
class Moved:
    """Those who came, or those who went, by set.

    Attributes
    ----------
    n_people : ndarray of int64, one a set
        At the least so many.
    n_values, l : dict of str to ndarray
        Of every sensitive column: the different values that they have, and one over the share of the most frequent.
    """

    n_people: np.ndarray
    n_values: dict[str, np.ndarray]
    l: dict[str, np.ndarray]  # noqa: E741


def moved(counts: Sequence[Counts], sets: Sequence[Sets], sensitive: dict[str, np.ndarray]) -> list[Moved]:
    """Of all sets: who came, and who went."""
    parts = [_difference(counts, one, sensitive) for one in sets if one.n]
    return [_together([part[i] for part in parts], list(sensitive)) for i in range(2)]


def _difference(counts: Sequence[Counts], sets: Sets, sensitive: dict[str, np.ndarray]) -> list[Moved]:
    n_values = max(counts[0].n_values, counts[1].n_values, 1)
    keys, signed = [], []
    for own, (group, cls), sign in zip(counts, (sets.ours, sets.theirs), (1, -1), strict=True):
        width = own.first[cls + 1] - own.first[cls]
        member = np.repeat(np.arange(len(cls)), width)
        entry = np.arange(len(member)) - np.repeat(np.cumsum(width) - width, width) + own.first[cls][member]
        keys.append(group[member] * n_values + own.value[entry])
        signed.append(sign * own.count[entry])
    key, at = np.unique(np.concatenate(keys), return_inverse=True)
    more = np.bincount(at.reshape(-1), weights=np.concatenate(signed), minlength=len(key)).astype(np.int64)
    found = []
    for sign in (1, -1):
        there = sign * more > 0
        group, value, times = key[there] // n_values, key[there] % n_values, sign * more[there]
        told = {name: left(group, of[value], times, sets.n) for name, of in sensitive.items()}
        n_people = np.bincount(group, weights=times, minlength=sets.n).astype(np.int64)
        found.append(Moved(n_people, {name: one[0] for name, one in told.items()}, {n: o[1] for n, o in told.items()}))
    return found


def _together(parts: list[Moved], names: list[str]) -> Moved:
    return Moved(
        np.concatenate([one.n_people for one in parts]),
        {name: np.concatenate([one.n_values[name] for one in parts]) for name in names},
        {name: np.concatenate([one.l[name] for one in parts]) for name in names},
    )


def everything(ours: np.ndarray, theirs: np.ndarray) -> Sets:
    """One set of all these classes."""
    both = [(np.zeros(len(classes), dtype=np.int64), classes) for classes in (ours, theirs)]
    return Sets(1, *both)


def hanging_together(pairs: Pairs, n_ours: int, n_theirs: int) -> Sets:
    """Classes that overlap are in one set, and so are those that overlap with one of it."""
    a, b = pairs[0], pairs[1] + n_ours
    label = np.arange(n_ours + n_theirs)
    while True:
        before = label.copy()
        lower = np.minimum(label[a], label[b])
        np.minimum.at(label, label[a], lower)
        np.minimum.at(label, label[b], lower)
        while not np.array_equal(label, label[label]):
            label = label[label]
        if np.array_equal(label, before):
            break
    heads, number = np.unique(label[a], return_inverse=True)
    place = np.full(len(label), -1, dtype=np.int64)
    place[label[a]] = number.reshape(-1)
    of_class = place[label]
    ours, theirs = np.flatnonzero(of_class[:n_ours] >= 0), np.flatnonzero(of_class[n_ours:] >= 0)
    return Sets(len(heads), (of_class[:n_ours][ours], ours), (of_class[n_ours:][theirs], theirs))


def alike(ours: np.ndarray, theirs: np.ndarray) -> Sets:
    """Classes with the same labels, by what each of them is numbered."""
    both = np.intersect1d(ours, theirs)
    members = []
    for labels in (ours, theirs):
        at = np.minimum(np.searchsorted(both, labels), max(len(both) - 1, 0))
        there = np.flatnonzero(both[at] == labels) if len(both) else np.zeros(0, dtype=np.int64)
        members.append((at[there], there))
    return Sets(len(both), *members)


def holding(pairs: Pairs, within: np.ndarray, n_holders: int, *, ours: bool) -> Sets:
    """A class with all those of the other release that overlap it, where they all lie within it."""
    holder, held = pairs if ours else pairs[::-1]
    whole = np.bincount(holder[~within], minlength=n_holders) == 0
    whole &= np.bincount(holder, minlength=n_holders) > 0
    number = np.cumsum(whole) - 1
    inside = whole[holder]
    one, many = (np.arange(int(whole.sum())), np.flatnonzero(whole)), (number[holder[inside]], held[inside])
    return Sets(int(whole.sum()), one, many) if ours else Sets(int(whole.sum()), many, one)
