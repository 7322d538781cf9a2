"""Best: run what is worthwhile, refine it, keep the grouping with the least loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.encode import CodedTable, frequency_set
from amongst.errors import BadOption
from amongst.kernels.conditions import Conditions
from amongst.models import KAnonymity, Model
from amongst.partition.clusters.sweep import sweep
from amongst.partition.feasible import feasible_conditions
from amongst.partition.line.hilbert import hilbert
from amongst.partition.mend import loss_under
from amongst.partition.method import Method
from amongst.partition.mondrian.gain_split import gain_split
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of
from amongst.partition.refine import refine

VISITS = 400_000_000
"""How many visits of a tuple the steps of a sweep may come to at effort 1. Most steps are ruled out by others."""

FEW_STEPS = 200
"""With fewer steps than this a sweep is not worthwhile."""

WORTH_REFINING = 1.5
"""Where groups were joined to hold a model, a start that loses up to so many times the cheapest may end below it."""

CLOSE = 1.1
"""Where the size of groups alone is asked, one that loses up to so many times the cheapest may."""


def best(
    table: CodedTable,
    models: Sequence[Model],
    *,
    effort: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
    report_loss: Callable[[float], None] | None = None,
) -> Partition:
    """The grouping with the least loss that amongst finds for the effort.

    Paper
        See ``sweep``, ``gain_split`` and ``refine``.
    Guarantees
        Every group has at least k rows. Local recoding: rows with the same quasi-identifiers may be in different
        groups.
    Choices
        A sweep with as many steps as the effort allows for the number of distinct tuples, unless these would be too
        few to be worthwhile, and a split by gain; with models of sensitive values also groups on the Hilbert
        curve. The cheapest is refined, and those that may end below it; with an effort above 1 all are, and the
        cheapest result is taken. Work is counted in visits of tuples, not in seconds, so the same
        input gives the same release on any machine. ``report_loss`` is told the least weighted GCP so far.
    Departures
        None.
    Cost
        Grows with ``effort``: 1 takes about a second for 30,000 rows with 8 columns, 10 about four.
    """
    if not isinstance(effort, (int, float)) or isinstance(effort, bool) or not 0 < effort <= 1000:
        raise BadOption(
            "The effort must be a positive number.",
            found=f"effort = {effort!r}",
            fix="use 1 for a quick run, 10 for a thorough one",
        )
    conditions = feasible_conditions(table, models)
    n_tuples = frequency_set(table.codes).n_tuples
    steps = int(min(max(VISITS * effort / max(n_tuples, 1), 1), 200_000))
    window, passes = (4, 8) if effort <= 1 else (12, 40)
    starts = [gain_split(table, models, divides=True)]
    if steps >= FEW_STEPS:
        size = [KAnonymity(conditions.k)]
        by_size = sweep(table, size, most_steps=steps, patient=effort > 1, progress=progress)
        starts.append(_mended(table, models, conditions, by_size))
    if not conditions.only_size:
        starts.append(_mended(table, models, conditions, hilbert(table, [KAnonymity(conditions.k), *models])))
    loss_of = loss_under(prices_of(table))
    cheapest_first = sorted(starts, key=loss_of)
    found: list[Partition] = []
    tell = _only_falling(report_loss)
    if effort <= 1:
        worth = (CLOSE if conditions.only_size else WORTH_REFINING) * loss_of(cheapest_first[0])
        cheapest_first = [one for n, one in enumerate(cheapest_first) if n == 0 or loss_of(one) < worth]
    for start in cheapest_first:
        refined = refine(
            table,
            models,
            start,
            window=window,
            passes=passes,
            conditions=conditions,
            progress=progress,
            report_loss=tell,
        )
        found.append(refined)
    return min(found, key=loss_of)


def _mended(table: CodedTable, models: Sequence[Model], conditions: Conditions, start: Partition) -> Partition:
    """A start whose groups hold the models: those that fail are joined with others."""
    return start if conditions.only_size else refine(table, models, start, passes=0, conditions=conditions)


def _only_falling(report_loss: Callable[[float], None] | None) -> Callable[[float], None] | None:
    """Tell only a loss that is below all told before: a second start begins above what the first has reached."""
    if report_loss is None:
        return None
    told = [float("inf")]

    def tell(loss: float) -> None:
        if loss < told[0]:
            told[0] = loss
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
    words="Runs what is worthwhile for the effort, refines it, and keeps the grouping with the least loss.",
    paper="see sweep and gain-split",
    usual=True,
    seconds=22.0,
)
