"""On every m of the key columns every row is alike with k."""

from __future__ import annotations

import itertools

import amongst as am
from judges import Published, classes


def holds(model: am.KOfSubsets, published: Published) -> bool:
    subsets = itertools.combinations(published.keys, min(model.m, len(published.keys)))
    return all(len(found) >= model.k for subset in subsets for found in classes(published.rows, subset, published.wild))
