"""What groups give away without anybody being picked out: rows whose whole group has one sensitive value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.sensitive import encode_sensitive
from amongst.measure.value_counts import value_counts

if TYPE_CHECKING:
    from amongst.release.release import Release


def disclosed_figures(release: Release) -> list[dict[str, Any]]:
    """For every sensitive column the share of published rows in groups with one value of it, most first.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures.disclosed import disclosed_figures
    >>> patients = am.datasets.load("patients")
    >>> disclosed_figures(am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]))
    [{'column': 'Disease', 'share': 0.0}]
    """
    coded, plan, schema = release.coded, release.plan, release.schema
    names = [name for name in schema.sensitive if schema[name].kind is not None]
    found = []
    for name in names:
        column = coded.sensitive.get(name) or encode_sensitive(release.source.table, schema, name, coded.kept_rows)
        given = (column.codes, column.n_codes, coded.unit, coded.count)
        counts = value_counts(plan.class_of_row, plan.n_classes, *given)
        n_values = np.diff(np.append(counts.first, len(counts.count)))
        size = np.asarray(counts.size, dtype=np.float64)
        found.append({"column": name, "share": float(size[n_values == 1].sum() / max(size.sum(), 1.0))})
    return sorted(found, key=lambda one: -one["share"])
