"""Figure 8 of Incognito with its tables of nodes and edges: join, prune and edge generation as its SQL has them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, count

from lattice_oracle import Case, counts

Node = tuple[tuple[int, int], ...]
"""Columns and their levels."""


@dataclass
class Graph:
    """C and E: nodes by their identifier, each with its two parents; and pairs of identifiers."""

    nodes: dict[int, tuple[Node, int, int]]
    edges: set[tuple[int, int]]


def figure_8(case: Case) -> tuple[set[tuple[int, ...]], int, int]:
    """The generalizations that hold, how many nodes are looked at, and how many are roots."""
    n, ids, looked, n_roots = len(case.names), count(), 0, 0
    every: list[Node] = [((c, level),) for c in range(n) for level in range(case.heights[c] + 1)]
    nodes = {next(ids): (node, -1, -1) for node in every}
    graph = Graph(nodes, {(a, b) for a in nodes for b in nodes if _next_level(nodes[a][0][0], nodes[b][0][0])})
    for i in range(1, n + 1):
        kept, own_looked, own_roots = _search(case, graph)
        looked, n_roots = looked + own_looked, n_roots + own_roots
        if i < n:
            graph = _generated(graph, kept, ids)
    return {tuple(level for _, level in graph.nodes[one][0]) for one in kept}, looked, n_roots


def _next_level(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] == other[0] and one[1] + 1 == other[1]


def _search(case: Case, graph: Graph) -> tuple[set[int], int, int]:
    above: dict[int, list[int]] = {one: [b for a, b in graph.edges if a == one] for one in graph.nodes}
    roots = [one for one in graph.nodes if one not in {b for _, b in graph.edges}]
    kept, marked, waiting, looked = set(graph.nodes), set[int](), list(roots), 0
    while waiting:
        waiting.sort(key=lambda one: sum(level for _, level in graph.nodes[one][0]))
        one = waiting.pop(0)
        if one in marked:
            continue
        looked += 1
        if _holds(case, graph.nodes[one][0]):
            marked.update(above[one])
        else:
            kept.discard(one)
            marked.add(one)  # looked at once, however many nodes insert it
            waiting += [b for b in above[one] if b not in waiting]
    return kept, looked, len(roots)


def _holds(case: Case, node: Node) -> bool:
    columns, levels = zip(*node, strict=True)
    few = sum(size for size in counts(case, levels, columns).values() if size < case.k)
    return few <= case.most_suppressed and few < len(case.rows)


def _generated(graph: Graph, kept: set[int], ids: count[int]) -> Graph:
    safe = {graph.nodes[one][0] for one in kept}
    made: dict[int, tuple[Node, int, int]] = {}
    for p in kept:
        for q in kept:
            one, other = graph.nodes[p][0], graph.nodes[q][0]
            if one[:-1] == other[:-1] and one[-1][0] < other[-1][0]:
                node = (*one, other[-1])
                if all(part in safe for part in combinations(node, len(one))):
                    made[next(ids)] = (node, p, q)

    def candidate(a: int, b: int) -> bool:
        (_, first, second), (_, other_first, other_second) = made[a], made[b]
        one, two = (first, other_first) in graph.edges, (second, other_second) in graph.edges
        return (one and two) or (one and second == other_second) or (two and first == other_first)

    edges = {(a, b) for a in made for b in made if candidate(a, b)}
    implied = {(a, d) for a, b in edges for c, d in edges if b == c}
    return Graph(made, edges - implied)
