"""Shared codes: persons in groups, and of tables of which little is known as many exact codes as k persons share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.kernels.relations import Grouped, cluster_trees
from amongst.models import KAnonymity
from amongst.partition.method import Method
from amongst.partition.methods import find_method
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest
from amongst.relations.grouping import explained, refuse_empty, refuse_infeasible, rules_from
from amongst.relations.km_anonymity import codes_asked
from amongst.relations.known_codes import place_codes
from amongst.relations.measure import measure_database
from amongst.relations.skeleton import groups_by

COMMONEST = 10
"""So many codes of a table, those that most persons have, are common."""
GROWS = 1.5
"""How much larger groups are tried next."""
PATIENCE = 3
"""Groups grow no more once so many sizes in a row have lost more than the best."""
BETWEEN = 3
"""How often the gap between groups that are too small and large enough is halved."""
SAMPLE = 20_000
"""Of more persons, codes are shared in groups of about so many, drawn by lot, while sizes of groups are tried."""


def codes(
    forest: Forest,
    models: Sequence[Any],
    *,
    persons_per_group: int = 0,
    keep: float = 0.82,
    common: float = 0.0,
    prevalence: bool = True,
    skeleton: str = "",
    cluster_limit: int = 150,
    progress: Callable[[int, int], object] | None = None,
) -> Grouped:
    """Persons are grouped by their own columns, larger than k where that lets more codes stay as they are.

    Paper
        k^m-anonymity: Terrovitis, Mamoulis, Kalnis, *Privacy-preserving Anonymization of Set-valued Data*, VLDB 2008.
        (k, k^m): Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos, *Anonymizing Data with Relational and Transaction
        Attributes*, ECML PKDD 2013. How groups and codes are found here is our own.
    Guarantees
        Persons of a group are published alike in their own columns and in tables of which all, or how many rows there
        are, is known. Any m codes are had by k persons of the group, or by none.
    Choices
        Groups of at least ``persons_per_group``; left out, of about the fewest with which the share ``keep`` of the
        coded rows is published exact (the mean of the tables, so that measurements do not outvote conditions), and
        where none does, of those with which the persons' own columns and the coded tables, each counted once, lose
        least. They are looked for among k, 1.5 k, 2.25 k and so on, as long as that loses less, then between the last
        two. With ``common`` instead groups are as large as it needs for each of the ten commonest codes of every table
        to stay exact for that share of the persons who have it. ``skeleton`` finds the groups: ``gain-split`` where
        only the persons' table is in trees, else clusters of trees. With ``prevalence`` it is told, in steps of
        2 k, how many persons have each frequent code, where that gives nobody away.
    Cost
        For every size that is tried a grouping of the persons, and for every group products of persons x codes; of more
        than 20,000 persons these for a sample of the groups, and in the end for all.
    """
    k, asked = database_models(models)
    about = codes_asked(models)
    refuse_infeasible(forest, k, asked)
    _refuse(forest, about, persons_per_group, {"keep": keep, "common": common})
    if asked and not forest.schema.bounded:
        found, fix = "all is known of every table, and diversity is asked", "use miracle or d-miracle"
        raise BadOption("The method codes withholds values where less is known.", found=found, fix=fix)
    trees = trees_of(forest)
    m = 0 if about is None else about.m

    def grouped(size: int, *, some: bool = False) -> Grouped:
        rules = rules_from(
            size,
            threshold=0.0,
            cluster_limit=cluster_limit,
            pairing="greedy",
            distance="increase",
            leftovers="join",
            diversity="merge",
            penalty=1.0,
            upper_only=True,
        )
        given: np.ndarray | None
        if len(trees.names) == 1:
            given = _persons(trees, size, skeleton or "gain-split")
        else:
            given = None if skeleton in ("", "clusters") else groups_by(trees, rules, skeleton, progress)
        made = cluster_trees(trees.tables, np.zeros((0, 6)), rules, given=given, tick=progress)
        made = _in_forest(forest, trees, made)
        if some:
            seen = np.isin(made.group_of_person, _drawn_groups(made.group_of_person))
            made = replace(made, looked_at=seen)
        return replace(place_codes(forest, made, k, m), counted=k if prevalence and m else 0)

    if persons_per_group or m == 0:
        return refuse_empty(grouped(max(persons_per_group, k)))
    some = not common and forest.n_persons > SAMPLE

    def tried(size: int) -> Tried:
        made = grouped(size, some=some)
        enough = _keeps_common(forest, made, share=common) if common else exact_share(forest, made) >= keep
        return Tried(size, enough, loss_of_tables(forest, made), made)

    best = _fewest(tried, k, forest.n_persons, patience=forest.n_persons if common else PATIENCE)
    return refuse_empty(grouped(best.size) if some else best.made)


@dataclass(frozen=True, eq=False)
class Tried:
    """A size of groups, whether it keeps as many codes as is asked, what it loses, and the grouping."""

    size: int
    enough: bool
    loss: float
    made: Grouped


def _fewest(tried: Callable[[int], Tried], k: int, n_persons: int, *, patience: int) -> Tried:
    """The smallest groups that keep as many codes as is asked, else those that lose least."""
    best = last = tried(min(k, n_persons))
    below, worse = 0, 0
    while not last.enough and worse < patience and last.size < n_persons:
        below = last.size
        last = tried(min(int(last.size * GROWS) + 1, n_persons))
        worse = 0 if last.loss < best.loss else worse + 1
        if last.enough or last.loss < best.loss:
            best = last
    for _ in range(BETWEEN if below and best.enough else 0):
        middle = tried((below + best.size) // 2)
        if middle.enough:
            best = middle
        else:
            below = middle.size
    return best


def _drawn_groups(group_of_person: np.ndarray) -> np.ndarray:
    """Groups with about as many persons together as are looked at, drawn by lot."""
    size = np.bincount(group_of_person[group_of_person >= 0])
    order = np.random.default_rng(0).permutation(len(size))
    return order[: 1 + int(np.searchsorted(np.cumsum(size[order]), SAMPLE))]


def loss_of_tables(forest: Forest, made: Grouped) -> float:
    """What the persons' own columns lose, and the tables with codes on average: many rows do not outvote one person."""
    if made.looked_at is not None:
        rows = [int(made.looked_at[forest.person_of[t]].sum()) for t in range(len(forest.names))]
        forest = replace(forest, n_input=[forest.n_input[0], *rows[1:]])
    tables = measure_database(forest, made).tables
    coded = [tables[name].lm or 0.0 for name in forest.names if forest.schema[name].known == "codes"]
    return (tables[forest.names[0]].lm or 0.0) + sum(coded) / max(len(coded), 1)


