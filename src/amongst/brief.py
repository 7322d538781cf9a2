"""What holds rows says what it is, and never what is in it: a notebook shows, and a log keeps, whatever is printed."""

from __future__ import annotations

from html import escape
from typing import Any


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
