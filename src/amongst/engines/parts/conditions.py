"""Models of sensitive values where the rows are on disk: conditions from counts, and on the rows of a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.parts.cut_tree import CutTree, Node
from amongst.errors import BadOption
from amongst.kernels.conditions import Conditions, Test
from amongst.kernels.cut_order import Cut
from amongst.kernels.holds import holds_by_class
from amongst.models import Model, group_size, of_values
from amongst.partition.conditions import columns_of, test_of
from amongst.partition.feasible import refuse_ineligible, refuse_without_columns
from amongst.partition.mondrian.top_cuts import goes_left


@dataclass(frozen=True)
class CountedConditions:
    """What every group must hold, resolved against the counts of the whole table.

    Attributes
    ----------
    k : int
    tests : list of (place, Test)
        Which of the sensitive columns each speaks of; the items of a test are the values of its column.
    n_qi : int
    """

    k: int
    tests: Sequence[tuple[int, Test]]
    n_qi: int

    def on_rows(self, sensitive: Sequence[np.ndarray]) -> Conditions | None:
        """The same for some rows, given by the codes of their sensitive columns; None where k is all."""
        if not self.tests:
            return None
        codes = [np.ascontiguousarray(column, dtype=np.uint32) for column in sensitive]
        return Conditions(self.k, tuple(replace(test, codes=codes[place]) for place, test in self.tests))

    def hold(self, tree: CutTree, node: Node, cut: Cut) -> bool:
        """Whether both sides of a cut hold them: one pass over the codes counts their sensitive values."""
        places = sorted({place for place, _ in self.tests})
        n_values = {place: test.n_values for place, test in self.tests}
        counts = {place: np.zeros((2, n_values[place]), dtype=np.int64) for place in places}
        for block in tree.codes.blocks():
            rows = next((own for reached, own in tree.routed(block) if reached is node), None)
            if rows is None or len(rows) == 0:
                continue
            side = goes_left(block[f"c{cut.column}"][rows], cut, tree.axes).astype(np.int64)
            for place in places:
                n, codes = n_values[place], block[f"c{self.n_qi + place}"][rows]
                counts[place] += np.bincount(side * n + codes, minlength=2 * n).reshape(2, n)
        return all(_holds(test, counts[place]) for place, test in self.tests)


def _holds(test: Test, counts: np.ndarray) -> bool:
    """Whether a condition holds on each of two sides, from how many rows have every value there."""
    side, value = np.nonzero(counts)
    items = Conditions(1, (replace(test, codes=value.astype(np.uint32)),))
    return bool(holds_by_class(items, side.astype(np.int32), 2, counts[side, value].astype(np.uint32)).all())


def conditions_by_counts(table: CodedTable, counts: Sequence[np.ndarray], models: Sequence[Model]) -> CountedConditions:
    """What every group must hold; raises where the whole table as one group does not, as it does in memory.

    Parameters
    ----------
    table : CodedTable
        Its columns with their values.
    counts : sequence of ndarray
        How many rows have every code of every sensitive column.
    """
    refuse_without_columns(table, models)
    names = list(table.sensitive)
    tests = []
    for model in of_values(models):
        for name in columns_of(model, table):
            place = names.index(name)
            alone = _alone(table, name, counts[place])
            tests.append((place, test_of(alone, alone.sensitive[name], model)))
    for model in of_values(models):
        for name in columns_of(model, table):
            alone = _alone(table, name, counts[names.index(name)])
            refuse_ineligible(alone, alone.sensitive[name], model)
    wild = [column.name for column in table.columns if column.wildcard >= 0]
    if tests and wild:
        raise BadOption(
            "Sensitive values cannot be protected where a missing quasi-identifier matches anything.",
            found=", ".join(f"'{name}'" for name in wild),
            fix='use nulls = "own value" or "suppress" for these columns',
        )
    return CountedConditions(group_size(models), tests, table.n_qi)


def _alone(table: CodedTable, name: str, count: np.ndarray) -> CodedTable:
    """A table with one sensitive column, of which every value is one item with its count."""
    column = table.sensitive[name]
    values = np.arange(column.n_codes, dtype=np.uint32)
    own = count[: column.n_codes].astype(np.int64)
    return replace(table, sensitive={name: replace(column, codes=values)}, n_input=int(own.sum()), count=own)
