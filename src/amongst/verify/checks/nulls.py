"""Do the published nulls follow the rule that the schema states?"""

from __future__ import annotations

import numpy as np

from amongst.published.classes import Classes
from amongst.published.finding import Finding, counted
from amongst.published.layout import Layout


def check_nulls(layout: Layout, classes: Classes, threshold: int = 0) -> tuple[list[Finding], list[Finding]]:
    """A finding where nulls should be gone, a note where no rule speaks of them.

    Numbers of rows below ``threshold`` are not told.
    """
    findings: list[Finding] = []
    notes: list[Finding] = []
    rows = classes.tally
    for key in layout.keys:
        columns = [rows.columns[leaf] for leaf in key.leaves]
        some = np.logical_or.reduce([column.null_like[column.codes] for column in columns])
        n_rows = int(rows.size[some].sum())
        if not n_rows or key.nulls in ("own value", "match anything"):
            continue
        names = " and ".join(f"'{leaf.column}'" for leaf in key.leaves)
        found = f"{counted(n_rows, 'row', threshold)} with a missing cell"
        if key.nulls == "suppress":
            fix = "leave such rows out, or use another rule for nulls"
            findings.append(Finding("null-published", f"{names} has nulls, which should be suppressed.", found, fix))
        else:
            what = f"{names} has nulls and no rule for them: here null equals null and nothing else."
            notes.append(Finding("null-without-rule", what, found, 'say nulls="own value" or "match anything"'))
    return findings, notes
