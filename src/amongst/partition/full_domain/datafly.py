"""Datafly: generalize the column with the most values until few enough rows stand out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO


def datafly(
    sets: FrequencySets, ask: Ask, *, progress: Callable[[int, int], None] | None = None
) -> tuple[np.ndarray, int]:
    """One full-domain generalization that satisfies the models, found by climbing one path.

    Paper
        Sweeney's Datafly, cited in LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 6.
    Guarantees
        The models hold, and no more rows are suppressed than allowed. Not minimal.
    Choices
        The column with the most distinct values at its present level goes one level up; ties go to the first
        column. Rows in classes of fewer than k are suppressed as soon as there are few enough of them.
    Departures
        Sweeney allows k suppressed rows; here the limit is the user's, none by default.
    Cost
        One rollup a step, at most the height of the lattice. The lattice itself is not built, so any size will do.

    Returns
    -------
    nodes : ndarray of int, shape (1 or 0, n_columns)
        The node, where there is one; a list, since the lattice may be too large for a set of its nodes.
    n_searched : int
    """
    lattice, family = ask.lattice, tuple(range(ask.lattice.n_columns))
    levels = [0] * lattice.n_columns
    found, n_searched = sets.scan(family, tuple(levels)), 1
    while not ask.holds(found):
        open_columns = [c for c in family if levels[c] < lattice.heights[c]]
        if not open_columns:
            return np.zeros((0, lattice.n_columns), dtype=np.int64), n_searched
        c = max(open_columns, key=lambda column: (found.n_values(column), -column))
        levels[c] += 1
        found, n_searched = sets.rollup(found, tuple(levels)), n_searched + 1
        if progress is not None:
            progress(sum(levels), sum(lattice.heights))
    return np.array([levels]), n_searched


METHOD = Method(
    name="datafly",
    family="full_domain",
    place=40,
    search=datafly,
    takes="monotone models",
    recoding="global",
    words="One level per column: climbs one path, the column with the most values first.",
    paper=f"Sweeney's Datafly, as cited in {INCOGNITO}, section 6",
    decides_on="counts",
    enumerates=False,
)
