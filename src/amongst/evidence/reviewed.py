"""The context of a review as evidence tells it: why every column is a quasi-identifier, and what is borne."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from amongst.release.public import round_suppressed
from amongst.report.wording import suppressed_words
from amongst.review import PRESETS

if TYPE_CHECKING:
    from amongst.evidence.pack import Evidence


def reviewed(pack: Evidence) -> dict[str, Any]:
    """The context: what was said, and whether the largest chance of being found is borne."""
    review = pack.review
    assert review is not None
    listed = PRESETS[review.preset].items if review.preset is not None else ()
    return {
        "words": review.words,
        "said": review.to_dict(),
        "borne": borne(pack),
        "columns": _quasi(pack, review.reasons),
        "suppressed": _suppressed(pack),
        **({"list": list(listed)} if listed else {}),
    }


def _quasi(pack: Evidence, reasons: Mapping[str, str]) -> list[dict[str, Any]]:
    """Of every quasi-identifier: why it is one, how it is published, and what that loses."""
    full = pack.release.full
    levels, lost = full["method"].get("levels", {}), full.get("utility", {}).get("ncp", {})
    return [
        {
            "column": name,
            "reason": reasons.get(name, "no reason was given"),
            "published": f"at level {levels[name]} of its hierarchy" if name in levels else "as every class needs it",
            **({"loss": lost[name]} if name in lost else {}),
        }
        for name in pack.release.schema.quasi
    ]


def _suppressed(pack: Evidence) -> str:
    """How many rows were left out, rounded as in public."""
    full = pack.release.full
    left_out = full.get("utility", {}).get("n_suppressed")
    if left_out is None:  # without the inside what the public manifest says
        return suppressed_words(full.get("output", {}).get("suppressed", {"least": 1}))
    return suppressed_words(round_suppressed(left_out, pack.k, by_people=pack.release.unit is not None))


def borne(pack: Evidence) -> bool | None:
    assert pack.review is not None
    return pack.review.holds(None if pack.risk.after is None else pack.risk.after.prosecutor.highest)
