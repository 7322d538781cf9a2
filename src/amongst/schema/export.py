"""A tree as rows in ARX's format, so that other tools can use it."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

from amongst.schema.tree import Tree


def to_rows(tree: Tree) -> list[list[str]]:
    """A row for every leaf in in-order: the leaf, its ancestors, the root.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.schema.export import to_rows
    >>> to_rows(am.Hierarchy.digits(2).tree(["53", "57"]))
    [['53', '5*', '*'], ['57', '5*', '*']]
    """
    columns = [
        [labels[first] for first in starts.tolist()]
        for labels, starts in zip(tree.labels, tree.start, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def write_csv(tree: Tree, path: str | Path, separator: str = ";") -> None:
    """Write the rows of a tree to a file, which appears complete or not at all."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(to_rows(tree))
    path = Path(path)
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        unfinished.write_text(text.getvalue(), encoding="utf-8", newline="")
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
