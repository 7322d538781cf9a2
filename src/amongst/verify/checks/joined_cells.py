"""Cells of quasi-identifiers that are equal in the usual writing and not in the file: readers tell them apart."""

from __future__ import annotations

from amongst.published.finding import Finding
from amongst.published.layout import Layout
from amongst.published.source import Source


def joined_cells(source: Source, layout: Layout) -> list[Finding]:
    """A finding for every column of a quasi-identifier in which one number or date is written in several ways."""
    if source.n_joined is None:
        return []
    names = [name for name in source.names if name not in layout.others]
    return [
        Finding(
            "two-writings",
            f"Cells of '{name}' say the same in several ways, so that rows which count as equal can be told apart.",
            "more texts than values",
            "write every value in one way",
        )
        for name in names
        if source.n_joined(name)
    ]
