"""A table of coefficients in words: for the command, for reports and for pages."""

from __future__ import annotations

from amongst.analysis.regression import Estimate, Regression


def headings_of(found: Regression) -> list[str]:
    """The headings of the table; with the original where it is at hand."""
    own = ["coefficient", "estimate", f"{found.level:.0%} interval", "not told"]
    return own if found.overlap is None else [*own, "original", "its interval", "overlap"]


def rows_of(found: Regression) -> list[list[str]]:
    """One row a coefficient."""
    rows = []
    for one in found.coefficients:
        row = [one.name, *_words(one.released), f"{one.missing:.0%}"]
        if found.overlap is not None:
            row += [*_words(one.original), "" if one.overlap is None else f"{one.overlap:.2f}"]
        rows.append(row)
    return rows


def _words(one: Estimate | None) -> list[str]:
    if one is None:
        return ["none", ""]
    return [f"{one.value:.4g}", f"{one.lower:.4g} to {one.upper:.4g}"]
