"""How the app looks: one palette for light and one for dark, the style sheet, and what all charts have in common.

The language is that of the reports: white ground, thin black rules, one blue for what is published, grey for what
came in, and red and yellow only as small flat accents. Nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from amongst.report.charts import svg

FONT = '"Helvetica Neue", Helvetica, Arial, "Liberation Sans", system-ui, sans-serif'
MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace'


@dataclass(frozen=True)
class Palette:
    """The colours of one mode; contrast of text on its ground is at least 4.5, of marks at least 3.

    Attributes
    ----------
    paper, ground : str
        Behind everything, and behind what stands apart.
    ink, soft : str
        Text, and text of less weight.
    rule, hair : str
        Lines that divide, and lines that only guide the eye.
    blue, red, yellow : str
        Published and safe; in danger; worth a look.
    on_blue : str
        Text on blue.
    before, before_edge : str
        What came in.
    ramp : tuple of 6 str
        From little to much.
    """

    paper: str
    ground: str
    ink: str
    soft: str
    rule: str
    hair: str
    blue: str
    red: str
    yellow: str
    on_blue: str
    before: str
    before_edge: str
    ramp: tuple[str, ...]


LIGHT = Palette(
    paper="#ffffff",
    ground="#f6f6f2",
    ink="#141414",
    soft="#55554f",
    rule="#141414",
    hair="#d9d9d3",
    blue="#1d4f9f",
    red="#b5121b",
    yellow="#f3c300",
    on_blue="#ffffff",
    before="#d6d6cf",
    before_edge="#74746c",
    ramp=("#f4f7fc", "#dbe7f6", "#b5cdec", "#84aadd", "#4c7dc2", "#1d4f9f"),
)
DARK = Palette(
    paper="#131416",
    ground="#1c1d20",
    ink="#ececea",
    soft="#b4b4ae",
    rule="#85857f",
    hair="#3a3b3f",
    blue="#8fb6f5",
    red="#ff8078",
    yellow="#e6bd1e",
    on_blue="#10131a",
    before="#46474b",
    before_edge="#94948d",
    ramp=("#171b22", "#1d2a40", "#26406b", "#355f9f", "#5b8fd8", "#b3d0ff"),
)


def palette(dark: bool = False) -> Palette:
    """The colours of a mode."""
    return DARK if dark else LIGHT


def css() -> str:
    """The style sheet of the panels, with the palettes as variables; ``body.body--dark`` is dark.

    Examples
    --------
    >>> from amongst.app import theme
    >>> "--am-blue: #1d4f9f" in theme.css()
    True
    """
    sheet = (Path(__file__).parent / "panels" / "panels.css").read_text(encoding="utf-8")
    return f":root {{ {_variables(LIGHT)} }}\nbody.body--dark {{ {_variables(DARK)} }}\n{sheet}{_charts()}"


def _charts() -> str:
    """How the charts of the reports look here: with the app's colours under the names that they have there."""
    meant = {**{name: name for name in _named(LIGHT)}, "bar": "blue", "box": "rule"}
    written = " ".join(f"--{name}: var(--am-{colour});" for name, colour in meant.items())
    return f".am-drawing {{ {written} }}\n{svg.style_sheet()}"


def _named(colours: Palette) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in asdict(colours).items() if name != "ramp"}
    return named | {f"s{i}": colour for i, colour in enumerate(colours.ramp)}


def _variables(colours: Palette) -> str:
    written = " ".join(f"--am-{name}: {value};" for name, value in _named(colours).items())
    return f"{written} --am-font: {FONT}; --am-mono: {MONO};"


def chart_base(dark: bool = False) -> dict[str, Any]:
    """What every chart has: no motion, quiet axes, the house's type, tooltips that cannot hold markup."""
    colours = palette(dark)
    return {
        "backgroundColor": "transparent",
        "animation": False,
        "color": [colours.blue, colours.before, colours.red, colours.yellow],
        "textStyle": {"fontFamily": FONT, "fontSize": 13, "color": colours.ink},
        "aria": {"enabled": True},
        "grid": {"left": 8, "right": 16, "top": 12, "bottom": 8, "containLabel": True},
    }


def axis(dark: bool = False, **more: Any) -> dict[str, Any]:
    """A quiet axis; ``more`` is laid over it."""
    colours = palette(dark)
    quiet: dict[str, Any] = {
        "axisLine": {"show": True, "lineStyle": {"color": colours.rule, "width": 1}},
        "axisTick": {"show": False},
        "axisLabel": {"color": colours.soft, "fontSize": 12},
        "splitLine": {"show": False, "lineStyle": {"color": colours.hair}},
        "nameTextStyle": {"color": colours.soft, "fontSize": 12},
    }
    return laid_over(quiet, more)


def laid_over(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Options with others laid over them, deeply.

    Examples
    --------
    >>> from amongst.app.theme import laid_over
    >>> laid_over({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}})
    {'a': {'b': 3, 'c': 2}}
    """
    merged = dict(under)
    for name, value in over.items():
        below = merged.get(name)
        merged[name] = laid_over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
