"""The evidence pack: everything for the inside, and for the public what helps nobody to attack."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.evidence import told
from amongst.evidence.reviewed import reviewed
from amongst.release.folder import ReleaseFolder

if TYPE_CHECKING:
    from amongst.attack.finding import Findings
    from amongst.evidence.many_tables import ManyTables
    from amongst.evidence.one_table import OneTable
    from amongst.review import Review
    from amongst.verify import Verdict
    from amongst.verify.together.against import Composition

FORMAT = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """What ``am.evidence`` gives, and ``am.evidence_database``.

    Attributes
    ----------
    release : ReleaseFolder
    models : list of privacy models
    verdict : Verdict
        Of what was published, verified again.
    attacks : Findings
    account : OneTable or ManyTables
        What differs between them: what was counted, and what is told of it.
    about : dict of str to str
        The day it was gathered; author, purpose and recipient where they were given.
    together : list of Composition
        With each earlier release that was given.
    review : Review, or None
        The context that selected attacks and threshold.
    """

    release: ReleaseFolder
    models: list[Any]
    verdict: Verdict
    attacks: Findings
    account: OneTable | ManyTables
    about: dict[str, str] = field(default_factory=dict)
    together: list[Composition] = field(default_factory=list)
    review: Review | None = None

    @property
    def k(self) -> int:
        """The threshold: no count of people below it is told."""
        return max(self.account.k(self), 1)

    @property
    def risk(self) -> Any:
        """Who can be found: a ``Risk``, of many tables who is alone by every kind of knowledge."""
        return self.account.risk

    @property
    def ok(self) -> bool:
        """What was published holds what was asked, by itself and beside the earlier releases."""
        return self.verdict.ok and all(self.together)

    def to_dict(self, *, public: bool = False) -> dict[str, Any]:
        """Plain data. The public version has nothing that helps an intruder: no figures of the input or of attacks that
        succeeded, no seed, no options, no names but those of published files and columns.
        """
        return {
            "kind": "evidence",
            "format": FORMAT,
            "version": "public" if public else "internal",
            "about": dict(self.about),
            "summary": told.summary(self, public),
            **({"review": reviewed(self)} if self.review is not None and not public else {}),
            "ok": self.ok,
            "release": told.release(self, public),
            "request": told.request(self, public),
            "threshold": {"k": self.k, "1/k": 1 / self.k},
            "assumptions": self.account.assumed(self, public),
            "not_protected": self.account.not_protected(self),
            "proofs": told.proofs(self, public),
            **told.by_question(self, public),
            "figures": self.account.figures(self, public),
            "versions": told.versions(self.release),
        }

    def to_html(self, *, public: bool = False) -> str:
        """One HTML page that holds everything it shows."""
        from amongst.evidence.page import render_evidence

        return render_evidence(self.to_dict(public=public))

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        inside: str | os.PathLike[str] | None = None,
        force: bool = False,
    ) -> None:
        """Write both versions as HTML and JSON, with their digests in ``manifest.json``; all or nothing.

        The public version goes to ``folder``. The internal one goes to ``inside``, or left out to ``<folder>.inside``
        beside it: readable by its owner alone, and written first.
        """
        from amongst.evidence.write import write_pack

        write_pack(self, Path(folder), inside=None if inside is None else Path(inside), force=force)
