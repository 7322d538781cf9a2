"""Full-domain recodings as an intruder sees them: the level of every column, and everybody's group one level lower."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.people import People
from amongst.errors import BadHierarchy
from amongst.published.sensitive_values import own_values
from amongst.published.tally import one_key
from amongst.schema.tree import Tree


def finer_groups(boxes: Boxes, people: People, names: Sequence[str]) -> list[np.ndarray] | None:
    """The groups of everybody in each recoding with one column a level lower; None where levels cannot be read."""
    nodes: list[list[np.ndarray]] = []
    for name in names:
        found = _levels(boxes, people, name)
        if found is None:
            return None
        nodes.append(found)
    groups = []
    for c, found in enumerate(nodes):
        if len(found) > 1:  # the published level first, then the one below
            codes = [other[1] if d == c else other[0] for d, other in enumerate(nodes)]
            groups.append(np.unique(one_key(codes, people.n), return_inverse=True)[1].reshape(-1))
    return groups


def _levels(boxes: Boxes, people: People, name: str) -> list[np.ndarray] | None:
    """Everybody's node at the level that is published, and at the one below where there is one."""
    tree = _tree(boxes, people, name)
    if tree is None:
        return None
    texts = {text for text in boxes.readings[name].texts[0].to_pylist() if text is not None}
    level = next((one for one in range(tree.n_levels) if texts <= set(tree.labels[one].values())), None)
    column = people.column(name)
    assert boxes.made.schema is not None
    own = own_values(column.values, boxes.made.schema[name].kind or "categorical")
    leaf = np.array([tree.code_of_leaf.get(value, -1) for value in own], dtype=np.int64)[column.codes]
    if level is None or (leaf < 0).any():
        return None
    return [tree.start[one][leaf] for one in ((level, level - 1) if level else (level,))]


def _tree(boxes: Boxes, people: People, name: str) -> Tree | None:
    assert boxes.made.schema is not None
    rule = boxes.made.schema[name]
    column = people.column(name)
    if rule.hierarchy is None or name in boxes.made.closed or column.null_like.any():
        return None
    own = own_values(column.values, rule.kind or "categorical")
    try:
        return rule.hierarchy.tree(list(rule.order or sorted(set(own))), rule.kind)
    except (BadHierarchy, ValueError, TypeError):
        return None
