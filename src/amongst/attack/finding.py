"""What the attacks on a release found: what the intruder knows, how it works, what came of it, what would lower it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amongst.attack.rate import Rate, Risk

KINDS = ("singling out", "linkability", "inference")
"""The three questions of the Article 29 Working Party's Opinion 05/2014 on anonymisation techniques."""
MEANING = {
    "singling out": "can the record of one person be told from all others?",
    "linkability": "can records be found to be about the same person?",
    "inference": "can a value of somebody be guessed better than without the release?",
}


@dataclass(frozen=True)
class Finding:
    """One attack and what came of it.

    Attributes
    ----------
    attack : str
        Its name, such as ``"linkage"``.
    kind : {"singling out", "linkability", "inference"}
    title : str
        What it tries, in a few words.
    knows, works : str
        What the intruder knows, and how the attack works.
    achieved : tuple of str
        What came of it, in sentences without cell values.
    lower : str
        What would lower it.
    succeeded : bool
        It learned more than the baseline, or than the threshold allows.
    rates : tuple of Rate
    risk : Risk, optional
        Success beside that on a control group.
    figures : dict
        Further numbers.
    column : str, optional
        The sensitive column that it is about.
    rows : tuple of int, optional
        The numbers of the rows (of the outside table or the original, from 0) it hit, where these were asked for.
    paper : str
        Where it was described.
    """

    attack: str
    kind: str
    title: str
    knows: str
    works: str
    achieved: tuple[str, ...]
    lower: str
    succeeded: bool
    rates: tuple[Rate, ...] = ()
    risk: Risk | None = None
    figures: dict[str, Any] = field(default_factory=dict)
    column: str | None = None
    rows: tuple[int, ...] | None = None
    paper: str = ""

    def rate(self, name: str) -> Rate:
        """The rate of this name."""
        return next(one for one in self.rates if one.name == name)

    @property
    def outcome(self) -> str:
        return "succeeds" if self.succeeded else "does not succeed"

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Its statements with what they are about."""
        told = [("knows", self.knows), ("works", self.works)]
        told += [("achieved" if i == 0 else "", sentence) for i, sentence in enumerate(self.achieved)]
        told.append(("to lower", self.lower))
        if self.rows is not None:
            told.append(("rows", ", ".join(map(str, self.rows)) or "none"))
        return told

    def to_dict(self) -> dict[str, Any]:
        fields = {
            "attack": self.attack,
            "kind": self.kind,
            "title": self.title,
            "column": self.column,
            "succeeded": self.succeeded,
            "knows": self.knows,
            "works": self.works,
            "achieved": list(self.achieved),
            "lower": self.lower,
            "rates": [one.to_dict() for one in self.rates],
            "risk": None if self.risk is None else self.risk.to_dict(),
            "figures": self.figures,
            "paper": self.paper,
        }
        return fields | ({} if self.rows is None else {"rows": list(self.rows)})


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What all attacks on a release found.

    Attributes
    ----------
    name : str
        What was attacked.
    n_rows, n_classes, threshold : int
        Of the release; counts of people below the threshold are not shown.
    attacks : tuple of Finding
        In the order in which they were carried out.
    skipped : tuple of (str, str)
        Attacks that were not carried out, and why.
    notes : tuple of str
    counted : str
        What there are so many of: rows, or of many tables persons.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> found = am.attack(release, outside={"Age": [25], "Sex": ["Male"], "Zipcode": [53711]})
    >>> list(found.findings)
    ['singling out', 'linkability', 'inference']
    >>> found["linkage"].succeeded
    False
    """

    name: str
    n_rows: int
    n_classes: int
    threshold: int
    attacks: tuple[Finding, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    counted: str = "rows"

    @property
    def findings(self) -> dict[str, list[Finding]]:
        """The findings under singling out, linkability and inference."""
        return {kind: [one for one in self.attacks if one.kind == kind] for kind in KINDS}

    def __getitem__(self, attack: str) -> Finding:
        """The first finding of an attack."""
        found = [one for one in self.attacks if one.attack == attack]
        if not found:
            raise KeyError(attack)
        return found[0]

    def of(self, attack: str) -> list[Finding]:
        """All findings of an attack: one for every sensitive column it is about."""
        return [one for one in self.attacks if one.attack == attack]

    @property
    def succeeded(self) -> list[Finding]:
        return [one for one in self.attacks if one.succeeded]

    @property
    def headline(self) -> str:
        if len(self.attacks) == 1:
            return f"The attack learned {'more' if self.succeeded else 'no more'} than it should."
        return f"{len(self.succeeded)} of {len(self.attacks)} attacks learned more than they should."

    @property
    def about(self) -> str:
        """What was attacked."""
        classes = f"{self.n_classes:,} class{'' if self.n_classes == 1 else 'es'}"
        hidden = f" Counts of people below {self.threshold:,} are not shown." if self.threshold > 1 else ""
        return f"{self.name}: {self.n_rows:,} {self.counted} in {classes}.{hidden}"

    @property
    def words(self) -> str:
        """The findings as text."""
        lines = [f"Attacks on {self.about}", self.headline]
        for kind, found in self.findings.items():
            lines += ["", f"{kind.upper()}: {MEANING[kind]}"]
            lines += [] if found else ["  nothing was tried"]
            for one in found:
                lines += ["", *_told(one)]
        for heading, rows in (("Not tried", [f"{a}: {why}" for a, why in self.skipped]), ("Notes", self.notes)):
            lines += ["", heading, *(_wrapped(f"- {row}", "  ", "    ") for row in rows)] if rows else []
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.words

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain data, without counts of a few people and without cell values."""
        return {
            "document": "inside",
            "name": self.name,
            "rows": self.n_rows,
            "classes": self.n_classes,
            "threshold": self.threshold,
            "headline": self.headline,
            "findings": {kind: [one.to_dict() for one in found] for kind, found in self.findings.items()},
            "skipped": [{"attack": attack, "why": why} for attack, why in self.skipped],
            "notes": list(self.notes),
        }

    def to_html(self) -> str:
        """The findings as the text of one HTML file."""
        from amongst.attack.page import render_attacks

        return render_attacks(self)


def _told(one: Finding) -> list[str]:
    about = f" of {one.column!r}" if one.column else ""
    lines = [_wrapped(f"{one.title}{about}: {one.outcome}", "  ", "  ")]
    return lines + [_wrapped(f"{name:<9} {text}", "    ", " " * 14) for name, text in one.parts]


def _wrapped(text: str, first: str, rest: str) -> str:
    return textwrap.fill(text, 110, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def at_least(count: float, threshold: int) -> str:
    """A count of records that somebody fits, or that it is below the threshold."""
    return f"fewer than {threshold:,}" if 0 < count < threshold else f"{round(count):,}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names of columns in a sentence: a handful, and how many more."""
    shown = list(names[:most]) + ([f"{len(names) - most} more"] if len(names) > most else [])
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1] if shown else "nothing"
