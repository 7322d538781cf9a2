"""What holds rows says what it is, and never what is in it: a notebook shows, and a log keeps, whatever is printed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any


def page_part(
    title: str, rows: Sequence[Sequence[Any]], *, headings: Sequence[str] = (), notes: Sequence[str] = ()
) -> str:
    """A heading, a small table and notes, as a notebook shows them; everything is escaped.

    Examples
    --------
    >>> from amongst.brief import page_part
    >>> page_part("2 < 3", [("k", 10)])
    '<p><b>2 &lt; 3</b></p><table><tr><td>k</td><td>10</td></tr></table>'
    """
    head = "".join(f"<th>{escape(str(one))}</th>" for one in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(one))}</td>" for one in row) + "</tr>" for row in rows)
    said = "".join(f"<p>{escape(note)}</p>" for note in notes)
    table = f"<table>{f'<tr>{head}</tr>' if head else ''}{body}</table>" if rows else ""
    return f"<p><b>{escape(title)}</b></p>{table}{said}"


class Brief:
    """Gives a class a short text without a cell in it, and its dataclasses too."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Brief.__repr__  # type: ignore[method-assign]  # or a dataclass would make its own

    def brief(self) -> str:
        """A few facts about it."""
        return ""

    def __repr__(self) -> str:
        words = self.brief()
        return f"<{type(self).__name__}{': ' + words if words else ''}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"
