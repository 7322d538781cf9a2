"""All sets of cuts of a small table, in lists and dicts: what k-optimize is held against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from amongst.encode import CodedColumn, CodedTable

Cut = tuple[int, int]
"""A column, and the code after which it is cut."""


def rows_of(table: CodedTable) -> list[tuple[int, ...]]:
    return list(zip(*[column.codes.tolist() for column in table.columns], strict=True))


def all_cuts(table: CodedTable) -> list[Cut]:
    codes = [sorted(set(column.codes.tolist())) for column in table.columns]
    return [(c, code) for c, own in enumerate(codes) for code in own[:-1]]


def all_sets(cuts: list[Cut]) -> Iterator[tuple[Cut, ...]]:
    return chain.from_iterable(combinations(cuts, n) for n in range(len(cuts) + 1))


def classes_of(table: CodedTable, cuts: tuple[Cut, ...]) -> dict[Any, list[int]]:
    classes: dict[Any, list[int]] = {}
    for number, row in enumerate(rows_of(table)):
        key = tuple(sum(1 for at, code in cuts if at == c and code < own) for c, own in enumerate(row))
        classes.setdefault(key, []).append(number)
    return classes


def cost_of(table: CodedTable, cuts: tuple[Cut, ...], k: int, most_suppressed: int, cost: str) -> Fraction | None:
    """What a set of cuts costs; None where it suppresses more rows than may be."""
    classes = classes_of(table, cuts)
    lost = sum(len(rows) for rows in classes.values() if len(rows) < k)
    if lost > most_suppressed or lost == table.n_rows:
        return None
    lost += table.n_input - table.n_rows
    kept = [rows for rows in classes.values() if len(rows) >= k]
    if cost == "dm":
        return Fraction(sum(len(rows) ** 2 for rows in kept) + lost * table.n_input)
    loss = sum((loss_of_row(table, cuts, row) for rows in kept for row in rows), Fraction(0))
    return (loss + lost) / table.n_input


def loss_of_row(table: CodedTable, cuts: tuple[Cut, ...], row: int) -> Fraction:
    weights = [Fraction(column.weight) for column in table.columns]
    losses = [
        weight * loss_of_code(column, [code for at, code in cuts if at == c], int(column.codes[row]))
        for c, (column, weight) in enumerate(zip(table.columns, weights, strict=True))
    ]
    return sum(losses, Fraction(0)) / sum(weights)


def loss_of_code(column: CodedColumn, cuts: list[int], code: int) -> Fraction:
    """NCP of a cell: the width of the interval's range, or the share of all values that its set names."""
    if code == column.wildcard:
        return Fraction(0)
    occurring = {other for other in column.codes.tolist() if other != column.wildcard}
    members = {other for other in occurring if sum(c < other for c in cuts) == sum(c < code for c in cuts)}
    if len(members) == 1:
        return Fraction(0)
    if column.own_null in members:
        return Fraction(1)
    if column.kind == "categorical":
        return Fraction(1) if members == occurring else Fraction(len(members), column.n_codes)
    assert column.position is not None
    width = Fraction(column.position[max(members)]) - Fraction(column.position[min(members)])
    return width / Fraction(column.span) if column.span else Fraction(0)


def best_cost(table: CodedTable, k: int, most_suppressed: int, cost: str) -> Fraction:
    found = (cost_of(table, cuts, k, most_suppressed, cost) for cuts in all_sets(all_cuts(table)))
    return min(one for one in found if one is not None)
