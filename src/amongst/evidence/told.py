"""What the two versions of an evidence pack tell, part by part; what differs for many tables, their account says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from amongst.evidence.reviewed import borne
from amongst.release.manifest import versions as now

if TYPE_CHECKING:
    from amongst.attack.finding import Finding
    from amongst.evidence.pack import Evidence
    from amongst.release.folder import ReleaseFolder
    from amongst.verify.verdict import Reached

QUESTIONS = {
    "singling out": "Can the record of one person be told from all others?",
    "linkability": "Can records be found to be about the same person, here and elsewhere?",
    "inference": "Can a value of somebody be guessed better than without the release?",
}


def summary(pack: Evidence, public: bool) -> list[str]:
    """The one page that comes first, in sentences."""
    found, (place, them) = pack.attacks, pack.account.place
    told = [
        f"What was asked holds in the published {place}, verified again."
        if pack.verdict.ok
        else f"What was asked does NOT hold in the published {place}: do not publish {them}."
    ]
    told += [f"Asked: {words}" for words in asked(pack)]
    if pack.together:
        held = sum(map(bool, pack.together))
        told.append(f"Beside earlier releases of the same people it holds with {held} of {len(pack.together)}.")
    told.append(f"{len(found.attacks):,} attacks were carried out" + ("." if public else f": {found.headline}"))
    if not public and pack.review is not None:
        word = {True: "is within", False: "is NOT within", None: "was not held against"}[borne(pack)]
        told.append(f"The largest chance of being found {word} what is borne.")
    return told


def asked(pack: Evidence) -> list[str]:
    """Every model in a sentence."""
    return [model.words(pack.account.of_people(pack)) for model in pack.models]


def release(pack: Evidence, public: bool) -> dict[str, Any]:
    """The published files and their digests."""
    facts = {
        "name": pack.release.folder.resolve().name,
        "rows": pack.account.n_rows(pack),
        "columns": pack.account.columns(pack),
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
    roles: dict[str, list[str]] = {}
    for name, column in pack.release.schema.items():
        if not public or column.role != "identifier":
            roles.setdefault(str(column.role), []).append(name)
    facts: dict[str, Any] = {"models": asked(pack), "roles": roles}
    if public:
        return facts
    method, privacy = pack.release.full["method"], pack.release.manifest["privacy"]
    return facts | {"input": pack.account.input(pack), "method": method, "privacy": privacy}


def proofs(pack: Evidence, public: bool) -> dict[str, Any]:
    """The verdict on the published files."""
    verdict = pack.verdict
    models = [
        {"words": one.words, "asked": one.asked_words(), "reached": one.reached_words(), "ok": one.ok}
        for one in verdict.models
    ]
    facts = {"ok": verdict.ok, "models": models, **pack.account.counted(pack)}
    if public:
        for one in models:  # what was asked is promised; how much more was reached is nobody's business
            del one["reached"]
        return facts | {"findings": len(verdict.findings)}
    findings = [finding.to_dict() for finding in verdict.findings]
    return facts | {"findings": findings, "notes": [note.to_dict() for note in verdict.notes]}


def proved(models: Sequence[Reached]) -> list[str]:
    """Every model that was asked for, and whether it is proved."""
    return [f"{'Proved' if one.ok else 'NOT proved'}: {one.words}" for one in models]


def by_question(pack: Evidence, public: bool) -> dict[str, Any]:
    """Proofs, figures and attacks under singling out, linkability and inference."""
    account, found = pack.account, pack.attacks.findings
    answers = (account.singling_out, account.linkability, account.inference)
    told: dict[str, Any] = {
        question: {
            "question": text,
            "facts": answer(pack, public),
            "attacks": named(found[question]) if public else [attacked(one) for one in found[question]],
        }
        for (question, text), answer in zip(QUESTIONS.items(), answers, strict=True)
    }
    if not public:
        told["not_tried"] = [{"attack": name, "why": why} for name, why in pack.attacks.skipped]
        told["notes_on_attacks"] = list(pack.attacks.notes)
    return told


def named(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Every attack once, and how often it was tried: once for every sensitive column it is about.

    Which of them learned something is what an intruder would like to know: it is not told.
    """
    return [{"attack": name, "times": times} for name, times in Counter(one.attack for one in found).items()]


def attacked(one: Finding) -> dict[str, Any]:
    outcome = "learned more than it should" if one.succeeded else "learned no more than it should"
    return {"outcome": outcome, **one.to_dict()}


def versions(stored: ReleaseFolder) -> dict[str, Any]:
    """With what it was made, and with what it was checked."""
    return {"made": dict(stored.manifest.get("versions", {})), "checked": now()}
