"""Privacy models: one frozen dataclass each. They say what is asked; searching and proving lie elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.errors import BadOption
from amongst.models.k_anonymity import KAnonymity

MODELS = {KAnonymity.name: KAnonymity}

Model = KAnonymity

__all__ = ["MODELS", "KAnonymity", "Model", "model_from_dict", "smallest_group"]


def model_from_dict(fields: Mapping[str, Any]) -> Model:
    """A model from the fields of a job file or manifest: ``{"model": "k-anonymity", "k": 10}``."""
    fields = dict(fields)
    name = fields.pop("model", None)
    if name not in MODELS:
        raise BadOption(
            f"There is no privacy model {name!r}.", found=f"model = {name!r}", fix="use one of: " + ", ".join(MODELS)
        )
    try:
        return MODELS[name](**fields)
    except TypeError:
        raise BadOption(
            f"The fields do not fit the model {name!r}.",
            found="fields: " + ", ".join(sorted(fields)),
            fix=f"write the fields that {MODELS[name].__name__} takes",
        ) from None


def smallest_group(models: Sequence[Model]) -> int:
    """The size every group must have for the k of all the models."""
    return max((model.k for model in models if isinstance(model, KAnonymity)), default=1)
