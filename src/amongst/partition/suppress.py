"""Suppression around any grouping: rows that cost the others more than they lose themselves are left out."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption, Infeasible
from amongst.models import Model, smallest_group
from amongst.partition.ask import most_suppressed
from amongst.partition.feasible import feasible_conditions
from amongst.partition.mend import mend
from amongst.partition.outliers import far_rows
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed
from amongst.partition.published_price import published_loss
from amongst.partition.row_order import rows_of

if TYPE_CHECKING:
    from amongst.partition.method import Method

ROUNDS = 3
"""So often rows are chosen anew, after the others were grouped without the first ones."""

PARTS = (16, 4, 1)
"""The rows are grouped anew without such parts of as many as may be left out: those first that win most."""

Run = Callable[..., Partition]


@dataclass(frozen=True, eq=False)
class _Found:
    """Some rows of a table as a table, and their groups."""

    rows: np.ndarray
    table: CodedTable
    partition: Partition
    n_all: int

    @functools.cached_property
    def loss(self) -> float:
        """The weighted loss over all rows; those left out count in full."""
        n = len(self.rows)
        return (n * published_loss(self.table, self.partition) + self.n_all - n) / self.n_all


def with_suppression(run: Run, method: Method) -> Run:
    """A method that may leave rows out: ``suppression`` rows at the most, or that share of the table.

    Guarantees
        Never more rows than allowed, and never more loss than without: a row left out is charged in full in every
        column, as ``utility`` charges it. The models hold among the rows that are left, whose shares of sensitive
        values are those that count. Where a method keeps equal rows together, they are left out together.
    Choices
        The method groups all rows. In every group the rows far from its middle are looked at (see ``far_rows``), and
        those of the groups that win most for a row are left out: from groups that are large enough without them, as
        they are, where every group publishes for itself; or from any, and the method groups the rest anew. What loses
        least is kept, up to three times over. A method that says how to look with little effort (``looks_with``) looks
        so, and runs as it was asked to on all rows, and on those that are kept: which rows are tried does not depend on
        the effort, so that more of it never loses more.
    Cost
        Up to ten runs of the method, seldom more than five; of one that looks with little effort two, and ten of those.
    """

    @functools.wraps(run)
    def run_and_suppress(
        table: CodedTable, models: Sequence[Model], *, suppression: float = 0.0, **options: Any
    ) -> Partition:
        most = most_suppressed(suppression, table.n_rows)
        if most and table.count is not None:
            raise BadOption(
                "Rows to leave out are looked for one by one.",
                found="a table of counted rows",
                fix='use engine = "memory", or suppression = 0',
            )
        first = run(table, models, **options)
        if not most:
            return first
        told = options.pop("report_loss", None)
        options |= method.repeats(options, first.facts)
        looking = method.options_to_look(options)
        whole = _Found(np.arange(table.n_rows), table, first, table.n_rows)
        looked = whole if looking == options else replace(whole, partition=run(table, models, **looking))
        anew = functools.partial(run, models=models, **looking)
        fewer = _with_fewer(anew, method, looked, models, most, divides=bool(options.get("divides")))
        found = [whole]
        if fewer is not looked:
            found += (
                [fewer]
                if looking == options
                else [fewer, replace(fewer, partition=run(fewer.table, models, **options))]
            )
        best = min(found, key=_loss)
        if best is whole:
            return first
        if told is not None:
            told(best.loss)
        group_of_row = np.full(table.n_rows, -1, dtype=np.int32)
        group_of_row[best.rows] = best.partition.group_of_row
        facts = first.facts | ({"loss": round(best.loss, 6)} if "loss" in first.facts else {})
        return replace(best.partition, group_of_row=group_of_row, facts=facts)

    _add_option(run_and_suppress, run)
    return run_and_suppress


def _add_option(wrapped: Any, run: Run) -> None:
    """Tell everybody who asks for the options that there is one more."""
    own = list(inspect.signature(run).parameters.values())
    place = next((i for i, one in enumerate(own) if one.name == "progress"), len(own))
    more = inspect.Parameter("suppression", inspect.Parameter.KEYWORD_ONLY, default=0.0, annotation=float)
    wrapped.__signature__ = inspect.Signature([*own[:place], more, *own[place:]])


def _loss(found: _Found) -> float:
    return found.loss


def _with_fewer(run: Run, method: Method, best: _Found, models: Sequence[Model], most: int, *, divides: bool) -> _Found:
    """What loses least of some rows left out, and others after them."""
    together = method.recoding == "global" and not divides
    for _ in range(ROUNDS):
        fewer = _without_some(run, best, models, most, together=together, tight=method.tight)
        tried = min(fewer, key=_loss, default=best)
        if tried.loss >= best.loss:
            break
        best = tried
    return best


def _without_some(
    run: Run, found: _Found, models: Sequence[Model], most: int, *, together: bool, tight: bool
) -> Iterator[_Found]:
    """Groupings of fewer rows that hold the models."""
    by_themselves = tight and not found.partition.publishes_nodes and found.partition.set_of_code is None
    left = most - (found.n_all - len(found.rows))
    k = smallest_group(models)

    def shortened(table: CodedTable, kept: np.ndarray) -> Partition:
        groups = boxed(table, found.partition.group_of_row[kept])
        return mend(table, models, feasible_conditions(table, models), groups, together=together)

    def anew(table: CodedTable, kept: np.ndarray) -> Partition:
        return run(table)

    tried = [np.zeros(found.table.n_rows, dtype=bool)]
    as_they_are = [(shortened, left, k)] if by_themselves else []
    for group, limit, fewest in (*as_they_are, *((anew, left // part, 1) for part in PARTS)):
        far = far_rows(found.table, found.partition, limit, fewest, together=together)
        if any(np.array_equal(far, before) for before in tried):
            continue
        if group is anew:
            tried.append(far)
        table = rows_of(found.table, np.flatnonzero(~far))
        try:
            groups = group(table, ~far)
        except Infeasible:  # what is left does not hold the models even as one group
            continue
        yield _Found(found.rows[~far], table, groups, found.n_all)
