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
    chance, name = told["found"], told["learned_column"]
    line = found_line or 1 / max(told["threshold"], 1)
    mean = _chance(told["found_mean"])
    learned, lost, kept = (told[key] for key in ("learned", "lost", "kept"))
    learned_words = f"of rows: all of their group share one {name}. Line: {percent(lines['learned'])}"
    kept_words = f"of the correlations between columns. Line: {percent(lines['kept'])}"
    return markup.element(
        "div",
        _gauge(
            "found",
            "Someone is found",
            share=None if chance is None else _chance_place(chance),
            value=_chance(chance),
            line=_chance_place(line),
            good=chance is None or chance <= line * (1 + 1e-9),
            words=f"at most; on average {mean}. Line: {_chance(line)}" if chance else "nothing is generalized",
        ),
        _gauge(
            "learned",
            "Something is learned",
            share=learned,
            value=_percent(learned),
            line=lines["learned"],
            good=learned is None or learned <= lines["learned"],
            words=learned_words if name else "no column is called sensitive",
        ),
        _gauge(
            "lost",
            "Detail lost",
            share=lost,
            value=_percent(lost),
            line=lines["lost"],
            good=lost is None or lost <= lines["lost"],
            words=f"on average over all cells. Line: {percent(lines['lost'])}",
        ),
        _gauge(
            "kept",
            "Analysis kept",
            share=kept,
            value=_percent(kept),
            line=lines["kept"],
            good=kept is None or kept >= lines["kept"],
            words=told.get("kept_words", "too few columns go together to tell") if kept is None else kept_words,
        ),
        class_="gauges",
    )


def _gauge(
    key: str, name: str, *, share: float | None, value: str, line: float, good: bool, words: str
) -> markup.Markup:
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
        markup.element(
            "p", markup.element("span", "" if share is None else "✓ " if good else "! ", aria_hidden="true"), words
        ),
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
