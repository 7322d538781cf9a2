"""The OMOP Common Data Model (5.3 to 5.4): persons, and the codes of what happened to them.

Names and meanings of tables and columns: OHDSI, *OMOP Common Data Model v5.4*, https://ohdsi.github.io/CommonDataModel.
An intruder is taken to know the year of birth, sex, race and ethnicity, and a few codes (conditions, drugs, procedures,
devices, measurements, observations, a death). Times are told in years since the person's first event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.errors import BadInput
from amongst.relations.code_paths import tree_of_paths
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.stored import Stored

CODED = {
    "condition_occurrence": "condition_concept_id",
    "drug_exposure": "drug_concept_id",
    "procedure_occurrence": "procedure_concept_id",
    "device_exposure": "device_concept_id",
    "measurement": "measurement_concept_id",
    "observation": "observation_concept_id",
    "specimen": "specimen_concept_id",
    "death": "cause_concept_id",
}
"""Tables of events, and the column that says what happened."""
UNCODED = ("visit_occurrence", "observation_period")
"""Tables of which nobody is taken to know rows."""
PERSONS = ("year_of_birth", "gender_concept_id", "race_concept_id", "ethnicity_concept_id")
VOCABULARY = (
    "concept",
    "vocabulary",
    "domain",
    "concept_class",
    "relationship",
    "concept_relationship",
    "concept_synonym",
    "concept_ancestor",
    "drug_strength",
    "cdm_source",
)
"""Tables that say what codes mean."""
VALUES = ("value_as_number", "value_as_concept_id", "quantity", "days_supply", "refills", "range_low", "range_high")
"""What was found or given: sensitive."""
STEP = "year"
WITHIN = "within "
"""Before the concept that a rarer code is a descendant of."""


def schema_of(stored: Stored) -> DatabaseSchema:
    """Roles, keys and what is known of every table that is there; all other tables are left out.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.relations.ready import ready_schema
    >>> from amongst.relations.stores import read_database
    >>> person = pa.table({"person_id": [1, 2], "year_of_birth": [1950, 1961], "month_of_birth": [3, 4]})
    >>> schema = ready_schema("omop", read_database({"PERSON": person}))
    >>> {name: rule.role for name, rule in schema["PERSON"].schema.items()}
    {'year_of_birth': 'quasi', 'month_of_birth': 'identifier'}
    """
    called = {name.casefold(): name for name in stored.tables}
    if "person" not in called or "person_id" not in _small(stored.tables[called["person"]]):
        found = "no table 'person' with a column 'person_id'"
        raise BadInput("These are no tables of the OMOP Common Data Model.", found=found, fix="name the right schema")
    relations = {called["person"]: _persons(stored.tables[called["person"]])}
    ancestors = _parents(stored.tables[called["concept_ancestor"]]) if "concept_ancestor" in called else {}
    for table in (*UNCODED, *CODED):
        if table in called:
            relations[called[table]] = _events(table, stored.tables[called[table]], called, ancestors)
    lookups = [called[name] for name in VOCABULARY if name in called and stored.tables[called[name]].num_rows]
    rest = [name for name in stored.tables if name not in relations and name not in lookups]
    return DatabaseSchema(relations, rest, lookups=lookups)


def _small(table: pa.Table) -> dict[str, str]:
    return {name.casefold(): name for name in table.column_names}


def _persons(table: pa.Table) -> Relation:
    columns = {}
    for low, name in _small(table).items():
        if low != "person_id":
            numeric = low == "year_of_birth"
            columns[name] = Column(role="identifier")
            if low in PERSONS and table.column(name).null_count < table.num_rows:
                columns[name] = Column(role="quasi", kind="numeric" if numeric else "categorical", weight=1.0)
    return Relation(Schema(columns), key=_small(table)["person_id"])


def _events(table: str, rows: pa.Table, called: dict[str, str], ancestors: dict[str, str]) -> Relation:
    names = _small(rows)
    own, visit = f"{table}_id", "visit_occurrence_id"
    columns, times, links = {}, {}, {}
    for low, name in names.items():
        there = rows.column(name).null_count < rows.num_rows
        if low in (own, "person_id"):
            continue
        if low.endswith(visit) and "visit_occurrence" in called and there:
            links[name] = called["visit_occurrence"]
        elif low == CODED.get(table):
            columns[name] = Column(role="quasi", kind="categorical", hierarchy=_tree(rows.column(name), ancestors))
        elif low.endswith("_date") and _dates(rows.column(name)):
            columns[name], times[name] = Column(role="keep"), STEP
        else:
            columns[name] = Column(role=_role(low) if there else "identifier")
    key = names.get(own)
    known = "nothing" if table in UNCODED else "codes"
    person = names["person_id"]
    return Relation(Schema(columns), key, called["person"], person, references=links, known=known, times=times)


def _role(low: str) -> str:
    """Values are sensitive, kinds are kept; what comes from the source, free text and other times are left out."""
    if low in VALUES:
        return "sensitive"
    kept = low.endswith("_concept_id") and "source" not in low and "field" not in low
    return "keep" if kept or low.endswith("_count") else "identifier"


def _dates(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_date(column.type) or pa.types.is_timestamp(column.type))


def _parents(ancestors: pa.Table) -> dict[str, str]:
    """For every concept the one next above it; of several the one with the smallest number."""
    import pyarrow.compute as pc

    names = _small(ancestors)
    step = ancestors.column(names["min_levels_of_separation"])
    near = ancestors.filter(pc.equal(step, 1))
    above = near.column(names["ancestor_concept_id"]).to_numpy()
    below = near.column(names["descendant_concept_id"]).to_numpy()
    order = np.lexsort((-above, below))
    return {str(b): str(a) for b, a in zip(below[order].tolist(), above[order].tolist(), strict=True)}


def _tree(codes: pa.ChunkedArray, parents: dict[str, str]) -> Hierarchy | None:
    """The codes of a column below their ancestors; none where the vocabulary has none of them."""
    return tree_of_paths(codes, lambda code: [WITHIN + one for one in _path(code, parents)])


def _path(code: str, parents: dict[str, str]) -> list[str]:
    """The ancestors of a code, the nearest first."""
    path: list[str] = []
    while (code := parents.get(code, "")) and code not in path:
        path.append(code)
    return path
