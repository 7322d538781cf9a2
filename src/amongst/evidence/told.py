"""What the two versions of an evidence pack tell, part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amongst.release.manifest import versions as now
from amongst.release.public import round_suppressed
from amongst.report.wording import count, hidden_count, percent, suppressed_words
from amongst.review import PRESETS

if TYPE_CHECKING:
    from amongst.attack.finding import Finding
    from amongst.evidence.pack import Evidence
    from amongst.release.folder import ReleaseFolder

QUESTIONS = {
    "singling out": "Can the record of one person be told from all others?",
    "linkability": "Can records be found to be about the same person, here and elsewhere?",
    "inference": "Can a value of somebody be guessed better than without the release?",
}


def summary(pack: Evidence, public: bool) -> list[str]:
    """The one page that comes first, in sentences."""
    found = pack.attacks
    told = [
        "What was asked holds in the published file, verified again."
        if pack.verdict.ok
        else "What was asked does NOT hold in the published file: do not publish it."
    ]
    told += [f"Asked: {model.words(pack.release.unit is not None)}" for model in pack.models]
    if pack.together:
        held = sum(map(bool, pack.together))
        told.append(f"Beside earlier releases of the same people it holds with {held} of {len(pack.together)}.")
    told.append(f"{len(found.attacks):,} attacks were carried out" + ("." if public else f": {found.headline}"))
    if not public and pack.review is not None:
        word = {True: "is within", False: "is NOT within", None: "was not held against"}[_borne(pack)]
        told.append(f"The largest chance of being found {word} what is borne.")
    return told


def reviewed(pack: Evidence) -> dict[str, Any]:
    """The context: what was said, and whether the largest chance of being found is borne."""
    review = pack.review
    assert review is not None
    listed = PRESETS[review.preset].items if review.preset is not None else ()
    return {
        "words": review.words,
        "said": review.to_dict(),
        "borne": _borne(pack),
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


def _borne(pack: Evidence) -> bool | None:
    assert pack.review is not None
    return pack.review.holds(None if pack.risk.after is None else pack.risk.after.prosecutor.highest)


def release(pack: Evidence, public: bool) -> dict[str, Any]:
    """The published files and their digests."""
    manifest = pack.release.manifest
    facts = {
        "name": pack.release.folder.resolve().name,
        "rows": pack.verdict.n_rows,
        "columns": manifest.columns,
        "sha256": pack.release.sha256,
        "as_written": not pack.release.changed_files(),
    }
    if public:
        return facts
    from amongst.read.file import file_digest

    own = {path.name: file_digest(path) for path in sorted(pack.release.folder.iterdir()) if path.is_file()}
    return facts | {"all_files_sha256": own}


def request(pack: Evidence, public: bool) -> dict[str, Any]:
    """What was asked for."""
    manifest = pack.release.manifest
    roles: dict[str, list[str]] = {}
    for name, column in pack.release.schema.items():
        if not public or column.role != "identifier":
            roles.setdefault(str(column.role), []).append(name)
    facts: dict[str, Any] = {
        "models": [model.words(pack.release.unit is not None) for model in pack.models],
        "roles": roles,
    }
    if public:
        return facts
    full = pack.release.full
    input_facts = {key: full.input.get(key) for key in ("name", "rows", "columns", "unit", "sha256")}
    return facts | {"input": input_facts, "method": full["method"], "privacy": manifest["privacy"]}


def assumed(pack: Evidence, public: bool) -> list[str]:
    """What was taken for granted."""
    from amongst.release.caveats import assumptions
    from amongst.verify.together.against import ASSUMED

    unit = pack.release.unit
    if public and unit is not None:
        unit = "a column that is not published"
    said = list(assumptions(pack.models, unit))
    said += [text for text in pack.risk.assumptions if text not in said]
    return said + (list(ASSUMED) if pack.together else [])


def not_protected(pack: Evidence) -> list[str]:
    """What the models leave open."""
    if pack.release.is_pair:
        from amongst.release.anatomy_story import CAVEATS

        return list(CAVEATS)
    from amongst.release.caveats import caveats

    return list(caveats(pack.models, pack.release.schema))


def proofs(pack: Evidence, public: bool) -> dict[str, Any]:
    """The verdict on the published file."""
    verdict = pack.verdict
    models = [
        {"words": one.words, "asked": one.asked_words(), "reached": one.reached_words(), "ok": one.ok}
        for one in verdict.models
    ]
    facts = {
        "ok": verdict.ok,
        "models": models,
        "rows": verdict.n_rows,
        "classes": verdict.n_classes,
        "told_apart_by": verdict.columns,
    }
    if public:
        for one in models:  # what was asked is promised; how much more was reached is nobody's business
            del one["reached"]
        return facts | {"findings": len(verdict.findings)}
    findings = [finding.to_dict() for finding in verdict.findings]
    return facts | {"findings": findings, "notes": [note.to_dict() for note in verdict.notes]}


def by_question(pack: Evidence, public: bool) -> dict[str, Any]:
    """Proofs, figures and attacks under singling out, linkability and inference."""
    shown = {
        "singling out": _singling_out(pack, public),
        "linkability": _linkability(pack, public),
        "inference": _inference(pack, public),
    }
    found = pack.attacks.findings
    tried = {
        question: named(found[question]) if public else [attacked(one) for one in found[question]]
        for question in QUESTIONS
    }
    told = {
        question: {"question": text, "facts": shown[question], "attacks": tried[question]}
        for question, text in QUESTIONS.items()
    }
    if not public:
        told["not_tried"] = [{"attack": name, "why": why} for name, why in pack.attacks.skipped]  # type: ignore[assignment]
        told["notes_on_attacks"] = list(pack.attacks.notes)  # type: ignore[assignment]
    return told


def named(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Every attack once, and how often it was tried: once for every sensitive column it is about.

    Which of them learned something is what an intruder would like to know: it is not told.
    """
    return [{"attack": name, "times": times} for name, times in Counter(one.attack for one in found).items()]


