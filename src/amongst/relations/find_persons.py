"""Which table of a database has one row a person: what speaks for it, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from amongst.relations.key_values import key_names
from amongst.schema.name_evidence import PARTS_OF_NAMES, name_evidence, words_of
from amongst.schema.problem import count, listed

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.stored import Keys


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PEOPLE = _words(
    "person people patient client customer member student pupil subject participant respondent resident citizen "
    "individual beneficiary insured passenger donor inmate offender defendant applicant borrower guest subscriber user "
    "personen patienten kunde kunden versicherte versicherter mitglied mitglieder schueler studierende proband "
    "probanden personne persona paciente cliente"
)
"""What tables of persons are called."""
STAFF = _words(
    "employee staff doctor physician provider practitioner clinician nurse teacher instructor lecturer professor agent "
    "salesperson operator mitarbeiter arzt aerzte lehrer medecin medico employe empleado"
)
"""What tables of those who serve the others are called: persons too, but seldom the ones that a database is about."""
AROUND = _words("info data demographics demographic details detail master table tbl list record records")
"""Words after the one that says what a table holds."""
TELLING = ("a person's name", "a date or place of birth", "sex or gender", "a personal number")
"""What only a person has."""
HINTING = ("age", "origin", "family", "a way to reach a person", "a home or network address")
"""What persons have, and companies and places in part."""
OF_ONE_PERSON = _words("birth ssn passport passeport pasaporte nhs social")
"""Numbers of persons that are no keys of a table."""
FEW_ROWS = 100
"""A table with at most so many rows, to which others refer and which tells nothing of people, is a lookup table."""
CLEAR, ENOUGH = 3, 2
"""By how many points the best must lead to be called sure, and to be taken at all."""


@dataclass(frozen=True)
class Evidence:
    """What speaks for a table of persons: points, and reasons in plain words. Names and counts, never values."""

    table: str
    points: int
    reasons: tuple[str, ...]
    telling: int
    named: bool
    staff: bool
    hanging: int


@dataclass(frozen=True)
class Persons:
    """The table of persons.

    Attributes
    ----------
    table : str, or None
        None where it is not clear.
    sure : {"sure", "likely", "unsure", "told"}
    reasons : tuple of str
    others : dict of str to tuple of str
        Other tables that speak of people, and why: other kinds of persons, or where unsure the ones to choose among.
    """

    table: str | None
    sure: str
    reasons: tuple[str, ...] = ()
    others: Mapping[str, tuple[str, ...]] | None = None


def find_persons(tables: Mapping[str, pa.Table], keys: Mapping[str, Keys], told: str | None = None) -> Persons:
    """The table that the database is about: its columns speak of people, others refer to it, and it has a key.

    A lookup table is never one, nor is a table that nothing but its place among the others speaks for.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.relations.find_persons import find_persons
    >>> from amongst.relations.guess_keys import guess_keys
    >>> tables = {
    ...     "CLIENT": pa.table({"CLIENT_ID": [1, 2], "BIRTH": [1970, 1980], "DISTRICT_ID": [7, 7]}),
    ...     "DISTRICT": pa.table({"DISTRICT_ID": [7, 8], "REGION": ["north", "south"]}),
    ... }
    >>> find_persons(tables, guess_keys(tables)).table
    'CLIENT'
    """
    above = {name: _above(name, keys) for name in tables}
    found = [_evidence(name, tables, keys, above) for name in tables]
    candidates = _weighed([one for one in found if one is not None], tables, above)
    if told is not None:
        return Persons(told, "told", (), {one.table: one.reasons for one in candidates if one.table != told})
    best = candidates[0] if candidates else None
    lead = best.points - candidates[1].points if best and len(candidates) > 1 else CLEAR
    if best is None or lead < ENOUGH or not (best.hanging or set(tables) == above[best.table] | {best.table}):
        return Persons(None, "unsure", (), {one.table: one.reasons for one in candidates})
    clear = lead >= CLEAR and best.telling + best.named > 1
    others = {one.table: one.reasons for one in candidates[1:] if best.table not in above[one.table]}
    return Persons(best.table, "sure" if clear else "likely", best.reasons, others)


def is_lookup(name: str, tables: Mapping[str, pa.Table], keys: Mapping[str, Keys]) -> bool:
    """Whether others refer to this table for what a code means: few rows, or a code and its label."""
    referring = any(one.table == name for other, own in keys.items() if other != name for one in own.references)
    if not referring:
        return False
    if tables[name].num_columns <= len(keys[name].primary) + 1 and _labels(tables[name], keys[name].primary):
        return True
    return tables[name].num_rows <= FEW_ROWS and not _subjects(name, tables[name], keys[name])


def speaks_of_people(name: str, table: pa.Table, keys: Keys) -> list[str]:
    """What says that a table is about people, whatever refers to it; nothing for one of codes."""
    subjects = _subjects(name, table, keys)
    told = [f"'{column}' speaks of {subject}" for column, subject in subjects.items() if subject in TELLING]
    if _called(name, PEOPLE) or _called(name, STAFF):
        told.insert(0, "it is called as persons are")
    return told


def _above(name: str, keys: Mapping[str, Keys]) -> set[str]:
    """The tables that this one refers to, directly or through others."""
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        new = {one.table for one in keys[ahead.pop()].references if one.table in keys} - seen - {name}
        seen |= new
        ahead += new
    return seen


def _evidence(
    name: str, tables: Mapping[str, pa.Table], keys: Mapping[str, Keys], above: Mapping[str, set[str]]
) -> Evidence | None:
    table = tables[name]
    subjects = _subjects(name, table, keys[name])
    telling = [column for column, subject in subjects.items() if subject in TELLING]
    people, staff = _called(name, PEOPLE), _called(name, STAFF)
    has_key = len(keys[name].primary) == 1 or len(tables) == 1
    if not has_key or table.num_rows < 2 or is_lookup(name, tables, keys) or not (telling or people or staff):
        return None
    n_telling = len({subjects[column] for column in telling})
    n_hinting = len({subject for subject in subjects.values() if subject in HINTING})
    hanging = sum(name in others for others in above.values())
    points = 2 * n_telling + min(n_hinting, 2) + 3 * people + min(hanging, 2)
    reasons = [f"'{column}' speaks of {subject}" for column, subject in subjects.items()][:5]
    if people or staff:
        reasons.insert(0, "it is called as persons are")
    if hanging:
        reasons.append(
            f"{count(hanging, 'table')} {'refers' if hanging == 1 else 'refer'} to it, directly or through others"
        )
    reasons.append(
        f"{table.num_rows:,} rows" + (f" told apart by '{keys[name].primary[0]}'" if keys[name].primary else "")
    )
    return Evidence(
        table=name,
        points=points,
        reasons=tuple(reasons),
        telling=n_telling,
        named=people or staff,
        staff=staff,
        hanging=hanging,
    )


def _weighed(found: list[Evidence], tables: Mapping[str, pa.Table], above: Mapping[str, set[str]]) -> list[Evidence]:
    """The best first. Staff yields to those it serves, a table of events about persons to the persons."""
    guests = {one.table for one in found if not one.staff}
    most = max((tables[one.table].num_rows for one in found), default=0)
    weighed = []
    for one in found:
        points = one.points + (tables[one.table].num_rows == most)
        if one.staff and guests:
            points -= 2
        if above[one.table] & guests - {one.table}:
            points -= 4
        weighed.append(replace(one, points=points))
    return sorted(weighed, key=lambda one: -one.points)


def _called(name: str, words: frozenset[str]) -> bool:
    own = [word for word in words_of(name) if word not in AROUND]
    last = own[-1] if own else ""
    return bool({last, last.removesuffix("s"), last.removesuffix("es")} & words)


def _subjects(name: str, table: pa.Table, keys: Keys) -> dict[str, str]:
    """What columns tell about a person, keys and references to tables of that name aside."""
    of_table = name_evidence(name)
    called_keys = {column.casefold() for column in keys.primary}
    for one in keys.references:
        names = key_names(one.table, "id")
        called_keys |= {
            column.casefold() for column in one.columns if column.casefold() in names | {one.table.casefold()}
        }
    found = {}
    for column in table.column_names:
        subject = None if column.casefold() in called_keys else _subject(column)
        if subject is not None and (of_table is None or of_table.weak or of_table.subject != subject):
            found[column] = subject
    return found


def _subject(column: str) -> str | None:
    said, words = name_evidence(column), words_of(column)
    if said is None or said.subject not in TELLING + HINTING:
        return None
    if said.subject == "a person's name":
        if "contact" in words:
            return "a way to reach a person"
        return None if words == ["nombre"] or (said.weak and words[-1] not in PARTS_OF_NAMES) else said.subject
    if said.subject == "a personal number":
        return said.subject if OF_ONE_PERSON & set(words) else None
    return None if said.weak else said.subject


def _labels(table: pa.Table, primary: tuple[str, ...]) -> bool:
    """Whether all but the key is text, with another one in every row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    rest = [table.column(name) for name in table.column_names if name not in primary]
    rest = [one.cast(one.type.value_type) if pa.types.is_dictionary(one.type) else one for one in rest]
    return all(
        (pa.types.is_string(one.type) or pa.types.is_large_string(one.type))
        and pc.count_distinct(one, mode="all").as_py() == len(one)
        for one in rest
    )


def words_of_persons(persons: Persons) -> list[str]:
    """How the persons were found, for a page and a job file."""
    if persons.table is None:
        others = persons.others or {}
        lines = ["persons: not clear, so none was chosen; name the table with one row a person: --person TABLE"]
        return lines + [f"'{name}' may be: {'; '.join(why)}" for name, why in others.items()]
    how = "as told" if persons.sure == "told" else f"{persons.sure}: {'; '.join(persons.reasons)}"
    lines = [f"persons: '{persons.table}' ({how})"]
    if persons.others:
        lines.append(f"other kinds of persons: {listed(list(persons.others))}")
    return lines
