"""Loss per column: one bar each."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from amongst.report.charts.bars import WIDTH, Bar, bar_chart
from amongst.report.wording import percent

ENDS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0)


def loss_chart(
    columns: Sequence[str],
    losses: Sequence[float],
    key: str = "loss",
    *,
    average: float | None = None,
    width: float = WIDTH,
) -> Markup:
    """Bars from the largest loss to the smallest; 0 keeps a column as it was, 1 keeps nothing of it.

    Examples
    --------
    >>> from amongst.report.charts.loss import loss_chart
    >>> "age: 12.5%" in loss_chart(["age"], [0.125])
    True
    """
    falling = sorted(zip(columns, losses, strict=True), key=lambda pair: -pair[1])
    return bar_chart(
        [Bar(name=name, value=loss) for name, loss in falling],
        key=key,
        title="Loss per column",
        note="normalized certainty penalty (NCP)",
        words=percent,
        tick=share,
        end=next((end for end in ENDS if falling and end >= falling[0][1]), 1.0),
        average=average,
        empty="No column was generalized.",
        width=width,
    )


def share(mark: float) -> str:
    """A share at an axis."""
    return f"{mark * 100:.6g}%"
