"""Models that ask for nothing: every table holds them, so holding them proves nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from amongst.models import (
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    KAnonymity,
    KMap,
    KOfSubsets,
    LDiversity,
    Proximity,
    TCloseness,
)
from amongst.published.finding import Finding

_ASKS_NOTHING: dict[type, Callable[[Any], bool]] = {
    KAnonymity: lambda model: model.k <= 1,
    KOfSubsets: lambda model: model.k <= 1,
    KMap: lambda model: model.k <= 1,
    LDiversity: lambda model: model.l <= 1 and (model.kind != "recursive" or model.c > 1),
    TCloseness: lambda model: model.t >= 1,
    AlphaK: lambda model: model.alpha >= 1 and model.k <= 1,
    BetaLikeness: lambda model: not model.enhanced and math.isinf(model.beta),
    DeltaDisclosure: lambda model: math.isinf(model.delta) and model.absent != "counted",
    DeltaPresence: lambda model: model.lower <= 0 and model.upper >= 1,
    Proximity: lambda model: model.l <= 1,
}


def asks_nothing(model: Any) -> bool:
    """Whether every table holds a model, or for a population everyone of people who are in it."""
    return _ASKS_NOTHING[type(model)](model)


def nothing_asked(models: Sequence[Any]) -> list[Finding]:
    """A note where some of the models, or all, ask for nothing."""
    empty = [model for model in models if asks_nothing(model)]
    if not empty:
        return []
    found = ", ".join(f"{model.name} with {model.symbol} = {model.asked:g}" for model in empty)
    if len(empty) < len(models):
        return [Finding("model-asks-nothing", "Every table holds some of the models that were asked for.", found)]
    what = "Nothing was asked: every table holds this, so nothing is proved."
    return [Finding("nothing-asked", what, found, "ask for more, such as k = 10")]
