"""A Chow-Liu tree: the best model of a table's columns in which each depends on one other.

Fitted to a small table it yields tables of any size that keep the pairwise ties along the tree. See
C. Chow and C. Liu, Approximating Discrete Probability Distributions with Dependence Trees, 1968.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.datasets.draw import draw, draw_given


@dataclass(frozen=True, eq=False)
class Branch:
    """A column and the weights of its codes, given the code of its parent.

    Attributes
    ----------
    column, parent : int
        The root is its own parent.
    weights : ndarray, shape (n_codes of the parent, n_codes), or (n_codes,) for the root
    """

    column: int
    parent: int
    weights: np.ndarray


def fit_tree(codes: list[np.ndarray], n_codes: list[int], smoothing: float) -> list[Branch]:
    """The branches in drawing order: a parent comes before its children.

    Parameters
    ----------
    codes : list of ndarray
        The columns of the table to learn from.
    n_codes : list of int
        The number of codes of every column.
    smoothing : float
        This share of the rows ignores the parent and follows the column's own frequencies, so that
        pairs never seen can appear.
    """
    n_columns = len(codes)
    pairs = {
        (a, b): _joint(codes[a], codes[b], n_codes[a], n_codes[b])
        for a in range(n_columns)
        for b in range(n_columns)
        if a != b
    }
    information = {pair: _mutual_information(joint) for pair, joint in pairs.items()}
    branches = [Branch(0, 0, np.bincount(codes[0], minlength=n_codes[0]) / len(codes[0]))]
    reached, rest = [0], set(range(1, n_columns))
    while rest:
        parent, child = max(((a, b) for a in reached for b in sorted(rest)), key=information.__getitem__)
        joint = pairs[parent, child]
        given = joint / joint.sum(axis=1, keepdims=True)
        branches.append(Branch(child, parent, (1 - smoothing) * given + smoothing * joint.sum(axis=0)))
        reached.append(child)
        rest.remove(child)
    return branches


def draw_tree(rng: np.random.Generator, branches: list[Branch], n_rows: int) -> list[np.ndarray]:
    """Codes for every column, drawn from the root down."""
    codes: dict[int, np.ndarray] = {}
    for branch in branches:
        if branch.column == branch.parent:
            codes[branch.column] = draw(rng, branch.weights, n_rows)
        else:
            codes[branch.column] = draw_given(rng, branch.weights, codes[branch.parent])
    return [codes[column] for column in range(len(branches))]


def _joint(a: np.ndarray, b: np.ndarray, n_a: int, n_b: int) -> np.ndarray:
    return np.bincount(a * n_b + b, minlength=n_a * n_b).reshape(n_a, n_b) / len(a)


def _mutual_information(joint: np.ndarray) -> float:
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / apart[seen])).sum())
