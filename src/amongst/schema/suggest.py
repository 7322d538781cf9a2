"""A first schema for a table, with a reason for everything it says. Nothing leaves the machine.

Choices: where nothing speaks for a role, the safe side is taken. A column that others might know people
by is a quasi-identifier until somebody says otherwise; what looks like a key or names people is dropped.
A rule for nulls is never suggested: it says what a missing value means, and only the user knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.problem import count
from amongst.schema.profile import Profile, profile
from amongst.schema.schema import Schema
from amongst.schema.suggest_hierarchy import suggest_hierarchy
from amongst.schema.suggest_role import suggest_role

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class ColumnSuggestion:
    """What is suggested for one column.

    Attributes
    ----------
    column : Column
        Role and kind, and a hierarchy for codes. No null rule: that is for the user to say.
    idea : Hierarchy, or None
        A hierarchy that methods with levels could use.
    confidence : {"sure", "likely", "guess"}
    reasons : tuple of str
        Why, in plain words; counts, never values.
    """

    name: str
    column: Column
    idea: Hierarchy | None
    confidence: str
    reasons: tuple[str, ...]
    n_distinct: int
    n_nulls: int

    @property
    def needs_null_rule(self) -> bool:
        return self.column.role == "quasi" and self.n_nulls > 0


@dataclass(frozen=True)
class Suggestion:
    """What is suggested for a table."""

    columns: dict[str, ColumnSuggestion]
    n_rows: int

    @property
    def schema(self) -> Schema:
        return Schema({name: suggested.column for name, suggested in self.columns.items()})


def suggest(table: pa.Table) -> Suggestion:
    """Look at names, types and values of a table and suggest what every column is.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.suggest import suggest
    >>> suggestion = suggest(pa.table({"age": [31, 42], "e-mail": ["a@b.org", "c@d.org"]}))
    >>> {name: one.column.role for name, one in suggestion.columns.items()}
    {'age': 'quasi', 'e-mail': 'identifier'}
    """
    named = zip(table.column_names, table.columns, strict=True)
    columns = {name: _suggest_column(profile(name, column)) for name, column in named}
    return Suggestion(columns, table.num_rows)


def _suggest_column(about: Profile) -> ColumnSuggestion:
    role, confidence, reasons = suggest_role(about)
    kind, hierarchy, idea = None, None, None
    if role == "quasi":
        kind, hierarchy, idea, why = suggest_hierarchy(about)
        reasons += why + _obstacles(about)
    column = Column(role=role, kind=kind, hierarchy=hierarchy)
    facts = f"{count(about.n_distinct, 'distinct value')} in {count(about.n_rows, 'row')}"
    told = tuple(reasons if about.values is None else [*reasons, facts])
    return ColumnSuggestion(
        name=about.name,
        column=column,
        idea=idea,
        confidence=confidence,
        reasons=told,
        n_distinct=about.n_distinct,
        n_nulls=about.n_nulls,
    )


def _obstacles(about: Profile) -> list[str]:
    """What the user must see to before the column can be used."""
    found = []
    if about.n_nulls:
        found.append(f"{count(about.n_nulls, 'missing value')}: choose a rule for nulls")
    if about.n_not_finite:
        found.append(f"{count(about.n_not_finite, 'cell')} NaN or infinite: make them nulls or numbers")
    return found
