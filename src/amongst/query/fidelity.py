"""How like its original a release is: the data cube, single columns, and pairs of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from amongst.brief import Brief
from amongst.errors import BadOption
from amongst.query.ask import open_any
from amongst.query.association import association
from amongst.query.joint import joint, table_of
from amongst.query.open_release import OpenRelease, open_original
from amongst.query.value_shares import ValueShares, value_shares
from amongst.schema.schema import Schema

MOST_VALUES = 1000
"""Columns with more values have no two-way tables."""


@dataclass(frozen=True)
class CubeLevel:
    """The group-bys of one level of the data cube.

    Attributes
    ----------
    level : int
        By how many quasi-identifiers.
    n_group_bys, n_measured : int
        How many there are, and how many were measured.
    mean, largest : float
        The KL divergence of release from original, in nats.
    worst : tuple of str
        The columns with the largest one.
    """

    level: int
    n_group_bys: int
    n_measured: int
    mean: float
    largest: float
    worst: tuple[str, ...]


@dataclass(frozen=True)
class Marginal(Brief):
    """One column: how far its distribution moved.

    Attributes
    ----------
    distance : float
        Total variation: the share of rows that would have to change their value.
    divergence : float
        KL divergence in nats.
    values, before, after : list
        The values of the original with their shares.
    """

    column: str
    distance: float
    divergence: float
    values: list[Any]
    before: list[float]
    after: list[float]


@dataclass(frozen=True)
class Association(Brief):
    """Two columns: how strongly they hang together, before and after.

    ``measure`` is Pearson's correlation for two columns on a line, Cramér's V for two of names, and the correlation
    ratio for one of each.
    """

    columns: tuple[str, str]
    measure: str
    before: float
    after: float


@dataclass(frozen=True)
class Fidelity(Brief):
    """How like its original a release is."""

    sensitive: str | None
    cube: list[CubeLevel]
    marginals: list[Marginal]
    associations: list[Association]

    def to_dict(self) -> dict[str, Any]:
        """The figures, without the values of columns."""
        return {
            "sensitive": self.sensitive,
            "cube": [{**vars(one), "worst": list(one.worst)} for one in self.cube],
            "marginals": [
                {"column": one.column, "distance": one.distance, "divergence": one.divergence} for one in self.marginals
            ],
            "associations": [{**vars(one), "columns": list(one.columns)} for one in self.associations],
        }


def fidelity(
    published: Any,
    original: Any,
    schema: Schema,
    *,
    levels: Sequence[int] = (1, 2),
    sensitive: str | None = None,
    most_group_bys: int = 40,
    seed: int = 0,
) -> Fidelity:
    """Compare a release with its original.

    Parameters
    ----------
    published : path, table or Release
    original : table
    schema : Schema
    levels : sequence of int
        Levels of the data cube: by how many quasi-identifiers to group.
    sensitive : str, optional
        The sensitive column whose values the cube counts; the first one if left out.
    most_group_bys : int
        Of a level with more group-bys as many are drawn by lot.
    seed : int
        Of the lots.

    Returns
    -------
    Fidelity

    Notes
    -----
    Paper: Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007, section
    6.3. Level i of the cube has all group-bys over i quasi-identifiers, each with a cell for every combination of
    their values and a sensitive value. P is the share of the original's rows in a cell, Q the share that the release
    makes one expect with values spread evenly within a class; the divergence is the sum of P log(P / Q).

    Choices: a level's figure is the mean over its group-bys. Suppressed rows are spread evenly over all cells.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> found = release.fidelity()
    >>> [f"{level.mean:.2f}" for level in found.cube]
    ['0.76', '1.52']
    """
    before, after = open_original(original, schema), open_any(published, schema)
    quasi = [name for name in schema.quasi if name in before.columns and name in after.columns]
    _refuse_levels(levels, len(quasi))
    target = sensitive or next((n for n in schema.sensitive if n in before.columns and n in after.columns), None)
    names = [*quasi, *([target] if target else [])]
    before.prepare(names)
    after.prepare(names)
    shares = {name: value_shares(before, after, name) for name in names}
    rng = np.random.default_rng(seed)
    cube = [
        _level(before, after, shares=shares, quasi=quasi, target=target, level=level, most=most_group_bys, rng=rng)
        for level in levels
    ]
    marginals = [_marginal(before, after, shares, name) for name in quasi]
    small = [name for name in names if len(shares[name].values) <= MOST_VALUES]
    pairs = [_association(before, after, shares[a], shares[b]) for a, b in combinations(small, 2)]
    return Fidelity(target, cube, marginals, [pair for pair in pairs if pair is not None])


def _level(
    before: OpenRelease,
    after: OpenRelease,
    shares: dict[str, ValueShares],
    quasi: list[str],
    target: str | None,
    level: int,
    most: int,
    rng: np.random.Generator,
) -> CubeLevel:
    chosen = _group_bys(quasi, level, most, rng)
    found = [
        _divergence(before, after, shares, [*names, *([target] if target is not None else [])]) for names in chosen
    ]
    worst = int(np.argmax(found))
    return CubeLevel(
        level, comb(len(quasi), level), len(chosen), float(np.mean(found)), float(found[worst]), chosen[worst]
    )


def _group_bys(quasi: list[str], level: int, most: int, rng: np.random.Generator) -> list[tuple[str, ...]]:
    n = comb(len(quasi), level)
    if n <= most:
        return list(combinations(quasi, level))
    drawn: set[tuple[str, ...]] = set()
    while len(drawn) < most:
        at = sorted(rng.choice(len(quasi), level, replace=False).tolist())
        drawn.add(tuple(quasi[i] for i in at))
    return sorted(drawn)


def _divergence(before: OpenRelease, after: OpenRelease, shares: dict[str, ValueShares], names: Sequence[str]) -> float:
    cells = joint(before, after, shares, names)
    with np.errstate(divide="ignore"):
        return max(float(cells.before @ np.log(cells.before / cells.after)), 0.0)


def _marginal(before: OpenRelease, after: OpenRelease, shares: dict[str, ValueShares], name: str) -> Marginal:
    cells = joint(before, after, shares, [name])
    order = np.argsort(cells.codes[0], kind="stable")
    p, q = cells.before[order], cells.after[order]
    values = [shares[name].values[i] for i in cells.codes[0][order].tolist()]
    # What the release expects at values that do not occur is missing from the sum over those that do.
    distance = float((np.abs(p - q).sum() + max(1 - q.sum(), 0.0)) / 2)
    with np.errstate(divide="ignore"):
        divergence = max(float(p @ np.log(p / q)), 0.0)
    return Marginal(name, distance, divergence, values, p.tolist(), q.tolist())


def _association(
    before: OpenRelease, after: OpenRelease, first: ValueShares, second: ValueShares
) -> Association | None:
    tables = table_of(before, after, first, second)
    found = [association(table, first.place, second.place) for table in tables]
    if found[0] is None or found[1] is None:
        return None
    return Association((first.name, second.name), found[0][0], found[0][1], found[1][1])


def _refuse_levels(levels: Sequence[int], n_quasi: int) -> None:
    if not levels or any(not 1 <= level <= n_quasi for level in levels):
        raise BadOption(
            "The data cube has no such level.",
            found=f"levels = {list(levels)}, with {n_quasi} quasi-identifiers",
            fix=f"use levels from 1 to {n_quasi}",
        )
