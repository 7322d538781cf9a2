"""A privacy model for people who do not read papers: what it means, what it asks, what it leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Field:
    """A number, or a choice, of a model."""

    name: str
    label: str
    least: float | None = None
    most: float | None = None
    step: float = 1
    whole: bool = True
    options: Mapping[Any, str] = field(default_factory=dict)

    def number(self, value: float | None) -> float | int | None:
        """What was typed, as the model wants it."""
        if value is None:
            return None
        return int(value) if self.whole and float(value).is_integer() else float(value)


@dataclass(frozen=True, kw_only=True)
class Card:
    """A model as the page shows it.

    Attributes
    ----------
    title, means, leaves_open : str
    fields : tuple of Field
        What it is asked with, beside a sensitive column and a population.
    first : mapping
        What it begins with when it is chosen.
    common : bool
        Whether it is shown at first, not under more.
    """

    title: str
    means: str
    leaves_open: str
    fields: tuple[Field, ...]
    first: Mapping[str, Any]
    common: bool = False
