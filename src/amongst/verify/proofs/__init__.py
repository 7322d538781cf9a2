"""The proof of every privacy model: a file each, found by the model's name.

A proof looks at what was read from the published table (``Evidence``) and shares no code with a search.
The file has ``prove(model, evidence)``, which says what is reached, and why where that is not enough. It may have
``sql(model, distance)``: what must hold in a class, over its entries (see ``amongst.verify.sql``), None where SQL does
not say it plainly; and ``left_open(model, n_values, l)``: what two releases together leave open, from the number of
values and the l by frequency that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from amongst.errors import BadOption
from amongst.models import MODELS, Model, is_known
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.verdict import Reached

PROOFS: dict[str, Any] = {}
"""The proofs that were looked for, by the names of their models."""


def proof_of(name: str) -> Any:
    """The proof of a model, by its name; None where there is none."""
    if name not in PROOFS:
        file = f"{__name__}.{name.replace('-', '_')}"
        PROOFS[name] = import_module(file) if find_spec(file) is not None else None
    return PROOFS[name]


def prove(models: Sequence[Model], evidence: Evidence) -> tuple[list[Reached], list[Finding]]:
    """What is reached of every model, and why where it is not enough."""
    reached: list[Reached] = []
    findings: list[Finding] = []
    for model in models:
        outcome, why = proof_of(model.name).prove(model, evidence)
        reached.append(outcome)
        findings.extend(why)
    return reached, findings


def provable(models: Any) -> list[Model]:
    """The models as a list; raises for those that cannot be proved."""
    models = list(models) if isinstance(models, (list, tuple)) else [models]
    unknown = [type(one).__name__ for one in models if not is_known(one) or proof_of(one.name) is None]
    if unknown or not models:
        raise BadOption(
            "There is no proof for this privacy model." if unknown else "A privacy model is needed.",
            found=", ".join(unknown) or "no model",
            fix="use some of: " + ", ".join(model.__name__ for model in MODELS.values()),
        )
    return models


def nothing_asked(models: Sequence[Model]) -> list[Finding]:
    """A note where some of the models, or all, ask for nothing: every table holds them, so that proves nothing."""
    empty = [model for model in models if model.asks_nothing]
    if not empty:
        return []
    found = ", ".join(f"{model.name} with {model.symbol} = {model.asked:g}" for model in empty)
    if len(empty) < len(models):
        return [Finding("model-asks-nothing", "Every table holds some of the models that were asked for.", found)]
    what = "Nothing was asked: every table holds this, so nothing is proved."
    return [Finding("nothing-asked", what, found, "ask for more, such as k = 10")]
