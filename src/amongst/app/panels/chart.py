"""A chart with a name, a description and its figures as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup
from nicegui import ui

from amongst.app import theme
from amongst.app.language import drawn as drawn_as
from amongst.app.language import drawn_in, say
from amongst.app.panels import javascript, markup
from amongst.report.wording import visible

KEY = re.compile(r":?[A-Za-z][A-Za-z0-9]*")
CODE = frozenset(value for name, value in vars(javascript).items() if name.isupper() and isinstance(value, str))


def chart(
    options: dict[str, Any],
    words: str,
    *,
    dark: bool = False,
    height: int = 260,
    figures: tuple[Sequence[str], Sequence[Sequence[Any]]] | None = None,
    on_click: Callable[[Any], Any] | None = None,
    marker: str = "",
) -> ui.echart:
    """Draw options over the base of the theme.

    Parameters
    ----------
    options : dict
        ECharts options. Text of a table may only be a value in them, never a key.
    words : str
        What the chart shows, for those who cannot see it.
    height : int
        In pixels: it is fixed, so that nothing jumps when the chart appears.
    figures : (headings, rows), optional
        The same as a table, behind a fold.
    on_click : callable, optional
        Told the data of the mark that was clicked.
    marker : str
        A name by which a test finds it.
    """
    whole = theme.laid_over({**theme.chart_base(dark), "tooltip": tooltip(dark)}, options)
    words = say(words)
    whole["aria"] = {"enabled": True, "label": {"description": visible(words)}}
    refuse_code(whole)
    drawn = ui.echart(whole).classes("am-chart").style(f"height: {height}px")
    drawn.props["role"] = "img"
    drawn.props["aria-label"] = visible(words)
    if marker:
        drawn.mark(marker)
        drawn.props["data-panel"] = marker
    if on_click is not None:
        drawn.on("componentClick", lambda event: on_click(event.args.get("data")), ["data"])
    if figures is not None:
        markup.show(markup.folded("The figures as a table", markup.table(*figures)))
    return drawn


def drawing(
    svg: str,
    *,
    figures: tuple[Sequence[str], Sequence[Sequence[Any]]] | None = None,
    on_click: Callable[[int], Any] | None = None,
    marker: str = "",
    zoom: bool = False,
    ours: bool = False,
) -> None:
    """Show what the charts of the report drew where the table is; they escape whatever they write.

    Parameters
    ----------
    svg : str
        A drawing of ``amongst.report.charts``, with its name and description in it.
    figures : (headings, rows), optional
        The same as a table, behind a fold.
    on_click : callable, optional
        Told the place of the mark that was clicked.
    marker : str
        A name by which a test finds it.
    zoom : bool
        Whether a part of it can be looked at larger: by wheel, hand, buttons and keys (``zoom.js``).
    ours : bool
        Whether all its words are ours: no name and no cell is in it.
    """
    svg = drawn_as(svg, ours=ours)
    shown = markup.zoomed(Markup(svg)) if zoom else Markup(svg)
    drawn = markup.show(markup.kept(shown, "svg", "png")).classes("am-drawing").mark(marker)
    drawn.props(drawn_in())
    drawn.props["data-panel"] = marker
    if on_click is not None:
        drawn.on("click", lambda event: on_click(event.args), js_handler=javascript.PICK)
    if figures is not None:
        markup.show(markup.folded("The figures as a table", markup.kept(markup.table(*figures), "csv")))


def tooltip(dark: bool) -> dict[str, Any]:
    colours = theme.palette(dark)
    return {
        "trigger": "item",
        "confine": True,
        ":formatter": javascript.TIP,
        "backgroundColor": colours.paper,
        "borderColor": colours.rule,
        "borderWidth": 1,
        "padding": [8, 10],
        "textStyle": {"color": colours.ink, "fontSize": 13},
        "extraCssText": "border-radius:0;box-shadow:none;max-width:420px;white-space:normal;",
    }


def refuse_code(options: Any) -> None:
    """Raise where options could run what is not ours: the browser takes values of keys with a colon for code.

    Examples
    --------
    >>> from amongst.app.panels.chart import refuse_code
    >>> refuse_code({":formatter": "alert(1)"})
    Traceback (most recent call last):
    ValueError: options hold code that is not one of the app's functions
    """
    if isinstance(options, dict):
        for key, value in options.items():
            if not KEY.fullmatch(key):
                raise ValueError("a key of the options is no plain word")
            if key.startswith(":") and value not in CODE:
                raise ValueError("options hold code that is not one of the app's functions")
            refuse_code(value)
    elif isinstance(options, list | tuple):
        for value in options:
            refuse_code(value)
