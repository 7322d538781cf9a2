"""The proof of every privacy model: one function a model, found here by the model's class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.errors import BadOption
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
from amongst.verify.evidence import Evidence
from amongst.verify.k_anonymity import k_anonymity
from amongst.verify.k_of_subsets import k_of_subsets
from amongst.verify.l_diversity import l_diversity
from amongst.verify.likeness import alpha_k, beta_likeness, delta_disclosure
from amongst.verify.presence import delta_presence, k_map
from amongst.verify.proximity import proximity
from amongst.verify.t_closeness import t_closeness
from amongst.verify.verdict import Reached

Proof = Callable[[Any, Evidence], tuple[Reached, list[Finding]]]

PROOFS: dict[type, Proof] = {
    KAnonymity: k_anonymity,
    LDiversity: l_diversity,
    TCloseness: t_closeness,
    AlphaK: alpha_k,
    BetaLikeness: beta_likeness,
    DeltaDisclosure: delta_disclosure,
    Proximity: proximity,
    KMap: k_map,
    DeltaPresence: delta_presence,
    KOfSubsets: k_of_subsets,
}


def prove(models: Sequence[Any], evidence: Evidence) -> tuple[list[Reached], list[Finding]]:
    """What is reached of every model, and why where it is not enough."""
    reached: list[Reached] = []
    findings: list[Finding] = []
    for model in models:
        outcome, why = PROOFS[type(model)](model, evidence)
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
