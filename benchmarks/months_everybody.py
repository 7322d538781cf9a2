"""Of whom an intruder is certain who knows when everybody was there, and everybody's quasi-identifiers, but no value.

    python benchmarks/months_everybody.py [--years 5] [--persons 300] [--months 6]

She writes an equation for every class and value of all releases and looks by integer programming whether somebody can
have another value than her own. Nobody's value changes in these years, and she knows it; some people move. Needs scipy.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

import amongst as am

TRIED = {
    "k and l in common": {"newcomers": 1},
    "and no newcomer certain by a difference": {"newcomers": 2},
    "and three values for newcomers": {"newcomers": 3},
    "and three at once": {"newcomers": 2, "crowd": 3, "start": 25},
    "and five at once": {"newcomers": 2, "crowd": 5, "start": 30},
    "m-invariance, m = 3": {"method": "m-invariance"},
}
Stay = tuple[tuple[int, int], ...]
"""The month and the class of every release that somebody is in."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--years", type=int, default=5)
    parser.add_argument("--persons", type=int, default=300)
    parser.add_argument("--months", type=int, default=6)
    asked = parser.parse_args()
    for name, promise in TRIED.items():
        sense = "frequency" if "method" in promise else "distinct"
        models, total, loss = [am.KAnonymity(10), am.LDiversity(3, sense)], Counter(), []
        for seed in range(asked.years):
            year = years_without_new_values(asked.persons, asked.months, seed)
            series = am.Series(year[0].schema, models, person="person", key=b"key of the benchmark", **promise)
            total += certain_people([series.next(month.table) for month in year])
            loss += [one.loss for one in series.told]
        told = ", ".join(
            f"{who} {total[who, True]} of {total[who, True] + total[who, False]}" for who in ("came", "was")
        )
        print(f"{name}: certain {told}; loss {np.mean(loss):.3f}", flush=True)


def years_without_new_values(n_persons: int, n_months: int, seed: int) -> list:
    """A year in which everybody keeps her first diagnosis."""
    year = am.datasets.hospital_year(n_persons=n_persons, n_months=n_months, seed=seed)
    first: dict[int, str] = {}
    found = []
    for month in year:
        rows = month.table.to_pylist()
        for row in rows:
            row["diagnosis"] = first.setdefault(row["person"], row["diagnosis"])
        found.append(type(month)(month.name, type(month.table).from_pylist(rows), month.schema, month.about))
    return found


def certain_people(releases: list) -> Counter:
    """How many of those who came later, and of those who were there at first, have a value for certain, or not."""
    stays: dict[int, list] = defaultdict(list)
    own: dict[int, str] = {}
    counts: dict[tuple[int, int], Counter] = defaultdict(Counter)
    for month, release in enumerate(releases):
        people, values = (release.source.table.column(name).to_pylist() for name in ("person", "diagnosis"))
        for person, value, cls in zip(people, values, release.plan.class_of_row.tolist(), strict=True):
            stays[person].append((month, cls))
            counts[month, cls][value] += 1
            own[person] = value
    size = Counter(map(tuple, stays.values()))
    kinds, names = list(size), sorted(set(own.values()))
    n = len(names)
    in_class: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, kind in enumerate(kinds):
        for place in kind:
            in_class[place].append(i)
    equations = [([i * n + v for v in range(n)], size[kind]) for i, kind in enumerate(kinds)]
    equations += [
        ([i * n + v for i in some], counts[place][name])
        for place, some in in_class.items()
        for v, name in enumerate(names)
    ]
    row = np.repeat(np.arange(len(equations)), [len(some) for some, _ in equations])
    column = np.concatenate([some for some, _ in equations])
    shape = (len(equations), len(kinds) * n)
    known = [total for _, total in equations]
    rules = LinearConstraint(coo_array((np.ones(len(row)), (row, column)), shape=shape).tocsr(), known, known)
    found: Counter = Counter()
    truth = defaultdict(set)
    for person, kind in stays.items():
        truth[tuple(kind)].add(own[person])
    for i, kind in enumerate(kinds):
        certain = False
        if len(truth[kind]) == 1:  # else two of one kind can change places
            least = np.zeros(shape[1])
            least[i * n + names.index(next(iter(truth[kind])))] = 1
            best = milp(least, constraints=rules, integrality=np.ones(shape[1]), bounds=Bounds(0, np.inf))
            certain = best.success and round(best.fun) == size[kind]
        found["came" if kind[0][0] else "was", certain] += size[kind]
    return found


if __name__ == "__main__":
    main()
