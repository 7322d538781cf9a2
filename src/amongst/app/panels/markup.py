"""Pieces of HTML that the panels are made of. Text is escaped here, and only here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup as Markup
from markupsafe import escape
from nicegui import ui

from amongst.app.language import Own, is_foreign, say
from amongst.report.wording import visible

CELLS = frozenset({"td", "style", "path"})
"""What holds no words of ours."""
READ_OUT = frozenset({"aria-label", "title", "placeholder"})


def show(markup: Markup) -> ui.html:
    """Put a piece on the page. It must be Markup: everything in it was escaped when it was made."""
    if not isinstance(markup, Markup):
        raise TypeError("only Markup can be shown: text must be escaped first")
    return ui.html(str(markup), sanitize=False)


def text(words: Any) -> Markup:
    """Text as it may stand in HTML, without characters that act."""
    return words if isinstance(words, Markup) else escape(visible(words))


def element(name: str, *body: Any, **attributes: Any) -> Markup:
    """One element. ``class_`` becomes ``class``, ``aria_label`` becomes ``aria-label``.

    Examples
    --------
    >>> from amongst.app.panels.markup import element
    >>> str(element("b", "<i>", class_="x"))
    '<b class="x">&lt;i&gt;</b>'
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    if name not in CELLS:
        if any(is_foreign(one) for one in body if _is_said(one)):
            given.setdefault("lang", "en")
        body = tuple(say(one) if _is_said(one) else one for one in body)
    given = {key: say(value) if key in READ_OUT else value for key, value in given.items()}
    written = "".join(f' {key}="{text(value)}"' for key, value in given.items())
    return Markup(f"<{name}{written}>{Markup().join(text(one) for one in body)}</{name}>")


def _is_said(part: Any) -> bool:
    return isinstance(part, str) and not isinstance(part, (Markup, Own))


def said(words: str) -> Markup:
    """A text of ours where others are names and figures, as in the cell of a table."""
    return element("span", words) if is_foreign(words) else text(say(words))


def join(parts: Iterable[Any]) -> Markup:
    return Markup().join(text(part) for part in parts)


def table(
    headings: Sequence[Any], rows: Iterable[Sequence[Any]], *, caption: str = "", right: Sequence[int] = ()
) -> Markup:
    """A table; the columns in ``right`` hold numbers and are set to the right."""
    side = ["am-right" if i in right else None for i in range(len(headings))]
    head = [element("th", one, scope="col", class_=side[i]) for i, one in enumerate(headings)]
    body = [element("tr", *(element("td", cell, class_=side[i]) for i, cell in enumerate(row))) for row in rows]
    said = [element("caption", caption)] if caption else []
    return element("table", *said, element("thead", element("tr", *head)), element("tbody", *body), class_="am-table")


def folded(summary: str, body: Markup) -> Markup:
    """What can be opened: the figures behind a chart."""
    scroll = element("div", body, class_="am-scroll", tabindex="0", role="group", aria_label=summary)
    return element("details", element("summary", summary), scroll, class_="am-more")


def kept(body: Markup, *kinds: str) -> Markup:
    """A drawing or a table with buttons to keep it as a file; ``page.js`` makes that of what is shown."""
    return element("div", body, keep_buttons(*kinds), class_="am-kept")


def keep_buttons(*kinds: str) -> Markup:
    """Buttons that keep what stands in the same part of class ``am-kept``."""
    buttons = [
        element("button", kind.upper(), type="button", data_keep=kind, aria_label=f"Save as {kind.upper()}")
        for kind in kinds
    ]
    return element("div", *buttons, class_="am-keep")


def zoomed(drawing: Markup) -> Markup:
    """A drawing of which a part can be looked at larger; ``zoom.js`` does what the buttons say."""
    names = (("in", "+", "Larger"), ("out", "\N{MINUS SIGN}", "Smaller"), ("all", "\N{WHITE SQUARE}", "Show all of it"))
    buttons = [
        element("button", Own(sign), type="button", data_zoom=do, aria_label=words, title=words)
        for do, sign, words in names
    ]
    hint = "Plus and minus make it larger and smaller, arrows move it."
    window = element("div", drawing, class_="am-window", tabindex="0", role="group", aria_label=hint)
    return element("div", element("div", *buttons, class_="am-zoom"), window, class_="am-zoomed")


def section(title: str, words: str = "") -> Markup:
    """The heading of a part with a sentence below it."""
    said = [element("p", words, class_="am-lead")] if words else []
    return element("div", element("h3", title), *said, class_="am-head")


def legend(*items: tuple[str, str]) -> Markup:
    """Marks with their names; the first of each pair is the class of the mark."""
    marks = [element("span", element("i", class_=f"am-key {mark}", aria_hidden="true"), name) for mark, name in items]
    return element("div", *marks, class_="am-legend")
