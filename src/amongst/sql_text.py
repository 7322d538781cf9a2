"""Names and texts as SQL writes them."""

from __future__ import annotations


def quoted(name: str) -> str:
    """A name that stands for itself, whatever is in it.

    Examples
    --------
    >>> from amongst.sql_text import quoted
    >>> print(quoted('say "hi"'))
    "say ""hi"\""
    """
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text literal."""
    return "'" + value.replace("'", "''") + "'"
