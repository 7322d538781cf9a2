"""The context of a release: for whom and what it is, who could attack, and how much risk is borne, and why.

It selects attacks and a threshold; whether these are right is for people to decide. Presets are facts with their
source, never a claim that a release complies with anything.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from amongst.attack.declared import ATTACKS
from amongst.errors import BadOption

ACCESS: Mapping[str, tuple[str, ...]] = {
    "public": (),
    "contract": ("linkage", "linkability"),
    "secure room": ("linkage", "linkability", "composition", "newcomers", "presence"),
}
"""Who gets at it, and which attacks are then left out: under contract nobody may bring other tables to it, in a secure
room nobody can, and no other release either."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A figure that others use, what it is about, and where that can be looked up; what is on a list, in our words."""

    threshold: float | None
    words: str
    source: str
    items: tuple[str, ...] = ()


SAFE_HARBOR = (
    "names",
    "areas smaller than a state; the first three digits of a zip code may stay where they stand for more than 20,000 "
    "people, and become 000 elsewhere",
    "all parts of dates about a person but the year, and the year too where it tells an age over 89; such ages become "
    "90 or more",
    "telephone numbers",
    "fax numbers",
    "addresses of electronic mail",
    "social security numbers",
    "numbers of medical records",
    "numbers of members of a health plan",
    "account numbers",
    "numbers of certificates and licences",
    "vehicles: serial numbers and plates",
    "devices: identifiers and serial numbers",
    "web addresses",
    "internet protocol addresses",
    "biometric identifiers, finger and voice prints among them",
    "full-face photographs and images like them",
    "any other number, characteristic or code that is one person's alone",
)

PRESETS: Mapping[str, Preset] = {
    "cell size 5": Preset(
        threshold=1 / 5,
        words="no fewer than 5 people share what is told, a chance of being found of at most 0.2",
        source="El Emam, Guide to the De-Identification of Personal Health Information, CRC Press 2013, chapter on "
        "cell size precedents",
    ),
    "cell size 10": Preset(
        threshold=1 / 10,
        words="statistics of fewer than 10 people are not shown, as in CDC WONDER",
        source="Tiwari, Beyer, Rushton: The Impact of Data Suppression on Local Mortality Rates: The Case of CDC "
        "WONDER, American Journal of Public Health 104 (2014)",
    ),
    "cms": Preset(
        threshold=1 / 11,
        words="no count of people from 1 to 10 is shown, nor can one be worked out",
        source="Centers for Medicare and Medicaid Services, cell size suppression policy, version of 26 January 2024 "
        "(resdac.org)",
    ),
    "ema": Preset(
        threshold=0.09,
        words="a chance of being found of at most 0.09 for everybody in a public release",
        source="European Medicines Agency, external guidance on the implementation of policy 0070 (EMA/90915/2016)",
    ),
    "0.05": Preset(
        threshold=0.05,
        words="a chance of being found of at most 0.05, as asked of a public file of hospital stays",
        source="El Emam, Paton, Dankar, Koru: De-identifying a public use microdata file from the Canadian national "
        "discharge abstract database, BMC Medical Informatics and Decision Making 11:53 (2011)",
    ),
    "hipaa safe harbor": Preset(
        threshold=None,
        words=f"a list of {len(SAFE_HARBOR)} kinds of identifiers that are taken out, of the person and of relatives, "
        "employers and household; it names no chance of being found, and what is known of the rest counts as well",
        source="45 CFR 164.514(b)(2)",
        items=SAFE_HARBOR,
    ),
}
"""Facts about others. Whether a release is what these ask for is not told: that is for people to say."""


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
    reasons : mapping of str to str
        Of quasi-identifiers why each is one, and why it is published as it is: who could know it.
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
    reasons: Mapping[str, str] = field(default_factory=dict)
    preset: str | None = None
    attacks: Sequence[str] = ()
    author: str = ""
    date: str = ""
    valid_until: str = ""

    def __post_init__(self) -> None:
        for name in ("attackers", "knows", "attacks"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "reasons", dict(self.reasons))
        wrong = [f"access = {self.access!r}"] if self.access not in ACCESS else []
        wrong += [f"preset = {self.preset!r}"] if self.preset is not None and self.preset not in PRESETS else []
        wrong += [f"attack {name!r}" for name in self.attacks if name not in ATTACKS]
        wrong += [] if self.threshold is None or 0 < self.threshold <= 1 else [f"threshold = {self.threshold!r}"]
        wrong += [f"{name} = {text!r}" for name in ("date", "valid_until") if not _is_day(text := getattr(self, name))]
        wrong += [f"no text as the reason of {name!r}" for name, text in self.reasons.items() if not _is_text(text)]
        if self.most is not None and not self.reason:
            wrong.append("a threshold without a reason")
        if wrong:
            raise BadOption(
                "This review cannot be used.",
                found=wrong,
                fix="access: " + ", ".join(ACCESS) + "; preset: " + ", ".join(PRESETS) + "; attacks as amongst attack "
                "names them; threshold above 0 and at most 1, with a reason; reasons of columns as texts; "
                "dates such as 2026-11-16",
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
        told += [f"Why {name!r} is known to others: {text.rstrip('.')}." for name, text in self.reasons.items()]
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


def _is_text(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _is_day(text: str) -> bool:
    try:
        return not text or bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False
