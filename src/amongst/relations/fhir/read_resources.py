"""A folder of NDJSON files, one resource a line, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput
from amongst.read.file import file_digest
from amongst.relations.fhir.elements import PUBLISHED, RESOURCES, UCUM, WHY_ABSENT, WORD, Element, Resource
from amongst.relations.stored import Keys, Reference, Stored

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS = (".ndjson", ".ndjson.gz")
MOST_BYTES = 256 * 1024 * 1024
"""A resource may be as long: documents may be in it, which are not read."""


def resource_files(folder: Path) -> list[Path]:
    """The NDJSON files of a folder."""
    return sorted(path for path in folder.iterdir() if path.name.lower().endswith(ENDINGS) and path.is_file())


def read_resources(folder: Path, tables: Sequence[str] | None) -> Stored:
    """Tables of the types that are there: of a file named after a type also where it is empty.

    Keys and references are those that FHIR states: the id of a resource, its subject, its encounter.
    """
    import duckdb

    paths = resource_files(folder)
    with duckdb.connect() as database:
        try:
            lines = "SELECT json AS j FROM read_ndjson_objects($paths, maximum_object_size = $most)"
            known = {"paths": [str(path) for path in paths], "most": MOST_BYTES}
            database.execute(f"CREATE TABLE resources AS {lines}", known)
            there = {
                one for (one,) in database.execute("SELECT DISTINCT (j->>'$.resourceType') FROM resources").fetchall()
            }
        except duckdb.Error as error:
            # Messages of the reader show what is in the file.
            found, fix = f"a line that is no JSON, in a file of {folder.name}", "give one resource a line"
            raise BadInput("The resources cannot be read.", found=found, fix=fix) from error.with_traceback(None)
        there |= {name for name in RESOURCES for path in paths if path.name.split(".")[0].split("-")[0] == name}
        names = [name for name in RESOURCES if name in there and (tables is None or name in tables)]
        read = {
            name: _years_as_numbers(database.sql(_table_sql(name, RESOURCES[name])).to_arrow_table()) for name in names
        }
    if "Patient" not in there:
        raise BadInput(
            "There are no patients.", found=f"no resource of the type Patient in {folder.name}", fix="add them"
        )
    return Stored(
        tables=read,
        keys={name: _keys(RESOURCES[name], names) for name in names},
        kind="fhir",
        name=folder.name,
        digests={path.name: file_digest(path) for path in paths},
    )


def _keys(resource: Resource, names: Sequence[str]) -> Keys:
    led = [(column, other) for column, (_, other) in resource.references.items() if other in names]
    return Keys(("id",), tuple(Reference((column,), other, ("id",)) for column, other in led))


def _table_sql(name: str, resource: Resource) -> str:
    parts = ["(j->>'$.id') AS id"]
    parts += [f"{_reference_sql(path)} AS {column}" for column, (path, _) in resource.references.items()]
    parts += [f'{_element_sql(one)} AS "{column}"' for column, one in resource.elements.items()]
    return f"SELECT {', '.join(parts)} FROM resources WHERE (j->>'$.resourceType') = '{name}'"


def _years_as_numbers(table: pa.Table) -> pa.Table:
    """Years as whole numbers, unless a release tells ranges of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if "born" not in table.column_names or not pc.all(pc.utf8_is_digit(table["born"])).as_py():
        return table
    return table.set_column(table.column_names.index("born"), "born", table["born"].cast(pa.int64()))


def _reference_sql(path: str) -> str:
    """The id that a reference ends in: relative, absolute, of a version, or a UUID."""
    cell = f"regexp_replace((j->>'$.{path}.reference'), '/_history/[^/]*$', '')"
    return f"regexp_extract({cell}, '([^/:]+)$', 1)"


def _element_sql(element: Element) -> str:
    sql = str(_READ[element.kind](element.path))
    return f"CASE WHEN starts_with({sql}, '{element.within}') OR {sql} = '*' THEN {sql} END" if element.within else sql


def _word(path: str) -> str:
    return f"CASE WHEN regexp_matches((j->>'$.{path}'), '{WORD}') THEN (j->>'$.{path}') ELSE {_told(_beside(path))} END"


def _year(path: str) -> str:
    exact = f"regexp_extract((j->>'$.{path}'), '^[0-9]{{4}}')"
    return f"coalesce({_told(_beside(path))}, nullif({exact}, ''))"


def _text(path: str) -> str:
    return f"coalesce({_told(_beside(path))}, (j->>'$.{path}'))"


def _dead(path: str) -> str:
    dead = "CASE WHEN (j->>'$.deceasedDateTime') IS NOT NULL THEN 'true' END"
    return f"coalesce({_told(_beside(path))}, (j->>'$.{path}'), {dead}, 'false')"


def _day(path: str) -> str:
    """The day of a date, or the first day of a month or a year."""
    return f"TRY_CAST(rpad(left((j->>'$.{path}'), 10), 10, '-01-01') AS DATE)"


def _number(path: str) -> str:
    return f"TRY_CAST((j->>'$.{path}') AS DOUBLE)"


def _unit(path: str) -> str:
    """A unit of UCUM, but for those with remarks: these are free text."""
    system = path.rsplit(".", 1)[0] + ".system"
    return f"CASE WHEN (j->>'$.{system}') = '{UCUM}' AND (j->>'$.{path}') NOT LIKE '%{{%' THEN (j->>'$.{path}') END"


def _coding(path: str) -> str:
    return f"coalesce({_told(path)}, {_system_and_code(path)})"


def _concept(path: str) -> str:
    """The first coding, as system and code."""
    return f"coalesce({_told(path)}, {_system_and_code(f'{path}.coding[0]')})"


def _system_and_code(path: str) -> str:
    code = f"(j->>'$.{path}.code')"
    absent = f"coalesce((j->>'$.{path}.system'), '') = '{WHY_ABSENT}'"
    return (
        f"CASE WHEN {code} IS NOT NULL AND NOT {absent} THEN coalesce((j->>'$.{path}.system'), '') || '|' || {code} END"
    )


def _beside(path: str) -> str:
    """Where what is said of a primitive element stands: beside it, after an underscore."""
    *above, last = path.split(".")
    return ".".join([*above, f"_{last}"])


def _told(path: str) -> str:
    """What a release of amongst says in the place of an element."""
    own = f"$.{path}.extension[0]"
    return f"CASE WHEN (j->>'{own}.url') = '{PUBLISHED}' THEN (j->>'{own}.valueString') END"


_READ: dict[str, Any] = {
    "word": _word,
    "year": _year,
    "text": _text,
    "dead": _dead,
    "day": _day,
    "number": _number,
    "unit": _unit,
    "coding": _coding,
    "concept": _concept,
}
