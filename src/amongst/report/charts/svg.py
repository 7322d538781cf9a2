"""The few SVG elements that the charts are made of. Text is escaped here, and only here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from amongst.report.wording import visible

LETTER = 7.2
"""The usual width of a letter at the charts' 13 pixel text; room for names is made with it."""


def style_sheet() -> str:
    """How the charts look, in the colours of the page that they stand on."""
    return Path(__file__).with_name("charts.css").read_text(encoding="utf-8")


def number(value: float) -> str:
    """A coordinate: a tenth of a pixel is enough, and what cannot be placed is placed at 0."""
    value = float(value)
    text = f"{value:.1f}" if math.isfinite(value) else "0"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def room(names: Iterable[str], most: int) -> float:
    """The width that the longest of some names takes, when they are shortened to ``most`` letters."""
    return LETTER * min(max((len(visible(name)) for name in names), default=0), most) + 14


def element(name: str, body: Any = "", **attributes: Any) -> Markup:
    """One element. ``class_`` and ``text_anchor`` become ``class`` and ``text-anchor``."""
    written = [name]
    for key, value in attributes.items():
        shown = escape(visible(value)) if isinstance(value, str) else number(value)
        written.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    inside = body if isinstance(body, Markup) else escape(visible(body))
    return Markup(f"<{' '.join(written)}>{inside}</{name}>")


def text(x: float, y: float, words: object, class_: str = "", **attributes: Any) -> Markup:
    return element("text", str(words), x=x, y=y, **({"class_": class_} if class_ else {}), **attributes)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def rect(x: float, y: float, width: float, height: float, class_: str, tip: str = "") -> Markup:
    """A rectangle, with words that show when the pointer rests on it."""
    body = element("title", tip) if tip else ""
    return element("rect", body, x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), class_=class_)


def path(places: str, class_: str) -> Markup:
    return element("path", d=places, class_=class_)


def group(class_: str, *parts: Markup, **attributes: Any) -> Markup:
    return element("g", join(*parts), class_=class_, **attributes)


def join(*parts: Markup) -> Markup:
    return Markup("").join(parts)


def chart(key: str, width: float, height: float, title: str, desc: str, *parts: Markup) -> Markup:
    """A whole chart with its name and description for those who cannot see it."""
    named = join(element("title", title, id=f"{key}-title"), element("desc", desc, id=f"{key}-desc"))
    return element(
        "svg",
        join(named, *parts),
        class_="chart",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
    )
