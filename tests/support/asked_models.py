"""Every privacy model as somebody asks for it first: with what its card in the app begins with."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from amongst.models import Model


def example(model: type[Model], *, population: Any, **more: Any) -> Model:
    """The model with the numbers of its card; of a population where it compares with one."""
    if "population" in {field.name for field in fields(model)}:  # type: ignore[arg-type]
        more["population"] = population
    return model.from_fields(**{**model.card.first, **more})
