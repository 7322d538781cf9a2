"""Published tables as FHIR resources: made of what the tables hold, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOutput
from amongst.relations.fhir.elements import ABSENT, PUBLISHED, RESOURCES, UCUM, WHY_ABSENT, WORD, Element

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.relation import DatabaseSchema

SECURITY = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
ANONYMIZED = "ANONYED"
"""The label by which FHIR says that a resource is anonymized."""
DIGITS = {"year": 4, "month": 7}
"""So much of a day is written where times are told in years or in months."""


def write_resources(tables: Mapping[str, pa.Table], schema: DatabaseSchema, folder: Path) -> None:
    """One NDJSON file a table, a resource a line, in the order of the rows."""
    import duckdb

    odd = [name for name in tables if name not in RESOURCES or set(tables[name].column_names) - _columns(name)]
    if odd:
        found, fix = "tables or columns that FHIR resources do not have: " + ", ".join(odd), "write parquet, or csv"
        raise BadOutput("These tables cannot be written as FHIR resources.", found=found, fix=fix)
    with duckdb.connect() as database:
        for name, table in tables.items():
            database.register("incoming", table)
            told = {column: DIGITS.get(how, 10) for column, how in schema[name].times.items()}
            lines = database.sql(f"SELECT {_line_sql(name, table.column_names, told)} FROM incoming").to_arrow_table()
            with (folder / f"{name}.ndjson").open("w", encoding="utf-8", newline="\n") as file:
                for batch in lines.to_batches():
                    file.writelines(f"{line}\n" for line in batch.column(0).to_pylist())
            database.unregister("incoming")


def _columns(name: str) -> set[str]:
    return {"id", *RESOURCES[name].references, *RESOURCES[name].elements}


def _line_sql(name: str, columns: list[str], digits: Mapping[str, int]) -> str:
    """SQL for the resource of a row."""
    tree: dict[str, Any] = {"resourceType": f"'{name}'", "id": "CAST(id AS VARCHAR)"}
    label = _coding(f"'{SECURITY}'", f"'{ANONYMIZED}'")
    tree["meta"] = f"json_object('security', json_array({label}))"
    for column, (path, other) in RESOURCES[name].references.items():
        if column in columns:
            _put(tree, f"{path}.reference", f"'{other}/' || CAST({column} AS VARCHAR)")
    for column, element in RESOURCES[name].elements.items():
        cell = f'CAST("{column}" AS VARCHAR)' if column in columns else "CAST(NULL AS VARCHAR)"
        for path, sql in _WRITE[element.kind](element, cell, digits.get(column, 10)):
            _put(tree, path, sql)
    return f"CAST(json_merge_patch('{{}}', {_object(tree)[0]}) AS VARCHAR)"


def _put(tree: dict[str, Any], path: str, sql: str) -> None:
    *above, last = path.split(".")
    for step in above:
        tree = tree.setdefault(step, {})
    tree[last] = sql


def _object(tree: Mapping[str, Any]) -> tuple[str, list[str]]:
    """SQL for an object without what is missing, missing itself where all is; and what it is made of."""
    parts: list[str] = []
    made_of: list[str] = []
    for name, one in tree.items():
        sql, held = _object(one) if isinstance(one, dict) else (one, [one])
        if name.endswith("[0]"):
            name, sql = name[:-3], f"CASE WHEN {_any(held)} THEN json_array(json_merge_patch('{{}}', {sql})) END"
        parts.append(f"'{name}', {sql}")
        made_of += held
    return f"CASE WHEN {_any(made_of)} THEN json_object({', '.join(parts)}) END", made_of


def _any(parts: list[str]) -> str:
    return "(" + " OR ".join(f"({one}) IS NOT NULL" for one in parts) + ")"


def _told(cell: str, *, absent: bool = True) -> str:
    """The extensions that say what is published where the element cannot."""
    own = f"json_object('url', '{PUBLISHED}', 'valueString', {cell})"
    why = f", json_object('url', '{ABSENT}', 'valueCode', 'masked')" if absent else ""
    return f"json_array({own}{why})"


def _exact_or_told(element: Element, cell: str, exact: str, value: str) -> list[tuple[str, str]]:
    """The element where it can say what is published, else what stands beside it."""
    *above, last = element.path.split(".")
    beside = ".".join([*above, f"_{last}", "extension"])
    due = f"WHEN {cell} IS NULL THEN '{element.due}'" if element.due else ""
    said = f"CASE {due} WHEN {exact} THEN {value} END"
    return [(element.path, said), (beside, f"CASE WHEN NOT ({exact}) THEN {_told(cell)} END")]


def _word(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return _exact_or_told(element, cell, f"regexp_matches({cell}, '{WORD}')", cell)


def _year(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return _exact_or_told(element, cell, f"regexp_matches({cell}, '^[0-9]{{4}}$')", cell)


def _text(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return _exact_or_told(element, cell, f"{cell} <> '*'", cell)


def _dead(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return _exact_or_told(element, cell, f"{cell} IN ('true', 'false')", f"CAST({cell} = 'true' AS JSON)")


def _day(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return [(element.path, f"left({cell}, {digits})")]


def _number(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return [(element.path, f"CAST(CAST({cell} AS DOUBLE) AS JSON)")]


def _unit(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    system = element.path.rsplit(".", 1)[0] + ".system"
    return [(element.path, cell), (system, f"CASE WHEN {cell} IS NOT NULL THEN '{UCUM}' END")]


def _of_codes(element: Element, cell: str, *, concept: bool) -> list[tuple[str, str]]:
    """A coding, alone or in a concept; of a group of codes its name, and that the code is masked."""

    def held(coding: str, *more: str) -> str:
        if not concept:
            return f"json_merge_patch({coding}, json_object({', '.join(more)}))" if more else coding
        parts = [*more, f"'coding', json_array({coding})"]
        return f"json_object({', '.join(parts)})"

    system, code = f"split_part({cell}, '|', 1)", f"substr({cell}, strpos({cell}, '|') + 1)"
    exact = held(_coding(f"nullif({system}, '')", code))
    why = f"'{WHY_ABSENT}'"
    masked = held(_coding(why, "'masked'"), f"'extension', {_told(cell, absent=False)}")
    unknown = held(_coding(why, "'unknown'"))
    due = f"WHEN {cell} IS NULL THEN {unknown}" if element.due else ""
    said = f"CASE {due} WHEN strpos({cell}, '|') > 0 THEN {exact} WHEN {cell} IS NOT NULL THEN {masked} END"
    return [(element.path, said)]


def _coding(system: str, code: str) -> str:
    return f"json_merge_patch('{{}}', json_object('system', {system}, 'code', {code}))"


def _concept(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return _of_codes(element, cell, concept=True)


def _alone(element: Element, cell: str, digits: int) -> list[tuple[str, str]]:
    return _of_codes(element, cell, concept=False)


_WRITE: dict[str, Any] = {
    "word": _word,
    "year": _year,
    "text": _text,
    "dead": _dead,
    "day": _day,
    "number": _number,
    "unit": _unit,
    "coding": _alone,
    "concept": _concept,
}
