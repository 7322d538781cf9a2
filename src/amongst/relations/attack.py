"""What an intruder can do with published tables: whose tree fits what is known of somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.relations.relation import DatabaseSchema
from amongst.relations.verify.cover import Cover
from amongst.schema.value_text import text_of

Tree = Mapping[str, Any]
"""A row that is known: values by column, and for a table below it a list of such rows under its name."""


class Intruder:
    """Somebody who has the published tables and knows some persons.

    Parameters
    ----------
    published : mapping of str to pyarrow.Table
    schema : DatabaseSchema
    rows_missing : bool
        Whether rows may have been left out of the publication; then a known row need not be found, but every
        published row must be a known one.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.relations.attack import Intruder
    >>> from amongst.relations.local import local
    >>> made = am.datasets.load_database("transcripts")
    >>> tables, schema = local(made.tables, made.schema, k=2)
    >>> chris = {"courses": [{"Course": "History"}, {"Course": "Math"}, {"Course": "Physics"}]}
    >>> len(Intruder(tables, schema, rows_missing=False).candidates(chris))
    1
    """

    def __init__(self, published: Mapping[str, Any], schema: DatabaseSchema, *, rows_missing: bool = True) -> None:
        self.schema, self.rows_missing = schema.complete(), rows_missing
        self.covers: dict[tuple[str, str], Cover] = {}
        self._held: dict[tuple[str, str, Any, Any], bool] = {}
        self.rows = {name: published[name].to_pylist() for name in self.schema}
        self.below: dict[str, dict[Any, list[dict[str, Any]]]] = {}
        for name, relation in self.schema.items():
            self.below[name] = {}
            for row in self.rows[name] if relation.foreign_key else ():
                self.below[name].setdefault(row[relation.foreign_key], []).append(row)

    def candidates(self, known: Tree) -> list[dict[str, Any]]:
        """The published persons (rows of their table) whose trees fit what is known."""
        return [self.rows[self.schema.person][place] for place in self.places(known)]

    def places(self, known: Tree) -> list[int]:
        """Where these lie among the published persons."""
        person = self.schema.person
        return [place for place, row in enumerate(self.rows[person]) if self._fits(person, row, known)]

    def holds(self, table: str, column: str, label: Any, value: Any) -> bool:
        """Whether a label of a column can stand for a value; each pair is looked at once."""
        asked = (table, column, label, value)
        if asked not in self._held:
            text = label if label is None or isinstance(label, str) else text_of(label)  # a table as it is
            self._held[asked] = self._cover(table, column).holds(text, value)
        return self._held[asked]

    def _fits(self, table: str, row: Mapping[str, Any], known: Tree) -> bool:
        relation = self.schema[table]
        for column in relation.schema.quasi:
            if column in known and not self.holds(table, column, row[column], known[column]):
                return False
        return all(
            self._rows_fit(child, self.below[child].get(row.get(str(relation.key or "")), []), known[child])
            for child in self.schema.children(table)
            if child in known
        )

    def _rows_fit(self, table: str, rows: Sequence[Mapping[str, Any]], known: Sequence[Tree]) -> bool:
        """Whether the rows can be paired: all published ones, and all known ones if none is missing."""
        if len(rows) > len(known) or (len(rows) < len(known) and not self.rows_missing):
            return False
        fits = [[j for j, one in enumerate(known) if self._fits(table, row, one)] for row in rows]
        partner: dict[int, int] = {}

        def place(i: int, seen: set[int]) -> bool:
            for j in fits[i]:
                if j not in seen:
                    seen.add(j)
                    if j not in partner or place(partner[j], seen):
                        partner[j] = i
                        return True
            return False

        return all(place(i, set()) for i in range(len(rows)))

    def _cover(self, table: str, column: str) -> Cover:
        if (table, column) not in self.covers:
            self.covers[table, column] = Cover(self.schema[table].schema[column])
        return self.covers[table, column]


def known_tree(tables: Mapping[str, Any], schema: DatabaseSchema, row: int) -> dict[str, Any]:
    """Everything there is to know of one person by the quasi-identifiers: the tree of a row of the persons' table."""
    return known_trees(tables, schema)[row]


def known_trees(
    tables: Mapping[str, Any], schema: DatabaseSchema, in_trees: Sequence[str] | None = None
) -> list[dict[str, Any]]:
    """The trees of all rows of the persons' table; of some tables alone where these are named."""
    schema = schema.complete()
    below: dict[str, dict[Any, list[dict[str, Any]]]] = {}
    for name, relation in schema.items():
        below[name] = {}
        for one in tables[name].to_pylist() if relation.foreign_key else ():
            below[name].setdefault(one[relation.foreign_key], []).append(one)

    def tree(name: str, one: dict[str, Any]) -> dict[str, Any]:
        relation = schema[name]
        own = {column: one[column] for column in relation.schema.quasi}
        for child in schema.children(name):
            if in_trees is None or child in in_trees:
                own[child] = [tree(child, each) for each in below[child].get(one.get(str(relation.key or "")), [])]
        return own

    return [tree(schema.person, one) for one in tables[schema.person].to_pylist()]
