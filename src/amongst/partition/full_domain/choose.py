"""Choosing among the generalizations that hold: by height or by any measure of loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from amongst.choices import MEASURES
from amongst.errors import BadOption, did_you_mean
from amongst.measure.at_levels import LevelLoss
from amongst.measure.own_levels import Choice, OwnLoss
from amongst.partition.full_domain.generalizations import Generalizations
from amongst.partition.lattice import Levels

DIGITS = 12
"""Losses that agree in so many decimals are equal: sums of the same numbers differ in their last bits."""


def comparable(loss: Any) -> Any:
    """A loss, or an array of them, such that equal losses are equal to the last bit."""
    return np.round(loss, DIGITS)


def refuse_unknown_choice(choose: Any) -> None:
    """Raise for what is neither a measure, nor prices of levels, nor a function of them."""
    if not callable(choose) and not isinstance(choose, Mapping):
        refuse_unknown_measure(choose)


def losses_by(found: Generalizations, choose: Choice) -> LevelLoss | OwnLoss:
    """What generalizations are compared by: a measure of ours, or one's own."""
    if isinstance(choose, str):
        return LevelLoss(found.sets, choose)
    return OwnLoss(found.columns, found.heights, choose)


def refuse_unknown_measure(name: str) -> None:
    """Raise for a measure that is not known."""
    if isinstance(name, str) and name in MEASURES:
        return
    known = ", ".join(MEASURES) + "; or prices of levels, such as {sex = [0, 10]}"
    raise BadOption(
        f"There is no measure {name!r} to choose by.",
        found=f"choose = {name!r}",
        fix=f"{did_you_mean(name, MEASURES)}use one of: {known}",
    )


def choose_node(found: Generalizations, measure: Choice) -> Levels:
    """The node with the least loss; ties go to the lower height, then to the lower levels of the first columns.

    Measures that add up over columns and rows bound the loss of a node from below without counting it (suppressing
    rows only adds to it), so nodes are looked at in the order of their bound until no bound is below the best.
    """
    refuse_unknown_choice(measure)
    losses = losses_by(found, measure)
    bound = comparable(losses.bounds(found.nodes))
    heights = found.nodes.sum(axis=1)
    order = np.lexsort([*reversed(found.nodes.T), heights, bound])
    best: tuple[float, int, Levels] | None = None
    for place in order:
        node = tuple(map(int, found.nodes[place]))
        if best is not None and (bound[place], int(heights[place]), node) >= best:
            break
        key = (float(comparable(loss_of_node(found, losses, node))), int(heights[place]), node)
        if best is None or key < best:
            best = key
    assert best is not None
    return best[2]


def loss_of_node(found: Generalizations, losses: LevelLoss | OwnLoss, node: Levels) -> float:
    """The loss of a node with its failing classes suppressed."""
    if isinstance(losses, OwnLoss) or (losses.exact_without_counting and found.ask.most_suppressed == 0):
        return losses.bound(node)
    counted = found.sets.scan(tuple(range(len(node))), node)
    return losses.of(counted, found.ask.k)
