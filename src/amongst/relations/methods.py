"""The register of methods for many tables: a plain dict that one can grep."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from amongst.errors import BadOption
from amongst.kernels.relations import Grouped
from amongst.relations.bitmap import bitmap
from amongst.relations.d_miracle import d_miracle
from amongst.relations.miracle import miracle
from amongst.relations.miracle_x import miracle_x

HIDDEN = ("forest", "models", "progress")
PAPER = "Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009"


@dataclass(frozen=True)
class DatabaseMethod:
    """What a method for many tables is, and what it takes."""

    name: str
    run: Callable[..., Grouped]
    words: str
    paper: str = PAPER

    @property
    def options(self) -> dict[str, Any]:
        """The options it takes, with their defaults."""
        parameters = inspect.signature(self.run).parameters
        return {name: p.default for name, p in parameters.items() if name not in HIDDEN and not name.startswith("_")}

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise for an option that the method does not take."""
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            raise BadOption(
                f"The method {self.name!r} does not take every option given.",
                found="not known: " + ", ".join(unknown),
                fix="options it takes: " + (", ".join(self.options) or "none"),
            )


DATABASE_METHODS: dict[str, DatabaseMethod] = {
    method.name: method
    for method in (
        DatabaseMethod(
            "miracle", miracle, "Persons join the closest cluster; rows are paired by all that hangs on them."
        ),
        DatabaseMethod("miracle-x", miracle_x, "As miracle, rows paired by their own values: several times faster."),
        DatabaseMethod("d-miracle", d_miracle, "Small clusters that merge until sensitive values are diverse."),
        DatabaseMethod("bitmap", bitmap, "A bit for everything somebody has; what not all of a group have is gone."),
    )
}


def database_methods() -> list[dict[str, Any]]:
    """What there is for many tables, as plain data.

    Examples
    --------
    >>> import amongst as am
    >>> [method["name"] for method in am.database_methods()]
    ['miracle', 'miracle-x', 'd-miracle', 'bitmap']
    """
    return [
        {"name": method.name, "words": method.words, "options": method.options, "paper": method.paper}
        for method in DATABASE_METHODS.values()
    ]


def find_database_method(name: str) -> DatabaseMethod:
    """A method by name, or an error with a hint."""
    if name in DATABASE_METHODS:
        return DATABASE_METHODS[name]
    near = difflib.get_close_matches(str(name), DATABASE_METHODS, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise BadOption(
        f"There is no method {name!r} for many tables.",
        found=f"method = {name!r}",
        fix=hint + "use one of: " + ", ".join(DATABASE_METHODS),
    )
