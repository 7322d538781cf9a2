"""Contrast of the page's colours by the formula of WCAG 2, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import amongst.report

CSS = (Path(amongst.report.__file__).parent / "report.css").read_text(encoding="utf-8")
LIGHT, DARK = (dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in CSS.split("prefers-color-scheme: dark"))


def luminance(colour: str) -> float:
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_reaches_aa(colours: dict[str, str]) -> None:
    for text in ("ink", "soft", "red", "blue"):
        assert contrast(colours[text], colours["paper"]) >= 4.5, text
    assert contrast(colours["ink"], colours["ground"]) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_drawn_parts_can_be_seen(colours: dict[str, str]) -> None:
    for part in ("bar", "before-edge", "rule", "box"):
        assert contrast(colours[part], colours["paper"]) >= 3, part


def test_both_palettes_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()
