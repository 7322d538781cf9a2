"""Proof of k on every few quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from amongst.models import KOfSubsets
from amongst.published.classes import Classes, sizes_on, wild_keys
from amongst.published.finding import Finding
from amongst.published.layout import Layout
from amongst.published.tally import Tally, one_key
from amongst.verify.evidence import Evidence
from amongst.verify.verdict import Reached

FEW_NUMBERS = 1 << 16
"""Classes that could be more are numbered anew."""


def prove(model: KOfSubsets, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Count the rows on every m quasi-identifiers, all that is published of each taken together."""
    layout, rows = evidence.layout, evidence.classes.tally
    names = list(dict.fromkeys(key.quasi for key in layout.keys))
    subsets = list(combinations(names, min(model.m, len(names))))
    if evidence.people is None and not any(wild.any() for wild in wild_keys(layout, rows)):
        smallest = _smallest_classes(layout, rows, subsets)
    else:
        smallest = []
        for subset in subsets:
            keys = [key for key in layout.keys if key.quasi in subset]
            classes = Classes(rows, sizes_on(keys, layout, rows, evidence.classes.size, evidence.people))
            smallest.append(classes.smallest)
    n_subsets, n_failing = len(subsets), sum(size < model.k for size in smallest)
    reached = min(smallest, default=0)
    ok = reached >= model.k or evidence.classes.n_rows == 0
    outcome = Reached(model.name, model.k, reached, ok, model.words(evidence.people is not None))
    if ok:
        return outcome, []
    finding = Finding(
        model.name,
        f"The published table is not {model.k}-anonymous on every {model.m} quasi-identifiers.",
        f"{n_failing:,} of {n_subsets:,} choices of {model.m} columns have smaller classes",
        f"generalize further or suppress their rows; as it is, k = {reached} holds",
    )
    return outcome, [finding]


def _smallest_classes(layout: Layout, rows: Tally, subsets: Sequence[Sequence[str]]) -> list[int]:
    """The fewest rows that are equal on each of some choices of quasi-identifiers, where no cell matches anything."""
    if len(rows.size) == 0:
        return [0] * len(subsets)
    code = {}
    for name in dict.fromkeys(name for subset in subsets for name in subset):
        leaves = [rows.columns[leaf].codes for key in layout.keys if key.quasi == name for leaf in key.leaves]
        code[name] = np.unique(one_key(leaves, len(rows.size)), return_inverse=True)[1].reshape(-1)
    n_codes = {name: int(own.max()) + 1 for name, own in code.items()}
    smallest = []
    for subset in subsets:
        group, n_groups = np.zeros(len(rows.size), dtype=np.int64), 1
        for name in subset:
            group, n_groups = group * n_codes[name] + code[name], n_groups * n_codes[name]
            if n_groups > FEW_NUMBERS:
                numbers, group = np.unique(group, return_inverse=True)
                group, n_groups = group.reshape(-1), len(numbers)
        count = np.bincount(group, weights=rows.size, minlength=n_groups)
        smallest.append(int(count[count > 0].min()))
    return smallest
