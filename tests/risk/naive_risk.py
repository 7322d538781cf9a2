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


def people(rows, person):
    """The rows of every person."""
    return {
        one: {row for row, other in zip(rows, person, strict=True) if other == one} for one in dict.fromkeys(person)
    }


def equal(row, other):
    return row == other


def fits(row, other):
    """Where a missing value matches anything."""
    return all(None in pair or pair[0] == pair[1] for pair in zip(row, other, strict=True))


def who_fits(row, everybody, fits):
    return {one for one, own in everybody.items() if any(fits(row, other) for other in own)}


def chance_of_people(persons, everybody):
    """The chance of each: the highest of their rows."""
    return {one: max(1 / len(who_fits(row, everybody, equal)) for row in own) for one, own in persons.items()}


def minimal_uniques_of_people(everybody, largest):
    """For every person the sets of columns that are minimal uniques of one of their rows."""

    def alone(row, chosen):
        part = [row[c] for c in chosen]
        return sum(any([other[c] for c in chosen] == part for other in own) for own in everybody.values()) == 1

    found = {}
    for person, own in everybody.items():
        sets = set()
        for row in own:
            minimal = []
            for size in range(1, largest + 1):
                for chosen in combinations(range(len(row)), size):
                    if not any(set(smaller) <= set(chosen) for smaller in minimal) and alone(row, chosen):
                        minimal.append(chosen)
            sets |= set(minimal)
        found[person] = sets
    return found
