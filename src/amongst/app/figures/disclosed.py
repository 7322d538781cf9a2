"""What groups give away without anybody being picked out: rows whose whole group has one sensitive value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.sensitive import encode_sensitive
from amongst.measure.value_counts import value_counts

if TYPE_CHECKING:
    from amongst.encode.coded import CodedColumn
    from amongst.release.release import Release


Known = dict[tuple[str, str], "CodedColumn"]
"""Sensitive columns that were coded before, of a table that stays the same."""


def sensitive_codes(release: Release, known: Known | None = None) -> dict[str, CodedColumn]:
    """Every sensitive column whose values can be counted, as codes of the coded rows."""
    coded, schema, found = release.coded, release.schema, {}
    for name in schema.sensitive:
        if schema[name].kind is None:
            continue
        key = (name, repr(schema[name]))
        column = coded.sensitive.get(name) or (known or {}).get(key)
        if column is None:
            column = encode_sensitive(release.source.table, schema, name, coded.kept_rows)
            if known is not None and coded.kept_rows is None:
                known[key] = column
        found[name] = column
    return found


def disclosed_figures(release: Release, known: Known | None = None) -> list[dict[str, Any]]:
    """For every sensitive column the share of published rows in groups with one value of it, most first.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures.disclosed import disclosed_figures
    >>> patients = am.datasets.load("patients")
    >>> disclosed_figures(am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]))
    [{'column': 'Disease', 'share': 0.0}]
    """
    coded, plan = release.coded, release.plan
    found = []
    for name, column in sensitive_codes(release, known).items():
        given = (column.codes, column.n_codes, coded.unit, coded.count)
        counts = value_counts(plan.class_of_row, plan.n_classes, *given)
        n_values = np.diff(np.append(counts.first, len(counts.count)))
        size = np.asarray(counts.size, dtype=np.float64)
        found.append({"column": name, "share": float(size[n_values == 1].sum() / max(size.sum(), 1.0))})
    return sorted(found, key=lambda one: -one["share"])
