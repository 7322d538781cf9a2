"""Are the published labels readable, in the light of the schema?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.verify.classes import Classes
from amongst.verify.known import Known, known_labels
from amongst.verify.layout import Key, Layout
from amongst.verify.tally import Distinct
from amongst.verify.verdict import Finding


def check_labels(layout: Layout, classes: Classes) -> tuple[list[Finding], list[Finding]]:
    """Findings about labels that the schema does not understand, and notes where it cannot judge."""
    findings: list[Finding] = []
    notes: list[Finding] = []
    for key in layout.keys:
        column = layout.schema[key.quasi]
        known = known_of_key(key, known_labels(column), classes)
        checks = _bounds if key.form == "bounds" else _label
        judged = column.kind is not None and not layout.foreign
        (findings if judged else notes).extend(checks(key, known, classes))
    return findings, notes


def known_of_key(key: Key, known: Known, classes: Classes) -> Known:
    """Statistics are numbers. Bounds are single values; without a kind their type says which."""
    if key.form == "statistic":
        return Known("numeric")
    if key.form == "bounds":
        of = classes.tally.columns[key.leaves[0]].values.type
        numbers = pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of)
        typed = "numeric" if numbers else "date" if pa.types.is_temporal(of) else None
        return replace(known, kind=known.kind or typed, nodes=None, listed=False)
    return known


def texts_of(column: Distinct) -> pa.Array:
    """The value of every code as the text a reader sees; null where a cell is missing or not a number."""
    texts = column.values.cast(pa.string())
    return pc.if_else(pa.array(column.null_like), None, texts)


def _label(key: Key, known: Known, classes: Classes) -> list[Finding]:
    column = classes.tally.columns[key.leaves[0]]
    odd = ~known.understands(known.read(texts_of(column)))
    n_rows = int(classes.tally.size[odd[column.codes]].sum())
    if not n_rows:
        return []
    return [_not_understood(key, f"{_counted(int(odd.sum()), 'label')} on {_counted(n_rows, 'row')}")]


def _bounds(key: Key, known: Known, classes: Classes) -> list[Finding]:
    """Bounds must be values of the column, both or none, and the right way round."""
    columns = [classes.tally.columns[leaf] for leaf in key.leaves]
    size = classes.tally.size
    missing = [column.null_like[column.codes] for column in columns]
    odd = np.logical_or.reduce(missing) & ~np.logical_and.reduce(missing)
    labels = [known.read(texts_of(column)) for column in columns]
    for column, read in zip(columns, labels, strict=True):
        single = known.understands(read) & (read.are("value") | read.are("null"))
        odd |= ~single[column.codes]
    if len(columns) == 2:
        odd |= _places(columns[0], labels[0].lo) > _places(columns[1], labels[1].lo)
    n_rows = int(size[odd].sum())
    if not n_rows:
        return []
    return [_not_understood(key, f"bounds that are no range on {_counted(n_rows, 'row')}")]


def _places(column: Distinct, place_of_code: np.ndarray) -> np.ndarray:
    return place_of_code[column.codes]


def _not_understood(key: Key, found: str) -> Finding:
    names = " and ".join(f"'{leaf.column}'" for leaf in key.leaves)
    return Finding(
        "label-not-understood",
        f"Labels of {names} are not understood.",
        found,
        "publish values, ranges from low to high, nodes of the hierarchy, or sets of known values",
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
