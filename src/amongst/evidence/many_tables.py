"""Evidence about a release of many tables: verified again, attacked, and who is alone in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput
from amongst.evidence.gather import Place, told_about
from amongst.evidence.pack import Evidence
from amongst.evidence.told import proved
from amongst.manifest import UNREADABLE, Manifest
from amongst.relations.diversity import database_models
from amongst.relations.found_alone import FoundAlone, found_alone
from amongst.relations.relation import KNOWN
from amongst.relations.report import LIMITS
from amongst.relations.schema_file import told_by_manifest
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database
from amongst.relations.verify import verify_database
from amongst.release.folder import damaged, release_in
from amongst.report.wording import hidden_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from amongst.relations.relation import DatabaseSchema


@dataclass(frozen=True, eq=False)
class ManyTables:
    """The account of many tables, of which persons are counted."""

    risk: FoundAlone
    schema: DatabaseSchema
    place = ("tables", "them")

    def k(self, pack: Evidence) -> int:
        return self.risk.k

    def of_people(self, pack: Evidence) -> bool:
        return True

    def n_rows(self, pack: Evidence) -> int:
        return sum(pack.verdict.rows.values())

    def columns(self, pack: Evidence) -> list[str]:
        return [f"{name}.{column}" for name, one in self.schema.items() for column in one.schema.published]

    def input(self, pack: Evidence) -> dict[str, Any]:
        """What is told of the tables that came in."""
        return pack.release.full.input

    def counted(self, pack: Evidence) -> dict[str, Any]:
        """What was counted for the proof."""
        return {"rows": dict(pack.verdict.rows), "persons": pack.verdict.n_persons}

    def assumed(self, pack: Evidence, public: bool) -> list[str]:
        """What was taken for granted."""
        return [f"Of '{name}': {KNOWN[one.known]}." for name, one in self.schema.items()]

    def not_protected(self, pack: Evidence) -> list[str]:
        """What the models leave open."""
        return list(LIMITS)

    def singling_out(self, pack: Evidence, public: bool) -> list[str]:
        """What is proved, and for the inside who is alone by every kind of knowledge, also what was not asked."""
        facts = proved(pack.verdict.models[:1])
        if public:
            return facts
        was = {one.knows: one for one in self.risk.before or ()}
        for one in self.risk.after:
            told = f"By {one.knows} {hidden_count(one.alone, pack.k)} of {one.persons:,} persons are alone"
            old = was.get(one.knows)
            before = "" if old is None else f"; in the original {hidden_count(old.alone, pack.k)} of {old.persons:,}"
            facts.append(f"{told}{before}.")
        return facts

    def linkability(self, pack: Evidence, public: bool) -> list[str]:
        return ["A release of many tables is not held against other ones: what they tell together is not known."]

    def inference(self, pack: Evidence, public: bool) -> list[str]:
        more = pack.verdict.models[1:]
        facts = proved(more)
        if not any(one.model in ("l-diversity", "t-closeness") for one in more):
            facts.append("No model of sensitive values was asked for: persons of a group may share a value.")
        return facts

    def figures(self, pack: Evidence, public: bool) -> dict[str, Any]:
        """What is lost: in public as the labels show it, which is what the public manifest tells."""
        told = (pack.release.manifest if public else pack.release.full)["utility"]
        lost = {
            f"{table}.{name}": share for table, one in told["tables"].items() for name, share in one["columns"].items()
        }
        utility = {"lm": told["lm"], "ncp": lost, "n_classes": pack.verdict.n_groups}
        return {"utility": utility} if public else {"utility": utility, "alone": self.risk.to_dict()}


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
) -> Evidence:
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
    few, read = database_models(models)[0], read_database(os.fspath(release), tables=list(own))
    was = None if made_of is None or schema is None else (made_of, schema)
    found = found_alone(read, own, few, codes, original=was, seed=stored.full.seed)
    return Evidence(
        release=stored,
        models=list(models),
        verdict=verdict,
        attacks=attacks,
        account=ManyTables(found, own),
        about=told_about(date=None, author=author, purpose=purpose, recipient=recipient),
    )


def _read(original: Any, schema: DatabaseSchema) -> Stored:
    if isinstance(original, Stored):
        return original
    return read_database(original, tables=schema.needed)


def _told(manifest: Manifest) -> tuple[DatabaseSchema, tuple[Any, ...]]:
    """Tables and models of a manifest of many tables."""
    if manifest.kind != "database":
        fix = "use am.evidence, or amongst evidence"
        raise BadInput("This is no release of many tables.", found="a release of one table", fix=fix)
    try:
        return told_by_manifest(manifest)
    except UNREADABLE:
        raise damaged("manifest.json") from None
