"""Risk measures in lists and sets, straight from their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import prod


def classes(rows):
    return Counter(rows)


def prosecutor(rows, k):
    size = classes(rows)
    chances = [1 / size[row] for row in rows]
    return max(chances), sum(chances) / len(rows), sum(size[row] < k for row in rows)


def journalist(rows, population, k):
    own, everybody = classes(rows), classes(population)
    people = {row: max(everybody[row], own[row]) for row in own}
    chances = [1 / people[row] for row in rows]
    average = max(sum(chances) / len(rows), len(own) / sum(people.values()))
    return max(chances), average, sum(people[row] < k for row in rows), sum(chances) / len(rows)


def distinction(rows, chosen):
    return len({tuple(row[c] for c in chosen) for row in rows}) / len(rows)


def separation(rows, chosen):
    pairs = list(combinations([tuple(row[c] for c in chosen) for row in rows], 2))
    return sum(one != other for one, other in pairs) / len(pairs) if pairs else 0.0


def minimal_uniques(rows, largest):
    """For every row the sets of columns that are minimal uniques of it."""
    n_qi = len(rows[0])
    found = []
    for row in rows:
        own = []
        for size in range(1, largest + 1):
            for chosen in combinations(range(n_qi), size):
                if any(set(smaller) <= set(chosen) for smaller in own):
                    continue
                if sum(all(other[c] == row[c] for c in chosen) for other in rows) == 1:
                    own.append(chosen)
        found.append(own)
    return found


def score(sets, n_qi, largest):
    return sum(prod(n_qi - i for i in range(len(one), min(largest, n_qi - 1) + 1)) for one in sets)
