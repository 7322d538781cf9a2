"""Whether a release still holds what was asked, beside an earlier one of the same people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.models import Model
from amongst.published.finding import Finding, counted
from amongst.published.release_part import Part
from amongst.verify.together.composition import Cells, cells_of, comparable

ASSUMED = (
    "What both releases publish of somebody as it is did not change in between.",
    "An intruder knows the quasi-identifiers of a person, and in which of the releases the person is: in both, or in "
    "one because they came or went in between.",
    "Earlier releases are looked at one by one: three together can tell more than any two.",
)

UNPROVED = "composition-unproved"
"""The code of a finding that says that something could not be compared."""


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
    n_sets, n_few : int
        Sets of classes that must hold the same people in both releases; those in which the difference of the two shows
        people who came or went, and fewer than k of them.
    compared : bool
        Whether the two could be compared at all: without it nothing holds.
    unchanged : bool
        Every class is in both, with the same rows.
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
    n_sets: int = 0
    n_few: int = 0
    compared: bool = True
    unchanged: bool = False
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """A comparison was made, and it held."""
        return self.compared and not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def to_dict(self) -> dict[str, Any]:
        """Plain data; a count of people below k is not told."""
        few = 0 < self.n_certain < self.k
        return {
            "earlier": self.earlier,
            "ok": self.ok,
            "compared": self.compared,
            "k": self.k,
            "same_file": self.same_file,
            "same_schema": self.same_schema,
            "same_rows": self.same_rows,
            "shared_columns": self.shared,
            "pairs_of_classes": self.n_cells,
            "pairs_below_k": self.n_exposed,
            "people_in_them_at_least": f"fewer than {self.k}" if few else self.n_certain,
            "sets_of_classes": self.n_sets,
            "sets_that_show_fewer_than_k": self.n_few,
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
    few = [(one.n_people > 0) & (one.n_people < k) & hides_rows for one in (cells.came, cells.went)]
    findings = [
        *_too_small(cells, small, certain, k),
        *_not_diverse(cells, models, sensitive),
        *_few_moved(few, k),
        *_values_of_moved(cells, models),
        *_certain(cells),
        *_apart(cells),
        *_not_all(cells),
    ]
    return Composition(
        earlier,
        k,
        same_rows=cells.same_rows,
        shared=cells.shared,
        n_cells=len(cells.most),
        n_exposed=int(small.sum()),
        n_certain=certain,
        n_sets=cells.n_sets,
        n_few=int((few[0] | few[1]).sum()),
        compared=bool(len(cells.most)),
        unchanged=cells.unchanged,
        findings=findings,
        notes=[*_not_compared(ours, theirs), *_not_asked(models)],
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


def _left_open(model: Model) -> Callable[[Model, np.ndarray, np.ndarray], np.ndarray] | None:
    """How a model is held against what two releases together leave open, where it can be."""
    from amongst.verify.proofs import proof_of

    return getattr(proof_of(model.name), "left_open", None)


def _not_diverse(cells: Cells, models: Sequence[Model], sensitive: Sequence[str]) -> list[Finding]:
    """l-diversity of what is left of the sensitive values."""
    findings = []
    for model in models:
        left_open = _left_open(model)
        if left_open is None:
            continue
        for name in [model.column] if model.column is not None else sensitive:
            if name not in cells.n_values or not len(cells.most):
                continue
            reached = left_open(model, cells.n_values[name], cells.l_of_cell[name])
            low = reached < model.asked * (1 - 1e-12)
            if low.any():
                few = f"fewer than {model.asked:g} values of '{name}'"
                what = f"Together with the earlier release {few} are left for people."
                found = f"in {int(low.sum()):,} of {len(low):,} pairs of classes; the least l is {reached.min():.3g}"
                findings.append(Finding("composition-diversity", what, found, "do not publish both"))
    return findings


def _few_moved(few: Sequence[np.ndarray], k: int) -> list[Finding]:
    """Where the difference of both shows people who came or went, and only a few."""
    findings = []
    for some, code, word in zip(few, ("newcomers", "leavers"), ("came", "went"), strict=True):
        if some.any():
            what = f"The difference of the two releases shows people who {word} in between, and fewer than {k} of them."
            found = f"in {int(some.sum()):,} of {len(some):,} sets of classes that stand for the same people"
            fix = f"publish again only when at least {k} people {word} in every class, or the earlier one unchanged"
            findings.append(Finding(code, what, found, fix))
    return findings


def _values_of_moved(cells: Cells, models: Sequence[Model]) -> list[Finding]:
    """Sensitive values of those who came or went: one alone is known for certain; fewer than l where that was asked."""
    findings = []
    for name in cells.n_values:
        for one, word in ((cells.came, "came"), (cells.went, "went")):
            there = one.n_people > 0
            known = there & (one.n_values[name] == 1)
            if known.any():
                what = f"The difference of the two releases shows the value of '{name}' of people who {word} for sure."
                found = f"in {int(known.sum()):,} of {len(known):,} sets of classes that stand for the same people"
                findings.append(Finding("newcomers-certain", what, found, "do not publish both"))
            for model in models:
                left_open = _left_open(model)
                if left_open is None or model.column not in (None, name):
                    continue
                reached = left_open(model, one.n_values[name], one.l[name])
                low = there & ~known & (reached < model.asked * (1 - 1e-12))
                if low.any():
                    few = f"fewer than {model.asked:g} values of '{name}'"
                    what = f"The difference of the two releases leaves {few} for people who {word}."
                    found = f"in {int(low.sum()):,} of {len(low):,} sets of classes that stand for the same people"
                    findings.append(Finding("newcomers-diversity", what, found, "do not publish both"))
    return findings


def _certain(cells: Cells) -> list[Finding]:
    """One value left for whoever is in a pair of classes, though each of the two classes alone leaves more."""
    findings = []
    for name, left in cells.n_values.items():
        alone = (left == 1) & (cells.values_ours[name] > 1) & (cells.values_theirs[name] > 1)
        if alone.any():
            what = f"Together the two releases leave one value of '{name}' for whoever is in some pairs of classes."
            found = f"{int(alone.sum()):,} of {len(left):,} pairs of classes, each of which leaves more alone"
            findings.append(Finding("composition-certain", what, found, "do not publish both"))
    return findings


def _apart(cells: Cells) -> list[Finding]:
    if len(cells.most):
        return []
    what = "No class of one release can have people in common with one of the other, so nothing was compared."
    fix = "compare releases of the same people, with values that are written alike"
    return [Finding(UNPROVED, what, "0 pairs of classes", fix)]


def _not_all(cells: Cells) -> list[Finding]:
    if cells.all_sets:
        return []
    what = "The classes of both overlap in too many ways to tell whether people who came or went can be seen."
    return [Finding(UNPROVED, what, "", "give the job file with --schema, or compare parts of them")]


def _not_asked(models: Sequence[Model]) -> list[Finding]:
    """Models that two releases together were not held against."""
    others = [model.name for model in models if model.counts != "rows" and _left_open(model) is None]
    if not others:
        return []
    what = "Only k and l are looked at in two releases together: whether the other models still hold is not said."
    return [Finding("models-not-compared", what, ", ".join(dict.fromkeys(others)))]


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