def _persons(trees: Forest, size: int, method: str) -> np.ndarray:
    """Groups of at least so many persons by their own columns, as of a single table."""
    if not trees.columns[0] or size >= trees.n_persons:
        return np.zeros(trees.n_persons, dtype=np.int32)
    partition = find_method(method).run(CodedTable(trees.columns[0], trees.n_persons), [KAnonymity(size)])
    return np.asarray(partition.group_of_row, dtype=np.int32)


def exact_share(forest: Forest, made: Grouped) -> float:
    """The share of the rows whose codes may be known that is published as it was: the mean of the tables."""
    shares = []
    for t in _coded(forest):
        seen = slice(None) if made.looked_at is None else made.looked_at[forest.person_of[t]]
        exact = _exact(forest, made, t)[seen]
        shares += [float(exact.mean())] if len(exact) else []
    return sum(shares) / len(shares) if shares else 1.0


def _coded(forest: Forest) -> list[int]:
    """The tables with codes that may be known, and with rows."""
    return [
        t for t, name in enumerate(forest.names) if forest.schema[name].known == "codes" and forest.tables[t].n_rows
    ]


def _exact(forest: Forest, made: Grouped, t: int) -> np.ndarray:
    """Which rows of a table are published with their code as it was."""
    codes = forest.tables[t].codes
    same = (made.lo[t] == codes).all(axis=1) & (made.hi[t] == codes).all(axis=1)
    return np.asarray(same & (made.node_of_row[t] >= 0))


