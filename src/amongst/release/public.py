"""What of a release everybody may read: what the published table gives by itself, and what was asked.

All documents of a release are told once, in full, for the inside. This is the one place that says what of them is
public, so that nothing in a public document needs the original: who has the published table can compute every figure,
or reads it rounded by a rule that is stated beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.manifest import Manifest
from amongst.models import MODELS
from amongst.report.story import Check, SensitiveFacts, Story, Utility
from amongst.report.views import ClassSizes
from amongst.report.wording import suppressed_words
from amongst.schema.recipes.rows import WITHIN_LIMITS

if TYPE_CHECKING:
    from amongst.verify import Verdict

TITLE = "Release"
OF_ROWS = ("model", "asked", "ok")
"""What of a proof is told where people are counted, or a population: whose rows they are is not published."""

MADE = "made of the values of the column"
"""What is told of a tree that hardening made."""


def round_suppressed(n_suppressed: int, k: int, *, by_people: bool = False) -> dict[str, int]:
    """Between which numbers of rows were left out: multiples of k, and none where there are none.

    Where people are counted the rows may all be of one person, so only that there are some is told.

    Examples
    --------
    >>> from amongst.release.public import round_suppressed
    >>> [round_suppressed(n, 10) for n in (0, 3, 27)]
    [{'least': 0, 'most': 0}, {'least': 1, 'most': 9}, {'least': 20, 'most': 29}]
    """
    if n_suppressed == 0:
        return {"least": 0, "most": 0}
    if by_people:
        return {"least": 1}
    k = max(k, 1)
    least = n_suppressed // k * k
    return {"least": max(least, 1), "most": least + k - 1}


def public_manifest(facts: Manifest, verdict: Verdict, k: int) -> Manifest:
    """The manifest without what needs the original: no name, digest or size of the input, no seed, no small counts.

    Parameters
    ----------
    facts : Manifest
        That for the inside.
    verdict : Verdict
        What the verifier saw in the published file.
    k : int
        The threshold: no count of rows of the input is told more closely.
    """
    by_people = "unit" in facts["input"]
    limited = {name for name, fields in facts["schema"].items() if fields.get("hierarchy") == {"rows": WITHIN_LIMITS}}
    verdict = _without_loss(verdict, limited)
    utility, proved = facts["utility"], facts["proved"]
    if "loss" in proved:
        proved = {**proved, "loss": verdict.loss, "gcp": verdict.gcp}
    suppressed = round_suppressed(utility["n_suppressed"], k, by_people=by_people)
    told: dict[str, Any] = {
        **facts,
        "document": "public",
        "input": {"unit": facts["input"]["unit"]} if by_people else {},
        "method": {key: facts["method"][key] for key in ("name", "options")},
        "output": {**facts["output"], "rows": utility["n_published"], "suppressed": suppressed},
        "proved": _proved(proved, by_people),
        "utility": shown_sizes(verdict) | (shown_loss(verdict, k) if verdict.loss else {}),
    }
    after = (
        [] if by_people else [{key: one[key] for key in ("column", "distance", "after")} for one in facts["sensitive"]]
    )
    told["sensitive"] = after
    for inside in ("review", "analysis"):  # for whom it was made, and coefficients of the original
        told.pop(inside, None)
    if "hardened" in facts:
        told["hardened"] = {"promises": facts["hardened"]["public"]}
        told["schema"] = {name: _without_made_tree(fields) for name, fields in facts["schema"].items()}
    return Manifest(told)


def _without_made_tree(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A column without size and digest of a tree that hardening made of the input's values: guesses could be tried."""
    made = {"nested", "edges"} & set(fields.get("hierarchy", {}))
    return {**fields, "hierarchy": {"nested": MADE}} if made else dict(fields)


def _without_loss(verdict: Verdict, columns: set[str]) -> Verdict:
    """The verdict without the loss of columns whose levels were made of the input's values, also of suppressed rows."""
    if not columns & set(verdict.loss):
        return verdict
    return replace(verdict, loss={name: None if name in columns else lost for name, lost in verdict.loss.items()})


def _proved(proved: Mapping[str, Any], by_people: bool) -> dict[str, Any]:
    """The verdict: with what was reached where rows were counted, and without the notes, which are for the maker."""
    models = [
        {key: one[key] for key in OF_ROWS} if by_people or MODELS[one["model"]].counts == "population" else one
        for one in proved["models"]
    ]
    counts = () if by_people else ("smallest_class", "unique_rows", "class_sizes")
    kept = ("ok", "columns", "rows", "classes", *counts, "loss", "gcp")
    return {**{key: proved[key] for key in kept if key in proved}, "models": models}


def shown_sizes(verdict: Verdict) -> dict[str, Any]:
    """What the sizes of the classes of equal rows say."""
    sizes = verdict.rows_of_class
    return {
        "n_published": verdict.n_rows,
        "n_classes": sum(sizes.values()),
        "smallest": min(sizes, default=0),
        "largest": max(sizes, default=0),
        "uniques_after": sizes.get(1, 0),
    }


def shown_loss(verdict: Verdict, k: int) -> dict[str, Any]:
    """The loss as the published labels show it, and what the sizes of the classes say of it."""
    sizes = verdict.rows_of_class
    n_classes = max(sum(sizes.values()), 1)
    c_dm = sum(size * size * n for size, n in sizes.items())
    return {"gcp": verdict.gcp, "ncp": verdict.loss, "c_dm": c_dm, "c_avg": verdict.n_rows / n_classes / max(k, 1)}


def public_story(story: Story, verdict: Verdict) -> Story:
    """The story of a public report, told from the one for the inside and the verifier's look at the published file."""
    by_people = story.unit is not None
    verdict = _without_loss(verdict, {one.name for one in story.columns if one.hierarchy == WITHIN_LIMITS})
    checks = zip(story.checks, verdict.models, strict=True)
    sizes, lost = shown_sizes(verdict), shown_loss(verdict, story.threshold)
    known = {name: loss for name, loss in verdict.loss.items() if loss is not None}
    found = verdict.rows_of_class
    return replace(
        story,
        title=TITLE,
        n_rows=0,
        n_columns=0,
        n_suppressed=suppressed_words(round_suppressed(story.suppressed, story.threshold, by_people=by_people)),
        n_groups=sizes["n_classes"],
        smallest=sizes["smallest"],
        largest=sizes["largest"],
        class_sizes=ClassSizes(np.array(list(found)), np.array(list(found.values()))) if found else None,
        input_name=None,
        uniques_before=None,
        uniques_after=None if story.uniques_after is None else sizes["uniques_after"],
        seed=None,
        checks=tuple(_check(check, by_people or MODELS[one.model].counts == "population") for check, one in checks),
        smallest_people=None,
        explanation=story.told_to_all,
        utility=Utility(lost["gcp"], lost["c_dm"], lost["c_avg"], None, known) if verdict.loss else Utility(),
        sensitive=()
        if by_people
        else tuple(SensitiveFacts(s.column, s.distance, {}, s.after) for s in story.sensitive),
        analyses=(),
        distributions=(),
        partition=story.shown_partition,
        lattice=None,
        caveats=tuple(text for text in story.caveats if text not in story.for_the_maker),
    )


def _check(check: Check, hide: bool) -> Check:
    return replace(check, reached="at least that") if hide and check.ok else check
