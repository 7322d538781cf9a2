"""The context of a release: for whom and what it is, who could attack, and how much risk is borne, and why.

It selects attacks and a threshold; whether these are right is for people to decide. Presets are facts with their
source, never a claim that a release complies with anything.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from amongst.attack.declared import ATTACKS
from amongst.errors import BadOption

ACCESS: Mapping[str, tuple[str, ...]] = {
    "public": (),
    "contract": ("linkage", "linkability"),
    "secure room": ("linkage", "linkability", "composition", "newcomers"),
}
"""Who gets at it, and which attacks are then left out: under contract nobody may bring other tables to it, in a secure
room nobody can, and no other release either."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A figure that others use, what it is about, and where that can be looked up."""

    threshold: float | None
    words: str
    source: str


PRESETS: Mapping[str, Preset] = {
    "ema": Preset(
        threshold=0.09,
        words="a chance of being found of at most 0.09 for everybody",
        source="European Medicines Agency, external guidance on the implementation of policy 0070 (EMA/90915/2016)",
    ),
    "cms": Preset(
        threshold=1 / 11,
        words="no count of people below 11 is shown",
        source="Centers for Medicare and Medicaid Services, cell size suppression policy",
    ),
    "hipaa safe harbor": Preset(
        threshold=None,
        words="a list of 18 kinds of identifiers that are taken out, among them all parts of dates but the year, ages "
        "over 89, and the last digits of zip codes; it names no chance of being found",
        source="45 CFR 164.514(b)(2)",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Review:
    """What ``[review]`` of a job file says.

    Parameters
    ----------
    purpose, recipient : str
    access : {"public", "contract", "secure room"}
    attackers, knows : sequence of str
        Who could attack, and what they know, in words.
    threshold : float, optional
        The largest chance of being found that is borne, 0 to 1; or that of the preset.
    reason : str
        Why that threshold.
    preset : str, optional
        One of ``PRESETS``.
    attacks : sequence of str
        Which attacks to carry out; left out, those that the access leaves.
    author, date, valid_until : str
        Dates as 2026-11-16.

    Examples
    --------
    >>> from amongst.review import Review
    >>> review = Review(access="secure room", preset="ema", reason="as the agency has it")
    >>> review.most, "linkage" in review.chosen, "homogeneity" in review.chosen
    (0.09, False, True)
    """

    purpose: str = ""
    recipient: str = ""
    access: str = "public"
    attackers: Sequence[str] = ()
    knows: Sequence[str] = ()
    threshold: float | None = None
    reason: str = ""
    preset: str | None = None
    attacks: Sequence[str] = ()
    author: str = ""
    date: str = ""
    valid_until: str = ""

    def __post_init__(self) -> None:
        for name in ("attackers", "knows", "attacks"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        wrong = [f"access = {self.access!r}"] if self.access not in ACCESS else []
        wrong += [f"preset = {self.preset!r}"] if self.preset is not None and self.preset not in PRESETS else []
        wrong += [f"attack {name!r}" for name in self.attacks if name not in ATTACKS]
        wrong += [] if self.threshold is None or 0 < self.threshold <= 1 else [f"threshold = {self.threshold!r}"]
        wrong += [f"{name} = {text!r}" for name in ("date", "valid_until") if not _is_day(text := getattr(self, name))]
        if self.most is not None and not self.reason:
            wrong.append("a threshold without a reason")
        if wrong:
            raise BadOption(
                "This review cannot be used.",
                found=wrong,
                fix="access: " + ", ".join(ACCESS) + "; preset: " + ", ".join(PRESETS) + "; attacks as amongst attack "
                "names them; threshold above 0 and at most 1, with a reason; dates such as 2026-11-16",
            )

    @property
    def most(self) -> float | None:
        """The largest chance of being found that is borne; None where nothing was said."""
        if self.threshold is not None:
            return self.threshold
        known = PRESETS.get(self.preset or "")
        return None if known is None else known.threshold

    @property
    def chosen(self) -> list[str]:
        """The attacks that are carried out."""
        left_out = ACCESS.get(self.access, ())
        return list(self.attacks) or [name for name in ATTACKS if name not in left_out]

    def holds(self, chance: float | None) -> bool | None:
        """Whether the largest chance of being found is borne; None where it was not measured, or nothing was said."""
        return None if self.most is None or chance is None else chance <= self.most * (1 + 1e-12)

    @property
    def words(self) -> list[str]:
        """The context in sentences."""
        told = [f"Purpose: {self.purpose}."] if self.purpose else []
        told.append(f"Recipient: {self.recipient or 'not told'}; access: {self.access}.")
        told += [f"Who could attack: {'; '.join(self.attackers)}."] if self.attackers else []
        told += [f"What they know: {'; '.join(self.knows)}."] if self.knows else []
        if self.most is not None:
            told.append(f"A chance of being found of at most {self.most:.3g} is borne: {self.reason.rstrip('.')}.")
        if self.preset is not None:
            told.append(f"Taken from elsewhere: {PRESETS[self.preset].words} ({PRESETS[self.preset].source}).")
        left_out = [name for name in ATTACKS if name not in self.chosen]
        told.append(f"Attacks left out for this access: {', '.join(left_out) or 'none'}.")
        until = f", valid until {self.valid_until}" if self.valid_until else ""
        told += [f"Reviewed by {self.author or 'nobody named'}{f' on {self.date}' if self.date else ''}{until}."]
        return told

    def to_dict(self) -> dict[str, Any]:
        """The fields of ``[review]``, without what is as usual."""
        usual = Review()
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        told = {name: value for name, value in told.items() if value != getattr(usual, name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}


def _is_day(text: str) -> bool:
    try:
        return not text or bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False
