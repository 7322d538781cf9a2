"""What the verifier says: whether a published table holds what was asked of it, and why not."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from amongst.brief import page_part
from amongst.errors import NotVerified
from amongst.published.finding import Finding


@dataclass(frozen=True)
class Reached:
    """What was reached of one model.

    Attributes
    ----------
    model : str
        The name of the model.
    asked, reached : int or float
        The parameter that was asked for, and the best one the published table holds: the largest k or l, the
        smallest t, alpha, beta or delta. Infinite where none does, not a number where nothing can be said.
    ok : bool
    words : str
        What was asked, in a sentence.
    """

    model: str
    asked: float
    reached: float
    ok: bool
    words: str

    def to_dict(self) -> dict[str, Any]:
        reached = self.reached if math.isfinite(self.reached) else None
        return {"model": self.model, "asked": self.asked, "reached": reached, "ok": self.ok}

    def asked_words(self) -> str:
        return _shown(self.asked)

    def reached_words(self) -> str:
        return _shown(self.reached)

    def words_of_both(self) -> str:
        """What was asked and what was reached, in few words."""
        return f"{self.asked_words()} asked, {self.reached_words()} reached"

    def too_little(self) -> Finding:
        """That it does not hold."""
        return Finding(self.model, f"{self.model} does not hold: {self.words_of_both()}.", fix="do not publish it")


def _shown(number: float) -> str:
    """A parameter for people to read."""
    if not math.isfinite(number):
        return "none"
    return f"{number:,}" if isinstance(number, int) else f"{number:.6g}"


@dataclass(frozen=True)
class Verdict:
    """The outcome of ``verify``. True in a condition when everything holds.

    Of many tables (``verify_database``) what is counted are persons, and a class is a group of persons whose trees of
    rows are published alike.

    Attributes
    ----------
    ok : bool
        Nothing was found wrong, and every model holds.
    findings : list of Finding
        Why it is not ok: empty when it is.
    notes : list of Finding
        Worth knowing, but no failure.
    models : list of Reached
        For every model what was asked and what was reached.
    columns : list of str
        The published columns that tell rows apart; rows equal in all of them are one class.
    n_rows, n_classes : int
    smallest : int
        The size of the smallest class; where nulls match anything, the smallest number of rows that
        some row cannot be told from, itself included. 0 for an empty table.
    n_unique_rows : int
        Rows that are alone in their class.
    class_sizes, class_counts : list of int
        The distribution: ``class_counts[i]`` classes have ``class_sizes[i]`` rows, sizes ascending.
    rows_of_class : dict of int to int
        How many classes of equal rows have how many rows: where nulls match anything, or people are counted, that is
        another distribution.
    loss : dict of str to float or None
        The loss of every quasi-identifier as the published labels show it; None where they cannot be
        measured (see ``published_loss``).
    rows : dict of str to int
        Of many tables the published rows of every table.
    compared : bool or None
        Of many tables whether the published cells were compared with the original ones (requirement 3 of definition
        9); None of one table.
    """

    ok: bool
    findings: list[Finding]
    notes: list[Finding]
    models: list[Reached]
    columns: list[str]
    n_rows: int
    n_classes: int
    smallest: int
    n_unique_rows: int
    class_sizes: list[int] = field(repr=False)
    class_counts: list[int] = field(repr=False)
    loss: dict[str, float | None] = field(default_factory=dict)
    rows_of_class: dict[int, int] = field(default_factory=dict, repr=False)
    rows: dict[str, int] = field(default_factory=dict)
    compared: bool | None = None

    @classmethod
    def of_tables(
        cls,
        findings: list[Finding],
        models: list[Reached],
        group_sizes: dict[int, int],
        *,
        n_persons: int,
        rows: dict[str, int],
        compared: bool = False,
    ) -> Verdict:
        """What was found of many tables; ``group_sizes`` says how many groups have how many persons."""
        return cls(
            ok=not findings,
            findings=findings,
            notes=[],
            models=models,
            columns=[],
            n_rows=n_persons,
            n_classes=sum(group_sizes.values()),
            smallest=min(group_sizes, default=0),
            n_unique_rows=group_sizes.get(1, 0),
            class_sizes=list(group_sizes),
            class_counts=list(group_sizes.values()),
            rows=rows,
            compared=compared,
        )

    @property
    def many(self) -> bool:
        """Whether it is about many tables."""
        return self.compared is not None

    @property
    def n_persons(self) -> int:
        return self.n_rows

    @property
    def n_groups(self) -> int:
        return self.n_classes

    @property
    def group_sizes(self) -> dict[int, int]:
        return dict(zip(self.class_sizes, self.class_counts, strict=True))

    def __bool__(self) -> bool:
        return self.ok

    @property
    def asked_nothing(self) -> bool:
        """Whether every table would hold what was asked, such as k = 1: it is ok then, and proves nothing."""
        return any(note.code == "nothing-asked" for note in self.notes)

    @property
    def gcp(self) -> float | None:
        """The mean of ``loss``; None where it is not known for every column."""
        known = [loss for loss in self.loss.values() if loss is not None]
        return sum(known) / len(known) if known and len(known) == len(self.loss) else None

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data, for ``--json`` and the manifest."""
        told: dict[str, Any] = {"ok": self.ok, "findings": [finding.to_dict() for finding in self.findings]}
        models = [reached.to_dict() for reached in self.models]
        if self.many:
            return told | {
                "models": models,
                "persons": self.n_persons,
                "groups": self.n_groups,
                "smallest_group": self.smallest,
                "rows": self.rows,
                "group_sizes": {"size": self.class_sizes, "groups": self.class_counts},
                "compared_with_the_input": self.compared,
            }
        return told | {
            "notes": [note.to_dict() for note in self.notes],
            "models": models,
            "columns": self.columns,
            "rows": self.n_rows,
            "classes": self.n_classes,
            "smallest_class": self.smallest,
            "unique_rows": self.n_unique_rows,
            "class_sizes": {"size": self.class_sizes, "classes": self.class_counts},
            "loss": self.loss,
            "gcp": self.gcp,
        }

    def _repr_html_(self) -> str:
        rows = [("holds" if one.ok else "FAILS", one.words, one.reached_words()) for one in self.models]
        said = [finding.words() for finding in [*self.findings, *self.notes]]
        title = self.words().split("\n", 1)[0]
        return page_part(title, rows, headings=["", "asked", "reached"], notes=said)

    def words(self) -> str:
        """The verdict as text for people."""
        good = "nothing was asked, so nothing is proved" if self.asked_nothing else "verified: it holds what was asked"
        lines = [good if self.ok else "NOT verified"]
        for reached in self.models:
            mark = "holds" if reached.ok else "FAILS"
            lines.append(f"  {mark}: {reached.words} Reached: {reached.reached_words()}.")
        if self.many:
            lines.append(f"  {self.n_persons:,} persons in {self.n_groups:,} groups; smallest {self.smallest:,}")
        else:
            lines.append(
                f"  {self.n_rows:,} rows in {self.n_classes:,} classes; smallest {self.smallest:,}; "
                f"{self.n_unique_rows:,} rows alone in theirs"
            )
            lines.append("  told apart by: " + (", ".join(self.columns) or "nothing"))
        if self.gcp is not None:
            lines.append(f"  loss shown by the labels (GCP): {self.gcp:.4f}")
        for title, entries in (("why", self.findings), ("note", self.notes)):
            for entry in entries:
                first, *rest = entry.words().split("\n")
                lines += [f"  {title}: {first}", *[f"    {line}" for line in rest]]
        return "\n".join(lines)


def refuse_unproved(verdict: Any) -> None:
    """Raise where the verifier found that a release does not hold what was asked."""
    if verdict.ok:
        return
    raise NotVerified(
        "The release does not hold what was asked, and is not handed out.",
        found=[finding.what for finding in verdict.findings],
        fix="this is a defect in amongst: please report it with the method and options you used",
    )
