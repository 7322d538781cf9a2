"""What a group must hold beyond its size, as arrays that the kernels take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

LIMITS, DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, HIERARCHICAL, PROXIMITY, WEIGHED, CALLED = range(10)


@dataclass(frozen=True, eq=False)
class Test:
    """One condition on one sensitive column; which fields count depends on the kind.

    Attributes
    ----------
    kind : int
        LIMITS: the share of every value lies in ``lower``..``upper``, where the group has it, or always with
        ``every_value``; of the people with ``of_people``, else of the values. DISTINCT: at least ``bound`` values.
        ENTROPY: at least ``bound`` nats. RECURSIVE: the most frequent value has fewer than ``factor`` times those
        from place ``bound`` on. EQUAL, ORDERED, HIERARCHICAL: the earth mover's distance to ``share`` is at most
        ``bound``. PROXIMITY: at most a share ``bound`` lies between a value and ``last`` of it. WEIGHED: what values
        weigh (``lower``) adds up to at least ``bound``. CALLED: ``holds`` says so, which no compiled kernel can ask:
        groups are then looked at in numpy.
    codes : ndarray of uint32, one an item
    n_values : int
    pair : ndarray of uint32, or None
        The person and the value of every item as one number, where people are counted.
    node : ndarray of int32, shape (n_levels, n_values)
        The first value of the node above every value, leaves first.
    """

    __test__ = False  # pytest takes the name for its own

    kind: int
    codes: np.ndarray
    n_values: int
    bound: float = 0.0
    factor: float = 0.0
    every_value: bool = False
    of_people: bool = False
    share: np.ndarray | None = None
    lower: np.ndarray | None = None
    upper: np.ndarray | None = None
    node: np.ndarray | None = None
    last: np.ndarray | None = None
    pair: np.ndarray | None = None
    holds: Callable[[np.ndarray, np.ndarray, float], bool] | None = None

    @property
    def n_pairs(self) -> int:
        return 0 if self.pair is None else int(self.pair.max(initial=0)) + 1

    @property
    def arrays(self) -> tuple[Any, ...]:
        n_levels = 0 if self.node is None else len(self.node)
        return (
            self.kind,
            np.ascontiguousarray(self.codes, dtype=np.uint32),
            None if self.pair is None else np.ascontiguousarray(self.pair, dtype=np.uint32),
            self.n_values,
            self.n_pairs,
            float(self.bound),
            float(self.factor),
            self.every_value,
            self.of_people,
            *[_doubles(one) for one in (self.share, self.lower, self.upper)],
            None if self.node is None else np.ascontiguousarray(self.node, dtype=np.int32),
            n_levels,
            None if self.last is None else np.ascontiguousarray(self.last, dtype=np.int32),
        )

    def at(self, items: np.ndarray) -> Test:
        """The same for some of the items."""
        return replace(self, codes=self.codes[items], pair=None if self.pair is None else self.pair[items])


@dataclass(frozen=True, eq=False)
class Conditions:
    """All that every group must hold, over some items (rows, distinct tuples, or tuples with their rows as members).

    Attributes
    ----------
    k : int
        The least number of people, or rows where no unit is given.
    tests : sequence of Test
    unit : ndarray of uint32, or None
        The person of every member.
    first : ndarray of uint32, or None
        The first member of every item, and one more at the end; None where items are their own members.
    weight : ndarray of uint32, or None
        How many rows every member stands for, where equal ones were counted before; None: one each, or what is told
        with the items.
    """

    k: int
    tests: Sequence[Test] = field(default_factory=tuple)
    unit: np.ndarray | None = None
    first: np.ndarray | None = None
    weight: np.ndarray | None = None

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """As the compiled kernels take them."""
        unit = None if self.unit is None else np.ascontiguousarray(self.unit, dtype=np.uint32)
        n_units = 0 if unit is None else int(unit.max(initial=0)) + 1
        first = None if self.first is None else np.ascontiguousarray(self.first, dtype=np.uint32)
        weight = None if self.weight is None else np.ascontiguousarray(self.weight, dtype=np.uint32)
        return (self.k, first, unit, n_units, weight, tuple(test.arrays for test in self.tests))

    @property
    def compiled(self) -> bool:
        """Whether the compiled kernels know all the tests."""
        return all(test.kind != CALLED for test in self.tests)

    @property
    def only_size(self) -> bool:
        """Whether counting rows is all there is to do."""
        return not self.tests and self.unit is None

    def of_members(self, row_at: np.ndarray, first: np.ndarray) -> Conditions:
        """The same for items that have rows as members: ``row_at`` lists them item by item."""
        return replace(self.at(row_at), first=first)

    def members(self, items: np.ndarray) -> np.ndarray:
        """The members of some items, one after the other."""
        if self.first is None:
            return items
        size = (self.first[1:] - self.first[:-1])[items].astype(np.int64)
        begin = np.repeat(self.first[items].astype(np.int64) - np.cumsum(size) + size, size)
        return begin + np.arange(int(size.sum()))

    def at(self, items: np.ndarray) -> Conditions:
        """The same for some of the items, which are their own members."""
        return Conditions(
            self.k,
            tuple(test.at(items) for test in self.tests),
            None if self.unit is None else self.unit[items],
            weight=None if self.weight is None else self.weight[items],
        )


def _doubles(values: np.ndarray | None) -> np.ndarray | None:
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64)
