"""Intruders with lists and sets who hold two published tables against each other to see who came and who went."""

from __future__ import annotations

import re
from collections import Counter


def classes(rows, quasi, shared):
    found = {}
    for row in rows:
        found.setdefault(tuple(str(row[name]) for name in quasi), Counter())[tuple(row[name] for name in shared)] += 1
    return found


def ends(label):
    """What a label of numbers stands for."""
    if label in ("*", "None"):
        return float("-inf"), float("inf")
    inside = re.fullmatch(r"[\[(]?(-?\d+)(?:-(-?\d+))?[\])]?", label)
    if inside is None:
        return None
    lo, hi = int(inside[1]), int(inside[2] or inside[1])
    return lo, hi - (label.endswith(")") and 1)


def overlap(one, other):
    both = [(ends(a), ends(b)) for a, b in zip(one, other, strict=True)]
    return all(a is None or b is None or (a[0] <= b[1] and b[0] <= a[1]) for a, b in both)


def lies_within(one, other):
    both = [(ends(a), ends(b), a == b) for a, b in zip(one, other, strict=True)]
    return all(same or (a is not None and b is not None and b[0] <= a[0] and a[1] <= b[1]) for a, b, same in both)


def same_people(first, second):
    """Pairs of multisets that an intruder takes for the same people, but for those who came and went."""
    yield sum(first.values(), Counter()), sum(second.values(), Counter())
    for label in first.keys() & second.keys():
        yield first[label], second[label]
    for outer, inner, turned in ((second, first, False), (first, second, True)):
        for label, values in outer.items():
            met = [other for other in inner if overlap(label, other)]
            if met and all(lies_within(other, label) for other in met):
                whole = sum((inner[other] for other in met), Counter())
                yield (values, whole) if turned else (whole, values)


def learned(first, second, quasi, shared, secret, k, least_values=1):
    """What the intruder learns of people who came or went: they are few, or a value of theirs is certain."""
    found = set()
    at = shared.index(secret)
    for before, after in same_people(classes(first, quasi, shared), classes(second, quasi, shared)):
        for moved in (after - before, before - after):
            n = sum(moved.values())
            values = {value[at] for value in moved}
            if 0 < n < k:
                found.add("few")
            if len(values) == 1:
                found.add("certain")
            if 0 < len(values) < least_values:
                found.add("not diverse")
    return found
