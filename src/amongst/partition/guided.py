"""What a search is guided by beside the user's weights: a target to predict, a workload to answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.partition.method import Method
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.query.workload import Workload


def guided(table: CodedTable, schema: Schema, method: Method, workload: Workload | None) -> CodedTable:
    """The table as the search is to see it: the same codes, with other weights and widths.

    What is published, verified and measured afterwards is taken from the table itself.
    """
    if workload is not None:
        table = workload.guide(table, schema)
    if table.target is not None and not method.looks_at_target:
        from amongst.partition.target_weights import weighed_by_target

        table = replace(weighed_by_target(table), target=None)
    return table


def refuse_guides(method: str, target: str | None, workload: Workload | None) -> None:
    """Raise where a method that generalizes nothing is to be guided."""
    given = [name for name, guide in (("target", target), ("workload", workload)) if guide is not None]
    if given:
        raise BadOption(
            f"The method {method!r} publishes quasi-identifiers as they are: there is nothing to steer.",
            found="given: " + ", ".join(given),
            fix="leave it out, or use a method that generalizes",
        )
