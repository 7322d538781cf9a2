"""Downcoding: narrowing published boxes by knowing how they are made, without any outside data."""

from __future__ import annotations

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.rate import Rate
from amongst.errors import BadHierarchy
from amongst.partition.methods import METHODS
from amongst.published.readings import Reading
from amongst.schema.column import Column


def downcoding(boxes: Boxes) -> Finding | str:
    """Count the generalized cells that can be replaced by narrower ones for sure.

    Paper: Cohen: *Attacks on Deidentification's Defenses*, USENIX Security 2022, section 4: a release is downcoded when
    some of its generalization is undone, with certainty, from the release alone. Methods that generalize no more than
    needed invite that.

    Three rules of methods that publish the least box of a group: a range begins and ends at somebody's value, so one
    record has the lower end and one the upper; every member of a set is somebody's; and a node of a hierarchy with two
    children has somebody below each, or a lower node would have been published. With a published mean the last unknown
    value of a class follows from the others. Which record it is does not matter: records of a class are alike.
    """
    if boxes.made.method is None and not boxes.made.attained and boxes.group is None:
        return "how it was made is not known: there is no manifest beside it"
    generalized = narrowed = 0
    whole = np.zeros(boxes.n_boxes, dtype=bool)
    told_columns = []
    for name, reading in boxes.readings.items():
        wide, sure = _sure(boxes, name, reading)
        told = np.where(wide, np.minimum(sure, boxes.size), 0)
        if _has_mean(boxes, name):
            told = np.where(wide & (told == boxes.size - 1), boxes.size, told)
        generalized += int(boxes.size[wide].sum())
        narrowed += int(told.sum())
        whole |= wide & (told == boxes.size)
        if told.any():
            told_columns.append(name)
    if boxes.group is not None:
        return "two tables publish quasi-identifiers as they are: there is nothing to narrow"
    k = boxes.threshold
    cells = Rate("generalized cells narrowed", float(narrowed), generalized, k, sampled=False)
    people = Rate(
        "in classes reconstructed in a column", float(boxes.size[whole].sum()), boxes.n_records, k, sampled=False
    )
    achieved = [
        f"Narrowed for sure: {cells.words} generalized cells"
        + (f", in {listed(told_columns)}." if told_columns else ".")
    ]
    achieved.append(
        f"In classes whose values of a column are all known, but for whose is whose: {people.words} people."
    )
    if generalized == 0:
        achieved = ["Nothing is generalized, so there is nothing to narrow."]
    return Finding(
        attack="downcoding",
        kind="singling out",
        title="Narrowing boxes by knowing the method",
        knows="The release, the hierarchies, and how the method"
        + (f" ({boxes.made.method})" if boxes.made.method else "")
        + " makes boxes: many publish the least that holds a group.",
        works="Ends of ranges and members of sets must occur in the class; a node of two children has somebody "
        "below each. As many records of the class are given these values.",
        achieved=tuple(achieved),
        lower="Publish on a grid, or nodes of a hierarchy, instead of tight ranges; no means with a small k; a "
        "larger k.",
        succeeded=narrowed > 0,
        rates=(cells, people),
        figures={"columns": told_columns},
        paper="Cohen: Attacks on Deidentification's Defenses, USENIX Security 2022",
    )


def _sure(boxes: Boxes, name: str, reading: Reading) -> tuple[np.ndarray, np.ndarray]:
    """Which boxes have more than one value in a column, and how many of their records' values are known for sure."""
    labels, codes = reading.labels[0], reading.columns[0].codes
    tight = name in boxes.made.attained
    if reading.key.form == "bounds":
        low, high = labels.lo[codes], reading.labels[-1].lo[reading.columns[-1].codes]
        wide = ~(low == high)
        return wide, np.where(tight & (low < high), 2, 0)
    members = np.zeros(len(labels.lo), dtype=np.int64)
    for at in np.flatnonzero(labels.are("set")).tolist():
        members[at] = len(set(labels.members[at]))
    value = labels.are("value") | labels.are("null")
    sure = np.where(labels.are("range") & (labels.lo < labels.hi), 2, 0)
    sure = np.where(labels.are("set"), members, sure) if tight else np.zeros(len(sure), dtype=np.int64)
    point = value | (labels.are("range") & (labels.lo == labels.hi))
    tree = _children(boxes, name)
    if tree is not None:
        texts = reading.texts[0].to_pylist()
        n_children = np.array([tree.get(text or "", 0) for text in texts], dtype=np.int64)
        point |= np.array([text in tree and tree[text] == 0 for text in texts], dtype=bool)
        if _least_nodes(boxes):
            sure = np.where(~point & (n_children == 2), 2, sure)
    return ~point[codes], sure[codes]


def _children(boxes: Boxes, name: str) -> dict[str, int] | None:
    """The number of children of every node of a column's tree, by its label; 0 for leaves."""
    assert boxes.made.schema is not None
    rule = boxes.made.schema[name] if name in boxes.made.schema else Column()
    if rule.hierarchy is None or name in boxes.made.closed:
        return None
    try:
        tree = rule.hierarchy.tree(list(rule.order or ()), rule.kind)  # its leaves are listed, not guessed
    except (BadHierarchy, ValueError, TypeError):
        return None
    found: dict[str, int] = {}
    for level in range(tree.n_levels - 1, -1, -1):
        for first, label in tree.labels[level].items():
            last = int(tree.end[level, first])
            # A node with one child repeats it: what counts is the first level below with several.
            below = [len(np.unique(tree.start[lower, first : last + 1])) for lower in range(level - 1, -1, -1)]
            several = [n for n in below if n > 1]
            found[label] = several[0] if several else 0
    return found


def _least_nodes(boxes: Boxes) -> bool:
    """Whether nodes are the lowest that hold a class, and not those of a level, a cut or a region."""
    method = METHODS.get(boxes.made.method or "")
    return bool(boxes.made.attained) if method is None else method.tight


def _has_mean(boxes: Boxes, name: str) -> bool:
    schema = boxes.made.schema
    return schema is not None and name in schema and "mean" in schema[name].statistic and name in boxes.made.attained


ATTACK = Attack(
    name="downcoding",
    place=3,
    kind="singling out",
    words="Narrows published cells by knowing the method.",
    carry_out=lambda intruder: [downcoding(intruder.boxes)],
)
