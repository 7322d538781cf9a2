"""Privacy models: one frozen dataclass each. They say what is asked; searching and proving lie elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
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
from amongst.models.model import Model
from amongst.models.proximity import Proximity
from amongst.models.t_closeness import TCloseness
from amongst.models.weighted_k import WeightedK


def _of_the_folder() -> list[type[Model]]:
    """The models that the files of this folder hold, in the order in which they are shown."""
    files = [import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__)]
    found = [
        one
        for file in files
        for one in vars(file).values()
        if isinstance(one, type) and issubclass(one, Model) and one is not Model and one.__module__ == file.__name__
    ]
    return sorted(found, key=lambda model: (model.place, model.name))


MODELS: dict[str, type[Model]] = {model.name: model for model in _of_the_folder()}
"""Every model by its name: a file in this folder is all there is to registering."""
globals().update({model.__name__: model for model in MODELS.values()})

__all__ = [
    "MODELS",
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
    "WeightedK",
    "beyond_rows",
    "group_size",
    "is_known",
    "model_from_dict",
    "of_population",
    "of_values",
    "smallest_group",
]


def model_from_dict(fields: Mapping[str, Any]) -> Model:
    """A model from the fields of a job file or manifest: ``{"model": "k-anonymity", "k": 10}``."""
    fields = dict(fields)
    name = fields.pop("model", None)
    if not isinstance(name, str) or name not in MODELS:
        raise BadOption(
            f"There is no privacy model {name!r}.", found=f"model = {name!r}", fix="use one of: " + ", ".join(MODELS)
        )
    try:
        return MODELS[name].from_fields(**fields)
    except TypeError:
        raise BadOption(
            f"The fields do not fit the model {name!r}.",
            found="fields: " + ", ".join(sorted(fields)),
            fix=f"write the fields that {MODELS[name].__name__} takes",
        ) from None


def is_known(one: Any) -> bool:
    """Whether something is a model of the register, which can be asked of one table and proved."""
    return isinstance(one, Model) and MODELS.get(one.name) is type(one)


def of_values(models: Sequence[Model]) -> list[Model]:
    """The models of sensitive values: each speaks of one column, or of every sensitive one."""
    return [model for model in models if model.counts == "values"]


def beyond_rows(models: Sequence[Model]) -> list[str]:
    """The names of the models that ask for more than the size of groups."""
    return [model.name for model in models if model.counts != "rows"]


def of_population(models: Sequence[Model]) -> list[Model]:
    """The models that compare with a table of everybody."""
    return [model for model in models if model.counts == "population"]


def smallest_group(models: Sequence[Model]) -> int:
    """The size that every group must have for all the models: their k, and what l or alpha need at the least."""
    return max((model.smallest_group for model in models), default=1)


def group_size(models: Sequence[Model]) -> int:
    """The size of groups that hold all that is asked of rows, for methods that look at all columns only."""
    return max((model.group_size for model in models), default=1)
