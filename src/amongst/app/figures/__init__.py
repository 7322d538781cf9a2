"""What the page shows, worked out where the table is and sent as plain data: figures, words, few points.

Everything here runs in the process that holds the table. What it returns can be sent as JSON, is small however
large the table, and tells no count of people below the threshold.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amongst.app.figures.examples import example_questions
    from amongst.app.figures.front import front_view
    from amongst.app.figures.lattice import lattice_view
    from amongst.app.figures.partition import partition_view
    from amongst.app.figures.query import query_view
    from amongst.app.figures.result import result_view
    from amongst.app.figures.sample import sample_view
    from amongst.app.figures.schema import schema_drawing

_HOME_OF_NAME = {
    "example_questions": "examples",
    "front_view": "front",
    "lattice_view": "lattice",
    "partition_view": "partition",
    "query_view": "query",
    "result_view": "result",
    "sample_view": "sample",
    "schema_drawing": "schema",
}

__all__ = [
    "example_questions",
    "front_view",
    "lattice_view",
    "partition_view",
    "query_view",
    "result_view",
    "sample_view",
    "schema_drawing",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF_NAME:
        return getattr(importlib.import_module(f"amongst.app.figures.{_HOME_OF_NAME[name]}"), name)
    raise AttributeError(f"module 'amongst.app.figures' has no attribute {name!r}")
