"""One month of a series: its rows on the tree of boxes, and the boxes to publish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode import CodedTable, encode
from amongst.errors import BadInput, BadSchema, Infeasible
from amongst.republish.box_tree import BoxTree, loss_of_nodes
from amongst.republish.cut import Chosen, Earlier, Promise, choose, ways_down
from amongst.schema.check import check

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedColumn
    from amongst.pseudonyms import Pseudonyms
    from amongst.schema.schema import Schema

MOST_ROUNDS = 12
BETWEEN = "\x1f"
"""Stands between the values of several sensitive columns."""


@dataclass(frozen=True, eq=False)
class Published:
    """What is kept of a release: published counts, and digests under the key. No cell, no name.

    Attributes
    ----------
    classes : ndarray of int64
        The boxes that it published.
    counts : ndarray of int64, shape (classes, values)
        Their rows by value.
    digest, leaf : ndarray of uint64 and int32, one a published row, sorted by digest
        Who it is, with which value, and in which leaf of the tree.
    """

    classes: np.ndarray
    counts: np.ndarray
    digest: np.ndarray
    leaf: np.ndarray


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a month."""

    coded: CodedTable
    value: np.ndarray
    digest: np.ndarray
    n: int

    @classmethod
    def of(
        cls,
        table: pa.Table,
        asked: Schema,
        sensitive: Sequence[str],
        person: str,
        people: Pseudonyms,
        values: list[str],
    ) -> Rows:
        """Encode a table; values that are new are added to ``values``, of several columns as one text."""
        import pyarrow as pa
        import pyarrow.compute as pc

        schema = check(asked, table, form="labels")
        unfit = [name for name in schema.quasi if schema[name].publish not in ("range", "ancestor")]
        unfit += [name for name in schema.quasi if table.column(name).null_count or schema[name].kind == "ordered"]
        if unfit:
            raise BadSchema(
                "A series needs numbers, dates, or columns with a hierarchy, and no missing cells.",
                found=", ".join(f"'{name}'" for name in dict.fromkeys(unfit)),
                fix="give the column a hierarchy, or drop it",
            )
        coded = encode(table, schema, list(sensitive))
        texts, code = _combined([coded.sensitive[name] for name in sensitive])
        values.extend(one for one in dict.fromkeys(texts) if one not in values)
        place = {one: i for i, one in enumerate(values)}
        value = np.array([place[one] for one in texts], dtype=np.int64)[code]
        names = table.column(person).cast(pa.string())
        if pc.count_distinct(names).as_py() < table.num_rows:
            raise BadInput(
                "A series has one row a person.",
                found="some people have several rows, or no name",
                fix="make one row of them",
            )
        who = pc.binary_join_element_wise(names, pa.array(texts).take(pa.array(code)), BETWEEN)
        return cls(coded, value, people.digests(who), table.num_rows)


def _combined(columns: Sequence[CodedColumn]) -> tuple[list[str], np.ndarray]:
    """The combinations of values that occur, each as one text, and the number of every row's."""
    codes = [one.codes.astype(np.int64) for one in columns]
    key = codes[0]
    for one, column in zip(codes[1:], columns[1:], strict=True):
        key = key * (column.n_codes + 1) + one
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    texts = [[_plain(one) for one in column.values.to_pylist()] + [""] for column in columns]
    told = [
        [own[code] for own, code in zip(texts, row, strict=True)]
        for row in zip(*(c[first] for c in codes), strict=True)
    ]
    return [BETWEEN.join(one) for one in told], number.reshape(-1)


def _plain(value: Any) -> str:
    return "" if value is None else str(value).replace(BETWEEN, " ")


def parts_of(values: Sequence[str], n_columns: int) -> tuple[np.ndarray, ...]:
    """Of every sensitive column 1 where a combination has a value: combinations down, values across; one has none."""
    if n_columns < 2:
        return ()
    found = []
    for texts in zip(*(one.split(BETWEEN) for one in values), strict=True):
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        made = np.zeros((len(texts), len(number)), dtype=np.int64)
        made[np.arange(len(texts)), [number[text] for text in texts]] = 1
        found.append(made)
    return tuple(found)


