"""What the page draws of the figures: charts, tables, and the words beside them."""

from __future__ import annotations

from amongst.app.panels.front import front
from amongst.app.panels.lattice import lattice
from amongst.app.panels.partition import partition
from amongst.app.panels.query import query
from amongst.app.panels.result import result
from amongst.app.panels.sample import sample
from amongst.app.panels.schema import schema

__all__ = ["front", "lattice", "partition", "query", "result", "sample", "schema"]
