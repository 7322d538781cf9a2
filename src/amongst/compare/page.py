"""The page of a comparison: one HTML file that holds everything it shows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from amongst.report.charts.front import Point, front_chart
from amongst.report.charts.times import shown, time_chart
from amongst.report.render import fill
from amongst.report.wording import percent

if TYPE_CHECKING:
    from amongst.compare.candidate import Outcome
    from amongst.compare.compare import Comparison


def render_comparison(found: Comparison) -> str:
    """The comparison as the text of one HTML file, without a script or anything outside of itself."""
    verified = [(i, one) for i, one in enumerate(found.outcomes) if one.state == "verified"]
    verified.sort(key=lambda pair: (pair[1].candidate.k, pair[1].loss))
    return fill(
        "compare.html",
        beside=__file__,
        found=found,
        inside=True,  # losses are measured on the original
        best=None if found.recommended is None else found.outcomes[found.recommended],
        front=front_chart([chart_point(found, i, one) for i, one in verified], found.measure) if verified else None,
        times=time_chart([_name(one) for _, one in verified], [one.seconds for _, one in verified])
        if verified
        else None,
        rows=[_row(found, i, one) for i, one in verified],
        failed=[one for one in found.outcomes if one.state != "verified"],
        with_kept=bool(found.formulas),
        with_workload=any(one.error is not None for one in found.outcomes),
    )


def chart_point(found: Comparison, i: int, one: Outcome) -> Point:
    return Point(
        place=i,
        name=one.candidate.name,
        k=one.candidate.k,
        loss=one.loss,
        on_front=i in found.front,
        recommended=i == found.recommended,
    )


def _name(one: Outcome) -> str:
    return f"{one.candidate.name}, k = {one.candidate.k}"


def _suppressed(n_suppressed: int, n_rows: int, k: int) -> str:
    """The share of rows that are suppressed; of a few a share would tell how many they are."""
    return f"fewer than {k:,} rows" if 0 < n_suppressed < k else percent(n_suppressed / n_rows if n_rows else 0.0)


def _row(found: Comparison, i: int, one: Outcome) -> dict[str, Any]:
    n = int(one.figures["n_suppressed"]) + int(one.figures["n_published"])
    return {
        "k": one.candidate.k,
        "name": one.candidate.name,
        "recommended": i == found.recommended,
        "front": i in found.front,
        "cells": [_cell(column, one.ncp.get(column, 1.0)) for column in found.columns],
        "gcp": percent(one.gcp),
        "error": "" if one.error is None else percent(one.error),
        "kept": kept_words(one),
        "n_classes": one.figures["n_classes"],
        "suppressed": _suppressed(int(one.figures["n_suppressed"]), n, one.candidate.k),
        "seconds": shown(one.seconds),
    }


def kept_words(one: Outcome) -> str:
    """How much of the analysis is kept; a dash where a model could not be fitted."""
    return "–" if one.kept is None else percent(one.kept)


def _cell(column: str, loss: float) -> dict[str, Any]:
    """The loss of a column, darker the more is lost."""
    return {
        "shade": f"s{min(math.ceil(loss * 5), 5)}",
        "loss": f"{loss * 100:.0f}",
        "words": f"{column}: {percent(loss)}",
    }