class Month:
    """One month on the tree."""

    def __init__(
        self,
        tree: BoxTree,
        rows: Rows,
        leaf: np.ndarray,
        published: Sequence[Published],
        promise: Promise,
        n_values: int,
    ) -> None:
        self.tree, self.rows = tree, rows
        self.has_box, self.leaf = leaf >= 0, np.maximum(leaf, 0)
        self.published, self.promise = published, promise
        self.parts = [node.parts for node in tree.nodes]
        self.n_nodes, self.n_values = len(self.parts), n_values
        self.parent = tree.parent_of_node()
        self.depth = np.zeros(self.n_nodes, dtype=np.int64)
        for x in range(1, self.n_nodes):
            self.depth[x] = self.depth[self.parent[x]] + 1
        self.loss = loss_of_nodes(tree, rows.coded)
        self.met = [self._met(one) for one in published]

    def settle(self) -> tuple[Chosen, np.ndarray]:
        """Choose, leave rows out, look whether all holds with these very rows; else close what does not and repeat."""
        closed: set[int] = set()
        keep = self.has_box
        for _ in range(MOST_ROUNDS):
            count = self._up(keep)
            earlier = [self._earlier(one, met, keep) for one, met in zip(self.published, self.met, strict=True)]
            chosen = choose(self.parts, self.loss, count, earlier, self.promise, closed)
            if chosen is None:
                break
            tried = self._leave_out(chosen, keep)
            tried &= ~self._exposed_movers(chosen, tried)
            wrong = self._broken(chosen, tried)
            if not wrong:
                return chosen, tried
            closed |= wrong
        raise too_few(self.rows.n)

    def class_of_row(self, nodes: Sequence[int]) -> np.ndarray:
        return self._class_of_node(np.asarray(nodes))[self.leaf]

    def _class_of_node(self, nodes: np.ndarray) -> np.ndarray:
        """The class that every node lies in; -1 above all classes."""
        found = np.full(self.n_nodes, -1, dtype=np.int64)
        found[nodes] = nodes
        for x in range(1, self.n_nodes):
            if found[x] < 0:
                found[x] = found[self.parent[x]]
        return found

    def _up(self, keep: np.ndarray) -> np.ndarray:
        """Rows by value in every node."""
        count = np.zeros((self.n_nodes, self.n_values), dtype=np.int64)
        np.add.at(count, (self.leaf[keep], self.rows.value[keep]), 1)
        return self._summed(count)

    def _summed(self, count: np.ndarray) -> np.ndarray:
        for x in range(self.n_nodes - 1, 0, -1):
            count[self.parent[x]] += count[x]
        return count

    def _met(self, one: Published) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Whose rows with the same value are in an earlier release: the row now, its leaf then, and the lowest node
        that holds both leaves."""
        at = np.minimum(np.searchsorted(one.digest, self.rows.digest), max(len(one.digest) - 1, 0))
        row = np.flatnonzero(one.digest[at] == self.rows.digest) if len(one.digest) else np.zeros(0, dtype=np.int64)
        then = one.leaf[at[row]].astype(np.int64)
        a, b = self.leaf[row].copy(), then.copy()
        while (a != b).any():
            up_a = (a != b) & (self.depth[a] >= self.depth[b])
            up_b = (a != b) & ~up_a
            a[up_a], b[up_b] = self.parent[a[up_a]], self.parent[b[up_b]]
        return row, then, a

    def _earlier(self, one: Published, met: tuple[np.ndarray, ...], keep: np.ndarray) -> Earlier:
        is_class = np.zeros(self.n_nodes, dtype=bool)
        is_class[one.classes] = True
        whole = self._class_of_node(one.classes) < 0
        whole |= is_class
        count = np.zeros((self.n_nodes, self.n_values), dtype=np.int64)
        count[one.classes, : one.counts.shape[1]] = one.counts
        stayed = np.zeros_like(count)
        row, _, lowest = met
        own = keep[row]
        np.add.at(stayed, (lowest[own], self.rows.value[row[own]]), 1)
        return Earlier(is_class, whole, self._summed(count), self._summed(stayed))

    def _leave_out(self, chosen: Chosen, keep: np.ndarray) -> np.ndarray:
        """Take rows out as was chosen: the newest first, and of these by their digests, which say nothing."""
        keep = keep.copy()
        own = self.class_of_row(chosen.nodes)
        known = np.zeros(self.rows.n, dtype=bool)
        if self.met:
            known[self.met[-1][0]] = True
        for node, dropped in zip(chosen.nodes, chosen.dropped, strict=True):
            for value in np.flatnonzero(dropped).tolist():
                rows = np.flatnonzero((own == node) & (self.rows.value == value) & keep)
                order = np.lexsort((self.rows.digest[rows], known[rows]))
                keep[rows[order[: int(dropped[value])]]] = False
        return keep

    def _exposed_movers(self, chosen: Chosen, keep: np.ndarray) -> np.ndarray:
        """Whoever moved to another box, and of whom all her classes, or the two differences, say too much."""
        exposed = np.zeros(self.rows.n, dtype=bool)
        if not self.met:
            return exposed
        promise, own = self.promise, self.class_of_row(chosen.nodes)
        count = np.zeros((self.n_nodes, self.n_values), dtype=np.int64)
        np.add.at(count, (own[keep], self.rows.value[keep]), 1)
        left = count[own]
        moved = np.zeros(self.rows.n, dtype=bool)
        for one, (row, then, _) in zip(self.published, self.met, strict=True):
            class_then = self._class_of_node(one.classes)
            counts = np.zeros((self.n_nodes, self.n_values), dtype=np.int64)
            counts[one.classes, : one.counts.shape[1]] = one.counts
            left[row] = np.minimum(left[row], counts[class_then[then]])
            moved[row] |= then != self.leaf[row]
        exposed |= moved & promise.breaks_common(left)
        earlier = self._earlier(self.published[-1], self.met[-1], keep)
        row, then, _ = self.met[-1]
        joint_of, summed = self._joint(earlier, chosen), self._up(keep)
        here, there = joint_of[self.leaf[row]], joint_of[then]
        came, went = self._open(earlier, np.unique(np.concatenate([here, there])), summed)
        few = promise.n_values(came[here] & went[there]) < promise.newcomers
        exposed[row[(here != there) & few & keep[row]]] = True
        return exposed

    def _open(self, earlier: Earlier, nodes: np.ndarray, summed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By node, which values can be those of somebody who came into the box, and of somebody who went."""
        stayed = np.minimum(earlier.stayed[nodes], summed[nodes])
        came, went = summed[nodes] - stayed, earlier.count[nodes] - stayed
        hidden = np.minimum(came, went).any(axis=1)[:, None]
        found = np.zeros((2, *summed.shape), dtype=bool)
        found[0, nodes] = np.where(hidden, summed[nodes] > 0, came > 0)
        found[1, nodes] = np.where(hidden, earlier.count[nodes] > 0, went > 0)
        return found[0], found[1]

    def _joint(self, earlier: Earlier, chosen: Chosen) -> np.ndarray:
        """Of every node the lowest above it, or itself, in which both releases are whole."""
        now = self._class_of_node(np.asarray(chosen.nodes))
        inside_now = (now >= 0) & (now != np.arange(self.n_nodes))
        both = earlier.whole & ~inside_now
        found = np.arange(self.n_nodes)
        for x in range(1, self.n_nodes):
            if not both[x]:
                found[x] = found[self.parent[x]]
        return found

    def _broken(self, chosen: Chosen, keep: np.ndarray) -> set[int]:
        """The boxes in which something does not hold with the rows that are left."""
        promise, summed = self.promise, self._up(keep)
        earlier = [self._earlier(one, met, keep) for one, met in zip(self.published, self.met, strict=True)]
        ways = ways_down(self.parts, earlier, self.n_values) if earlier else []
        wrong = set()
        for x in chosen.nodes:
            left = np.minimum(ways[x], summed[x][None]) if earlier else summed[x][None]
            if promise.breaks_alone(summed[x]) or promise.breaks_common(left).any():
                wrong.add(x)
        for one in earlier:
            for x in np.unique(self._joint(one, chosen)[chosen.nodes]).tolist():
                if promise.shows_few(*one.moved(x, summed[x])):
                    wrong.add(x)
        return wrong


def too_few(n: int) -> Infeasible:
    return Infeasible(
        "No boxes keep the promise beside the earlier releases.",
        found=f"{n:,} rows",
        fix="ask for less of a new series, or wait until more people came and went",
    )
