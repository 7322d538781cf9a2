"""The page of the attacks on a release: one HTML file that holds everything it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.attack.alike import alike
from amongst.report.charts.attack_rates import Pair, attack_rate_chart
from amongst.report.render import fill

if TYPE_CHECKING:
    from amongst.attack.finding import Finding, Findings
    from amongst.attack.rate import Rate


def render_attacks(found: Findings) -> str:
    """The findings as the text of one HTML file, without a script or anything outside of itself."""
    from amongst.attack.finding import MEANING

    pairs = [_pair(one) for one in found.attacks if one.risk is not None and not one.risk.hidden]
    return fill(
        "attack.html",
        beside=__file__,
        found=found,
        inside=True,  # which attacks succeed is what an intruder would like to know
        meaning=MEANING,
        together={kind: alike([_plain(one) for one in attacks]) for kind, attacks in found.findings.items()},
        rates=attack_rate_chart(pairs) if pairs else None,
    )


def _plain(one: Finding) -> dict[str, Any]:
    return {**one.to_dict(), "outcome": one.outcome}


def _pair(one: Finding) -> Pair:
    assert one.risk is not None
    about = f" of {one.column}" if one.column else ""
    return Pair(f"{one.attack}{about}", _ends(one.risk.attack), _ends(one.risk.control))


def _ends(rate: Rate) -> tuple[float, float, float]:
    return rate.value, *rate.interval
