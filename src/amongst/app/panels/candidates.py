"""What was tried so far: cards to go back to, and a small map of privacy against loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from amongst.app.language import Own
from amongst.app.panels import markup
from amongst.report.wording import count, percent

WIDTH, HEIGHT, EDGE = 190, 108, 14


def cards(candidates: Sequence[dict[str, Any]], shown: int | None) -> markup.Markup:
    """The map and the cards; both tell the number of what is clicked, which stays when others come."""
    listed = [_card(one, i == shown) for i, one in enumerate(candidates)]
    return markup.element(
        "div", map_of(candidates, shown), markup.element("div", *listed, class_="cards"), class_="tried"
    )


def _card(one: dict[str, Any], shown: bool) -> markup.Markup:
    told = one["gauges"]
    facts = [f"1 in {count(1 / told['found'])} found" if told["found"] else "groups apart"]
    facts += [f"{percent(told['learned'])} learned"] if told["learned"] is not None else []
    lost = "–" if told["lost"] is None else percent(told["lost"])
    return markup.element(
        "button",
        markup.element("b", Own(one["title"])),
        markup.element("span", Own(one["asked"]), class_="card-asked"),
        markup.element("strong", f"{lost} lost"),
        markup.element("small", ", ".join(facts)),
        type="button",
        class_="card" + (" shown" if shown else ""),
        data_place=one["number"],
        aria_pressed="true" if shown else "false",
    )


def map_of(candidates: Sequence[dict[str, Any]], shown: int | None) -> markup.Markup:
    """Loss to the right, chance of being found upwards: the nearer to the corner below left the better."""
    points = [
        (i, one["gauges"]["lost"], one["gauges"]["found"])
        for i, one in enumerate(candidates)
        if one["gauges"]["lost"] is not None and one["gauges"]["found"]
    ]
    most = max([loss for _, loss, _ in points], default=0.0) * 1.1 or 1.0
    chances = [math.log(chance) for _, _, chance in points] or [0.0]
    low, high = min(chances) - 0.4, max(chances) + 0.4
    dots = [
        _dot(
            EDGE + (WIDTH - 2 * EDGE) * loss / most,
            HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (math.log(chance) - low) / (high - low),
            candidates[i]["number"],
            i == shown,
            f"{candidates[i]['title']}, {candidates[i]['asked']}: {percent(loss)} lost",
        )
        for i, loss, chance in sorted(points, key=lambda point: point[0] == shown)
    ]
    frame = markup.element("path", d=f"M{EDGE} 4V{HEIGHT - EDGE}H{WIDTH - 4}", class_="map-axis", fill="none")
    words = [
        markup.element("text", "more lost →", x=WIDTH - 4, y=HEIGHT - 2, text_anchor="end"),
        markup.element("text", "found sooner ↑", x=EDGE + 4, y=12),
    ]
    label = f"{count(len(points))} releases by loss and chance of being found"
    return markup.element(
        "svg", frame, *words, *dots, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="map", role="img", aria_label=label
    )


def _dot(x: float, y: float, number: int, shown: bool, words: str) -> markup.Markup:
    return markup.element(
        "circle",
        markup.element("title", words),
        cx=f"{x:.1f}",
        cy=f"{y:.1f}",
        r="6" if shown else "4.5",
        class_="map-dot" + (" shown" if shown else ""),
        data_place=number,
    )
