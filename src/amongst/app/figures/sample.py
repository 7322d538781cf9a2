"""A few rows of the published table, as they will be read by anyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.figures.plain import plain, short
from amongst.recode.labels import text_of
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.release.release import Release

MOST_ROWS, MOST_COLUMNS, CELL = 40, 60, 60


def sample_view(release: Release, n_rows: int = MOST_ROWS) -> dict[str, Any]:
    """Rows spread evenly over the published table; refused where the release does not hold what was asked.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import sample_view
    >>> patients = am.datasets.load("patients")
    >>> view = sample_view(am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]))
    >>> view["headings"][0], len(view["rows"]), view["n_rows"]
    ({'name': 'Age', 'role': 'quasi'}, 6, 6)
    """
    refuse_unproved(release.verdict)
    table = release.arrow
    n = min(n_rows, MOST_ROWS, table.num_rows)
    places = np.linspace(0, table.num_rows - 1, n).astype(np.int64) if n else np.zeros(0, dtype=np.int64)
    shown = table.select(table.column_names[:MOST_COLUMNS]).take(places)
    cells = [_texts(column) for column in shown.columns]
    return plain(
        {
            "headings": [{"name": short(name), "role": _role(release, name)} for name in shown.column_names],
            "rows": [list(row) for row in zip(*cells, strict=True)],
            "n_rows": table.num_rows,
            "n_columns": table.num_columns,
        }
    )


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    import pyarrow as pa

    values = column.combine_chunks()
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pa.types.is_nested(values.type) or pa.types.is_binary(values.type):
        return [None if one is None else short(one, CELL) for one in values.to_pylist()]
    return [None if one is None else short(one, CELL) for one in text_of(values).to_pylist()]


def _role(release: Release, name: str) -> str:
    """The role of the column, or of the one that it tells of: ``age_lower``, ``age_mean``."""
    if name in release.schema:
        return release.schema[name].role or ""
    of = [quasi for quasi in release.schema.quasi if name.startswith(f"{quasi}_")]
    return "quasi" if of else "keep"
