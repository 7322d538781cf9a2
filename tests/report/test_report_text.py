"""The lines for a terminal, and the wording of numbers and names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from story_examples import NASTY, bare_story, full_story

from amongst.report import Check, Utility, summary
from amongst.report.wording import count, figure, hidden_count, percent, shorten, tick, visible


def test_summary_is_aligned() -> None:
    lines = summary(full_story()).splitlines()
    assert all(line[9] == " " and line[10] != " " for line in lines)
    assert [line.split()[0] for line in lines if line[0] != " "] == [
        *("verdict", "checked", "rows", "groups", "unique", "sensitive", "loss", "columns", "method", "sha256")
    ]


def test_summary_tells_the_facts() -> None:
    text = summary(full_story())
    assert "4,200 published of 4,211, 11 suppressed" in text
    assert "fewer than 10 rows before, 0 after" in text
    assert "GCP 12.3%, LM 20.0%, C_DM 61,234, C_AVG 1.4" in text
    assert "seed = 1" in text


def test_summary_of_little_is_short() -> None:
    assert len(summary(bare_story()).splitlines()) == 4
    assert "nothing was checked" in summary(bare_story(checks=()))
    assert "groups    none" in summary(bare_story(n_groups=0, n_published=0, smallest=0, largest=0))


def test_summary_of_a_failure_says_which_check() -> None:
    good, bad = (
        Check(words="a", asked="k = 2", reached="k = 3", ok=True),
        Check(words="b", asked="l = 4", reached="l = 1", ok=False),
    )
    lines = summary(bare_story(checks=(good, bad))).splitlines()
    assert "NOT verified" in lines[0]
    assert [line.endswith("FAILS") for line in lines[1:3]] == [False, True]


@pytest.mark.parametrize("name", NASTY)
def test_names_cannot_act_on_the_terminal(name: str) -> None:
    text = summary(full_story(name))
    text.encode("utf-8")
    assert all(line.isprintable() or "\u200f" in line for line in text.splitlines())
    assert len(text.splitlines()) == len(summary(full_story()).splitlines())


def test_columns_fall_and_figures_stand_under_each_other() -> None:
    text = summary(bare_story(utility=Utility(ncp={"a": 0.05, "long-name": 1.0, "b": 0.25})))
    assert text.splitlines()[-3:] == [
        "columns   long-name    100%",
        "          b           25.0%",
        "          a            5.0%",
    ]


@pytest.mark.parametrize(
    ("share", "words"),
    [(0, "0%"), (1, "100%"), (0.1234, "12.3%"), (1e-9, "< 0.1%"), (1 - 1e-9, "> 99.9%"), (float("nan"), "–")],
)
def test_percent(share: float, words: str) -> None:
    assert percent(share) == words


def test_figures() -> None:
    assert [figure(x) for x in (1.425, 2.0, 462892.4, 1e20, float("inf"))] == [
        "1.425",
        "2",
        "462,892",
        "1.000e+20",
        "–",
    ]
    assert count(-1234.4) == "-1,234"
    assert [hidden_count(n, 10) for n in (0, 1, 9, 10)] == ["0", "fewer than 10", "fewer than 10", "10"]


@given(st.floats(-1e15, 1e15, allow_nan=False))
def test_ticks_are_short(number: float) -> None:
    assert len(tick(number)) <= 13


def test_shorten() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


@given(st.text())
def test_visible_changes_only_what_acts(text: str) -> None:
    if text.isprintable():
        assert visible(text) == text
    assert visible(visible(text)) == visible(text)


def test_visible_keeps_lines_and_scripts() -> None:
    assert visible("a\nb", lines=True) == "a\nb"
    assert visible("a\nb") == "a‹U+000A›b"
    assert visible("\u05d0\u200f") == "\u05d0\u200f"
