"""Four gauges: where one is, and where the line is that one does not want to cross."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from amongst.app.panels import markup
from amongst.report.wording import count, percent

LEAST_CHANCE = 0.001
"""The left end of the first gauge: one in a thousand."""
LINES = {"learned": 0.05, "lost": 0.2, "kept": 0.8}
"""Where the lines are at first; they decide nothing, they are for the eye."""


def gauges(told: Mapping[str, Any], lines: Mapping[str, float], *, found_line: float | None = None) -> markup.Markup:
    """Someone is found, something is learned, detail is lost, analysis is kept."""
    chance = told["found"]
    line = found_line or 1 / max(told["threshold"], 1)
    name = told["learned_column"]
    return markup.element(
        "div",
        _gauge(
            "found",
            "Someone is found",
            None if chance is None else _chance_place(chance),
            _chance(chance),
            _chance_place(line),
            chance is None or chance <= line * (1 + 1e-9),
            "nothing is generalized"
            if chance is None
            else f"at most; on average {_chance(told['found_mean'])}. Line: {_chance(line)}",
        ),
        _gauge(
            "learned",
            "Something is learned",
            told["learned"],
            _percent(told["learned"]),
            lines["learned"],
            told["learned"] is None or told["learned"] <= lines["learned"],
            f"of rows: all of their group share one {name}. Line: {percent(lines['learned'])}"
            if name
            else "no column is called sensitive",
        ),
        _gauge(
            "lost",
            "Detail lost",
            told["lost"],
            _percent(told["lost"]),
            lines["lost"],
            told["lost"] is None or told["lost"] <= lines["lost"],
            f"on average over all cells. Line: {percent(lines['lost'])}",
        ),
        _gauge(
            "kept",
            "Analysis kept",
            told["kept"],
            _percent(told["kept"]),
            lines["kept"],
            told["kept"] is None or told["kept"] >= lines["kept"],
            "too few columns go together to tell"
            if told["kept"] is None
            else f"of the correlations between columns. Line: {percent(lines['kept'])}",
        ),
        class_="gauges",
    )


def _gauge(key: str, name: str, share: float | None, value: str, line: float, good: bool, words: str) -> markup.Markup:
    side = "within" if good else "beyond"
    at = 0.0 if share is None else min(max(share, 0.0), 1.0)
    track = markup.element(
        "div",
        markup.element("i", class_="gauge-fill", style=f"width:{100 * at:.1f}%"),
        markup.element("b", class_="gauge-line", style=f"left:{100 * min(line, 1.0):.1f}%"),
        class_="gauge-track",
    )
    return markup.element(
        "div",
        markup.element(
            "div",
            markup.element("span", name, class_="gauge-name"),
            markup.element("strong", value, class_="gauge-value", data_gauge=key),
            class_="gauge-head",
        ),
        track,
        markup.element("p", markup.element("span", "✓ " if good else "! ", aria_hidden="true"), words),
        class_=f"gauge {side}",
        role="meter",
        aria_label=f"{name}: {value}, {side} the line",
        aria_valuemin="0",
        aria_valuemax="1",
        aria_valuenow=f"{at:.3f}",
    )


def _chance(chance: float | None) -> str:
    return "–" if not chance else f"1 in {count(1 / chance)}"


def _chance_place(chance: float) -> float:
    """Chances differ by factors, so the gauge does as well: from one in a thousand to certain."""
    return 1 - math.log(max(chance, LEAST_CHANCE)) / math.log(LEAST_CHANCE)


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share)
