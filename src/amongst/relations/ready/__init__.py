"""Schemas that are ready for tables as standards have them, one a file."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stored import Stored

READY = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__"))
"""The names of what there is."""


def ready_schema(name: str, stored: Stored) -> DatabaseSchema:
    """The schema of a standard for the tables that are there.

    Raises where the tables are not those of the standard.
    """
    if name not in READY:
        fix = "use one of: " + ", ".join(READY)
        raise BadOption("There is no such ready schema.", found=f"{name!r}", fix=fix)
    found: DatabaseSchema = importlib.import_module(f"{__name__}.{name}").schema_of(stored)
    return found
