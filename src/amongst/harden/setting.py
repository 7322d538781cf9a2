"""How a release is made, as repairs change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.harden.finer import finer_schema
from amongst.models import Model

if TYPE_CHECKING:
    from amongst.release import Release
    from amongst.request import Request

FOLLOWS_NO_ROW = "regions"
"""The method whose boxes follow counts in nodes and no row."""
LARGER = " rows in every region"


@dataclass(frozen=True, eq=False)
class Setting:
    """A request, and in words what was changed about it."""

    request: Request
    changes: tuple[str, ...] = field(default=())

    @property
    def least(self) -> int:
        """The rows that every region has at least; 0 where there are no regions."""
        return int(self.request.options.get("least", 0)) if self.follows_no_row else 0

    @property
    def follows_no_row(self) -> bool:
        return self.request.method == FOLLOWS_NO_ROW

    def asks(self, model: Model) -> Setting:
        """The same with one more model."""
        return self.with_models([*self.request.models, model], f"asks: {model.words()}")

    def with_models(self, models: Sequence[Model], words: str) -> Setting:
        """The same with other models, and in words what they ask."""
        return Setting(replace(self.request, models=list(models)), (*self.changes, words))

    def without_tight_ranges(self, release: Release, drawn: float) -> Setting:
        """Regions that follow no row, by hierarchies that can be split in two."""
        options: dict[str, Any] = {"least": 0} | ({"drawn": drawn} if drawn else {})
        request = replace(self.request, schema=finer_schema(release), method=FOLLOWS_NO_ROW, options=options)
        words = "publishes regions that follow no row, by nodes of which one stands against all others"
        return Setting(request, (*self.changes, words))

    def with_least(self, least: int) -> Setting:
        """The same with larger regions."""
        request = replace(self.request, options={**self.request.options, "least": least})
        before = [one for one in self.changes if not one.endswith(LARGER)]
        return Setting(request, (*before, f"at least {least:,}{LARGER}"))
