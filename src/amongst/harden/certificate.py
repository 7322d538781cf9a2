"""What came of hardening: promises with what attacks reached, round by round, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kept:
    """One promise at the end: what was asked, and what attacks reached at most (None: there was nothing to attack)."""

    name: str
    words: str
    asked: Any
    reached: float | None
    recomputable: bool

    def to_dict(self, *, public: bool = False) -> dict[str, Any]:
        told = {"promise": self.name, "words": self.words, "asked": self.asked}
        if public and not self.recomputable:
            return told
        return told | {"reached": None if self.reached is None else round(self.reached, 6)}


@dataclass(frozen=True)
class Round:
    """One round: what was changed so far, the loss, and what attacks reached of every promise."""

    changes: tuple[str, ...]
    loss: float | None
    n_classes: int
    reached: dict[str, float | None]
    broken: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        reached = {name: None if value is None else round(value, 6) for name, value in self.reached.items()}
        return {
            "changes": list(self.changes),
            "loss": None if self.loss is None else round(self.loss, 6),
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

    @property
    def words(self) -> list[str]:
        """What was promised and reached, in sentences for the inside."""
        first, last = self.rounds[0], self.rounds[-1]
        told = [f"Hardened in {len(self.rounds)} round{'' if len(self.rounds) == 1 else 's'} of attacks and repairs."]
        told += [f"{one.words} Reached: {_told(one)}." for one in self.kept]
        if first.loss is not None and last.loss is not None and len(self.rounds) > 1:
            told.append(f"Loss: {last.loss:.3f}; without hardening {first.loss:.3f}.")
        return told

    @property
    def public_words(self) -> list[str]:
        """What everybody may read: promises, and what was reached of those that everybody can measure."""
        return [one.words + (f" Reached: {_told(one)}." if one.recomputable else "") for one in self.kept]

    def to_dict(self) -> dict[str, Any]:
        return {
            "promises": [one.to_dict() for one in self.kept],
            "rounds": [one.to_dict() for one in self.rounds],
            "public": [one.to_dict(public=True) for one in self.kept],
        }


def _told(one: Kept) -> str:
    if one.reached is None:
        return "there is nothing to attack"
    if one.name == "likelier":
        return f"{one.reached:.3g} times"
    return f"{one.reached:.2%}" if one.name == "membership" else "none" if one.reached == 0 else f"{one.reached:.1%}"
