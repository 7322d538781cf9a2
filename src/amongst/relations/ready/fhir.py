"""FHIR R4 resources: patients, and the codes of what happened to them. See ``relations/fhir/elements.py``.

An intruder is taken to know the year of birth, sex, state and death, and a few codes of conditions, observations and
medications. Times are told in years since the person's first event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.relations.code_paths import tree_of_paths
from amongst.relations.fhir.elements import RESOURCES
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.stored import Stored

KNOWN = {"Encounter": "nothing"}
CODE = {"Condition": "code", "Observation": "code", "MedicationRequest": "medication"}
"""Types of events, and the element that says what happened."""
SENSITIVE = ("number", "value")
STEP = "year"
ICD = (
    "http://hl7.org/fhir/sid/icd-10",
    "http://hl7.org/fhir/sid/icd-10-cm",
    "http://fhir.de/CodeSystem/bfarm/icd-10-gm",
)
ATC, ATC_LENGTHS = "http://www.whocc.no/atc", (5, 4, 3, 1)


def schema_of(stored: Stored) -> DatabaseSchema:
    """Roles, keys and what is known of every type of resource that is there.

    Examples
    --------
    >>> from pathlib import Path
    >>> from amongst.relations.ready import ready_schema
    >>> from amongst.relations.stores import read_database
    >>> Path("bulk").mkdir()
    >>> Path("bulk/Patient.ndjson").write_text('{"resourceType":"Patient","id":"a","gender":"male"}') > 0
    True
    >>> schema = ready_schema("fhir", read_database("bulk"))
    >>> [name for name, rule in schema["Patient"].schema.items() if rule.role == "quasi"]
    ['gender', 'dead']
    """
    if stored.kind != "fhir":
        found, fix = f"{stored.kind}", "give a folder of NDJSON files, one resource a line"
        raise BadInput("These are no FHIR resources.", found=found, fix=fix)
    return DatabaseSchema({name: _relation(name, table, stored) for name, table in stored.tables.items()})


def _relation(name: str, table: pa.Table, stored: Stored) -> Relation:
    resource, columns, times, links = RESOURCES[name], {}, {}, {}
    for column, element in resource.elements.items():
        there = table.column(column).null_count < table.num_rows
        columns[column] = Column(role=_role(name, column) if there else "identifier")
        if there and column == "born":
            columns[column] = Column(role="quasi", kind="numeric")
        elif there and column == CODE.get(name):
            tree = tree_of_paths(table.column(column), _above)
            columns[column] = Column(role="quasi", kind="categorical", hierarchy=tree)
        elif there and element.kind == "day":
            times[column] = STEP
    for column, (_, other) in resource.references.items():
        if other == "Patient":
            continue
        if other in stored.tables and table.column(column).null_count < table.num_rows:
            links[column] = other
        else:
            columns[column] = Column(role="identifier")
    if name == "Patient":
        return Relation(Schema(columns), key="id")
    known = KNOWN.get(name, "codes")
    return Relation(Schema(columns), "id", "Patient", "patient", references=links, known=known, times=times)


def _role(name: str, column: str) -> str:
    if column in SENSITIVE:
        return "sensitive"
    return "quasi" if name == "Patient" else "keep"


def _above(code: str) -> list[str]:
    """The category of an ICD-10 code, the groups of an ATC code."""
    system, _, own = code.partition("|")
    if system in ICD and len(own) > 3:
        return [f"{system}|{own[:3]}"]
    if system == ATC:
        return [f"{system}|{own[:n]}" for n in ATC_LENGTHS if n < len(own)]
    return []
