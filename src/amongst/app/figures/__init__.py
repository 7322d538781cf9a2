"""What the page shows, worked out where the table is and sent as plain data: figures, words, drawings, few points.

Everything here runs in the process that holds the table. What it returns can be sent as JSON, is small however
large the table, and tells no count of people below the threshold; but for ``rows`` and ``explain``, which show the
owner of the table rows of it, and why they became what is published.
"""

from __future__ import annotations

from amongst.app.figures.examples import example_questions
from amongst.app.figures.explain import explain
from amongst.app.figures.front import front_view
from amongst.app.figures.gauges import gauges
from amongst.app.figures.lattice import lattice_view
from amongst.app.figures.partition import partition_view
from amongst.app.figures.plain_question import columns_of_tables, columns_to_ask
from amongst.app.figures.query import query_view
from amongst.app.figures.result import result_view
from amongst.app.figures.rows import rows_view
from amongst.app.figures.sample import sample_view
from amongst.app.figures.schema import schema_drawing
from amongst.app.figures.tables import ask_tables, explain_row, gauges_of_tables, rows_of_table, told_of

__all__ = [
    "ask_tables",
    "columns_of_tables",
    "columns_to_ask",
    "example_questions",
    "explain",
    "explain_row",
    "front_view",
    "gauges",
    "gauges_of_tables",
    "lattice_view",
    "partition_view",
    "query_view",
    "result_view",
    "rows_of_table",
    "rows_view",
    "sample_view",
    "schema_drawing",
    "told_of",
]
