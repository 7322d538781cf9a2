"""What is promised of published tables, judged in lists and sets from the tables alone."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

import amongst as am
from amongst.relations.relation import columns_of

Row = tuple[str, int]
"""A row: its table and its place there."""


class Judge:
    """Published tables as a reader has them: rows, what each hangs on, where references lead."""

    def __init__(self, tables: Mapping[str, pa.Table], schema: am.DatabaseSchema) -> None:
        self.schema = schema
        self.rows = {name: tables[name].to_pylist() for name in schema}
        self.at = {name: self._by_key(name) for name in schema}
        self.up: dict[Row, Row | None] = {}
        self.below: dict[Row, list[Row]] = defaultdict(list)
        for name in schema.in_order():
            for i in range(len(self.rows[name])):
                self.up[name, i] = above = self._led((name, i), schema[name].foreign_key, schema[name].parent)
                if above is not None:
                    self.below[above].append((name, i))
        self.person = {row: self._root(row) for row in self.up}
        self.people = [(schema.person, i) for i in range(len(self.rows[schema.person]))]
        self.of_person: dict[Row, list[Row]] = defaultdict(list)
        for row, person in self.person.items():
            self.of_person[person].append(row)

    def _by_key(self, name: str) -> dict[tuple[Any, ...], int]:
        key = columns_of(self.schema[name].key)
        keys = [tuple(row[c] for c in key) for row in self.rows[name]]
        assert not key or len(set(keys)) == len(keys)
        assert not any(None in one for one in keys)
        return {one: i for i, one in enumerate(keys)}

    def _led(self, row: Row, columns: Any, other: str | None) -> Row | None:
        if other is None:
            return None
        held = tuple(self.rows[row[0]][row[1]][c] for c in columns_of(columns))
        if None in held:
            return None
        assert held in self.at[other], "a reference leads nowhere"
        return other, self.at[other][held]

    def _root(self, row: Row) -> Row:
        while (above := self.up[row]) is not None:
            row = above
        assert row[0] == self.schema.person
        return row

    def links(self, row: Row) -> list[Row | None]:
        return [self._led(row, link.columns, link.table) for link in self.schema[row[0]].links]

    def own(self, row: Row) -> tuple[str, ...]:
        """What its quasi-identifiers say, as far as they may be known."""
        relation = self.schema[row[0]]
        quasi = relation.schema.quasi if relation.known in ("all", "codes") else []
        return tuple(str(self.rows[row[0]][row[1]][c]) for c in quasi)

    def in_trees(self, row: Row) -> bool:
        return self.schema[row[0]].in_trees

    def tree(self, row: Row) -> Any:
        """The row with all that hangs on it, as far as all is known, without references."""
        return row[0], self.own(row), tuple(sorted(self.tree(one) for one in self.below[row] if self.in_trees(one)))

    def picture(self, person: Row, marked: Row | None = None) -> Any:
        """The rows of a person of which all is known, and their references: the least of all ways to number them."""
        rows = [one for one in self.of_person[person] if self.in_trees(one)]
        alike = defaultdict(list)
        for one in rows:
            above, path = one, []
            while above is not None:
                path.append(self.tree(above))
                above = self.up[above]
            alike[repr(path)].append(one)
        kinds = sorted(alike)

        def said(order: Iterator[tuple[Row, ...]]) -> Any:
            number: dict[Row | None, int] = {None: -1}
            for one in itertools.chain(*order):
                number[one] = len(number)
            links = {one: [number.get(to, -1) for to in self.links(one)] for one in rows}
            return sorted((number[one], number[self.up[one]], links[one], one == marked) for one in rows)

        ways = itertools.product(*(itertools.permutations(alike[kind]) for kind in kinds))
        return repr((self.tree(person), self.has(person), min(said(way) for way in ways)))

    def has(self, person: Row) -> list[str]:
        """The tables of which it is known who has rows, and the person has."""
        return sorted({name for name, _ in self.of_person[person] if self.schema[name].known == "presence"})

    def groups(self) -> list[list[Row]]:
        alike = defaultdict(list)
        for person in self.people:
            alike[self.picture(person)].append(person)
        return list(alike.values())

    def code(self, row: Row) -> str | None:
        """What may be known of the row as a code: its own and those it hangs on, and where in the picture; or none."""
        chain, at = [], row
        while not self.in_trees(at):
            if self.schema[at[0]].known == "codes":
                chain.append((at[0], self.own(at)))
            above = self.up[at]
            assert above is not None
            at = above
        return repr((chain, self.picture(self.person[row], at))) if chain else None

    def items(self, person: Row) -> set[str]:
        """The codes of a person."""
        rows = [row for row in self.of_person[person] if self.schema[row[0]].known == "codes"]
        return {str(self.code(row)) for row in rows}

    def least_distinct(self, m: int) -> float:
        """The fewest different sensitive values of rows that look alike, amongst persons who share up to m codes."""
        least = float("inf")
        for people in self.groups():
            held = {one: self.items(one) for one in people}
            every = sorted(set().union(*held.values()))
            known = [set(some) for size in range(m + 1) for some in itertools.combinations(every, size)]
            rows = [row for one in people for row in self.of_person[one] if self.schema[row[0]].schema.sensitive]
            code = {row: self.code(row) for row in rows}
            for some in known:
                seen = defaultdict(set)
                for row in rows:
                    own = code[row]
                    more = len(some | {own}) if own else len(some)
                    if more <= m and some <= held[self.person[row]]:
                        at = row
                        while not self.in_trees(at):
                            at = self.up[at] or at
                        value = self.rows[row[0]][row[1]]["s"]
                        if value is not None:
                            seen[row[0], own, self.picture(self.person[row], at)].add(value)
                least = min(least, *map(len, seen.values()), float("inf"))
        return least

    def least_group(self) -> int:
        return min(map(len, self.groups()), default=0)

    def least_sharing(self, m: int) -> float:
        """The fewest persons of a group who have a set of up to m codes that one of them has."""
        least = float("inf")
        for people in self.groups():
            held = [self.items(one) for one in people]
            sets = Counter(
                some for own in held for size in range(1, m + 1) for some in itertools.combinations(sorted(own), size)
            )
            least = min(least, min(sets.values(), default=float("inf")))
        return least

    def astray(self) -> bool:
        """Whether a reference leads to another person's row."""
        return any(
            to is not None and self.person[to] != own for row, own in self.person.items() for to in self.links(row)
        )

    def joined_codes(self) -> bool:
        """Whether a reference joins two tables of which something is known, and not all of both."""
        for row in self.up:
            for to in self.links(row):
                if to is None or to[0] == self.schema.person or (self.in_trees(row) and self.in_trees(to)):
                    continue
                if "nothing" not in (self.schema[row[0]].known, self.schema[to[0]].known):
                    return True
        return False

    def holds(self, k: int, m: int) -> bool:
        told = self.astray() or self.joined_codes()
        return not told and self.least_group() >= k and self.least_sharing(m) >= k
