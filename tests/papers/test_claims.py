"""The predicates on made-up series: each holds where it should, and fails where it should."""

from __future__ import annotations

import pytest

from benchmarks.papers.claims import Part, below, falls, lower_at_end, ratio, rises, similar, true, verdict
from benchmarks.papers.experiment import Panel


def panel(**series: list[float | None]) -> Panel:
    return Panel("", "k", "GCP", [5, 10, 25], series)


def test_below_holds_and_names_where_it_does_not():
    assert below(panel(a=[1, 2, 3], b=[2, 3, 4]), "a", ["b"]) == Part("a below b", 3)
    assert below(panel(a=[1, 3, 4], b=[2, 3, 3]), "a", ["b"]).failed == ("k = 25",)


def test_below_is_below_every_other():
    three = panel(a=[1, 1, 1], b=[2, 2, 2], c=[2, 0.5, 2])
    assert below(three, "a", ["b"]).failed == ()
    assert below(three, "a", ["b", "c"]).failed == ("k = 10",)


def test_below_by_a_factor():
    two = panel(a=[1, 1, 1], b=[9, 11, 20])
    part = below(two, "a", ["b"], 10)
    assert part.failed == ("k = 5",)
    assert part.words == "a below b by a factor of 10"


def test_what_is_missing_is_not_looked_at():
    part = below(panel(a=[1, None, 3], b=[2, 3, None]), "a", ["b"])
    assert (part.n, part.failed) == (1, ())


def test_similar():
    assert similar(panel(a=[1, 1, 1], b=[1.5, 2, 3]), ["a", "b"], 2).failed == ("k = 25",)


def test_falling_and_rising_step_by_step():
    assert falls(panel(a=[3, 2, 1]), ["a"]).failed == ()
    assert falls(panel(a=[3, 1, 2]), ["a"]).failed == ("k = 25",)
    assert falls(panel(a=[3, 2, 2.05]), ["a"], slack=0.1).failed == ()
    assert rises(panel(a=[1, 2, 3]), ["a"]).failed == ()
    assert rises(panel(a=[1, 3, 2], b=[3, 2, 4]), ["a", "b"]).failed == ("a k = 25", "b k = 10")


def test_lower_at_the_end_does_not_mind_the_way_there():
    part = lower_at_end(panel(a=[3, 5, 2], b=[2, 1, 2]), ["a", "b"])
    assert part.failed == ("b",)


def test_the_ratio_leaves_out_what_is_missing():
    assert ratio(panel(a=[4, None, 9], b=[2, 2, 3]), "a", "b") == [2, 3]


@pytest.mark.parametrize(
    ("parts", "outcome", "words"),
    [
        ([Part("x", 3)], "holds", "holds"),
        ([Part("x", 3, ("k = 5",))], "holds but for", "holds but for: x (not at k = 5)"),
        ([Part("x", 3, ("k = 5", "k = 10"))], "does not hold", "does not hold: x (not at k = 5, k = 10)"),
        ([Part("x", 2), Part("y", 2, ("a", "b"))], "holds but for", "holds but for: y (nowhere)"),
        ([Part("x", 2, ("a", "b")), Part("y", 2)], "does not hold", "does not hold: x (nowhere)"),
        ([Part("x", 9, tuple("abcdef"))], "does not hold", "does not hold: x (not at 6 of 9 places)"),
        ([Part("x", 0)], "does not hold", "does not hold: x (nowhere measured)"),
        ([true("x", False)], "does not hold", "does not hold: x (no)"),
        ([true("x", True)], "holds", "holds"),
    ],
)
def test_the_verdict(parts, outcome, words):
    found = verdict(parts)
    assert (found.outcome, found.words) == (outcome, words)
