"""Loss per column: one bar each."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.scale import Scale, ticks
from amongst.report.wording import percent, shorten

WIDTH, ROW, RIGHT, TOP, BOTTOM = 880, 28, 64, 8, 44
NAME = 28
ENDS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0)


def loss_chart(columns: Sequence[str], losses: Sequence[float], key: str = "loss") -> Markup:
    """Bars from the largest loss to the smallest; 0 keeps a column as it was, 1 keeps nothing of it.

    Examples
    --------
    >>> from amongst.report.charts.loss import loss_chart
    >>> "age: 12.5%" in loss_chart(["age"], [0.125])
    True
    """
    falling = sorted(zip(columns, losses, strict=True), key=lambda pair: -pair[1])
    end = next((e for e in ENDS if falling and e >= falling[0][1]), 1.0)
    left = svg.room(columns, NAME)
    bottom = TOP + ROW * len(falling)
    scale = Scale(0, end, left, WIDTH - RIGHT)
    grid = [_mark(scale, share, bottom) for share in ticks(0, end, 5)]
    bars = [_bar(scale, TOP + ROW * i, name, loss) for i, (name, loss) in enumerate(falling)]
    axis = svg.text(left, bottom + 38, "normalized certainty penalty (NCP)", "note")
    desc = "; ".join(f"{shorten(name, 40)} {percent(loss)}" for name, loss in falling) or "No column was generalized."
    ground = svg.line(left, TOP, left, bottom, "axis")
    return svg.chart(key, WIDTH, bottom + BOTTOM, "Loss per column", desc, *grid, *bars, ground, axis)


def _mark(scale: Scale, share: float, bottom: float) -> Markup:
    x = float(scale(share))
    label = f"{share * 100:.6g}%"
    return svg.join(svg.line(x, TOP, x, bottom, "grid"), svg.text(x, bottom + 18, label, "tick", text_anchor="middle"))


def _bar(scale: Scale, y: float, name: str, loss: float) -> Markup:
    end = float(scale(min(max(loss, 0.0), 1.0)))
    tip = f"{name}: {percent(loss)}"
    return svg.join(
        svg.text(scale.start - 10, y + ROW / 2 + 4, shorten(name, NAME), "name", text_anchor="end"),
        svg.rect(scale.start, y + 6, end - scale.start, ROW - 12, "bar", tip),
        svg.text(end + 8, y + ROW / 2 + 4, percent(loss), "value"),
    )
