"""A hospital's year: the same patients month after month, who come, go, move and are found to have something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from amongst.datasets.dataset import About, Dataset, dictionary_column
from amongst.datasets.draw import draw, draw_given, whole, zipf
from amongst.errors import BadOption
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Twelve months of a hospital: patients come, leave, move, change work and diagnosis",
    source="drawn by amongst; shares are made up and no guide to medicine",
    licence="made-up people; free to use",
)

DIAGNOSES = (
    *("Hypertension", "Diabetes", "Asthma", "Depression", "Arthrosis", "Migraine", "Heart failure"),
    *("Infection", "Fracture", "COPD", "Renal failure", "Epilepsy", "Cancer"),
)
PEAK_AGE = (65, 58, 22, 38, 68, 33, 76, 8, 14, 66, 72, 25, 63)
"""Around which age a diagnosis is found most."""

WORK = {
    "Working": ["employed", "self-employed", "civil servant"],
    "In school": ["pupil", "student"],
    "Not working": ["at home", "unemployed", "retired"],
}
N_AREAS = 60
FIRST_YEAR = 1930
N_YEARS = 90
COLUMNS = ("born", "sex", "zip", "work", "diagnosis")
MOVING = ("zip", "work")
"""The quasi-identifiers that change in a life; the other half of all changes is a new diagnosis."""


@dataclass
class _People:
    """Everybody who is a patient now, as codes."""

    person: np.ndarray
    codes: dict[str, np.ndarray]

    def take(self, rows: np.ndarray) -> _People:
        return _People(self.person[rows], {name: code[rows] for name, code in self.codes.items()})

    def and_also(self, other: _People) -> _People:
        codes = {name: np.concatenate([code, other.codes[name]]) for name, code in self.codes.items()}
        return _People(np.concatenate([self.person, other.person]), codes)


def hospital_year(
    n_persons: int = 20_000,
    n_months: int = 12,
    come: float = 0.05,
    leave: float = 0.03,
    change: float = 0.10,
    seed: int = 0,
) -> list[Dataset]:
    """The table of every month, one row a person; ``person`` tells who is who and is an identifier.

    Parameters
    ----------
    n_persons : int
        In the first month.
    n_months : int
    come, leave, change : float
        Which share of a month's people comes, goes, and changes before the next: half of the changes are another
        diagnosis, the others another ZIP code or another work.
    seed : int

    Examples
    --------
    >>> import amongst as am
    >>> year = am.datasets.hospital_year(n_persons=1000)
    >>> [month.table.num_rows for month in year][:3]
    [1000, 1020, 1040]
    """
    n_persons, n_months = whole("n_persons", n_persons, 1), whole("n_months", n_months, 1)
    for name, share in (("come", come), ("leave", leave), ("change", change)):
        if not 0 <= share <= 1:
            raise BadOption(f"{name} is a share.", found=f"{name} = {share!r}", fix="use a number from 0 to 1")
    rng = np.random.default_rng(whole("seed", seed, 0))
    return [_dataset(people) for people in _months(rng, n_persons, n_months, (come, leave, change))]


def _months(
    rng: np.random.Generator, n_persons: int, n_months: int, shares: tuple[float, float, float]
) -> Iterator[_People]:
    come, leave, change = shares
    people, next_number = _draw(rng, np.arange(1, n_persons + 1)), n_persons + 1
    for month in range(n_months):
        if month:
            n = len(people.person)
            fate = rng.permutation(n)
            gone, other = np.split(fate[: round(n * leave) + round(n * change)], [round(n * leave)])
            _change(rng, people, other)
            new = np.arange(next_number, next_number + round(n * come))
            next_number += len(new)
            people = people.take(np.setdiff1d(np.arange(n), gone)).and_also(_draw(rng, new))
        yield people


def _draw(rng: np.random.Generator, person: np.ndarray) -> _People:
    n = len(person)
    age = np.clip(rng.normal(48, 24, n), 0, N_YEARS - 1).astype(np.int64)
    codes = {
        "born": N_YEARS - 1 - age,
        "sex": rng.integers(0, 2, n),
        "zip": draw(rng, zipf(N_AREAS, 0.6), n),
        "work": _work(rng, age),
    }
    codes["diagnosis"] = _diagnosis(rng, age)
    return _People(person, codes)


def _work(rng: np.random.Generator, age: np.ndarray) -> np.ndarray:
    # employed, self-employed, civil servant, pupil, student, at home, unemployed, retired
    by_age = np.array(
        [[0, 0, 0, 7, 0, 3, 0, 0], [4, 1, 1, 1, 4, 1, 1, 0], [9, 3, 3, 0, 1, 2, 1, 1], [1, 1, 0, 0, 0, 1, 0, 9]]
    )
    return draw_given(rng, by_age / by_age.sum(axis=1, keepdims=True), np.digitize(age, (17, 27, 64)))


def _diagnosis(rng: np.random.Generator, age: np.ndarray) -> np.ndarray:
    far = (np.arange(N_YEARS)[:, None] - np.array(PEAK_AGE)[None]) / 18.0
    weights = zipf(len(DIAGNOSES), 0.7)[None] * (np.exp(-(far**2) / 2) + 0.25)
    return draw_given(rng, weights, age)


def _change(rng: np.random.Generator, people: _People, rows: np.ndarray) -> None:
    """Another diagnosis for every other one of the rows, another ZIP code or work for the rest; in place."""
    which = np.array(["diagnosis", *MOVING])[draw(rng, np.array([0.5, 0.25, 0.25]), len(rows))]
    age = N_YEARS - 1 - people.codes["born"]
    for name in ("diagnosis", *MOVING):
        own = rows[which == name]
        column = people.codes[name] = people.codes[name].copy()
        while len(own):
            if name == "diagnosis":
                drawn = _diagnosis(rng, age[own])
            elif name == "zip":
                drawn = draw(rng, zipf(N_AREAS, 0.6), len(own))
            else:
                drawn = rng.integers(0, sum(map(len, WORK.values())), len(own))
            other = drawn != column[own]
            column[own[other]] = drawn[other]
            own = own[~other]


def _dataset(people: _People) -> Dataset:
    import pyarrow as pa

    code = people.codes
    table = pa.table(
        {
            "person": people.person,
            "born": FIRST_YEAR + code["born"],
            "sex": dictionary_column(["female", "male"], code["sex"].astype(np.int8)),
            "zip": pa.array(53700 + code["zip"]).cast(pa.string()),
            "work": dictionary_column([one for some in WORK.values() for one in some], code["work"].astype(np.int8)),
            "diagnosis": dictionary_column(list(DIAGNOSES), code["diagnosis"].astype(np.int8)),
        }
    )
    return Dataset("hospital-year", table, schema(), ABOUT)


def schema() -> Schema:
    """The roles of a month's columns."""
    return Schema(
        {
            "person": Column(role="identifier"),
            "born": Column(role="quasi", kind="numeric"),
            "sex": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.flat()),
            "zip": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5)),
            "work": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(WORK)),
            "diagnosis": Column(role="sensitive"),
        }
    )
