"""What came of hardening: promises with what attacks reached, round by round, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kept:
    """One promise at the end: what was asked, and what attacks reached at most (None: there was nothing to attack).

    Where that has an interval, ``looks`` are those of the last attacks, each with fresh lots: the figure, its lower and
    its upper end. The upper ends are what must not be above what is asked.
    """

    name: str
    words: str
    asked: Any
    reached: float | None
    recomputable: bool
    looks: tuple[tuple[float, float, float], ...] = ()

    def to_dict(self, *, public: bool = False) -> dict[str, Any]:
        told = {"promise": self.name, "words": self.words, "asked": self.asked}
        if public and not self.recomputable:
            return told
        looks = [dict(zip(("figure", "lower", "upper"), map(_rounded, one), strict=True)) for one in self.looks]
        return told | {"reached": _rounded(self.reached)} | ({"looks": looks} if looks else {})


@dataclass(frozen=True)
class Round:
    """One round: what was changed so far, the loss, and what attacks reached of every promise."""

    changes: tuple[str, ...]
    loss: float | None
    n_classes: int
    reached: dict[str, float | None]
    broken: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        reached = {name: _rounded(value) for name, value in self.reached.items()}
        return {
            "changes": list(self.changes),
            "loss": _rounded(self.loss),
            "classes": self.n_classes,
            "reached": reached,
            "broken": list(self.broken),
        }


@dataclass(frozen=True)
class Certificate:
    """The loop, and its last attacks.

    What everybody can measure in the published table is in the public part; what needs the original, as who is in it,
    is for the inside.
    """

    kept: tuple[Kept, ...]
    rounds: tuple[Round, ...]
    not_tried: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """What was promised and reached, in sentences for the inside."""
        first, last = self.rounds[0], self.rounds[-1]
        told = [f"Hardened in {len(self.rounds)} round{'' if len(self.rounds) == 1 else 's'} of attacks and repairs."]
        told += [f"{one.words} Reached: {_told(one)}." for one in self.kept]
        if first.loss is not None and last.loss is not None and len(self.rounds) > 1:
            told.append(f"Loss: {last.loss:.3f}; without hardening {first.loss:.3f}.")
        return [*told, *self.not_tried]

    @property
    def public_words(self) -> list[str]:
        """What everybody may read: promises, and what was reached of those that everybody can measure."""
        told = [one.words + (f" Reached: {_told(one)}." if one.recomputable else "") for one in self.kept]
        return [*told, *self.not_tried]

    def to_dict(self) -> dict[str, Any]:
        return {
            "promises": [one.to_dict() for one in self.kept],
            "rounds": [one.to_dict() for one in self.rounds],
            "public": [one.to_dict(public=True) for one in self.kept],
        } | ({"not_tried": list(self.not_tried)} if self.not_tried else {})


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


def _told(one: Kept) -> str:
    if one.reached is None:
        return "there is nothing to attack"
    if one.looks:
        seen = ", then ".join(f"{figure:.2%} ({lower:.2%} to {upper:.2%})" for figure, lower, upper in one.looks)
        return f"{one.reached:.2%} at most; {seen} with fresh lots"
    if one.name == "likelier":
        return f"{one.reached:.3g} times"
    return f"{one.reached:.2%}" if one.name == "membership" else "none" if one.reached == 0 else f"{one.reached:.1%}"
