"""The schema: a role for every column of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from amongst.brief import page_part
from amongst.errors import BadSchema
from amongst.schema.column import Column


class Schema(Mapping[str, Column]):
    """What every column of a table is. Immutable; behaves as a mapping from name to Column.

    Examples
    --------
    >>> import amongst as am
    >>> schema = am.Schema({
    ...     "age": am.Column(role="quasi", kind="numeric"),
    ...     "disease": am.Column(role="sensitive"),
    ... })
    >>> schema.quasi
    ['age']

    A role alone may stand for a column: ``am.Schema({"age": "quasi"})``.
    """

    def __init__(self, columns: Mapping[str, Column | str]) -> None:
        if not isinstance(columns, Mapping):
            raise BadSchema(
                "A schema maps column names to Column objects.",
                found=f"an object of type {type(columns).__name__}",
                fix='write am.Schema({"age": am.Column(role="quasi")}) and the like',
            )
        made = {name: Column(role=column) if isinstance(column, str) else column for name, column in columns.items()}
        wrong = [name for name, column in made.items() if not isinstance(column, Column)]
        if wrong:
            raise BadSchema(
                "A schema maps column names to Column objects.",
                found="no Column for: " + ", ".join(map(str, wrong)),
                fix='write am.Column(role="quasi") and the like',
            )
        self._columns = made
        self._named: dict[str | None, list[str]] = {}
        for name, column in made.items():
            self._named.setdefault(column.role, []).append(name)

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        roles = ", ".join(f"{name}: {column.role}" for name, column in self.items())
        return f"Schema({roles})"

    def _repr_html_(self) -> str:
        rows = [
            (name, column.role or "undecided", column.kind or "", "yes" if column.hierarchy is not None else "")
            for name, column in self.items()
        ]
        title = f"{len(rows)} columns, {len(self.quasi)} quasi-identifiers"
        return page_part(title, rows, headings=["column", "role", "kind", "hierarchy"])

    def with_columns(self, **columns: Column) -> Schema:
        """A copy with some columns replaced or added."""
        return Schema({**self._columns, **columns})

    def named(self, role: str) -> list[str]:
        """The names of the columns with this role, in the schema's order."""
        return list(self._named.get(role, ()))

    @property
    def quasi(self) -> list[str]:
        return self.named("quasi")

    @property
    def sensitive(self) -> list[str]:
        return self.named("sensitive")

    @property
    def identifiers(self) -> list[str]:
        return self.named("identifier")

    @property
    def weight(self) -> str | None:
        """The column that tells how many people of the population a row stands for."""
        return next(iter(self.named("weight")), None)

    @property
    def household(self) -> str | None:
        """The column that tells who lives together."""
        return next(iter(self.named("household")), None)

    @property
    def published(self) -> list[str]:
        """The columns of the input that appear in a release, in the schema's order."""
        return [name for name, column in self.items() if column.role != "identifier"]

    @classmethod
    def from_file(cls, path: str | Path) -> Schema:
        """The schema of a job file (see ``amongst inspect``)."""
        from amongst.schema.file import schema_from_file

        return schema_from_file(path)

    @classmethod
    def suggest(cls, table: Any) -> Schema:
        """A first schema for a table; look at it before you use it (see ``amongst inspect``)."""
        from amongst.read import read
        from amongst.schema.suggest import suggest

        return suggest(read(table).table).schema


def as_schema(columns: Any) -> Schema:
    """A schema as it is, or one made of a mapping from names to columns or roles."""
    return columns if isinstance(columns, Schema) else Schema(columns)
