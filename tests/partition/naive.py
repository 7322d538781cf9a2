"""Mondrian and single-dimensional partitioning in lists, sets and fractions.

Written from what the docstrings of the methods promise and from the paper, not from the kernels. Slow and
plain: a row is a position, a column knows the place of every value in its order, a group is a list of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

NULL = None
FINE = 1 << 30
"""Places on the number line are compared in steps of this part of the column's range."""
FINE_WEIGHT = 1 << 20


@dataclass(frozen=True)
class Plain:
    """One column.

    Attributes
    ----------
    cells : list
        The value of every row, None where it is missing.
    order : list
        All values there can be, in order.
    place : dict, or None
        The place of every value on the number line; None for a column that is measured by its tree.
    tree : nested lists of values, or None
    weight : Fraction
        Over that of the heaviest column.
    nulls : {"own value", "match anything"}, or None
    exact : bool
        Compare places as they are, not in fine steps.
    """

    cells: list[Any]
    order: list[Any]
    place: dict[Any, int] | None = None
    tree: list[Any] | None = None
    weight: Fraction = Fraction(1)
    nulls: str | None = None
    exact: bool = False

    @property
    def by_tree(self) -> bool:
        return self.place is None

    def wild(self, row: int) -> bool:
        return self.cells[row] is NULL and self.nulls == "match anything"

    def rank(self, row: int) -> int:
        """The place in the order; a null comes last."""
        return self._ranks[row]

    @cached_property
    def _ranks(self) -> list[int]:
        return [len(self.order) if cell is NULL else self.order.index(cell) for cell in self.cells]

    def width(self, rows: list[int]) -> Fraction:
        """The weighted share of the column that the rows span; nulls among values span all of it."""
        values = {self.cells[row] for row in rows if not self.wild(row)}
        if len(values) < 2:
            return Fraction(0)
        return (Fraction(1) if NULL in values else self._share(values)) * self._fine_weight()

    def _share(self, values: set[Any]) -> Fraction:
        if self.by_tree:
            assert self.tree is not None
            below, every = (
                len(leaves(lowest_node(self.tree, values))),
                len(leaves(self.tree)) + self._own_null(),
            )
            return Fraction(below, every) if self.exact else Fraction(below * FINE // every, FINE)
        places = [self._at(value) for value in values]
        return max(places) - min(places)

    def _own_null(self) -> bool:
        return self.nulls == "own value" and NULL in self.cells

    def _at(self, value: Any) -> Fraction:
        assert self.place is not None
        first, last = self._ends
        share = Fraction(self.place[value] - first, max(last - first, 1))
        return share if self.exact else Fraction(round(share * FINE), FINE)

    @cached_property
    def _ends(self) -> tuple[int, int]:
        assert self.place is not None
        there = [self.place[cell] for cell in self.cells if cell is not NULL]
        return min(there), max(there)

    def _fine_weight(self) -> Fraction:
        return self.weight if self.exact else Fraction(max(1, round(self.weight * FINE_WEIGHT)), FINE_WEIGHT)


def leaves(node: Any) -> list[Any]:
    return [leaf for child in node for leaf in leaves(child)] if isinstance(node, list) else [node]


def lowest_node(node: Any, values: set[Any]) -> Any:
    for child in node:
        if isinstance(child, list) and values <= set(leaves(child)):
            return lowest_node(child, values)
    return node


def by_width(columns: list[Plain], rows: list[int]) -> list[Plain]:
    """The columns in which the rows differ, widest first, ties in the order of the table."""
    differ = [column for column in columns if len({column.cells[row] for row in rows if not column.wild(row)}) > 1]
    return sorted(differ, key=lambda column: -column.width(rows))


def strict(columns: list[Plain], k: int, cuts: str) -> list[list[int]]:
    """Strict multidimensional partitioning (figure 7)."""
    return _strict(columns, list(range(len(columns[0].cells))), k, cuts)


def _strict(columns: list[Plain], rows: list[int], k: int, cuts: str) -> list[list[int]]:
    ranked = by_width(columns, rows)
    tries = [(column, tree_cut if column.by_tree and cuts != "ordered" else median_cut) for column in ranked]
    if cuts == "hierarchy-first":
        tries += [(column, median_cut) for column in ranked if column.by_tree]
    for column, choose in tries:
        sides = choose(column, rows, k)
        if sides is not None:
            return _strict(columns, sides[0], k, cuts) + _strict(columns, sides[1], k, cuts)
    return [rows]


def median_cut(column: Plain, rows: list[int], k: int) -> Any:
    """Beside the median, on the side that divides more evenly; between values and nulls before that."""
    known = [row for row in rows if not column.wild(row)]
    ranks = sorted(column.rank(row) for row in known)
    null = len(column.order)
    if ranks[-1] == null and (sides := divided(column, rows, null - 1, k)):
        return sides
    median = next(rank for rank in ranks if 2 * sum(other <= rank for other in ranks) >= len(ranks))
    return most_even(column, rows, [median, median - 1], k)


def tree_cut(column: Plain, rows: list[int], k: int) -> Any:
    """Between two children of the lowest node that covers the rows, where it divides most evenly."""
    assert column.tree is not None
    values = {column.cells[row] for row in rows if not column.wild(row)}
    if NULL in values:
        return most_even(column, rows, [len(column.order) - 1], k)
    children = lowest_node(column.tree, values)
    ends = [column.order.index(leaves(child)[-1]) for child in children[:-1]]
    return most_even(column, rows, ends, k)


def most_even(column: Plain, rows: list[int], last_left: list[int], k: int) -> Any:
    """The most even of some cuts that are allowed; the first of those that are as even."""
    known = [column.rank(row) for row in rows if not column.wild(row)]

    def uneven(last: int) -> int:
        left = sum(rank <= last for rank in known)
        return abs(len(known) - 2 * left)

    allowed = [last for last in last_left if divided(column, rows, last, k)]
    return divided(column, rows, min(allowed, key=uneven), k) if allowed else None


def divided(column: Plain, rows: list[int], last_left: int, k: int) -> tuple[list[int], list[int]] | None:
    """The two sides, in the order of the rows, where both have k; wild rows go to the smaller side."""
    known = [row for row in rows if not column.wild(row)]
    n_left = sum(column.rank(row) <= last_left for row in known)
    wild_left = 2 * n_left <= len(known)
    goes_left = [wild_left if column.wild(row) else column.rank(row) <= last_left for row in rows]
    left = [row for row, goes in zip(rows, goes_left, strict=True) if goes]
    right = [row for row, goes in zip(rows, goes_left, strict=True) if not goes]
    some = 0 < n_left < len(known)
    return (left, right) if some and len(left) >= k and len(right) >= k else None


def relaxed(columns: list[Plain], k: int) -> list[list[int]]:
    """Relaxed multidimensional partitioning (section 4): halves in the order of the widest column."""

    def halved(rows: list[int]) -> list[list[int]]:
        if len(rows) < 2 * k:
            return [rows]
        ranked = by_width(columns, rows)
        in_order = sorted(rows, key=ranked[0].rank) if ranked else rows
        left = set(in_order[: (len(rows) + 1) // 2])
        return halved([row for row in rows if row in left]) + halved([row for row in rows if row not in left])

    return halved(list(range(len(columns[0].cells))))


def single_dimensional(columns: list[Plain], k: int) -> list[list[int]]:
    """Single-dimensional partitioning (section 2.4): all intervals of the widest column, again and again."""
    cuts: list[set[int]] = [set() for _ in columns]
    waiting = list(range(len(columns)))
    while waiting:
        widths = [max(column_widths(columns[c], cuts[c]), default=Fraction(-1)) for c in waiting]
        c = waiting[widths.index(max(widths))]
        new = interval_cuts(columns, cuts, c, k)
        cuts[c] |= new
        if not new:
            waiting.remove(c)
    return list(regions(columns, cuts).values())


def intervals(column: Plain, cuts: set[int]) -> list[list[int]]:
    """The rows of every interval of a column."""
    rows = sorted(range(len(column.cells)), key=column.rank)
    return [list(group) for _, group in groupby(rows, lambda row: sum(cut < column.rank(row) for cut in cuts))]


def column_widths(column: Plain, cuts: set[int]) -> list[Fraction]:
    return [
        column.width(rows)
        for rows in intervals(column, cuts)
        if len({column.rank(row) for row in rows if not column.wild(row)}) > 1
    ]


def interval_cuts(columns: list[Plain], cuts: list[set[int]], c: int, k: int) -> set[int]:
    """In every interval the allowable cut nearest its median, the first of those that are as near."""
    new = set()
    for rows in intervals(columns[c], cuts[c]):
        ranks = sorted(columns[c].rank(row) for row in rows)
        places = [rank for rank in sorted(set(ranks))[:-1] if allowable(columns, cuts, c, rank, k)]
        if places:
            new.add(min(places, key=lambda last: abs(len(ranks) - 2 * sum(rank <= last for rank in ranks))))
    return new


def allowable(columns: list[Plain], cuts: list[set[int]], c: int, last_left: int, k: int) -> bool:
    """No region would have 1 to k-1 rows on a side of the cut."""
    for rows in regions(columns, cuts).values():
        left = sum(columns[c].rank(row) <= last_left for row in rows)
        if 0 < left < len(rows) and min(left, len(rows) - left) < k:
            return False
    return True


def regions(columns: list[Plain], cuts: list[set[int]]) -> dict[Any, list[int]]:
    found: dict[Any, list[int]] = {}
    for row in range(len(columns[0].cells)):
        key = tuple(sum(cut < column.rank(row) for cut in own) for column, own in zip(columns, cuts, strict=True))
        found.setdefault(key, []).append(row)
    return found
