"""What a column's name says about its role."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from amongst.schema import name_words

COMPOUND_NUMBER = re.compile(r"(\w{3,}?)(?:nr|nummer)")
"""A number in one word with what it numbers, as in "Kundennr" and "Versichertennummer"."""
OF_OTHERS = re.compile(
    r"(?:mother|moth|mom|mum|father|fath|dad|husband|husb|wife|spouse|parent|par|fam|[mfhwsdp])(\w{2,})"
)
"""Somebody of the family before what is told of them: "meduc", "hage", "fatherocc"."""
TOLD_OF_OTHERS = ("ed", "age", "occ", "race", "ht", "wt", "wht", "wte", "whte", "blck", "oth", "othr")
BEGIN_TOLD_OF_OTHERS = ("educ", "college", "hours", "hrs", "employ", "school")
LOGGED = "a logarithm, as of amounts"
LOGARITHM = re.compile(r"(?:(?:log|ln|lg)(\w{3,})|l((?:wage|inc|earn|sal|price|cost|exp|weight|bwght)\w*))")
"""What was taken the logarithm of: "logwage", "lwage"; "last" is none."""
NUMBER_OF = re.compile(r"(\w{3,}?)id")
"""A key in one word with what it is of: "childid"."""
YEAR = re.compile(r"(?:y|yr|year)(?:19|20)?[0-9]{2}")
"""Whether it was in a year: "y94"."""
PARTS_OF_NAMES = ("first", "last", "middle", "surname", "forename")
IN_A_YEAR = re.compile(r"y[0-9]{2}([a-z]{3,})")
"""A year times something else, "y85educ"."""
ENDINGS = {
    re.compile(r"[a-z]{2,}(?<!i)city|[a-z]{2,}(?:rural|urban|metro)"): ("quasi", "a place"),
    re.compile(r"[a-z]{3,}(?:occ|serv|indus)"): ("quasi", "work"),
    re.compile(r"(?:m|mar|marital|civ)(?:stat|status)"): ("quasi", "family"),
    re.compile(r"(?:full|part|over|work)time|emp[a-z]*(?:stat|status)"): ("quasi", "work"),
    re.compile(r"[a-z]{2,}(?:time|stat|status)"): ("sensitive", "how something ended"),
    re.compile(r"[a-z]{1,}dx|dx[a-z]{2,3}(?<!yr)"): ("sensitive", "health"),
    re.compile(r"[a-z]{3,}race"): ("quasi", "origin"),
    re.compile(r"[a-z]+gpa"): ("sensitive", "performance"),
    re.compile(r"[a-z]{3,}(?<!low)inc"): ("sensitive", "money"),
}
"""What words speak of by how they end: "vlgcity", "otherrace", "faminc"."""
SQUARE = re.compile(r"(\w{3,}?)(?:sq|squared|2)")
BETWEEN = frozenset(
    [
        "of",
        "at",
        "in",
        "per",
        "for",
        "from",
        "since",
        "by",
        "to",
        "before",
        "after",
        "during",
        "until",
        "de",
        "du",
        "von",
        "der",
        "des",
        "im",
        "bei",
        "seit",
        "por",
    ]
)
"""Words after which a name goes on about something else: "age at diagnosis" is an age."""
HOW_MANY = re.compile(r"(?:num|nr|no|n|tot)([a-z]{3,})")
"""How many of something, in one word: "nadults", "numdep"."""
COUNTING = ("num", "number", "no", "nr", "n", "nombre", "numero", "anzahl", "count")
"""First words of a name that speak of how many, before others: "num_open_accounts"."""
SAFETY = {"identifier": 2, "quasi": 1, "sensitive": 0, "keep": 0}


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

    There is always one: a name of other signs than letters and digits is a word of its own.

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
    return re.findall(r"[^\W_]+", plain.lower()) or [plain]


def name_evidence(name: str) -> NameEvidence | None:
    """The strongest thing a name says; where two say equally much, the last, which is what the name is of.

    A longer phrase is stronger, and so is what stands before "of", "at" or "per": "blood pressure date" is a date,
    "age at diagnosis" an age, "family income" an income.
    """
    words = words_of(name)
    whole = _whole("".join(words))
    if whole is not None:
        return whole
    if len(words) > 1 and words[-1] in PARTS_OF_NAMES:
        return NameEvidence("identifier", "a person's name", weak=True)
    found = [(end - start, start, evidence) for start, end, evidence in _matches(words)]
    strong = [one for one in found if not one[2].weak]
    if strong:
        cut = next((place for place, word in enumerate(words) if word in BETWEEN and place), len(words))
        return max(strong, key=lambda one: (one[0] > 1, one[1] < cut, one[0], one[1], SAFETY[one[2].role]))[2]
    if not found and any(COMPOUND_NUMBER.fullmatch(word) for word in words):
        return NameEvidence("identifier", "an identifier", weak=True)
    return found[0][2] if found else None


@cache
def is_sampling_weight(name: str) -> bool:
    """Whether a name may be that of a sampling weight: of "weight" alone the values must tell."""
    words = words_of(name)
    listed = {one.strip().replace(" ", "") for one in name_words.SAMPLING.split(",")}
    return bool(words) and ("".join(words) in listed or "".join(words[-2:]) in listed or words[-1] in listed)


def is_weight_of_anything(name: str) -> bool:
    """Whether a name ends in a weight that may as well be that of a body or a thing."""
    *before, last = words_of(name)
    of_a_sample = bool(before) and before[-1] in name_words.OF_A_SAMPLE
    return last in ("weight", "weights", "wt", "wgt") and not of_a_sample


def _matches(words: list[str]) -> list[tuple[int, int, NameEvidence]]:
    """Start, end and evidence of every phrase among the words; a phrase may be written as one word."""
    matches = []
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            evidence = _said("".join(words[start:end]), alone=end - start == 1)
            if evidence is not None:
                matches.append((start, end, evidence))
    return matches


def _said(phrase: str, *, alone: bool) -> NameEvidence | None:
    """What a phrase speaks of; a word alone may be cut short, numbered, squared, or of somebody's mother."""
    phrases = _phrases()
    found = phrases.get(phrase) or phrases.get(COMPOUND_NUMBER.sub(r"\1nummer", phrase))
    if found is not None or not alone:
        return found
    key = NUMBER_OF.fullmatch(phrase)
    if key is not None and (key[1] in phrases or any(key[1].startswith(stem) for stem in _stems())):
        return NameEvidence("identifier", "an identifier", weak=True)
    if YEAR.fullmatch(phrase):
        return NameEvidence("quasi", "a time when something happened to a person")
    bare = phrase.rstrip("0123456789")
    for word in dict.fromkeys((phrase, bare)):
        found = phrases.get(word) if len(word) > 2 else None
        stem = next((stem for stem in _stems() if word.startswith(stem)), None)
        found = found or (None if stem is None else _stems()[stem])
        if found is not None:
            return found
    ended = next((said for ending, said in ENDINGS.items() if ending.fullmatch(bare)), None)
    if ended is not None:
        return NameEvidence(*ended)
    for pattern in (SQUARE, LOGARITHM, IN_A_YEAR):
        cut = pattern.fullmatch(phrase if pattern is SQUARE else bare)
        inner = "" if cut is None else next(part for part in cut.groups() if part)
        found = _said(inner, alone=True) or _whole(inner) if inner else None
        if found is not None and not found.weak:
            return found
        if cut is not None and pattern is LOGARITHM:
            return NameEvidence("sensitive", LOGGED)
    many = HOW_MANY.fullmatch(bare)
    counted = None if many is None else phrases.get(many[1])
    if counted is not None and counted.role in ("quasi", "sensitive"):
        return counted
    others = OF_OTHERS.fullmatch(bare)
    if others is not None and (others[1] in TOLD_OF_OTHERS or others[1].startswith(BEGIN_TOLD_OF_OTHERS)):
        return NameEvidence("quasi", "family")
    return None


def _whole(word: str) -> NameEvidence | None:
    bare = word.rstrip("0123456789")
    found = name_words.WHOLE.get(word) or (name_words.WHOLE.get(bare) if len(bare) > 1 else None)
    return None if found is None else NameEvidence(*found)


@cache
def _phrases() -> dict[str, NameEvidence]:
    """All phrases, without blanks. Where one stands in two lists, the first list wins."""
    return {phrase: evidence for phrase, evidence in _listed().items() if not phrase.endswith("*")}


@cache
def _stems() -> dict[str, NameEvidence]:
    """Beginnings of words, the longest first."""
    stems = {phrase[:-1]: evidence for phrase, evidence in _listed().items() if phrase.endswith("*")}
    return dict(sorted(stems.items(), key=lambda one: -len(one[0])))


@cache
def _listed() -> dict[str, NameEvidence]:
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
