"""Recodings by hierarchy in sets: the nodes of a column as sets of codes, the loss of a row cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import amongst as am
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.measure.ncp import ncp, weighted_gcp
from amongst.partition.partition import Partition

Node = frozenset[int]
Row = tuple[int, ...]


def nodes_of(column: CodedColumn) -> set[Node]:
    """Every node of a column's tree as its codes; a null that matches anything is beside the tree."""
    n_codes = column.n_values + (column.null_code is not None)
    codes = range(n_codes)
    nodes = {frozenset({code}) for code in codes} | {frozenset(codes)}
    if column.tree is not None:
        for starts in column.tree.start.tolist():
            nodes |= {frozenset(c for c, start in enumerate(starts) if start == first) for first in starts}
    return nodes


def cuts_of(column: CodedColumn) -> list[tuple[Node, ...]]:
    """Every set of disjoint nodes that covers all codes."""
    nodes = nodes_of(column)

    def cover(codes: Node) -> Iterator[tuple[Node, ...]]:
        if not codes:
            yield ()
            return
        for node in nodes:
            if min(codes) in node and node <= codes:
                for rest in cover(codes - node):
                    yield (node, *rest)

    return list(cover(max(nodes, key=len)))


def loss_of_cell(column: CodedColumn, node: Node, code: int) -> float:
    """NCP of a node; a null that matches anything is published as it is."""
    if code == column.wildcard:
        return 0.0
    values = node - {column.wildcard}
    if len(values) == 1:
        return 0.0
    if column.own_null in values:
        return 1.0 if column.position is not None else len(values) / column.tree.n_leaves  # type: ignore[union-attr]
    if column.position is None:
        assert column.tree is not None
        return len(values) / column.tree.n_leaves
    if column.span == 0:
        return 0.0
    return min(float(column.position[max(values)] - column.position[min(values)]) / column.span, 1.0)


def rows_of(table: CodedTable) -> list[Row]:
    return list(zip(*(codes.tolist() for codes in table.codes), strict=True))


def loss_of_rows(table: CodedTable, published: list[tuple[Node, ...] | None]) -> float:
    """Weighted GCP from what every row publishes; None for a suppressed row, which loses everything."""
    weights = [column.weight for column in table.columns]
    total = 0.0
    for row, nodes in zip(rows_of(table), published, strict=True):
        if nodes is None:
            total += 1.0
            continue
        for c, column in enumerate(table.columns):
            total += weights[c] / sum(weights) * loss_of_cell(column, nodes[c], row[c])
    return total / table.n_rows


def recoded(
    table: CodedTable, node_of_code: list[dict[int, Node]], k: int, most_suppressed: int
) -> list[tuple[Node, ...] | None] | None:
    """What every row publishes under one recoding a column; None where too many rows would be suppressed."""
    published = [tuple(own[code] for own, code in zip(node_of_code, row, strict=True)) for row in rows_of(table)]
    size = Counter(published)
    kept = [nodes if size[nodes] >= k else None for nodes in published]
    n_gone = kept.count(None)
    return kept if n_gone <= most_suppressed and n_gone < len(kept) else None


def all_recodings(table: CodedTable) -> Iterator[list[dict[int, Node]]]:
    """Every full-subtree recoding."""
    for cuts in product(*(cuts_of(column) for column in table.columns)):
        yield [{code: node for node in cut for code in node} for cut in cuts]


def n_recodings(table: CodedTable) -> int:
    n = 1
    for column in table.columns:
        n *= len(cuts_of(column))
    return n


def published_nodes(table: CodedTable, partition: Partition) -> list[tuple[Node, ...]]:
    """The codes that every group publishes; a code that matches anything is beside them."""
    return [
        tuple(frozenset(range(int(lo), int(hi) + 1)) for lo, hi in zip(los, his, strict=True))
        for los, his in zip(partition.lo, partition.hi, strict=True)
    ]


def check_partition(table: CodedTable, partition: Partition, k: int, most_suppressed: int = 0) -> None:
    """Groups of k rows whose nodes exist and are above all of their cells."""
    assert partition.nodes in ("hierarchy", "flat")
    assert partition.size_of_group.min() >= k
    assert int((partition.group_of_row < 0).sum()) <= most_suppressed
    groups = published_nodes(table, partition)
    for c, column in enumerate(table.columns):
        known = {node - {column.wildcard} if len(node) > 1 else node for node in nodes_of(column)}
        assert all(nodes[c] in known for nodes in groups)
    for row, group in zip(rows_of(table), partition.group_of_row.tolist(), strict=True):
        for c, column in enumerate(table.columns):
            assert group < 0 or row[c] == column.wildcard or row[c] in groups[group][c]


def loss_of(table: CodedTable, partition: Partition) -> float:
    """Weighted GCP as the release would tell it."""
    schema = am.Schema({column.name: am.Column(role="quasi") for column in table.columns})
    return weighted_gcp(ncp(table, schema, partition), {column.name: column.weight for column in table.columns})
