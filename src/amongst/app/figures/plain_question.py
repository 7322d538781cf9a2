"""What a question in plain words may speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.recode.labels import text_of
from amongst.schema.arrow_kind import natural_kind, value_type

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.release.release import Release

MOST_VALUES = 200
"""Values of a column that are offered; others can be typed."""


def columns_to_ask(release: Release) -> list[dict[str, Any]]:
    """Every published column with what it holds, and those values that so many rows share that they may be named.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import columns_to_ask
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> [(one["name"], one["holds"]) for one in columns_to_ask(release)]
    [('Age', 'number'), ('Sex', 'name'), ('Zipcode', 'number'), ('Disease', 'name')]
    """
    coded = {column.name: column for column in release.coded.columns}
    found = []
    for name in release.arrow.column_names:
        if not name.isprintable():
            continue
        if name in coded:
            kind, values = coded[name].kind, text_of(coded[name].values)
            counts = release.counts_of_values(coded[name])
        else:
            kind, values, counts = _as_it_is(release.arrow.column(name))
        found.append(_asked(name, kind, values, counts, release.threshold))
    return found


def columns_of_tables(release: Any) -> list[dict[str, Any]]:
    """The same of many tables: every published column of each, but for keys.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import columns_of_tables
    >>> made = am.datasets.load_database("transcripts")
    >>> release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    >>> [(one["table"], one["name"], one["holds"]) for one in columns_of_tables(release)][:2]
    [('students', 'GPA', 'name'), ('courses', 'Course', 'name')]
    """
    found = []
    for t, table in enumerate(release.coded.names):
        published = release.arrow[table]
        coded = {column.name: column for column in release.coded.columns[t]}
        for name in release.schema[table].schema:
            if name not in published.column_names or not name.isprintable():
                continue
            if name in coded:
                kind, values = coded[name].kind, text_of(coded[name].values)
                counts = np.bincount(coded[name].codes, minlength=len(values))[
                    : len(values)
                ]  # the last code is for nulls
            else:
                kind, values, counts = _as_it_is(published.column(name))
            found.append({"table": table, **_asked(name, kind, values, counts, release.threshold)})
    return found


def _asked(name: str, kind: str, values: pa.Array, counts: np.ndarray, threshold: int) -> dict[str, Any]:
    holds = {"numeric": "number", "date": "date"}.get(kind, "name")
    return {"name": name, "holds": holds, "values": _shared(values, counts, threshold) if holds == "name" else []}


def _as_it_is(column: pa.ChunkedArray) -> tuple[str, pa.Array, np.ndarray]:
    """The kind, the values and how many rows have them, of a column that is published as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = natural_kind(value_type(column))
    if kind != "categorical":
        return kind or "categorical", pa.array([], pa.string()), np.zeros(0, np.int64)
    column = column.cast(value_type(column))
    counted = pc.value_counts(column.drop_null()).flatten()
    return "categorical", text_of(counted[0]), counted[1].to_numpy(zero_copy_only=False)


def _shared(values: pa.Array, counts: np.ndarray, threshold: int) -> list[str]:
    """The values of at least so many rows, the most frequent first, as far as they can be typed."""
    most = [int(place) for place in np.argsort(-counts, kind="stable")[:MOST_VALUES] if counts[place] >= threshold]
    return [text for place in most if (text := str(values[place].as_py())).isprintable()]
