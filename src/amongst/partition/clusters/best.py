"""Best: the groups of several methods, and a search that makes near groups anew while the loss falls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from amongst.encode import CodedTable, frequency_set
from amongst.encode.coded import CodedColumn
from amongst.errors import AmongstError, BadOption, refuse_unknown_word
from amongst.kernels.conditions import Conditions
from amongst.kernels.holds import holds_by_class
from amongst.kernels.search import can_search
from amongst.models import KAnonymity, Model, group_size, smallest_group
from amongst.partition.clusters.pool_rounds import FIRST_LOOK, LAST_LOOK, PoolRounds
from amongst.partition.clusters.sweep import sweep
from amongst.partition.conditions import asks_for_rows_only
from amongst.partition.feasible import feasible_conditions
from amongst.partition.line.hilbert import hilbert
from amongst.partition.mend import mend
from amongst.partition.method import Method, Option
from amongst.partition.methods import METHODS
from amongst.partition.mondrian.gain_split import gain_split
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed
from amongst.partition.published_price import published_loss
from amongst.partition.refine import refine

VISITS_OF_SWEEP = 400_000_000
"""How many visits of a tuple the steps of a sweep may come to. Most steps are ruled out by others."""

WIDE, VISITS_OF_NEIGHBOURS = 9, 300_000_000
"""With more columns the steps of a sweep are found by comparing cells of rows, of which there may be so many."""

FEW_STEPS = 200
"""With fewer steps than this a sweep is not worthwhile."""

STEPS_OF_FEW, TUPLES_OF_FEW = 2000, 50_000
"""The steps of a sweep where few starts are wanted: most of what it gains, sooner; none for more tuples."""

VISITS_OF_FEW = 5_000_000_000
"""Prices that the search then looks up at the most at effort 1, where the table is not large."""

MANY_TUPLES, MANY_ROWS = 100_000, 250_000
"""With more different rows than this, or more rows, a table is large: from few starts it is searched for about as long
as the rest of a job takes."""

VISITS_OF_MANY, VISITS_OF_CELL_OF_MANY = 2_000_000_000, 250
"""Prices that the search of a large table then looks up at effort 1: so many, or for every cell, whichever is more."""

PATIENT_FROM = 4
"""From this k on a sweep that undoes dear groups is worth its time."""

VISITS_OF_CELL = 600
"""Prices that the search looks up for every cell of the table at effort 1 and k = 2; more for larger k."""

FEWEST_VISITS = 2_000_000
"""So many are looked up at effort 1, however small the table."""

LEAST_OF_CELL, LEAST_VISITS = 1000, 50_000_000
"""Whatever the effort: so many for a cell, so many, or those of effort 1, whichever is least."""

LEAST_VISITS_OF_VALUES = 100_000_000
"""The same where more than the size of groups is asked: starts are few then, and far from what a search finds."""

MOST_ROUNDS = 1_000_000

ALL_METHODS, ALL_OF_FEW = 40_000, 10_000
"""Up to so many cells every other method of groups is a start, whatever it takes to mend it, and so are those of cells.
Where few are wanted, methods of cells are none, and the sweep is a whole one up to so many cells."""

SECONDS_OF_OTHERS = 3.0
"""Of larger tables those other methods are starts that take at most so many seconds for a million rows, where most of
their groups hold as they are."""

MENDED = 250_000
"""With more cells than that a start of which most rows are in groups that do not hold is not mended: the search from
one that holds loses less by then."""

LEVELS_OF_CELLS = 20_000
"""With more generalizations than that methods of cells take longer than the search."""

CLOSE = 1.06
"""A start that loses up to so many times the cheapest may end below it."""

TRIAL_ROUNDS = 3
"""After so many rounds from each of the starts that are close the search goes on from the cheapest."""


STARTS = ("all", "few")


def best(
    table: CodedTable,
    models: Sequence[Model],
    *,
    effort: float = 1.0,
    seconds: float | None = None,
    steps: int | None = None,
    starts: str = "all",
    progress: Callable[[int, int], None] | None = None,
    report_loss: Callable[[float], None] | None = None,
) -> Partition:
    """The grouping with the least loss that amongst finds for the effort.

    Paper
        None of its own: large neighbourhood search (Shaw, *Using constraint programming and local search methods to
        solve vehicle routing problems*, CP 1998) over groups; for the starts see ``sweep`` and ``gain_split``.
    Guarantees
        Every group has at least k rows, and holds the models. Never above what any of its starts loses, as published.
        More effort never loses more: a longer search goes on where a shorter one ended. The same input gives the same
        release, on any machine and any number of threads. Where k is asked of every few columns alone it may publish
        the cells of ``cell-generalization``, if these lose less than any groups of k rows. Local recoding: rows with
        the same quasi-identifiers may be in different groups.
    Choices
        Starts: a split by gain, groups on the Hilbert curve and a sweep, where that has enough steps; on small tables
        the groups of every other local method, of those of cells where their lattice is small. With ``starts="few"``
        the sweep is a short one but on very small tables, up to 50,000 different rows, and none is of cells;
        with more than 100,000 different rows, or 250,000 rows, then a shorter search, of the cheapest alone.
        Those close to the cheapest are searched a few rounds, and the search goes on from the cheapest. A round
        divides the groups into leaves of near ones, takes pools of 2 or more that are near, clusters the rows of each
        anew (from a row far off, any row or a near one, the cheapest row added until the group holds), moves and swaps
        rows and dissolves groups while the loss falls, and keeps what loses less. The loss is that of what is
        published: ranges, cells of a grid, nodes, sets. Work is counted in prices looked up; with ``seconds`` the
        clock ends it, and the number of rounds done is told as ``steps``, which repeat it.
    Departures
        Without compiled kernels, and under models that they do not know, the starts are refined instead (see
        ``refine``). Nulls that match anything are priced too high in the search.
    Cost
        O(effort x rows x columns x log k) in the search.
    """
    _refuse(effort, seconds, steps, starts)
    conditions = feasible_conditions(table, models)
    tell = _only_falling(report_loss)
    n_tuples, cells = max(frequency_set(table.codes).n_tuples, 1), table.n_rows * table.n_qi
    few = starts == "few"
    large = few and (n_tuples > MANY_TUPLES or table.n_rows > MANY_ROWS)

    def priced(one: Partition) -> tuple[float, Partition]:
        return published_loss(table, one), one

    found: list[tuple[float, Partition]] = []
    for start in _starts(table, models, conditions, progress, n_tuples=n_tuples, few=few):
        if (start.group_of_row >= 0).all():
            found.append(priced(start))
            tell(found[-1][0])
    found.sort(key=_loss)
    cheapest = found[0]
    close = [one for one in found if one is cheapest or one[0] <= CLOSE * cheapest[0]]
    if not can_search(conditions):
        window, passes = (4, 8) if effort <= 1 else (12, 40)
        refined = [
            refine(table, models, start, window=window, passes=passes, conditions=conditions, progress=progress)
            for _, start in close[:2]
        ]
        others = [*refined, *_by_few_columns(table, models)]
        return _told(*min([*close, *map(priced, others)], key=_loss), tell, 0)
    search = PoolRounds(table, conditions, tell, progress, first_look=LAST_LOOK if large else FIRST_LOOK)
    if len(close) > 1 and not large:
        close = [priced(search.run(start, TRIAL_ROUNDS)[0]) for _, start in close[:2]]
    chosen = min(close, key=_loss)
    whole = max(FEWEST_VISITS, VISITS_OF_CELL * cells * math.log2(max(conditions.k, 2)))
    least = LEAST_VISITS if conditions.only_size else LEAST_VISITS_OF_VALUES
    visits = int(max(effort * whole, min(whole, LEAST_OF_CELL * cells, least)))
    if large:
        visits = min(visits, int(effort * max(VISITS_OF_MANY, VISITS_OF_CELL_OF_MANY * cells)))
    elif few:
        visits = min(visits, int(effort * VISITS_OF_FEW))
    if steps is not None:
        searched, done = search.run(chosen[1], steps)
    elif seconds is not None:
        searched, done = search.run(chosen[1], MOST_ROUNDS, seconds=seconds)
    else:
        searched, done = search.run(chosen[1], MOST_ROUNDS, visits=visits)
    others = [searched, *_by_few_columns(table, models)]
    first, *more = map(priced, others)
    return _told(*min([first, chosen, cheapest, *more], key=_loss), tell, done)


def _loss(priced: tuple[float, Partition]) -> float:
    return priced[0]


def _refuse(effort: float, seconds: float | None, steps: int | None, starts: str) -> None:
    def positive(number: object) -> bool:
        return isinstance(number, (int, float)) and not isinstance(number, bool) and 0 < number <= 1e6

    if not positive(effort) or effort > 1000:
        raise BadOption(
            "The effort must be a positive number.",
            found=f"effort = {effort!r}",
            fix="use 1 for a quick run, 10 for a thorough one",
        )
    refuse_unknown_word("These are no starts.", "starts", starts, STARTS)
    if seconds is not None and not positive(seconds):
        raise BadOption(
            "The seconds must be a positive number.", found=f"seconds = {seconds!r}", fix="use a number such as 30"
        )
    if steps is not None and (not isinstance(steps, int) or isinstance(steps, bool) or not 0 <= steps <= MOST_ROUNDS):
        raise BadOption(
            "The steps must be a whole number.",
            found=f"steps = {steps!r}",
            fix="use the number that a run with seconds has told",
        )


def _starts(
    table: CodedTable,
    models: Sequence[Model],
    conditions: Conditions,
    progress: Callable[[int, int], None] | None,
    *,
    n_tuples: int,
    few: bool,
) -> Iterator[Partition]:
    """Groupings that hold the models."""

    yield gain_split(table, models, divides=True)
    size = [KAnonymity(conditions.k)]
    steps = int(min(VISITS_OF_SWEEP / n_tuples, 20_000))
    if table.n_qi > WIDE:
        steps = int(min(steps, VISITS_OF_NEIGHBOURS / (n_tuples * table.n_qi)))
    all_methods, small, mended = (table.n_rows * table.n_qi <= cells for cells in (ALL_METHODS, ALL_OF_FEW, MENDED))
    if few and not small:
        steps = min(steps // 4, STEPS_OF_FEW) if n_tuples <= TUPLES_OF_FEW else 0
    if steps >= FEW_STEPS:
        patient = conditions.k >= PATIENT_FROM
        swept = sweep(table, size, most_steps=steps, patient=patient, progress=progress)
        if mended or _mostly_holds(conditions, swept):
            yield _mended(table, models, conditions, swept)
    on_curve = hilbert(table, [*size, *models])
    if mended or _mostly_holds(conditions, on_curve):
        yield mend(table, models, conditions, on_curve)
    of_cells = all_methods and not few and math.prod(map(_n_levels, table.columns)) <= LEVELS_OF_CELLS
    families = ("mondrian", "clusters", "line", *(["cells"] if of_cells else []))
    made = ("best", "gain-split", "hilbert", *(["sweep"] if not all_methods or (few and not small) else []))
    for name, method in METHODS.items():
        local = method.family in families and method.publishes == "one table"
        if not local or name in made or method.takes == "l":
            continue
        if not all_methods and method.seconds > SECONDS_OF_OTHERS:
            continue
        if method.few_columns and not asks_for_rows_only(table, models):
            continue  # k of few columns is not k of the groups
        try:
            one = method.run(table, models) if all_methods else _if_it_holds(table, models, conditions, method)
        except AmongstError:
            continue  # it does not take these models, or columns
        if one is not None:
            yield boxed(table, one.group_of_row)


def _if_it_holds(
    table: CodedTable, models: Sequence[Model], conditions: Conditions, method: Method
) -> Partition | None:
    """The groups of a method, where they hold the models without much mending."""
    if asks_for_rows_only(table, models) or method.takes == "models itself":
        return method.run(table, models)
    assert method.group is not None
    found = method.group(table, [KAnonymity(conditions.k), *models])
    return mend(table, models, conditions, found) if _mostly_holds(conditions, found) else None


def _n_levels(column: CodedColumn) -> int:
    return 2 if column.tree is None else column.tree.n_levels


def _by_few_columns(table: CodedTable, models: Sequence[Model]) -> list[Partition]:
    """Where k is asked of every few columns alone, the cells that can be told then; they are no groups of k rows."""
    others = [model for model in models if model.counts != "subsets"]
    if not smallest_group(models) <= 1 < group_size(models) or not asks_for_rows_only(table, others):
        return []
    if any(column.grid is not None for column in table.columns):
        return []
    try:
        return [METHODS["cell-generalization"].run(table, models)]
    except AmongstError:
        return []  # too many choices of columns


def _mostly_holds(conditions: Conditions, partition: Partition) -> bool:
    """Whether most rows are in groups that hold already; the others are dear to mend."""
    if conditions.only_size:
        return True
    holds = holds_by_class(conditions, partition.group_of_row, partition.n_groups)
    return bool(2 * partition.size_of_group[holds].sum() >= len(partition.group_of_row))


def _mended(table: CodedTable, models: Sequence[Model], conditions: Conditions, start: Partition) -> Partition:
    """A start whose groups hold the models: those that fail are joined with others."""
    return start if conditions.only_size else refine(table, models, start, passes=0, conditions=conditions)


def _told(loss: float, partition: Partition, tell: Callable[[float], None], steps: int) -> Partition:
    tell(loss)
    partition.facts.update(steps=steps, loss=round(loss, 6))
    return partition


def _only_falling(report_loss: Callable[[float], None] | None) -> Callable[[float], None]:
    """Tell only a loss that is below all told before."""
    least = [np.inf]

    def tell(loss: float) -> None:
        if loss < least[0]:
            least[0] = loss
            if report_loss is not None:
                report_loss(loss)

    return tell


METHOD = Method(
    name="best",
    family="clusters",
    place=10,
    group=best,
    takes="models itself",
    recoding="local",
    tight=True,
    clocked={"seconds": "steps"},
    looks_with={"effort": 0.1, "starts": "few"},
    words="Takes the groups of several methods and makes near ones anew, again and again, while the loss falls.",
    paper="see sweep and gain-split",
    usual=True,
    seconds=60.0,
    explained={
        "effort": Option(words="how much work: 1 is quick, 10 thorough"),
        "seconds": Option(words="seconds of search, in place of the effort"),
        "steps": Option(words="rounds of search, as a run with seconds has told them"),
        "starts": Option(words="methods to start from", choices=STARTS),
    },
)