def attacked(one: Finding) -> dict[str, Any]:
    outcome = "learned more than it should" if one.succeeded else "learned no more than it should"
    return {"outcome": outcome, **one.to_dict()}


def _singling_out(pack: Evidence, public: bool) -> list[str]:
    k, after, before = pack.k, pack.risk.after, pack.risk.before
    models = [one for one, model in zip(pack.verdict.models, pack.models, strict=False) if model.counts != "values"]
    facts = [f"{'Proved' if one.ok else 'NOT proved'}: {one.words}" for one in models]
    if after is None or (pack.release.unit is not None and after.n_people is None):
        facts.append(
            "The chance of finding a person was not measured: whose the rows of the release are is not told here."
        )
    elif after.prosecutor.highest <= (1 + 1e-12) / k:
        facts.append(f"Nobody known to be in the release can be found with a chance above 1/k = 1/{count(k)}.")
    elif public or pack.release.is_pair:
        facts.append("The chance of finding the row of a person is not bounded by 1/k.")
    if public:
        return facts
    if after is not None:
        facts.append(
            f"The highest chance of being found is {percent(after.prosecutor.highest)}, on average "
            f"{percent(after.prosecutor.average)}; {hidden_count(after.uniques, k)} {after.counted} are alone "
            "with what is published."
        )
    if before is not None:
        facts.append(
            f"In the input it was {percent(before.prosecutor.highest)}, on average "
            f"{percent(before.prosecutor.average)}; {hidden_count(before.uniques, k)} {before.counted} were alone."
        )
        most = [one.columns[0] for one in before.columns[:3]]
        facts.append("The columns that tell most people apart in the input: " + ", ".join(f"'{name}'" for name in most))
    for name, one in (("release", after), ("input", before)):
        if one is not None and one.journalist is not None:
            facts.append(
                f"Of the population, the highest chance of being found in the {name} is "
                f"{percent(one.journalist.highest)}, on average {percent(one.journalist.average)}."
            )
    return facts


def _linkability(pack: Evidence, public: bool) -> list[str]:
    if not pack.together:
        return ["No earlier release of the same people was given to compare with."]
    if public:
        n = len(pack.together)
        held = f"It was held against {n} earlier release{'' if n == 1 else 's'} of the same people."
        return [held, "Beside each of them, k still holds."] if all(pack.together) else [held]
    facts = []
    for one in pack.together:
        name = f"the earlier release '{one.earlier}'"
        if one.same_file:
            facts.append(f"Beside {name} nothing new is told: the same file was published.")
        elif one.ok:
            facts.append(f"Beside {name}, k = {one.k} still holds.")
        else:
            facts.append(f"Beside {name}, what was asked is NOT shown to hold.")
            facts += [f"{finding.what} {finding.found}".strip() for finding in one.findings]
    return facts


def _inference(pack: Evidence, public: bool) -> list[str]:
    models = [one for one, model in zip(pack.verdict.models, pack.models, strict=False) if model.counts == "values"]
    facts = [f"{'Proved' if one.ok else 'NOT proved'}: {one.words}" for one in models]
    if not models:
        facts.append("No model of sensitive values was asked for: rows of a class may share a value.")
    if public:
        return facts
    for one in pack.release.full.get("sensitive", ()):
        after = one["after"]
        facts.append(
            f"'{one['column']}' in the worst class: l = {after['l_frequency']:.3g} by frequency, "
            f"{after['l_distinct']} different values, t = {after['t']:.3g}."
        )
    return facts


def figures(pack: Evidence, public: bool) -> dict[str, Any]:
    """What the release is worth, and for the inside what it risks."""
    utility, k, verdict = dict(pack.release.full.get("utility", {})), pack.k, pack.verdict
    if public:  # as the labels show it: a loss measured on the input would tell of who is not published
        loss: dict[str, Any] = {"gcp": verdict.gcp} if verdict.gcp is not None else {}
        if known := {name: lost for name, lost in verdict.loss.items() if lost is not None}:
            loss["ncp"] = known
        return {"utility": {**loss, "n_published": verdict.n_rows, "n_classes": verdict.n_classes}}
    for name in ("n_suppressed", "uniques_before", "uniques_after"):
        if isinstance(utility.get(name), int):
            utility[name] = f"fewer than {k}" if 0 < utility[name] < k else utility[name]
    return {"utility": utility, "risk": pack.risk.to_dict()}


def versions(stored: ReleaseFolder) -> dict[str, Any]:
    """With what it was made, and with what it was checked."""
    return {"made": dict(stored.manifest.get("versions", {})), "checked": now()}
