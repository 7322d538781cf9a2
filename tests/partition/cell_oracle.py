"""The best grouping of a handful of rows: all of them tried."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from node_oracle import Node, Row, loss_of_cell, nodes_of, rows_of

from amongst.encode.coded import CodedTable

Group = tuple[int, ...]


def lowest_node(table: CodedTable, c: int, codes: set[int], flat: bool) -> Node:
    """The lowest node above some codes, a null that matches anything left out; flat: itself or everything."""
    column = table.columns[c]
    values = codes - {column.wildcard} or codes
    nodes = nodes_of(column)
    if flat and len(values) > 1:
        return max(nodes, key=len)
    return min((node for node in nodes if values <= node), key=len)


def least_loss(table: CodedTable, k: int, flat: bool) -> float:
    """The least weighted GCP of any grouping into groups of at least k rows."""
    rows = rows_of(table)
    weights = [column.weight for column in table.columns]

    @cache
    def cost(group: Group) -> float:
        total = 0.0
        for c, column in enumerate(table.columns):
            node = lowest_node(table, c, {rows[row][c] for row in group}, flat)
            total += weights[c] * sum(loss_of_cell(column, node, rows[row][c]) for row in group)
        return total / sum(weights)

    return min(sum(map(cost, groups)) for groups in groupings(tuple(range(len(rows))), k)) / len(rows)


def groupings(rows: Group, k: int) -> Iterator[list[Group]]:
    """Every division of the rows into groups of at least k."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for chosen in range(1 << len(rest)):
        group = (first, *(row for i, row in enumerate(rest) if chosen >> i & 1))
        others = tuple(row for i, row in enumerate(rest) if not chosen >> i & 1)
        if len(group) >= k and (not others or len(others) >= k):
            yield from ([group, *more] for more in groupings(others, k))


def check_cells(table: CodedTable, nodes_of_group: list[tuple[Node, ...]], group_of_row: list[int], flat: bool) -> None:
    """Every group publishes exactly what its rows need."""
    rows: dict[int, list[Row]] = {}
    for row, group in zip(rows_of(table), group_of_row, strict=True):
        rows.setdefault(group, []).append(row)
    for group, own in rows.items():
        for c, column in enumerate(table.columns):
            node = lowest_node(table, c, {row[c] for row in own}, flat)
            assert nodes_of_group[group][c] == (node - {column.wildcard} or node)
