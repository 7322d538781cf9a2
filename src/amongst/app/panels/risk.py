"""Risk before and after: how large the crowd is that a row hides in."""

from __future__ import annotations

from typing import Any

from amongst.app.panels import markup
from amongst.app.panels.bars import upright_bars
from amongst.app.panels.chart import chart
from amongst.report.wording import count, percent


def risk(view: dict[str, Any], dark: bool = False) -> None:
    """Bars by the size of the crowd; left of k nothing of the release may stand."""
    k = view["k"]
    words = f"Rows by how many rows look like them in the quasi-identifiers. Asked: {count(k)} or more."
    markup.show(markup.section("Risk before and after", words))
    markup.show(
        markup.legend(
            ("am-before", "before"),
            ("am-danger", f"before, in a crowd of fewer than {count(k)}"),
            ("am-after", "after"),
        )
    )
    rows = [
        [band, percent(b), percent(a)] for band, b, a in zip(view["bands"], view["before"], view["after"], strict=True)
    ]
    chart(
        risk_options(view, dark),
        risk_words(view),
        dark=dark,
        height=250,
        figures=(["rows that look alike", "share of rows before", "after"], rows),
        marker="risk",
    )


def risk_options(view: dict[str, Any], dark: bool = False) -> dict[str, Any]:
    """The chart as options."""
    drawn = upright_bars(
        view["bands"], view["before"], view["after"], dark=dark, what="crowd of ", danger=view["below_k"]
    )
    drawn["xAxis"][0] |= {"name": "rows that look alike", "nameLocation": "middle", "nameGap": 28}
    drawn["grid"] = {"bottom": 24}
    return drawn


def risk_words(view: dict[str, Any]) -> str:
    share = f" ({view['exposed_share']})" if view["exposed_share"] else ""
    return (
        f"Before, {view['exposed_before']} rows{share} looked like fewer than {count(view['k'])} rows. "
        f"After, every row looks like {count(view['smallest_after'])} or more."
    )
