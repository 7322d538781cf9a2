"""The page of an evidence pack: one HTML file that holds everything it shows."""

from __future__ import annotations

from typing import Any

from amongst.attack.alike import alike
from amongst.report.render import fill

QUESTIONS = ("singling out", "linkability", "inference")


def render_evidence(facts: dict[str, Any]) -> str:
    """The plain data of a pack as the text of one HTML file, without a script or anything outside of itself."""
    public = facts["version"] == "public"
    tried = [one for question in QUESTIONS for one in facts[question]["attacks"]]
    succeeded = [one for one in tried if one.get("succeeded")]
    return fill(
        "evidence.html",
        beside=__file__,
        facts=facts,
        public=public,
        inside=not public,
        asked={} if public else _asked(facts["request"]),
        questions=QUESTIONS,
        together={} if public else {question: alike(facts[question]["attacks"]) for question in QUESTIONS},
        n_tried=sum(one.get("times", 1) for one in tried),
        n_succeeded=len(succeeded),
        k=facts["threshold"]["k"],
        utility=facts["figures"]["utility"],
        risk=facts["figures"].get("risk"),
    )


def _asked(request: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Input and method, a line for each thing that is known of them."""
    method = {key: value for key, value in request["method"].items() if key != "options"}
    told = {"Input": request["input"], "Method": {**method, **request["method"].get("options", {})}}
    return {title: {key: one for key, one in facts.items() if one is not None} for title, facts in told.items()}
