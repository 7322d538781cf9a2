"""What the verifier of many tables says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from amongst.published.finding import Finding
from amongst.verify.verdict import Reached


@dataclass(frozen=True)
class DatabaseVerdict:
    """The outcome of ``verify_database``. True in a condition when everything holds.

    Attributes
    ----------
    ok : bool
    findings : list of Finding
        Why it is not ok: empty when it is.
    models : list of Reached
        For every model what was asked and what was reached.
    n_persons, n_groups, smallest : int
        Persons, groups of persons whose trees are published alike, and the size of the smallest.
    rows : dict of str to int
        Published rows of every table.
    group_sizes : dict of int to int
        How many groups have how many persons.
    compared : bool
        Whether the published cells were compared with the original ones (requirement 3 of definition 9).
    """

    ok: bool
    findings: list[Finding]
    models: list[Reached]
    n_persons: int
    n_groups: int
    smallest: int
    rows: dict[str, int]
    group_sizes: dict[int, int] = field(repr=False, default_factory=dict)
    compared: bool = False

    @classmethod
    def of_groups(
        cls,
        findings: list[Finding],
        models: list[Reached],
        group_sizes: dict[int, int],
        *,
        n_persons: int,
        rows: dict[str, int],
        compared: bool,
    ) -> DatabaseVerdict:
        """What was found, with the number of groups and the smallest of them by their sizes."""
        return cls(
            ok=not findings,
            findings=findings,
            models=models,
            n_persons=n_persons,
            n_groups=sum(group_sizes.values()),
            smallest=min(group_sizes, default=0),
            rows=rows,
            group_sizes=group_sizes,
            compared=compared,
        )

    def __bool__(self) -> bool:
        return self.ok

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data, for ``--json`` and the manifest."""
        return {
            "ok": self.ok,
            "findings": [finding.to_dict() for finding in self.findings],
            "models": [reached.to_dict() for reached in self.models],
            "persons": self.n_persons,
            "groups": self.n_groups,
            "smallest_group": self.smallest,
            "rows": self.rows,
            "group_sizes": {"size": list(self.group_sizes), "groups": list(self.group_sizes.values())},
            "compared_with_the_input": self.compared,
        }

    def words(self) -> str:
        """The verdict as text for people."""
        lines = ["verified: it holds what was asked" if self.ok else "NOT verified"]
        for reached in self.models:
            mark = "holds" if reached.ok else "FAILS"
            lines.append(f"  {mark}: {reached.words} Reached: {reached.reached:,.6g}.")
        lines.append(f"  {self.n_persons:,} persons in {self.n_groups:,} groups; smallest {self.smallest:,}")
        for finding in self.findings:
            first, *rest = finding.words().split("\n")
            lines += [f"  why: {first}", *[f"    {line}" for line in rest]]
        return "\n".join(lines)
