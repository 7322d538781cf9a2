"""The population table of a model: where it is, never what is in it."""

from __future__ import annotations

import os
from typing import Any


def population_fields(population: Any) -> dict[str, Any]:
    """What a manifest says of a population: its path, or that a table was given."""
    is_path = isinstance(population, (str, os.PathLike))
    return {"population": os.fspath(population) if is_path else "a table given by the caller"}
