"""Refinement: what a wide class cannot hold, since narrower classes would have taken it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import fits_of
from amongst.attack.intruder import NO_ORIGINAL, Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate

MOST_CLASSES = 400


def refinement(boxes: Boxes, original: People, rng: np.random.Generator) -> Finding | str:
    """Strike from wide cells the values that a narrower class would have taken, and see how often that is right.

    Paper: the idea is that of Chhillar, Righi, Sutter, Kornaropoulos, *Exposing Privacy Risks in Anonymizing Clinical
    Data: Combinatorial Refinement Attacks on k-Anonymity Without Auxiliary Information*, arXiv 2509.03350: a method
    that loses as little as it can would have put a record into a narrower class that holds it. They work it out for
    the local recoding of ARX, by a linear program; here the rule is one for all methods whose classes overlap. Where a
    class differs from a wider one in one column alone, and lies within it, the values of the narrower label are struck
    from the wider.

    Choices: it is a guess, not a certainty, as a narrower class may have been kept small; so it is held against the
    original: how many of the narrowed cells still hold the truth, beside what lots would have hit.
    """
    names = comparable(original, boxes, "The original")
    if boxes.group is not None:
        return "two tables publish quasi-identifiers as they are: there is nothing to narrow"
    chosen = np.arange(boxes.n_boxes)
    if len(chosen) > MOST_CLASSES:
        chosen = np.sort(rng.choice(boxes.n_boxes, MOST_CLASSES, replace=False))
    tables = {name: fits_of(boxes, name, original.column(name)) for name in names}
    inside = {name: _inside(fits) for name, (_, fits) in tables.items()}
    own = _class_of_person(boxes, original)
    place = np.full(boxes.n_boxes + 1, -1, dtype=np.int64)  # of a box among the chosen; the last for who is in none
    place[chosen] = np.arange(len(chosen))
    at = np.full(original.n, -1) if own is None else place[own]
    n_cells = n_narrowed = n_judged = n_held = 0
    by_lot = 0.0
    told_columns = []
    for name in names:
        labels, fits = tables[name]
        others = np.ones((len(chosen), boxes.n_boxes), dtype=bool)
        for other in names:
            if other != name:
                own = tables[other][0]
                others &= inside[other][own[chosen]][:, own]  # what the wide class shows there lies in the other's
        within = inside[name].T[labels[chosen]][:, labels] & (labels[chosen][:, None] != labels)
        takes = others & within & ~inside[name][labels[chosen]][:, labels]
        before = fits[labels[chosen]]
        after = before.copy()
        for i in np.flatnonzero(takes.any(axis=1)):
            after[i] &= ~fits[np.unique(labels[takes[i]])].any(axis=0)
        wide = before.sum(axis=1) > 1
        narrowed = wide & (after.sum(axis=1) < before.sum(axis=1)) & after.any(axis=1)
        n_cells += int(boxes.size[chosen][wide].sum())
        if narrowed.any():
            told_columns.append(name)
            n_narrowed += int(boxes.size[chosen][narrowed].sum())
            codes = original.column(name).codes
            count = np.bincount(codes, minlength=after.shape[1]).astype(np.float64)
            chance = (after @ count) / np.maximum(before @ count, 1)
            there = np.flatnonzero((at >= 0) & narrowed[at])
            n_judged += len(there)
            n_held += int(after[at[there], codes[there]].sum())
            by_lot += float(chance[at[there]].sum())
    k = boxes.threshold
    cells = Rate("cells narrowed by guess", float(n_narrowed), max(n_cells, n_narrowed), k)
    right = Rate("narrowed cells that hold the truth", float(n_held), n_judged, k)
    lots = by_lot / n_judged if n_judged else 0.0
    told = [f"Narrowed: {cells.words} generalized cells" + (f", in {listed(told_columns)}." if told_columns else ".")]
    if n_judged:
        told.append(f"Of these hold the truth: {right.words} that were looked at; lots would have hit {lots:.1%}.")
    return Finding(
        attack="refinement",
        kind="singling out",
        title="Narrowing wide classes by narrower ones",
        knows="The release, the hierarchies, and that a method loses no more than it must.",
        works="Values that a class within a wider one would have taken are struck from the wider one. Tried for "
        f"{len(chosen):,} of {boxes.n_boxes:,} classes.",
        achieved=tuple(told),
        lower="Classes that do not overlap: one region for everybody, as nodes of a hierarchy or cells of a grid.",
        succeeded=n_narrowed > 0 and (n_judged == 0 or right.interval[0] > lots),
        rates=(cells, right),
        figures={"columns": told_columns, "by_lot": round(lots, 6) if n_judged else None},
        paper="after Chhillar et al.: Combinatorial Refinement Attacks on k-Anonymity, arXiv 2509.03350",
    )


def _inside(fits: np.ndarray) -> np.ndarray:
    """Which labels (down) stand for nothing that another (across) does not stand for."""
    numbers = fits.astype(np.float32)
    return np.asarray(numbers @ numbers.T >= numbers.sum(axis=1, keepdims=True) - 0.5)


def _class_of_person(boxes: Boxes, original: People) -> np.ndarray | None:
    """The box that everybody's record lies in, where the release is in memory and says so; -1 for who is in none."""
    release = boxes.made.release
    if release is None or release.form != "labels" or len(release.plan.class_of_row) != original.n_all:
        return None
    names = boxes.names
    shown = [boxes.readings[name].texts[0].take(pa.array(boxes.readings[name].columns[0].codes)) for name in names]
    number = {labels: box for box, labels in enumerate(zip(*(one.to_pylist() for one in shown), strict=True))}
    classes = release.plan.classes
    if any(name not in classes.column_names for name in names):
        return None
    texts = [classes.column(name).cast(pa.string()).to_pylist() for name in names]
    box_of_class = np.array([number.get(labels, -1) for labels in zip(*texts, strict=True)], dtype=np.int64)
    own = release.plan.class_of_row[original.row]
    return np.where(own >= 0, box_of_class[own], -1)


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    if intruder.original is None:
        yield NO_ORIGINAL
    else:
        yield refinement(intruder.boxes, intruder.original.sample(intruder.most, intruder.rng), intruder.rng)


ATTACK = Attack(
    name="refinement",
    place=18,
    kind="singling out",
    words="Strikes from wide classes what narrower ones would have taken.",
    needs="the original",
    carry_out=_carry_out,
)
