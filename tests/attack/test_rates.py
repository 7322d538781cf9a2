"""Rates, intervals and what is not shown."""

from __future__ import annotations

import pytest

from amongst.attack.rate import Rate, Risk, wilson


@pytest.mark.parametrize(
    ("success", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 1000, 0.000177, 0.005643), (0, 0, 0, 1)],
)
def test_wilson_is_what_tables_say(success, n, low, high):
    assert wilson(success, n) == pytest.approx((low, high), abs=1e-4)


def test_the_ends_of_wilson_are_where_the_score_test_turns():
    for success, n in [(3, 17), (40, 90), (1, 5)]:
        for end in wilson(success, n):
            assert (success / n - end) ** 2 == pytest.approx(1.959963984540054**2 * end * (1 - end) / n)


def test_risk_is_what_is_left_after_the_control_group():
    risk = Risk(Rate("a", 700, 1000), Rate("c", 400, 1000))
    assert risk.value == pytest.approx(0.5)
    assert risk.seen
    assert risk.interval[0] < 0.5 < risk.interval[1]
    same = Risk(Rate("a", 410, 1000), Rate("c", 400, 1000))
    assert not same.seen
    assert Risk(Rate("a", 100, 1000), Rate("c", 400, 1000)).value == 0


def test_few_are_not_shown_nor_few_that_are_left():
    assert Rate("x", 3, 100, 5).words == "fewer than 5 of 100"
    assert Rate("x", 97, 100, 5).words == "all but fewer than 5 of 100"
    assert Rate("x", 0, 100, 5, sampled=False).words == "0 of 100 (0%)"
    assert Rate("x", 100, 100, 5, sampled=False).words == "100 of 100 (100%)"
    for count in (3, 97):
        told = Rate("x", count, 100, 5).to_dict()
        assert str(count) not in {str(value) for value in told.values()}
        assert told["rate"] is None
    assert Risk(Rate("x", 3, 100, 5), Rate("y", 50, 100, 5)).to_dict()["risk"] is None
