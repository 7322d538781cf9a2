"""A first schema for a table, with a reason for everything it says. Nothing leaves the machine.

Choices: where nothing speaks for a role, the safe side is taken. A column that others might know people
by is a quasi-identifier until somebody says otherwise; what looks like a key or names people is dropped.
A rule for nulls is never suggested: it says what a missing value means, and only the user knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.schema.column import Column
from amongst.schema.columns_together import Together, look_together
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.odd_numbers import OF_DATES, looks_like_serials, missing_codes
from amongst.schema.problem import count
from amongst.schema.profile import Profile, profiles
from amongst.schema.schema import Schema
from amongst.schema.suggest_hierarchy import suggest_hierarchy
from amongst.schema.suggest_role import Verdict, by_kind, suggest_role
from amongst.schema.value_words import n_spelled_otherwise, words_for_missing

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
    person: str | None = None
    """The column that tells people apart, where a person has several rows: people should be counted by it."""

    notes: tuple[str, ...] = ()
    """What to see to before a release: names of columns and counts, never values."""

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
    table, about = profiles(table)
    together = look_together(table, about)
    said = {name: suggest_role(one) for name, one in about.items()}
    said = _one_weight(about, said)
    roles = _somebody_known({name: _among_others(name, said, together) for name in about})
    columns = {name: _suggest_column(about[name], roles[name]) for name in about}
    return Suggestion(columns, table.num_rows, together.person, _notes(table, about, roles, together))


def _one_weight(about: dict[str, Profile], said: dict[str, Verdict]) -> dict[str, Verdict]:
    """Of several columns that look like sampling weights the one that is sure; others are as all numbers."""
    weights = [name for name, (role, _, _) in said.items() if role == "weight"]
    sure = [name for name in weights if said[name][1] == "sure"]
    if len(weights) < 2:
        return said
    return {**said, **{name: by_kind(about[name]) for name in weights if sure != [name]}}


def _somebody_known(roles: dict[str, Verdict]) -> dict[str, Verdict]:
    """Where none of several columns is a quasi-identifier, what was only guessed to be sensitive is: the safe side."""
    if len(roles) == 1 or any(role == "quasi" for role, _, _ in roles.values()):
        return roles
    why = "no column says what others know people by: quasi to be safe"
    return {
        name: ("quasi", "guess", [why]) if (role, sure) == ("sensitive", "guess") else (role, sure, reasons)
        for name, (role, sure, reasons) in roles.items()
    }


def _odd_numbers(column: pa.ChunkedArray, one: Profile) -> list[str]:
    """What to tell of numbers that are likely to be none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if looks_like_serials(one):
        return [
            f"'{one.name}' is called a date and has numbers: days as a spreadsheet counts them, or seconds since 1970? "
            "Save it as dates"
        ]
    if one.kind != "numeric" or one.values is None:
        return []
    codes = missing_codes(one.values)
    if not codes:
        return []
    numbers = column.cast(one.type).cast(pa.float64(), safe=False)
    n = pc.sum(pc.is_in(numbers, pa.array(codes, pa.float64()))).as_py()
    said, missing = ", ".join(map(str, codes)), ", ".join(f'"{code}"' for code in codes)
    return [
        f"'{one.name}': {count(n, 'cell')} {'says' if n == 1 else 'say'} {said}, far from all other numbers: if that "
        f"means missing, say so with its form, missing = [{missing}], or leave these cells empty"
    ]


def _notes(
    table: pa.Table, about: dict[str, Profile], roles: dict[str, Verdict], together: Together
) -> tuple[str, ...]:
    notes = []
    if together.person is not None:
        notes.append(
            f"a person has {together.rows_of_person:.1f} rows: '{together.person}' tells people apart, so that people "
            f'are counted and not rows (unit = "{together.person}")'
        )
    for name, one in about.items():
        if roles[name][0] != "identifier" or looks_like_serials(one):
            notes += _odd_numbers(table.column(name), one)
        elif one.text and one.by_name is not None and one.by_name.subject in OF_DATES:
            notes.append(f"'{name}' is called a date, and its texts are in no form that is known: make them dates")
        looked_at = one.text and one.values is not None and one.by_value is None and roles[name][0] != "identifier"
        if looked_at and (words := words_for_missing(one.values)):
            said = ", ".join(f'"{word}"' for word in words)
            notes.append(f"'{name}': some cells say {said}: where that means missing say nulls = [{said}]")
        spelled = n_spelled_otherwise(one.values) if looked_at else 0
        if spelled:
            notes.append(f"'{name}': {count(spelled, 'value')} that others have in another spelling: make them one")
    return tuple(notes)


def _among_others(name: str, said: dict[str, Verdict], together: Together) -> Verdict:
    """The role of a column once its neighbours are known."""
    role, confidence, reasons = said[name]
    if name == together.person:
        why = f"{together.rows_of_person:.1f} rows for every value, which tells people apart: count people by it"
        return "identifier", "likely" if role != "identifier" else confidence, [*reasons[:1], why]
    if name in together.alike and confidence == "guess":
        return "identifier", "likely", [f"another value for every '{together.person}', and the same in all their rows"]
    block = [said[one][:2] for one in together.one_of.get(name, ()) if said[one][1] != "guess"]
    if confidence == "guess" and len({role for role, _ in block}) == 1 and block[0][0] in ("quasi", "sensitive"):
        return block[0][0], "likely", ["one answer of several, of which no row has two: as the others"]
    source = together.follows.get(name)
    if source is None or confidence != "guess":
        return said[name]
    other, how_sure, _ = said[source]
    if how_sure == "guess" or other not in ("quasi", "sensitive"):
        return said[name]
    return other, "likely", [f"it follows from '{source}', so it has the same role"]


def _suggest_column(about: Profile, said: Verdict) -> ColumnSuggestion:
    role, confidence, reasons = said
    kind, hierarchy, idea = None, None, None
    if role == "quasi":
        kind, hierarchy, idea, why = suggest_hierarchy(about)
        reasons = reasons + why + _obstacles(about)
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
