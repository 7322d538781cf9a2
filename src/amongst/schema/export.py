"""A tree as rows in ARX's format, so that other tools can use it."""

from __future__ import annotations

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
        [labels[first] for first in starts.tolist()] for labels, starts in zip(tree.labels, tree.start, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def write_csv(tree: Tree, path: str | Path, separator: str = ";") -> None:
    """Write the rows of a tree to a file, which appears complete or not at all."""
    from amongst.staging import staged_file

    lines = [separator.join(_quoted(cell, separator) for cell in row) for row in to_rows(tree)]
    text = "".join(line + "\n" for line in lines)
    with staged_file(Path(path)) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="")


def _quoted(cell: str, separator: str) -> str:
    """The cell in quotes where a reader would misread it: Python's writer leaves a lone \\r bare."""
    needs = cell.startswith("\ufeff") or any(letter in cell for letter in (separator, '"', "\r", "\n"))
    return '"' + cell.replace('"', '""') + '"' if needs else cell
