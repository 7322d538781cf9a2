"""The boxes of a tree by number: which lies in which, and what counts in some tell of the others."""

from __future__ import annotations

import numpy as np

from amongst.republish.box_tree import BoxTree


class Boxes:
    """The tree as arrays: of every box its parts, the box that it is a part of, and how far down it is."""

    def __init__(self, tree: BoxTree) -> None:
        self.parts = [node.parts for node in tree.nodes]
        self.n, self.parent = len(self.parts), tree.parent_of_node()
        self.leaves = [x for x, parts in enumerate(self.parts) if not parts]
        self.depth = np.zeros(self.n, dtype=np.int64)
        for x in range(1, self.n):
            self.depth[x] = self.depth[self.parent[x]] + 1

    def class_of_node(self, nodes: np.ndarray) -> np.ndarray:
        """The class that every node lies in; -1 above all classes."""
        found = np.full(self.n, -1, dtype=np.int64)
        found[nodes] = nodes
        for x in range(1, self.n):
            if found[x] < 0:
                found[x] = found[self.parent[x]]
        return found

    def summed(self, count: np.ndarray) -> np.ndarray:
        for x in range(self.n - 1, 0, -1):
            count[self.parent[x]] += count[x]
        return count

    def lowest(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """The lowest box that holds both, pair by pair."""
        a, b = one.copy(), other.copy()
        while (a != b).any():
            up_a = (a != b) & (self.depth[a] >= self.depth[b])
            up_b = (a != b) & ~up_a
            a[up_a], b[up_b] = self.parent[a[up_a]], self.parent[b[up_b]]
        return a

    def whole(self, classes: np.ndarray, n_people: np.ndarray, count: np.ndarray) -> np.ndarray:
        """Classes, the boxes made of them, and below a class those that have all its people, or none: whoever knows
        where people are knows what is in these too. Their counts are filled in."""
        whole = self.class_of_node(classes) < 0
        whole[classes] = True
        inside = np.zeros(self.n, dtype=bool)
        inside[classes] = True
        for x in np.flatnonzero(inside).tolist():
            stack = [x]
            while stack:
                x = stack.pop()
                all_in = [part for part in self.parts[x] if n_people[part] == n_people[x]]
                if n_people[x] and not all_in:
                    continue
                for part in self.parts[x]:
                    whole[part] = True
                    count[part] = count[x] if part in all_in and n_people[x] else 0
                stack += self.parts[x]
        return whole
