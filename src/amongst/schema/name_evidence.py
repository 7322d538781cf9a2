"""What a column's name says about its role."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from amongst.schema import name_words

COMPOUND_NUMBER = re.compile(r"(\w{3,}?)(?:nr|nummer)")
"""A number in one word with what it numbers, as in "Kundennr" and "Versichertennummer"."""


@dataclass(frozen=True)
class NameEvidence:
    """A role that a name speaks for, and the subject it speaks of.

    ``weak`` words such as "id" and "code" yield to what the values or other words say.
    """

    role: str
    subject: str
    weak: bool = False

    @property
    def names_people(self) -> bool:
        return self.subject == "a person's name"


def words_of(name: str) -> list[str]:
    """The words of a name in lower case, without accents: "DateOfBirth" is date, of, birth.

    Examples
    --------
    >>> from amongst.schema.name_evidence import words_of
    >>> words_of("Año_de-Nacimiento")
    ['ano', 'de', 'nacimiento']
    """
    name = name.replace("ß", "ss")
    for umlaut, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        name = name.replace(umlaut, plain).replace(umlaut.upper(), plain.capitalize())
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", plain)
    plain = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", plain)
    return re.findall(r"[a-z0-9]+", plain.lower())


def name_evidence(name: str) -> NameEvidence | None:
    """The strongest thing a name says; where two say equally much, the safer role.

    A longer phrase is stronger: "blood pressure date" is no blood pressure.
    """
    words = words_of(name)
    whole = name_words.WHOLE.get("".join(words))
    if whole is not None:
        return NameEvidence(*whole)
    found = [(end - start, start, evidence) for start, end, evidence in _matches(words)]
    strong = [one for one in found if not one[2].weak]
    if strong:
        safety = {"identifier": 2, "quasi": 1, "sensitive": 0}
        return max(strong, key=lambda one: (one[0], safety[one[2].role], one[1]))[2]
    if not found and any(COMPOUND_NUMBER.fullmatch(word) for word in words):
        return NameEvidence("identifier", "an identifier", weak=True)
    return found[0][2] if found else None


def _matches(words: list[str]) -> list[tuple[int, int, NameEvidence]]:
    """Start, end and evidence of every phrase among the words; a phrase may be written as one word."""
    phrases = _phrases()
    matches = []
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            phrase = "".join(words[start:end])
            evidence = phrases.get(phrase) or phrases.get(COMPOUND_NUMBER.sub(r"\1nummer", phrase))
            if evidence is not None:
                matches.append((start, end, evidence))
    return matches


@cache
def _phrases() -> dict[str, NameEvidence]:
    """All phrases, without blanks. Where one stands in two lists, the first list wins."""
    phrases: dict[str, NameEvidence] = {}
    for role, subjects, weak in (
        ("identifier", name_words.IDENTIFIER, False),
        ("quasi", name_words.QUASI, False),
        ("sensitive", name_words.SENSITIVE, False),
        ("identifier", name_words.WEAK_IDENTIFIER, True),
    ):
        for subject, listed in subjects.items():
            for phrase in listed.split(","):
                phrases.setdefault(phrase.replace(" ", ""), NameEvidence(role, subject, weak))
    return phrases