def _keeps_common(forest: Forest, made: Grouped, *, share: float) -> bool:
    """Whether so many of the persons who have it are published with each of the commonest codes of every table."""
    for t in _coded(forest):
        item = np.unique(forest.tables[t].codes, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
        exact = _exact(forest, made, t)
        held = item * forest.n_persons + forest.person_of[t]
        n_had, n_told = (
            np.bincount(np.unique(held[rows]) // forest.n_persons, minlength=int(item.max()) + 1)
            for rows in (np.ones(len(item), dtype=bool), exact)
        )
        commonest = np.argsort(-n_had, kind="stable")[:COMMONEST]
        if (n_told[commonest] < share * n_had[commonest]).any():
            return False
    return True


def trees_of(forest: Forest) -> Forest:
    """The forest with the tables alone whose rows are paired."""
    inside = [t for t, name in enumerate(forest.names) if forest.schema[name].in_trees]
    place = {t: i for i, t in enumerate(inside)} | {-1: -1}
    names = [forest.names[t] for t in inside]
    return Forest(
        schema=forest.schema.of({name: one for name, one in forest.schema.items() if name in names}),
        names=names,
        tables=[replace(forest.tables[t], parent=place[forest.tables[t].parent]) for t in inside],
        columns=[forest.columns[t] for t in inside],
        row_of=[forest.row_of[t] for t in inside],
        person_of=[forest.person_of[t] for t in inside],
        n_input=[forest.n_input[t] for t in inside],
    )


def _in_forest(forest: Forest, trees: Forest, made: Grouped) -> Grouped:
    """The grouping of the trees as one of the whole forest, in which nothing is decided of the other tables."""
    place = {name: i for i, name in enumerate(trees.names)}
    lo, hi, nodes = [], [], []
    for t, name in enumerate(forest.names):
        i = place.get(name)
        lo.append(forest.tables[t].codes.copy() if i is None else made.lo[i])
        hi.append(forest.tables[t].codes.copy() if i is None else made.hi[i])
        nodes.append(np.full(forest.tables[t].n_rows, -1, dtype=np.int32) if i is None else made.node_of_row[i])
    return Grouped(made.group_of_person, lo, hi, nodes)


def _refuse(forest: Forest, about: Any, persons_per_group: int, shares: Mapping[str, float]) -> None:
    coded = [name for name in forest.names if forest.schema[name].known == "codes"]
    if coded and about is None:
        raise BadOption(
            "It is not said how many codes an intruder may know.",
            found=f'known = "codes" of {", ".join(coded)}, and no model that speaks of codes',
            fix="ask for km-anonymity with m = 2 as well",
        )
    if about is not None and not coded:
        raise BadOption(
            "No table has codes that may be known.",
            found=about.words(),
            fix='say known = "codes" of tables, or take the model out',
        )
    if not isinstance(persons_per_group, int) or isinstance(persons_per_group, bool) or persons_per_group < 0:
        found = f"persons_per_group = {persons_per_group!r}"
        raise BadOption("persons_per_group must be a whole number.", found=found, fix="leave it out, or use 100")
    if persons_per_group > forest.n_persons:
        found = f"persons_per_group = {persons_per_group}, {forest.n_persons:,} persons"
        raise BadOption("There are not so many persons.", found=found, fix="leave it out, or use fewer")
    for name, share in shares.items():
        if not isinstance(share, (int, float)) or isinstance(share, bool) or not 0 <= share <= 1:
            raise BadOption(f"{name} must be a share.", found=f"{name} = {share!r}", fix=f"use {name} = 0.82")


METHOD = Method(
    name="codes",
    family="database",
    place=50,
    group=codes,
    takes="models itself",
    recoding="local",
    words="For intruders who know a few codes: groups of persons, and the codes that k of them share.",
    paper="Terrovitis et al., VLDB 2008; Poulis et al., ECML PKDD 2013",
    publishes="many tables",
    explained=explained(codes),
)
