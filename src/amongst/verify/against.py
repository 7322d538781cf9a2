"""Whether a release still holds what was asked, beside an earlier one of the same people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.models import LDiversity, Model
from amongst.verify.composition import Cells, cells_of, comparable
from amongst.verify.release_part import Part
from amongst.verify.verdict import Finding, counted

ASSUMED = (
    "Both releases are about the same people, and what both publish as it is did not change in between.",
    "An intruder knows the quasi-identifiers of a person, and that the person is in both releases.",
    "Earlier releases are looked at one by one: three together can tell more than any two.",
)


@dataclass(frozen=True)
class Composition:
    """What a release and an earlier one tell together. True in a condition when the threshold holds.

    Attributes
    ----------
    earlier : str
        What the earlier release is called.
    k : int
        The threshold: the smaller k of both.
    same_file : bool
        Both publish the same bytes: nothing is added.
    same_schema : bool
        Both give every column the same role, kind and way to be published.
    same_rows : bool
        Both have all rows of one table, as far as the shared columns show.
    shared : list of str
        The columns that both publish as they are.
    n_cells, n_exposed : int
        Pairs of classes that can have people in common; those that can have fewer than k of them.
    n_certain : int
        People who are in such pairs for certain, at the least.
    findings, notes : list of Finding
    """

    earlier: str
    k: int
    same_file: bool = False
    same_schema: bool = False
    same_rows: bool = False
    shared: list[str] = field(default_factory=list)
    n_cells: int = 0
    n_exposed: int = 0
    n_certain: int = 0
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def to_dict(self) -> dict[str, Any]:
        """Plain data; a count of people below k is not told."""
        few = 0 < self.n_certain < self.k
        return {
            "earlier": self.earlier,
            "ok": self.ok,
            "k": self.k,
            "same_file": self.same_file,
            "same_schema": self.same_schema,
            "same_rows": self.same_rows,
            "shared_columns": self.shared,
            "pairs_of_classes": self.n_cells,
            "pairs_below_k": self.n_exposed,
            "people_in_them_at_least": f"fewer than {self.k}" if few else self.n_certain,
            "findings": [finding.to_dict() for finding in self.findings],
            "notes": [note.to_dict() for note in self.notes],
            "assumptions": list(ASSUMED),
        }


def compose(ours: Part, theirs: Part, models: Sequence[Model], k: int, earlier: str) -> Composition:
    """Look at both releases together."""
    sensitive = ours.layout.schema.sensitive
    cells = cells_of(ours, theirs, sensitive)
    hides_rows = ours.pair is None or theirs.pair is None  # two tables promise values, not rows
    small = cells.exposed(k) if hides_rows else np.zeros(len(cells.most), dtype=bool)
    certain = cells.n_certain(k) if hides_rows else 0
    findings = [*_too_small(cells, small, certain, k), *_not_diverse(cells, models, sensitive)]
    return Composition(
        earlier,
        k,
        same_rows=cells.same_rows,
        shared=cells.shared,
        n_cells=len(cells.most),
        n_exposed=int(small.sum()),
        n_certain=certain,
        findings=findings,
        notes=[*_narrowed(cells), *_not_compared(ours, theirs)],
    )


def _too_small(cells: Cells, small: np.ndarray, certain: int, k: int) -> list[Finding]:
    if not small.any():
        return []
    pairs = (
        f"in {int(small.sum()):,} of {len(small):,} pairs of classes that can have people in common, fewer than {k} can"
    )
    fix = "do not publish both; publish the earlier one again, or one whose classes are whole classes of it"
    if certain:
        what = f"Together with the earlier release people hide amongst fewer than {k}."
        found = f"{pairs}; {counted(certain, 'row', k)} at the least are in such a pair"
        return [Finding("composition", what, found, fix)]
    what = f"Together with the earlier release people may hide amongst fewer than {k}: it cannot be ruled out."
    return [Finding("composition-possible", what, pairs, fix)]


def _not_diverse(cells: Cells, models: Sequence[Model], sensitive: Sequence[str]) -> list[Finding]:
    """l-diversity of what is left of the sensitive values."""
    findings = []
    for model in models:
        if not isinstance(model, LDiversity):
            continue
        for name in [model.column] if model.column is not None else sensitive:
            if name not in cells.n_values or not len(cells.most):
                continue
            reached = cells.n_values[name] if model.kind == "distinct" else cells.l_of_cell[name]
            low = reached < model.l * (1 - 1e-12)
            if low.any():
                what = (
                    f"Together with the earlier release fewer than {model.l:g} values of '{name}' are left for people."
                )
                found = f"in {int(low.sum()):,} of {len(low):,} pairs of classes; the least l is {reached.min():.3g}"
                findings.append(Finding("composition-diversity", what, found, "do not publish both"))
    return findings


def _narrowed(cells: Cells) -> list[Finding]:
    notes = []
    for name, left in cells.n_values.items():
        alone = int((left == 1).sum())
        if alone:
            what = (
                f"Together the two releases leave one value of '{name}' open for whoever is in some pairs of classes."
            )
            notes.append(Finding("sensitive-narrowed", what, f"{alone:,} of {len(left):,} pairs of classes"))
    return notes


def _not_compared(ours: Part, theirs: Part) -> list[Finding]:
    both = [name for name in ours.layout.schema.quasi if name in theirs.layout.schema.quasi]
    notes = []
    hidden = [name for name in both if name in ours.untold | theirs.untold]
    if hidden:
        what = "Hierarchies are not told in a manifest: labels that only they can compare are taken to overlap."
        notes.append(Finding("hierarchy-not-told", what, _listed(hidden), "give the job file with --schema"))
    other = [name for name in both if not comparable(ours, theirs, name)]
    if other:
        what = "Columns are of another kind, or in another order, and were not compared."
        notes.append(Finding("other-kind", what, _listed(other)))
    one_sided = [
        name
        for first, second in ((ours, theirs), (theirs, ours))
        for name in first.layout.schema.quasi
        if name in second.layout.others
    ]
    if one_sided:
        what = (
            "What one release generalizes the other publishes as it is: whoever is matched by other columns shows it."
        )
        notes.append(Finding("published-elsewhere", what, _listed(one_sided), "generalize it in both"))
    return notes


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
