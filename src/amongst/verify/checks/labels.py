"""Are the published labels readable, in the light of the schema?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.published.exact_numbers import beyond_floats, ranks
from amongst.published.finding import Finding, counted
from amongst.published.layout import Key, Layout
from amongst.published.readings import Reading


def check_labels(
    layout: Layout, readings: Sequence[Reading], size: np.ndarray, threshold: int = 0
) -> tuple[list[Finding], list[Finding]]:
    """Findings about labels that the schema does not understand; notes where it does not say enough.

    Numbers of rows below ``threshold`` are not told.
    """
    findings: list[Finding] = []
    notes: list[Finding] = []
    for reading in readings:
        judge = _bounds if reading.key.form == "bounds" else _label
        found = judge(reading, size, threshold)
        if found:
            judged = layout.schema[reading.key.quasi].kind is not None
            (findings if judged else notes).append(_not_understood(reading.key, found))
    return findings, notes


def _label(reading: Reading, size: np.ndarray, threshold: int) -> str:
    """How many labels are not understood, in words; nothing when all are."""
    odd = ~reading.known.understands(reading.labels[0])
    if not odd.any():
        return ""
    n_rows = int(size[odd[reading.columns[0].codes]].sum())
    return f"{counted(int(odd.sum()), 'label')} on {counted(n_rows, 'row', threshold)}"


def _bounds(reading: Reading, size: np.ndarray, threshold: int) -> str:
    """Bounds must be values of the column, both or none, and the right way round."""
    missing = [column.null_like[column.codes] for column in reading.columns]
    odd = np.logical_or.reduce(missing) & ~np.logical_and.reduce(missing)
    for column, labels in zip(reading.columns, reading.labels, strict=True):
        single = reading.known.understands(labels) & (labels.are("value") | labels.are("null"))
        odd |= ~single[column.codes]
    if len(reading.columns) == 2:
        odd |= np.greater(
            *[place[column.codes] for place, column in zip(_places(reading), reading.columns, strict=True)]
        )
    n_rows = int(size[odd].sum())
    return f"bounds that are no range on {counted(n_rows, 'row', threshold)}" if n_rows else ""


def _places(reading: Reading) -> list[np.ndarray]:
    """Where the bounds lie: ranks where floats would take some for equal."""
    if not any(map(beyond_floats, reading.texts)):
        return [labels.lo for labels in reading.labels]
    return ranks(*[[reading.known.read_one(text).lo for text in texts.to_pylist()] for texts in reading.texts])


def _not_understood(key: Key, found: str) -> Finding:
    names = " and ".join(f"'{leaf.column}'" for leaf in key.leaves)
    return Finding(
        "label-not-understood",
        f"Labels of {names} are not understood.",
        found,
        "publish values, ranges from low to high, nodes of the hierarchy, or sets of known values",
    )
