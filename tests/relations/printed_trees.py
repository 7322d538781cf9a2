"""Algorithms 2 to 6 of the paper on many tables, with trees as nested lists, and bitmaps as sets."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from amongst.relations.forest import Forest


@dataclass
class Tree:
    """A row of a table: its values, its children in each table below, and the rows that it stands for."""

    table: int
    values: tuple[tuple[int, int], ...]
    kids: list[list[Tree]]
    rows: list[int]
    starred: bool = False

    def nodes(self) -> Iterator[Tree]:
        yield self
        for kids in self.kids:
            for kid in kids:
                yield from kid.nodes()


Cluster = tuple[Any, list[int]]
"""What stands for a cluster, and its persons."""


def clustered(
    persons: Sequence[Any],
    distance: Callable[[Any, Any], float],
    join: Callable[[Any, Any], Any],
    *,
    k: int,
    threshold: float,
    limit: int,
) -> list[Cluster]:
    """Algorithm 2."""
    open_: list[Cluster] = []
    full: list[Cluster] = []
    for person, one in enumerate(persons):
        distances = [distance(cluster, one) for cluster, _ in open_]
        if not open_ or (min(distances) > threshold and len(open_) <= limit):
            open_.append((one, [person]))
            continue
        i = distances.index(min(distances))
        open_[i] = (join(open_[i][0], one), [*open_[i][1], person])
        if len(open_[i][1]) > k:
            full.append(open_.pop(i))
    while len(open_) > 1:
        merged = _with_closest(open_, distance, join)
        if len(merged[1]) > k:
            full.append(merged)
        else:
            open_.insert(0, merged)
    return full


def _with_closest(
    clusters: list[Cluster], distance: Callable[[Any, Any], float], join: Callable[[Any, Any], Any]
) -> Cluster:
    """Takes the first cluster and the closest to it out, and gives both as one."""
    one, members = clusters.pop(0)
    distances = [distance(other, one) for other, _ in clusters]
    other, more = clusters.pop(distances.index(min(distances)))
    return join(one, other), members + more


def lost_bits(one: frozenset[int], other: frozenset[int]) -> float:
    """Of what two rows of bits have, how much not both have: not having something tells nothing (section 3.3)."""
    whole = len(one) + len(other)
    return len(one ^ other) / whole if whole else 0.0


class Printed:
    """Algorithms 3 to 6; ``upper_only`` is algorithm 5 in place of 4."""

    def __init__(self, forest: Forest, upper_only: bool) -> None:
        self.forest, self.upper_only = forest, upper_only
        tables = forest.tables
        self.below = [[u for u, one in enumerate(tables) if one.parent == t] for t in range(len(tables))]

    def tree(self, t: int, row: int) -> Tree:
        values = tuple((int(code), int(code)) for code in self.forest.tables[t].codes[row])
        kids = []
        for u in self.below[t]:
            first = self.forest.tables[u].first
            assert first is not None
            kids.append([self.tree(u, child) for child in range(int(first[row]), int(first[row + 1]))])
        return Tree(t, values, kids, [row])

    def stars(self, tree: Tree) -> Tree:
        kids = [[self.stars(kid) for kid in kids] for kids in tree.kids]
        return Tree(tree.table, tree.values, kids, tree.rows, starred=True)

    def anonymize(self, one: Tree, other: Tree) -> Tree:
        values = tuple((min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(one.values, other.values, strict=True))
        kids = [self.sets(a, b) for a, b in zip(one.kids, other.kids, strict=True)]
        return Tree(one.table, values, kids, one.rows + other.rows, one.starred or other.starred)

    def sets(self, ones: list[Tree], others: list[Tree]) -> list[Tree]:
        few, many = (list(ones), list(others)) if len(ones) <= len(others) else (list(others), list(ones))
        swapped, made = len(ones) > len(others), []
        left = list(range(len(many)))
        for i, tree in enumerate(few):
            pairs = [(many[j], tree) if swapped else (tree, many[j]) for j in left]
            prices = [self.own(*pair) if self.upper_only else self.loss(self.anonymize(*pair)) for pair in pairs]
            best = prices.index(min(prices))
            j = left.pop(best)
            made.append((j if swapped else i, self.anonymize(*pairs[best])))
        # The kernel keeps the order of the first tree's rows; rows without a partner come in their place, or last.
        made += [(j if swapped else len(few) + j, self.stars(many[j])) for j in left]
        return [tree for _, tree in sorted(made, key=lambda pair: pair[0])]

    def own(self, one: Tree, other: Tree) -> int:
        return self.row_loss(self.anonymize(replace(one, kids=[]), replace(other, kids=[])))

    def row_loss(self, tree: Tree) -> int:
        prices = self.forest.tables[tree.table].prices
        if tree.starred:
            return sum(price.full for price in prices)
        return sum(
            int(p.of(np.array([lo]), np.array([hi]))[0]) for p, (lo, hi) in zip(prices, tree.values, strict=True)
        )

    def loss(self, tree: Tree) -> int:
        return sum(self.row_loss(node) for node in tree.nodes())

    def distance(self, one: Tree, other: Tree) -> float:
        made = self.anonymize(one, other)
        whole = sum(price.full for node in made.nodes() for price in self.forest.tables[node.table].prices)
        return self.loss(made) / whole if whole else 0.0

    def clusters(self, k: int, threshold: float, limit: int) -> list[Cluster]:
        persons = [self.tree(0, person) for person in range(self.forest.n_persons)]
        return clustered(persons, self.distance, self.anonymize, k=k, threshold=threshold, limit=limit)

    def diverse_clusters(self, l: float, threshold: float, limit: int) -> list[Cluster]:  # noqa: E741
        """Algorithm 6."""
        found = self.clusters(2, threshold, limit)
        good = [one for one in found if self.diverse(one[0], l)]
        bad = [one for one in found if not self.diverse(one[0], l)]
        while len(bad) > 1:
            merged = _with_closest(bad, self.distance, self.anonymize)
            (good if self.diverse(merged[0], l) else bad).append(merged)
        return good

    def diverse(self, tree: Tree, l: float) -> bool:  # noqa: E741
        """Definition 10: the sensitive values of rows that nothing published tells apart, stars left out."""
        alike: dict[Any, list[int]] = defaultdict(list)

        def look(node: Tree, above: tuple[Any, ...]) -> None:
            where = (*above, self.content(node))
            sensitive = self.forest.tables[node.table].sensitive
            for c in range(sensitive.shape[1]):
                alike[node.table, c, where] += sensitive[node.rows, c].tolist()
            for kids in node.kids:
                for kid in kids:
                    if not kid.starred:
                        look(kid, where)

        look(tree, ())
        return all(entropy(values) >= math.log(l) - 1e-12 for values in alike.values())

    def content(self, node: Tree) -> str:
        """What is published of a row and of all that hangs on it."""
        prices = self.forest.tables[node.table].prices
        cells = [price.label(lo, hi) for price, (lo, hi) in zip(prices, node.values, strict=True)]
        below = [sorted(self.content(kid) for kid in kids if not kid.starred) for kids in node.kids]
        return f"{cells} {below}"


def entropy(values: Sequence[int]) -> float:
    n = len(values)
    return -sum(count / n * math.log(count / n) for count in Counter(values).values())
