"""Candidates side by side: the more k and the less loss the better, and the front that none beats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amongst.app.language import Own
from amongst.app.panels import markup
from amongst.app.panels.explorer import Explorer
from amongst.report.wording import count, percent

Choose = Callable[[int], Any]
"""Told the place of the candidate to take."""


def front(view: dict[str, Any], on_choose: Choose | None = None) -> None:
    """Draw ``figures.front_view``; ``on_choose`` gets the place of a candidate."""
    points = view["points"]
    markup.show(markup.section("Privacy against loss", _lead(view)))
    if view["drawing"] is None:
        markup.show(markup.element("p", "Nothing was made and verified that can be weighed.", class_="am-note"))
    else:
        Explorer(
            drawings={"front": view["drawing"]},
            cards=lambda place: point_markup(view, points[place]),
            n=len(points),
            names={p["index"]: f"k = {count(p['k'])}, {p['name']}: {percent(p['loss'])} lost" for p in _made(view)},
            label="Candidates",
            place=view["recommended"],
            hint="Click a candidate.",
            words="Take this one",
            take=on_choose,
            can_be_taken=lambda place: points[place]["state"] == "verified",
        ).show()
    markup.show(front_table(view))


def _made(view: dict[str, Any]) -> list[dict[str, Any]]:
    """What was made and verified, by k and loss."""
    return sorted((p for p in view["points"] if p["state"] == "verified"), key=lambda p: (p["k"], p["loss"]))


def point_markup(view: dict[str, Any], point: dict[str, Any]) -> markup.Markup:
    """A candidate in words."""
    tags = [
        name for name, is_so in (("recommended", point["recommended"]), ("on the front", point["on_front"])) if is_so
    ]
    head = markup.element(
        "h4",
        f"{point['name']}, k = {count(point['k'])}",
        *(markup.element("span", one, class_="am-tag") for one in tags),
    )
    facts = [
        ["lost", percent(point["loss"]) if point["loss"] is not None else "–"],
        ["rows left out", point["suppressed"] or "–"],
        ["groups", count(point["classes"]) if point["classes"] is not None else "–"],
        ["time", point["took"] or "–"],
    ]
    reasons = [markup.element("li", one) for one in view["reasons"]] if point["recommended"] else []
    why = [markup.element("ul", *reasons, class_="am-sentences")] if reasons else []
    body = markup.element(
        "tbody",
        *(markup.element("tr", markup.element("th", a, scope="row"), markup.element("td", b)) for a, b in facts),
    )
    return markup.join([head, markup.element("table", body, class_="am-table am-pairs"), *why])


def front_table(view: dict[str, Any]) -> markup.Markup:
    """All candidates, also those that could not be made, with the loss of every column."""
    made = _made(view)
    rows = [
        [
            count(p["k"]),
            p["name"],
            markup.said("recommended" if p["recommended"] else "front" if p["on_front"] else ""),
            percent(p["loss"]),
            *(f"{loss * 100:.0f}" if loss is not None else "–" for loss in p["ncp"]),
            p["suppressed"],
            p["took"],
        ]
        for p in made
    ]
    headings = ["k", "method", "place", "lost", *(Own(f"{name} %") for name in view["columns"]), "left out", "time"]
    numbers = (0, *range(3, len(headings)))
    parts = [markup.folded(f"The {len(made)} candidates as a table", markup.table(headings, rows, right=numbers))]
    failed = [[p["name"], count(p["k"]), p["state"], p["why"]] for p in view["points"] if p["state"] != "verified"]
    if failed:
        parts.append(
            markup.folded(
                f"{len(failed)} that could not be made", markup.table(["method", "k", "state", "why"], failed)
            )
        )
    return markup.join(parts)


def _lead(view: dict[str, Any]) -> str:
    told = f"{count(len(view['points']))} candidates over {count(view['n_rows'])} rows."
    return f"{told} Filled marks are on the front: no other has a k as large and less loss."
