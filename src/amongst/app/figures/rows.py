"""Rows of the table as they came in, and beside each what is published for it. For the owner of the table alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.figures.partition import loss_of_group
from amongst.app.figures.plain import plain, short
from amongst.recode.labels import text_of

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.release.release import Release

MOST_ROWS, MOST_COLUMNS, CELL = 60, 60, 48
ORDERS = ("as read", "most changed", "left out")


def rows_view(
    release: Release, table: pa.Table, first: int = 0, n: int = MOST_ROWS, order: str = "as read"
) -> dict[str, Any]:
    """Some rows before and after.

    Parameters
    ----------
    release : Release
    table : pyarrow.Table
        What it was made of.
    first, n : int
        Which rows, in the order.
    order : {"as read", "most changed", "left out"}

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures.rows import rows_view
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> view = rows_view(release, patients.table, 0, 1)
    >>> view["columns"][0], view["before"][0][0], view["after"][0][0], view["changed"][0][0]
    ({'name': 'Age', 'role': 'quasi'}, '25', '[25-26]', True)
    """
    class_of_row = classes_of_input(release, table.num_rows)
    places = _in_order(release, class_of_row, order)
    first = max(0, min(first, (max(len(places) - 1, 0) // n) * n))
    shown = places[first : first + min(n, MOST_ROWS)]
    names = _names(release, table)
    before = table.select(names).take(shown)
    columns, olds, news = [], [], []
    for name in names:
        role = release.schema[name].role if name in release.schema else "keep"
        old = texts(before.column(name))
        columns.append({"name": short(name), "role": role or ""})
        olds.append(old)
        news.append(_published(release, name, class_of_row[shown], old, str(role)))
    gone = (class_of_row[shown] < 0).tolist()
    changed = [
        [role["role"] == "identifier" or old != new for old, new, role in zip(was, now, columns, strict=True)]
        for was, now in zip(zip(*olds, strict=True), zip(*news, strict=True), strict=True)
    ]
    return plain(
        {
            "columns": columns,
            "rows": shown,
            "before": [list(row) for row in zip(*olds, strict=True)],
            "after": [list(row) for row in zip(*news, strict=True)],
            "changed": changed,
            "gone": gone,
            "first": first,
            "n": len(places),
            "n_rows": table.num_rows,
            "n_columns": table.num_columns,
            "order": order,
        }
    )


def classes_of_input(release: Release, n_rows: int) -> np.ndarray:
    """The class of every row of the input, -1 where it is left out."""
    own, kept = release.plan.class_of_row, release.coded.kept_rows
    if kept is None:
        return own
    classes = np.full(n_rows, -1, dtype=own.dtype)
    classes[kept] = own
    return classes


def label_of_class(release: Release, name: str, classes: np.ndarray) -> list[str | None]:
    """What some classes publish for a quasi-identifier, as one text."""
    parts = [
        texts(column.values.take(np.asarray(column.value_of_group)[classes])) for column in release.plan.made[name]
    ]
    if len(parts) == 1:
        return parts[0]
    return [" – ".join("missing" if one is None else one for one in own) for own in zip(*parts, strict=True)]


def texts(column: Any) -> list[str | None]:
    """Cells as short texts."""
    import pyarrow as pa

    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pa.types.is_nested(values.type) or pa.types.is_binary(values.type):
        return [None if one is None else short(one, CELL) for one in values.to_pylist()]
    return [None if one is None else short(one, CELL) for one in text_of(values).to_pylist()]


def _in_order(release: Release, class_of_row: np.ndarray, order: str) -> np.ndarray:
    if order == "left out":
        return np.flatnonzero(class_of_row < 0)
    if order == "most changed" and not release.is_pair:
        lost, group = loss_of_group(release), release.partition.group_of_row
        of_row = np.where(group >= 0, lost[group], -1.0)
        kept = release.coded.kept_rows
        return np.argsort(-of_row, kind="stable") if kept is None else kept[np.argsort(-of_row, kind="stable")]
    return np.arange(len(class_of_row))


def _names(release: Release, table: pa.Table) -> list[str]:
    """Quasi-identifiers first, then what is sensitive, then the rest: what changes is seen without scrolling."""
    rank = {"quasi": 0, "sensitive": 1, "keep": 2, "weight": 2, "identifier": 3}
    role = {name: release.schema[name].role if name in release.schema else "keep" for name in table.column_names}
    return sorted(table.column_names, key=lambda name: rank.get(str(role[name]), 2))[:MOST_COLUMNS]


def _published(
    release: Release, name: str, classes: np.ndarray, before: list[str | None], role: str
) -> list[str | None]:
    gone = classes < 0
    if role == "identifier":
        return [None] * len(before)
    if role == "quasi" and name in release.plan.made and not release.is_pair:
        labels = label_of_class(release, name, np.maximum(classes, 0)) if release.plan.n_classes else before
        return [None if out else label for out, label in zip(gone.tolist(), labels, strict=True)]
    return [None if out else cell for out, cell in zip(gone.tolist(), before, strict=True)]
