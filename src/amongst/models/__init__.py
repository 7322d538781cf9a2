"""Privacy models: one frozen dataclass each. They say what is asked; searching and proving lie elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.errors import BadOption
from amongst.models.alpha_k import AlphaK
from amongst.models.beta_likeness import BetaLikeness
from amongst.models.delta_disclosure import DeltaDisclosure
from amongst.models.delta_presence import DeltaPresence
from amongst.models.k_anonymity import KAnonymity
from amongst.models.k_map import KMap
from amongst.models.k_of_subsets import KOfSubsets
from amongst.models.l_diversity import LDiversity
from amongst.models.proximity import Proximity
from amongst.models.t_closeness import TCloseness

Model = (
    KAnonymity
    | LDiversity
    | TCloseness
    | AlphaK
    | BetaLikeness
    | DeltaDisclosure
    | Proximity
    | KMap
    | DeltaPresence
    | KOfSubsets
)

MODELS: dict[str, Any] = {
    model.name: model
    for model in (
        KAnonymity,
        LDiversity,
        TCloseness,
        AlphaK,
        BetaLikeness,
        DeltaDisclosure,
        Proximity,
        KMap,
        DeltaPresence,
        KOfSubsets,
    )
}
SENSITIVE = (LDiversity, TCloseness, AlphaK, BetaLikeness, DeltaDisclosure, Proximity)
"""Models of sensitive values: each speaks of one column, or of every sensitive one."""
POPULATION = (KMap, DeltaPresence)
"""Models that compare with a table of everybody."""

__all__ = [
    "MODELS",
    "POPULATION",
    "SENSITIVE",
    "AlphaK",
    "BetaLikeness",
    "DeltaDisclosure",
    "DeltaPresence",
    "KAnonymity",
    "KMap",
    "KOfSubsets",
    "LDiversity",
    "Model",
    "Proximity",
    "TCloseness",
    "model_from_dict",
    "smallest_group",
    "words_of",
]


def model_from_dict(fields: Mapping[str, Any]) -> Model:
    """A model from the fields of a job file or manifest: ``{"model": "k-anonymity", "k": 10}``."""
    fields = dict(fields)
    name = fields.pop("model", None)
    if not isinstance(name, str) or name not in MODELS:
        raise BadOption(
            f"There is no privacy model {name!r}.", found=f"model = {name!r}", fix="use one of: " + ", ".join(MODELS)
        )
    make = getattr(MODELS[name], "from_fields", MODELS[name])
    try:
        model: Model = make(**fields)
    except TypeError:
        raise BadOption(
            f"The fields do not fit the model {name!r}.",
            found="fields: " + ", ".join(sorted(fields)),
            fix=f"write the fields that {MODELS[name].__name__} takes",
        ) from None
    return model


def words_of(model: Model, people: bool) -> str:
    """What a model asks for, in a sentence: of people where these are counted, else of rows."""
    return model.words(people) if isinstance(model, (KAnonymity, LDiversity, AlphaK, KOfSubsets)) else model.words()


def smallest_group(models: Sequence[Model]) -> int:
    """The size that every group must have for all the models: their k, and what l or alpha need at the least."""
    return max((model.smallest_group for model in models), default=1)
