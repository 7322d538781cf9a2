"""How long every candidate took: one bar each."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from amongst.report.charts.bars import Bar, bar_chart


def time_chart(names: Sequence[str], seconds: Sequence[float], key: str = "times") -> Markup:
    """Bars from the longest time to the shortest.

    Examples
    --------
    >>> from amongst.report.charts.times import time_chart
    >>> "mondrian: 0.25 s" in time_chart(["mondrian"], [0.25])
    True
    """
    falling = sorted(zip(names, seconds, strict=True), key=lambda pair: -pair[1])
    return bar_chart(
        [Bar(name=name, value=time) for name, time in falling],
        key=key,
        title="Time",
        note="seconds to group, publish and verify",
        words=shown,
        tick=lambda mark: f"{mark:.6g} s",
        end=max(seconds, default=1.0) or 1.0,
        empty="Nothing was timed.",
        letters=34,
    )


def shown(seconds: float) -> str:
    """A time with two digits that matter."""
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s" if seconds < 100 else f"{seconds:,.0f} s"
