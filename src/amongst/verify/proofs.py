"""The proof of every privacy model: one function a model, found here by the model's class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.errors import BadOption
from amongst.models import KAnonymity
from amongst.verify.classes import Classes
from amongst.verify.k_anonymity import k_anonymity
from amongst.verify.verdict import Finding, Reached

Proof = Callable[[Any, Classes], tuple[Reached, list[Finding]]]

PROOFS: dict[type, Proof] = {KAnonymity: k_anonymity}


def prove(models: Sequence[Any], classes: Classes) -> tuple[list[Reached], list[Finding]]:
    """What is reached of every model, and why where it is not enough."""
    reached: list[Reached] = []
    findings: list[Finding] = []
    for model in models:
        outcome, why = PROOFS[type(model)](model, classes)
        reached.append(outcome)
        findings.extend(why)
    return reached, findings


def provable(models: Any) -> list[Any]:
    """The models as a list; raises for those that cannot be proved."""
    models = list(models) if isinstance(models, (list, tuple)) else [models]
    unknown = [type(model).__name__ for model in models if type(model) not in PROOFS]
    if unknown or not models:
        raise BadOption(
            "There is no proof for this privacy model." if unknown else "A privacy model is needed.",
            found=", ".join(unknown) or "no model",
            fix="use some of: " + ", ".join(model.__name__ for model in PROOFS),
        )
    return models
