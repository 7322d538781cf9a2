"""The register of methods: who looks for one finds its file by its name; nobody keeps a list."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, MutableMapping
from functools import cached_property
from importlib import import_module
from typing import Any

from amongst.errors import BadOption, did_you_mean
from amongst.partition.method import FAMILIES
from amongst.partition.method import Method as Method


class Register(MutableMapping[str, Method]):
    """The methods of some folders by name: each is a file of its own name that says ``METHOD``.

    A method that is asked for by name is imported alone; all are, when somebody asks which there are. One that lives
    elsewhere is put in: ``METHODS[method.name] = method``.
    """

    def __init__(self, *folders: str, words: str = "") -> None:
        self.folders, self.words = folders, words
        self._known: dict[str, Method] = {}

    @cached_property
    def _module_of_file(self) -> dict[str, str]:
        found = {}
        for folder in self.folders:
            for one in pkgutil.iter_modules(import_module(folder).__path__):
                if not one.ispkg:
                    found[one.name] = f"{folder}.{one.name}"
        return found

    def _read(self, file: str) -> None:
        method = getattr(import_module(self._module_of_file[file]), "METHOD", None)
        if isinstance(method, Method):
            self._known.setdefault(method.name, method)

    def __getitem__(self, name: str) -> Method:
        file = str(name).replace("-", "_")
        if name not in self._known and file in self._module_of_file:
            self._read(file)
        return self._known[name]

    def __setitem__(self, name: str, method: Method) -> None:
        self._known[name] = method

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        for file in self._module_of_file:
            self._read(file)
        return iter(sorted((name for name, one in self._known.items() if one.listed), key=self._place))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _place(self, name: str) -> tuple[int, int, str]:
        method, families = self._known[name], list(FAMILIES)
        family = families.index(method.family) if method.family in families else len(families)
        return family, method.place, name

    def names(self, which: Callable[[Method], object]) -> tuple[str, ...]:
        """The names of those for which this holds, in the order of lists."""
        return tuple(name for name, method in self.items() if which(method))

    def find(self, name: str) -> Method:
        """The method of this name, or an error that lists those there are."""
        if name in self:
            return self[name]
        raise BadOption(
            f"There is no method {name!r}{self.words}.",
            found=f"method = {name!r}",
            fix=did_you_mean(name, self) + "use one of: " + ", ".join(self),
        )


METHODS = Register(*(f"amongst.partition.{family}" for family in (*FAMILIES, "applied")))
"""Every method for one table."""

find_method = METHODS.find


def methods() -> list[dict[str, Any]]:
    """What methods there are, what each does, takes and gives.

    Examples
    --------
    >>> import amongst as am
    >>> [method["name"] for method in am.methods()][0]
    'mondrian'
    """
    return [method.to_dict() for method in METHODS.values()]
