"""Why a row is published as it is, in plain words. It shows originals and small counts: for the owner alone.

A cell is kept where enough rows have its value and look like what is published of the row otherwise. So the reason for
every cell is a count: how many rows have the row's own value there, and fit what its group publishes in all other
columns. And what would have to go for the cell to stay is another: rows that fit in all columns but one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.figures.plain import plain, short
from amongst.app.figures.rows import classes_of_input, label_of_class, texts
from amongst.report.wording import count

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedColumn
    from amongst.release.release import Release

MOST_VALUES = 6
"""Values of a group that are named for a column."""
MOST_NAMED = 3
"""Columns that a sentence names."""


def explain(release: Release, table: pa.Table, row: int) -> dict[str, Any]:
    """The group of a row, and for every cell why it is as it is.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures.explain import explain
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> told = explain(release, patients.table, 0)
    >>> told["size"], [cell["name"] for cell in told["cells"]]
    (3, ['Age', 'Sex', 'Zipcode'])
    >>> told["cells"][0]["why"]
    '2 rows have 25 and fit the rest: enough for k = 2. The rows left over would be too few, or lose more.'
    """
    coded, own = release.coded, classes_of_input(release, table.num_rows)[row]
    place = _coded_place(release, row)
    if place is None:
        why = "A value that it needs is missing, and such rows are left out: see what missing means, under Columns."
        return {"row": row, "gone": why, "cells": [], "size": 0, "sensitive": []}
    if own < 0:
        why = "The method left it out: with it, other rows would have lost more than one row is worth."
        return {"row": row, "gone": why, "cells": [], "size": 0, "sensitive": []}
    if release.is_pair:
        why = "Nothing is generalized: its sensitive value stands in a group of the second table."
        return {"row": row, "gone": why, "cells": [], "size": 0, "sensitive": []}
    group = int(release.partition.group_of_row[place])
    members = np.flatnonzero(release.partition.group_of_row == group)
    fits = [_fits(release, c, group, members) for c in range(coded.n_qi)]
    n_misfits = np.zeros(coded.n_coded, dtype=np.int16)
    odd = np.zeros(coded.n_coded, dtype=np.int16)
    for c, fit in enumerate(fits):
        n_misfits += ~fit
        odd[~fit] = c  # the only column that does not fit, where there is only one
    input_rows = members if coded.kept_rows is None else coded.kept_rows[members]
    cells = []
    for c, column in enumerate(coded.columns):
        label = label_of_class(release, column.name, np.array([own]))[0]
        value = texts(table.column(column.name).slice(row, 1))[0]
        like = column.codes == column.codes[place]
        n_alike = int((like & (n_misfits == 0)).sum())
        one_off = np.bincount(odd[like & (n_misfits == 1)], minlength=coded.n_qi)
        one_off[c] = 0
        told: dict[str, Any] = {"name": short(column.name), "value": value, "label": label, "changed": value != label}
        without = [
            (int(n_alike + one_off[other]), short(coded.columns[other].name))
            for other in np.argsort(-one_off, kind="stable")
            if n_alike + one_off[other] >= release.threshold
        ]
        told["why"] = _why(told, n_alike, without, release, len(members))
        told["values"] = value_counts(texts(table.column(column.name).take(input_rows)))
        cells.append(told)
    sensitive = [
        {"name": short(name), "values": value_counts(texts(table.column(name).take(input_rows)))}
        for name in release.schema.sensitive
        if name in table.column_names
    ]
    return plain({"row": row, "gone": "", "cells": cells, "size": len(members), "sensitive": sensitive})


def _coded_place(release: Release, row: int) -> int | None:
    kept = release.coded.kept_rows
    if kept is None:
        return row
    place = int(np.searchsorted(kept, row))
    return place if place < len(kept) and kept[place] == row else None


def _fits(release: Release, c: int, group: int, members: np.ndarray) -> np.ndarray:
    """Which rows look like what the group publishes in a column."""
    column: CodedColumn = release.coded.columns[c]
    partition = release.partition
    codes = column.codes
    sets = partition.sets_of(c)
    if sets is not None:
        return np.asarray(sets[codes] == sets[int(partition.lo[group, c])])
    if column.as_sets and not partition.publishes_nodes:
        fit = np.isin(codes, np.unique(codes[members]))
    else:
        fit = (codes >= partition.lo[group, c]) & (codes <= partition.hi[group, c])
    return np.asarray(fit | (codes == column.wildcard)) if column.wildcard >= 0 else np.asarray(fit)


def _why(told: dict[str, Any], n: int, without: list[tuple[int, str]], release: Release, size: int) -> str:
    k = release.threshold
    value = "a missing value" if told["value"] is None else told["value"]
    if not told["changed"]:
        return f"Kept: all {count(size)} rows of its group have it."
    if n < k:
        who = f"No other row has {value} and fits" if n <= 1 else f"Only {count(n)} rows have {value} and fit"
        words = f"{who} the rest of what is published here; {count(k)} are asked."
        if without:
            names = [name for _, name in without[:MOST_NAMED]]
            listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
            words += f" Without {listed} this row could keep it."
        return words
    others = [model.card.title for model in release.models if model.name != "k-anonymity"]
    words = f"{count(n)} rows have {value} and fit the rest: enough for k = {count(k)}. "
    if others:
        return words + f"The group is wider so that {' and '.join(others)} holds too, or others lose less."
    return words + "The rows left over would be too few, or lose more."


def value_counts(cells: list[str | None]) -> list[dict[str, Any]]:
    """The values of the group with how many rows have each, most first."""
    counted: dict[str | None, int] = {}
    for cell in cells:
        counted[cell] = counted.get(cell, 0) + 1
    falling = sorted(counted.items(), key=lambda one: (-one[1], str(one[0])))
    shown = [{"value": "missing" if value is None else value, "n": n} for value, n in falling[:MOST_VALUES]]
    more = len(falling) - len(shown)
    return [*shown, {"value": f"{more} more", "n": 0}] if more > 0 else shown
