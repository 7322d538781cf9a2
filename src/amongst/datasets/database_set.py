"""Tables that belong together, with their schema and where they are from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.datasets.dataset import About
from amongst.errors import BadOption, refuse_unknown_word
from amongst.relations.relation import DatabaseSchema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False, repr=False)
class DatabaseSet:
    """The tables of a database, the schema to anonymize them with, and where they come from.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.load_database("students", n_persons=100)
    DatabaseSet('students', students 100 rows, courses 606 rows, books 606 rows)
    """

    name: str
    tables: dict[str, pa.Table]
    schema: DatabaseSchema
    about: About

    def __repr__(self) -> str:
        # The generated form would print the cells of the tables.
        sizes = ", ".join(f"{name} {table.num_rows} rows" for name, table in self.tables.items())
        return f"DatabaseSet({self.name!r}, {sizes})"


def database_sets() -> dict[str, Callable[..., DatabaseSet]]:
    """What ``load_database`` knows, by name."""
    from amongst.datasets.hospital import hospital
    from amongst.datasets.students import students
    from amongst.datasets.transcripts import transcripts

    return {"transcripts": transcripts, "students": students, "hospital": hospital}


def load_database(name: str, **options: Any) -> DatabaseSet:
    """Several tables by name, with their schema.

    Parameters
    ----------
    name : {"transcripts", "students", "hospital"}
    **options
        ``n_persons`` and ``seed`` of the last two.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.load_database("hospital", n_persons=10).schema
    DatabaseSchema(patients, visits -> patients, diagnoses -> visits, prescriptions -> visits)
    """
    known = database_sets()
    refuse_unknown_word(f"There are no tables {name!r}.", "name", name, known)
    try:
        return known[name](**options)
    except TypeError:
        found = "options: " + ", ".join(options)
        raise BadOption(
            f"The tables {name!r} do not have every option given.", found=found, fix="use n_persons and seed"
        ) from None
