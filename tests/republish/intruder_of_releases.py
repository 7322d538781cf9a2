"""An intruder with all releases, in lists and sets: what she can tell of everybody.

She has the published tables; of everybody she knows the quasi-identifiers, and in which releases with how many rows.
She does not know whose sensitive value changed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass

from histories import TOWNS, Row

Label = tuple[str, ...]
Classes = dict[Label, Counter]
"""Of every published class the rows by what is published as it is."""


@dataclass(frozen=True)
class Seen:
    """A release: its classes, and the rows of the people who are in it."""

    classes: Classes
    rows: list[Row]

    def label_of(self, row: Row) -> Label:
        found = [label for label in self.classes if covers(label, row)]
        assert len(found) == 1, f"{len(found)} classes for one row"
        return found[0]


def seen(published: list[dict], rows: list[Row], quasi: list[str], secret: list[str]) -> Seen:
    found: Classes = {}
    for row in published:
        label = tuple(str(row[name]) for name in quasi)
        found.setdefault(label, Counter())[tuple(row[name] for name in secret)] += 1
    return Seen(found, rows)


def covers(label: Label, row: Row) -> bool:
    age, town = label
    if row.age is None:
        fits = age == "None"
    elif age in ("*", "None"):
        fits = age == "*"
    else:
        ends = [int(end) for end in age.strip("[]").split("-")]
        fits = ends[0] <= row.age <= ends[-1]
    return fits and (town in ("*", row.town) or row.town in TOWNS.get(town, ()))


def in_common(releases: list[Seen]) -> list[tuple[int, Counter]]:
    """Of everybody, on every way through her rows: what the classes of it have in common."""
    people = sorted({row.who for one in releases for row in one.rows})
    found = []
    for who in people:
        own = [[row for row in one.rows if row.who == who] for one in releases]
        labels = [sorted({one.label_of(row) for row in rows}) for one, rows in zip(releases, own, strict=True) if rows]
        there = [one for one, rows in zip(releases, own, strict=True) if rows]
        if max(map(len, labels)) > 1:  # rows in several classes: those with the same quasi-identifiers are one way
            known = {(row.age, row.town) for rows in own for row in rows}
            ways = [
                [
                    (one, one.label_of(row))
                    for one, rows in zip(releases, own, strict=True)
                    for row in rows
                    if (row.age, row.town) == quasi
                ]
                for quasi in known
            ]
        else:
            ways = [[(one, label[0]) for one, label in zip(there, labels, strict=True)]]
        for way in ways:
            left: Counter | None = None
            for one, label in way:
                left = one.classes[label] if left is None else left & one.classes[label]
            found.append((who, left or Counter()))
    return found


def n_values(left: Counter) -> int:
    """Of the column that has fewest."""
    return min((len(set(one)) for one in zip(*left, strict=True)), default=0)


def certain_of(rows: int, left: Counter) -> bool:
    """Whether somebody with so many of these rows has a value for sure."""
    total = sum(left.values())
    for column in range(len(next(iter(left)))):
        count: Counter = Counter()
        for value, times in left.items():
            count[value[column]] += times
        if max(count.values()) > total - rows:
            return True
    return False


def overlap(one: Label, other: Label) -> bool:
    rows = [Row(0, age, town, ()) for age in (*range(10), None) for town in ("aa", "ab", "ba", "bb")]
    return any(covers(one, row) and covers(other, row) for row in rows)


def same_boxes(first: Seen, second: Seen) -> list[tuple[set[Label], set[Label]]]:
    """Classes of both that hang together: nobody of one can be outside the other."""
    nodes = [(0, label) for label in first.classes] + [(1, label) for label in second.classes]
    of = {node: i for i, node in enumerate(nodes)}
    for a, b in itertools.product(first.classes, second.classes):
        if overlap(a, b):
            old, new = of[(0, a)], of[(1, b)]
            of = {node: new if number == old else number for node, number in of.items()}
    return [
        tuple({label for side, label in nodes if side == own and of[side, label] == number} for own in (0, 1))
        for number in sorted(set(of.values()))
    ]


def told_by_difference(first: Seen, second: Seen, newcomers: int) -> list[str]:
    """Of whom who came or went the difference of two releases tells too much."""
    found = []
    for before, after in same_boxes(first, second):
        counts = [
            sum((one.classes[label] for label in labels), Counter())
            for one, labels in ((first, before), (second, after))
        ]
        own = [
            Counter(row.who for row in one.rows if one.label_of(row) in labels)
            for one, labels in ((first, before), (second, after))
        ]
        for more, less, word in ((1, 0, "came"), (0, 1, "went")):
            moved = own[more] - own[less]
            shown = counts[more] - counts[less]
            if not moved or sum(shown.values()) > sum(moved.values()):
                continue  # nobody, or some changed and she cannot tell who
            if sum(shown.values()) < sum(moved.values()):
                continue  # the value of somebody who came hides behind that of somebody who went
            if n_values(shown) < newcomers:
                found.append(f"{word}: {sum(moved.values())} rows, {n_values(shown)} values")
            elif newcomers > 1 and certain_of(max(moved.values()), shown):
                found.append(f"{word}: a value is certain of somebody with {max(moved.values())} rows")
    return found
