"""Evidence about a release of many tables: verified again, attacked, and who is alone in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput
from amongst.evidence.gather import Place, today
from amongst.evidence.pack import FORMAT
from amongst.evidence.told import QUESTIONS, attacked, named, versions
from amongst.manifest import UNREADABLE, Manifest
from amongst.relations.diversity import database_models, model_from_fields
from amongst.relations.draft import with_found_keys
from amongst.relations.relation import KNOWN
from amongst.relations.report import LIMITS
from amongst.relations.schema_file import database_schema_from_manifest
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database
from amongst.relations.times import with_persons_times
from amongst.relations.uniqueness import Alone, uniqueness
from amongst.relations.verify import verify_database
from amongst.release.folder import ReleaseFolder, damaged, release_in
from amongst.report.wording import hidden_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from amongst.attack.finding import Findings
    from amongst.relations.relation import DatabaseSchema
    from amongst.verify import Verdict


@dataclass(frozen=True, eq=False, kw_only=True)
class DatabaseEvidence:
    """What ``am.evidence_database`` gives; ``write``, ``to_dict`` and ``to_html`` as of one table.

    Attributes
    ----------
    release : ReleaseFolder
    schema : DatabaseSchema
        As the manifest tells it.
    models : list of privacy models
    verdict : Verdict
        Of the published tables, verified again.
    attacks : Findings
    after, before : list of Alone
        Who is alone in the release by every kind of knowledge, and who was in the original, where it was given.
    about : dict of str to str
        The day it was gathered; author, purpose and recipient where they were given.
    """

    release: ReleaseFolder
    schema: DatabaseSchema
    models: list[Any]
    verdict: Verdict
    attacks: Findings
    after: list[Alone]
    before: list[Alone] | None
    about: dict[str, str]

    @property
    def k(self) -> int:
        """The threshold: no count of persons below it is told."""
        return max(database_models(self.models)[0], 1)

    @property
    def ok(self) -> bool:
        """Whether the published tables hold what was asked."""
        return self.verdict.ok

    def to_dict(self, *, public: bool = False) -> dict[str, Any]:
        """Plain data; the public version has no figures of the input, of what was reached, or of what attacks found."""
        found = self.attacks.findings
        asked = [model.words(True) for model in self.models]
        tried = {name: named(found[name]) if public else [attacked(one) for one in found[name]] for name in QUESTIONS}
        told = {"singling out": self._alone(public), "linkability": [NOT_COMPARED], "inference": self._spread()}
        return {
            "kind": "evidence",
            "format": FORMAT,
            "version": "public" if public else "internal",
            "about": dict(self.about),
            "summary": self._summary(asked, public),
            "ok": self.ok,
            "release": self._release(public),
            "request": self._request(asked, public),
            "threshold": {"k": self.k, "1/k": 1 / self.k},
            "assumptions": [f"Of '{name}': {KNOWN[one.known]}." for name, one in self.schema.items()],
            "not_protected": list(LIMITS),
            "proofs": self._proofs(public),
            **{
                name: {"question": text, "facts": told[name], "attacks": tried[name]}
                for name, text in QUESTIONS.items()
            },
            **({} if public else self._further()),
            "figures": self._figures(public),
            "versions": versions(self.release),
        }

    def to_html(self, *, public: bool = False) -> str:
        """One HTML page that holds everything it shows."""
        from amongst.evidence.page import render_evidence

        return render_evidence(self.to_dict(public=public))

    def write(self, folder: Place, *, inside: Place | None = None, force: bool = False) -> None:
        """Write both versions as HTML and JSON; see ``Evidence.write``."""
        from amongst.evidence.write import write_pack

        write_pack(self, Path(folder), inside=None if inside is None else Path(inside), force=force)

    def _summary(self, asked: list[str], public: bool) -> list[str]:
        held = "What was asked holds in the published tables, verified again."
        told = [held if self.ok else "What was asked does NOT hold in the published tables: do not publish them."]
        told += [f"Asked: {words}" for words in asked]
        n = f"{len(self.attacks.attacks):,} attacks were carried out"
        return [*told, f"{n}." if public else f"{n}: {self.attacks.headline}"]

    def _release(self, public: bool) -> dict[str, Any]:
        facts = {
            "name": self.release.folder.resolve().name,
            "rows": sum(self.verdict.rows.values()),
            "columns": [f"{name}.{c}" for name, one in self.schema.items() for c in one.schema.published],
            "sha256": self.release.sha256,
            "as_written": not self.release.changed_files(),
        }
        if public:
            return facts
        from amongst.read.file import file_digest

        files = {path.name: file_digest(path) for path in sorted(self.release.folder.iterdir()) if path.is_file()}
        return facts | {"all_files_sha256": files}

    def _request(self, asked: list[str], public: bool) -> dict[str, Any]:
        roles: dict[str, list[str]] = {}
        for table, relation in self.schema.items():
            for name, column in relation.schema.items():
                if not public or column.role != "identifier":
                    roles.setdefault(str(column.role), []).append(f"{table}.{name}")
        facts: dict[str, Any] = {"models": asked, "roles": roles}
        if public:
            return facts
        full = self.release.full
        return facts | {"input": full.input, "method": full["method"], "privacy": full["privacy"]}

    def _proofs(self, public: bool) -> dict[str, Any]:
        verdict = self.verdict
        models = [
            {"words": one.words, "asked": one.asked_words(), "reached": one.reached_words(), "ok": one.ok}
            for one in verdict.models
        ]
        facts = {"ok": verdict.ok, "models": models, "rows": dict(verdict.rows), "persons": verdict.n_persons}
        if public:
            for one in models:
                del one["reached"]
            return facts | {"findings": len(verdict.findings)}
        return facts | {"findings": [one.to_dict() for one in verdict.findings], "notes": []}

    def _alone(self, public: bool) -> list[str]:
        """What is proved, and for the inside who is alone by every kind of knowledge, also what was not asked."""
        facts = [f"{'Proved' if one.ok else 'NOT proved'}: {one.words}" for one in self.verdict.models[:1]]
        if public:
            return facts
        was = {one.knows: one for one in self.before or ()}
        for one in self.after:
            told = f"By {one.knows} {hidden_count(one.alone, self.k)} of {one.persons:,} persons are alone"
            old = was.get(one.knows)
            before = "" if old is None else f"; in the original {hidden_count(old.alone, self.k)} of {old.persons:,}"
            facts.append(f"{told}{before}.")
        return facts

    def _spread(self) -> list[str]:
        more = self.verdict.models[1:]
        facts = [f"{'Proved' if one.ok else 'NOT proved'}: {one.words}" for one in more]
        if not any(one.model in ("l-diversity", "t-closeness") for one in more):
            facts.append("No model of sensitive values was asked for: persons of a group may share a value.")
        return facts

    def _further(self) -> dict[str, Any]:
        skipped = [{"attack": name, "why": why} for name, why in self.attacks.skipped]
        return {"not_tried": skipped, "notes_on_attacks": list(self.attacks.notes)}

    def _figures(self, public: bool) -> dict[str, Any]:
        """What is lost: in public as the labels show it, which is what the public manifest tells."""
        told = (self.release.manifest if public else self.release.full)["utility"]
        lost = {
            f"{table}.{name}": share for table, one in told["tables"].items() for name, share in one["columns"].items()
        }
        utility = {"lm": told["lm"], "ncp": lost, "n_classes": self.verdict.n_groups}
        if public:
            return {"utility": utility}
        alone = {"after": [one.to_dict() for one in self.after]}
        if self.before is not None:
            alone["before"] = [one.to_dict() for one in self.before]
        hidden = {
            when: [{key: None if key != "knows" and 0 < n < self.k else n for key, n in one.items()} for one in several]
            for when, several in alone.items()
        }
        return {"utility": utility, "alone": hidden}


NOT_COMPARED = "A release of many tables is not held against other ones: what they tell together is not known."


def evidence_database(
    release: Place,
    *,
    schema: DatabaseSchema | None = None,
    original: Any = None,
    codes: int = 2,
    seed: int = 0,
    author: str | None = None,
    purpose: str | None = None,
    recipient: str | None = None,
    step: Callable[[str], None] | None = None,
) -> DatabaseEvidence:
    """Gather what a review board needs to know of a release of many tables.

    Parameters
    ----------
    release : path
        A release folder of many tables.
    schema : DatabaseSchema, optional
        That of the job, with its hierarchies.
    original : path, address or mapping of tables, optional
        What it was made of, for attacks that are measured and for who was alone before; with ``schema``.
    codes : int
        Who is alone is counted by up to so many codes.
    seed, author, purpose, recipient, step
        As for ``am.evidence``.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> _ = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)]).write("books")
    >>> found = am.evidence_database("books", schema=made.schema, original=made.tables)
    >>> found.ok, found.k, len(found.attacks.attacks) > 1
    (True, 2, True)
    """
    from amongst.relations.attacks.attack_database import attack_database

    say = step or (lambda name: None)
    stored = release_in(Path(release), many=True)
    own, models = _told(stored.manifest)
    say("verify")
    verdict = verify_database(os.fspath(release), own, models)
    say("attack")
    made_of = None if original is None or schema is None else _read(original, schema)
    attacks = attack_database(os.fspath(release), schema, original=made_of, seed=seed)
    say("measure")
    k = database_models(models)[0]
    read = read_database(os.fspath(release), tables=list(own))
    after = uniqueness(read.tables, read.schema_with_keys(own), k, codes)
    before = None
    if made_of is not None and schema is not None:
        told = with_persons_times(made_of, schema, stored.full.seed)
        before = uniqueness(told.tables, told.schema_with_keys(with_found_keys(told, schema)), k, codes)
    said = {"date": today(), "author": author, "purpose": purpose, "recipient": recipient}
    about = {name: text for name, text in said.items() if text}
    return DatabaseEvidence(
        release=stored,
        schema=own,
        models=models,
        verdict=verdict,
        attacks=attacks,
        after=after,
        before=before,
        about=about,
    )


def _read(original: Any, schema: DatabaseSchema) -> Stored:
    if isinstance(original, Stored):
        return original
    return read_database(original, tables=[*schema, *schema.lookups])


def _told(manifest: Manifest) -> tuple[DatabaseSchema, list[Any]]:
    """Tables and models of a manifest of many tables."""
    if manifest.kind != "database":
        fix = "use am.evidence, or amongst evidence"
        raise BadInput("This is no release of many tables.", found="a release of one table", fix=fix)
    try:
        return database_schema_from_manifest(manifest), [model_from_fields(one) for one in manifest["privacy"]]
    except UNREADABLE:
        raise damaged("manifest.json") from None
