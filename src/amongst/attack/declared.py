"""What an attack says of itself, and the register that finds attacks by their files."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.attack.finding import Finding


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What an attack is and needs.

    Attributes
    ----------
    name : str
    place : int
        Where it stands among the others; its lots are drawn from it too, so that it finds the same whichever others
        are carried out.
    kind : {"singling out", "linkability", "inference"}
    words : str
        What it tries, in a sentence.
    needs : str
        What must be given beside the release; nothing where the release is enough.
    carry_out : callable
        From an `Intruder` to findings, or to the reasons why there is none.
    """

    name: str
    place: int
    kind: str
    words: str
    carry_out: Callable[[Any], Iterable[Finding | str]]
    needs: str = ""


class Attacks(Mapping[str, Attack]):
    """The attacks by name: each is a file of a folder that says ``ATTACK``; one from elsewhere is put in."""

    def __init__(self, folder: str, on: str = "") -> None:
        self.folder, self.on = folder, on
        self._more: dict[str, Attack] = {}

    @cached_property
    def _own(self) -> dict[str, Attack]:
        files = pkgutil.iter_modules(import_module(self.folder).__path__)
        found = (getattr(import_module(f"{self.folder}.{file.name}"), "ATTACK", None) for file in files)
        return {one.name: one for one in found if isinstance(one, Attack)}

    @property
    def _all(self) -> dict[str, Attack]:
        both = {**self._own, **self._more}
        return dict(sorted(both.items(), key=lambda item: item[1].place))

    def __getitem__(self, name: str) -> Attack:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __setitem__(self, name: str, attack: Attack) -> None:
        self._more[name] = attack

    def __delitem__(self, name: str) -> None:
        del self._more[name]

    def asked(self, attacks: Sequence[str] | None) -> tuple[str, ...]:
        """The attacks that are asked for in the order of the register: all of them where none is named."""
        if attacks is None:
            return tuple(self)
        names = [attacks] if isinstance(attacks, str) else list(attacks)
        unknown = [name for name in names if name not in self]
        if unknown:
            raise BadOption(
                f"There is no such attack{self.on}.",
                found=", ".join(map(repr, unknown)),
                fix="use one of: " + ", ".join(self),
            )
        return tuple(name for name in self if name in names)


ATTACKS = Attacks("amongst.attack")
"""Every attack on a release of one table, in the order in which they are carried out."""
