"""A release as numbers that a model can learn from: middles of ranges, and a column of 0 and 1 for every label.

It is worked out from what is published, so it tells nobody more. A range is its middle; a model that is fitted to
middles takes everybody of a group to be there. Labels of categories stay as they are, or become indicators.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption, refuse_unknown_word
from amongst.recode.plan import plan_recoding
from amongst.recode.recode import recode
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.release.release import Release

FORMS = ("midpoints", "indicators")


def for_models(release: Release, form: str) -> Any:
    """The published table with numbers in place of ranges; see ``Release.for_models``."""
    refuse_unknown_word(f"There is no form {form!r}.", "form", form, FORMS)
    if not release.store.in_memory:
        raise release.store.not_in_memory("for_models")
    if release.is_pair:
        raise BadOption("Two tables have no ranges.", found='method = "anatomy"', fix="use a method that generalizes")
    refuse_unproved(release.verdict)
    original = release.source.table
    as_bounds = replace(release.request, form="bounds")
    plan = plan_recoding(release.coded, release.partition, as_bounds, original.schema)
    original = release.store.numbered(original, release.coded, plan, release.schema)
    plan = recode(original, release.coded, plan)
    return release.source.native(_with_middles(plan.table, release, form))


def _with_middles(table: pa.Table, release: Release, form: str) -> pa.Table:
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in table.column_names:
        quasi = name.removesuffix("_lower").removesuffix("_upper")
        if name in release.schema and release.schema[name].role != "quasi":
            columns[name] = _plain(table.column(name))
        elif quasi != name and quasi in release.schema.quasi and name not in release.schema:
            if name.endswith("_lower"):
                columns[quasi] = _middle(table.column(name), table.column(f"{quasi}_upper"))
        elif form == "midpoints" or name not in release.schema.quasi:
            columns[name] = _plain(table.column(name))
        else:
            columns |= _indicators(name, table.column(name))
    return pa.table(columns)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _middle(lower: pa.ChunkedArray, upper: pa.ChunkedArray) -> pa.ChunkedArray:
    """Halfway between two bounds; of dates a time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    of = lower.type
    if pa.types.is_date(of) or pa.types.is_timestamp(of):
        lower, upper = (one.cast(pa.timestamp("us")).cast(pa.int64()) for one in (lower, upper))
        return pc.add(lower, pc.divide(pc.subtract(upper, lower), 2)).cast(pa.timestamp("us"))
    lower, upper = lower.cast(pa.float64(), safe=False), upper.cast(pa.float64(), safe=False)
    return pc.add(pc.divide(lower, 2.0), pc.divide(upper, 2.0))


def _indicators(name: str, column: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    """A column of 0 and 1 for every published label."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = _plain(column)
    if not (pa.types.is_string(plain.type) or pa.types.is_large_string(plain.type)):
        return {name: plain}
    labels = pc.unique(plain).drop_null()
    labels = labels.take(pc.sort_indices(labels)).to_pylist()
    return {f"{name}={label}": pc.equal(plain, label).cast(pa.int8()).fill_null(0) for label in labels}
