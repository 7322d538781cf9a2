"""The figures that matter most, each with a sentence in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amongst.app.figures.plain import short
from amongst.report.story import Story
from amongst.report.wording import count, percent

PAIR = "The quasi-identifiers are published as they are; only the sensitive value is hidden in a group."


def headline(
    story: Story, risk: dict[str, Any], disclosed: Sequence[dict[str, Any]] = (), *, pair: bool = False
) -> list[dict[str, str]]:
    """Proof, risk, what groups give away where there are sensitive columns, loss, rows; ``pair``: of two tables.

    Examples
    --------
    >>> from amongst.app.figures.headline import headline
    >>> from amongst.report import Check, Story
    >>> check = Check(words="", asked="k = 2", reached="k = 3", ok=True)
    >>> facts = {"n_rows": 6, "n_columns": 4, "n_published": 6, "n_groups": 2, "smallest": 3, "largest": 3}
    >>> story = Story(title="t", threshold=2, checks=(check,), **facts)
    >>> [one["value"] for one in headline(story, {"smallest_after": 3, "exposed_before": "0", "exposed_share": "0%"})]
    ['holds', '1 in 3', '–', '6']
    """
    given_away = [_disclosed(disclosed)] if disclosed and not pair else []
    return [_proof(story), _risk(story, risk, pair), *given_away, _loss(story, pair), _rows(story)]


def _proof(story: Story) -> dict[str, str]:
    words = {
        "holds": "Read back and proved on the published table.",
        "fails": "The published table does not hold it. It must not be published.",
        "unchecked": "Nothing was asked, so nothing was checked.",
    }
    reached = "; ".join(f"{check.asked} asked, {check.reached} found" for check in story.checks)
    return _tile("proof", "What was asked", story.verdict, words[story.verdict], reached)


def _risk(story: Story, risk: dict[str, Any], pair: bool) -> dict[str, str]:
    if pair:
        return _tile("risk", "Rows that share a group", f"{count(story.smallest)} or more", PAIR, "")
    size, k = risk["smallest_after"], count(story.threshold)
    value = f"1 in {count(size)}" if size else "–"
    words = f"Whoever one looks for, {count(size)} rows or more look alike."
    exposed, share = risk["exposed_before"], risk["exposed_share"]
    rows = "no row" if exposed == "0" else share if share else f"{exposed} rows"
    return _tile("risk", "Chance of picking out a row", value, words, f"Before, {rows} in a crowd of fewer than {k}.")


def _disclosed(disclosed: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Rows of which everybody who finds the group knows the sensitive value, although nobody is picked out."""
    worst = disclosed[0]
    name, value = short(worst["column"]), percent(worst["share"])
    if not worst["share"]:
        words = "In every group the rows have more than one value of " + (
            f"{name}." if len(disclosed) == 1 else "each sensitive column."
        )
        return _tile("away", "Sensitive values given away", value, words, "")
    words = f"Of so many rows the whole group has one value of {name}: whoever finds the group knows it."
    return _tile(
        "away", "Sensitive values given away", value, words, "l-diversity, under Privacy, asks that they differ."
    )


def _loss(story: Story, pair: bool) -> dict[str, str]:
    utility = story.utility
    if pair or utility.gcp is None:
        words = "Nothing is generalized, so there is no loss to measure." if pair else "The loss was not measured."
        return _tile("loss", "Detail lost", "–", words, "")
    worst = max(utility.ncp.items(), key=lambda pair: pair[1], default=None)
    most = f"Most in {worst[0]}: {percent(worst[1])}." if worst is not None and worst[1] > 0 else ""
    least = "" if not utility.least_gcp else f" Less than {percent(utility.least_gcp)} is impossible with this k."
    return _tile(
        "loss", "Detail lost", percent(utility.gcp), "On average over all cells (GCP).", (most + least).strip()
    )


def _rows(story: Story) -> dict[str, str]:
    gone = story.suppressed
    sizes = (
        f"{count(story.smallest)} to {count(story.largest)}"
        if story.smallest < story.largest
        else f"{count(story.largest)}"
    )
    groups = f"{count(story.n_groups)} groups of {sizes} rows."
    left = "No row was left out." if gone == 0 else f"{count(gone)} left out ({percent(gone / story.n_rows)})."
    return _tile("rows", "Rows published", count(story.n_published), left, groups)


def _tile(key: str, name: str, value: str, words: str, more: str) -> dict[str, str]:
    return {"key": key, "name": name, "value": value, "words": words, "more": more}
