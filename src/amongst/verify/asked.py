"""Models that ask for nothing: every table holds them, so holding them proves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from amongst.models import Model
from amongst.published.finding import Finding


def nothing_asked(models: Sequence[Model]) -> list[Finding]:
    """A note where some of the models, or all, ask for nothing."""
    empty = [model for model in models if model.asks_nothing]
    if not empty:
        return []
    found = ", ".join(f"{model.name} with {model.symbol} = {model.asked:g}" for model in empty)
    if len(empty) < len(models):
        return [Finding("model-asks-nothing", "Every table holds some of the models that were asked for.", found)]
    what = "Nothing was asked: every table holds this, so nothing is proved."
    return [Finding("nothing-asked", what, found, "ask for more, such as k = 10")]
