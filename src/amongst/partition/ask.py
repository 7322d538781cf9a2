"""What a full-domain search is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.models import MODELS, Model, smallest_group
from amongst.partition.conditions import asks_for_rows_only
from amongst.partition.feasible import feasible_conditions, refuse_small_table
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.lattice import Lattice, Levels

MOST_NODES = 1 << 24
"""A lattice with more nodes is not enumerated."""
MOST_COLUMNS = 32
"""Nor one over more columns, whatever their levels: a set of nodes is an array with that many axes."""


@dataclass(frozen=True, eq=False)
class Ask:
    """The models, how many rows may be suppressed, and the part of the lattice that is looked at.

    Attributes
    ----------
    k : int
    most_suppressed : int
        Rows in classes that fail may be left out of the release, up to this many. Less than what the user
        allows where that would leave no class at all: an empty release is none.
    lattice : Lattice
        Cut at the highest level that every column may have.
    allowed : int
        The rows that the user allows to be suppressed.
    """

    k: int
    most_suppressed: int
    lattice: Lattice
    allowed: int

    def holds(self, found: NodeSet) -> bool:
        """Whether a generalization satisfies the models after suppression (monotone: so do all above it)."""
        return found.fewer_rows_fail(self.k, self.most_suppressed)


def ask(
    table: CodedTable,
    sets: FrequencySets,
    models: Sequence[Model],
    suppression: float,
    limits: Mapping[str, int] | None,
    *,
    enumerate_all: bool = True,
) -> Ask:
    """Check the options of a full-domain search."""
    k = smallest_group(models)
    refuse_small_table(table, k)
    allowed = most_suppressed(suppression, table.n_rows)
    refuse_not_monotone(models, suppresses=allowed > 0, people=table.unit is not None)
    if not asks_for_rows_only(table, models):
        sets.hold_beyond_k(replace(feasible_conditions(table, models), k=k), models)
    lattice = Lattice(limited(sets, table, {} if limits is None else limits))
    if enumerate_all:
        refuse_large(lattice)
    return Ask(k, min(allowed, table.n_rows - k), lattice, allowed)


def refuse_large(lattice: Lattice) -> None:
    """Raise where nobody could wait for all the nodes."""
    if lattice.n_nodes <= MOST_NODES and lattice.n_columns <= MOST_COLUMNS:
        return
    raise BadOption(
        "The lattice is too large to look at every generalization.",
        found=f"{lattice.n_nodes:,} generalizations of {lattice.n_columns} columns; "
        f"at most {MOST_NODES:,} of {MOST_COLUMNS} are enumerated",
        fix='use method="full-domain-wide", which searches any lattice, or "datafly", which climbs one path; '
        "or limit the levels of some columns",
        n_nodes=lattice.n_nodes,
    )


def refuse_not_monotone(models: Sequence[Model], *, suppresses: bool = False, people: bool = False) -> None:
    """Raise for a model that a more general release could break: the search relies on that it cannot.

    Where classes that fail may be suppressed, or people are counted, more models can be broken: a class that holds
    may be joined with one that was to be suppressed, or with one in which the same people have other values.
    """
    unfit = [model.name for model in models if not model.monotone]
    if unfit:
        fitting = ", ".join(name for name, model in MODELS.items() if model.monotone is True)
        raise BadOption(
            "Full-domain methods need models that hold for every generalization of a release that holds them.",
            found="not monotone: " + ", ".join(unfit),
            fix=f"use other methods, or these models: {fitting}",
        )
    broken = [
        model.name for model in models if not (model.survives_suppression if suppresses else model.survives_more_rows)
    ]
    if broken and (suppresses or people):
        where = "with suppression" if suppresses else "where people are counted"
        raise BadOption(
            f"A more general release may break this model {where}, so not all answers can be found.",
            found=f"not monotone {where}: " + ", ".join(broken),
            fix=("use suppression = 0, " if suppresses else "use ")
            + "another method, or these models: k-anonymity, l-diversity in the sense distinct",
        )


def most_suppressed(suppression: float, n_rows: int) -> int:
    """Rows that may be left out: a whole number counts rows, a fraction is a share of the table."""
    is_number = isinstance(suppression, (int, float, np.number)) and not isinstance(suppression, bool)
    share = is_number and isinstance(suppression, (float, np.floating))
    most = 1.0 if share else n_rows
    if not is_number or not 0 <= suppression <= most:
        raise BadOption(
            "The suppression limit does not fit the table.",
            found=f"suppression = {suppression!r}, {n_rows} rows",
            fix=f"use a share from 0.0 to 1.0, or a whole number of rows from 0 to {n_rows}",
        )
    return int(suppression * n_rows + 1e-9) if share else int(suppression)


def limited(sets: FrequencySets, table: CodedTable, limits: Mapping[str, int]) -> Levels:
    """The heights of the lattice, cut where the user wants a column kept below a level."""
    fix = "give levels that exist, such as limits={'age': 2}"
    if not isinstance(limits, Mapping):
        raise BadOption("The limits must name columns.", found=f"limits = {limits!r}", fix=fix)
    names = [column.name for column in table.columns]
    height_of = dict(zip(names, sets.heights, strict=True))
    problems = [f"{name}: not a quasi-identifier" for name in limits if name not in height_of]
    for name, limit in limits.items():
        if name in height_of and (
            isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= height_of[name]
        ):
            problems.append(f"{name}: there is no level {limit!r}, its levels go from 0 to {height_of[name]}")
    if problems:
        raise BadOption("The limits do not fit the columns.", found=problems, fix=fix)
    return tuple(min(height, limits.get(name, height)) for name, height in height_of.items())
