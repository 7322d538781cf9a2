"""Words that stand in cells and tell what a column is, whatever its name: he and she, married and single."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from amongst.read.usual_texts import MISSING
from amongst.schema.person_names import plain_letters

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES = 60
"""A column with more different texts is none of these categories."""
SHARE = 0.75
MOST_SPELLINGS = 5_000
"""More different texts are no categories."""
NUMBERED = re.compile(r"^\s*[(\[]?\d{1,2}[.)\]_: -]+\s*")
"""A number before a word: "1. Married", "2_male"."""

WORDS = {
    "sex or gender": (
        "m, f, male, female, man, woman, men, women, boy, girl, boys, girls, w, mann, frau, maennlich, männlich, "
        "weiblich, homme, femme, masculin, féminin, feminin, hombre, mujer, masculino, femenino, varon, divers"
    ),
    "family": (
        "single, married, divorced, widowed, widow, separated, never married, unmarried, cohabiting, partnered, "
        "not married, nevmarr, separtd, civil partnership, ledig, verheiratet, geschieden, verwitwet, getrennt, "
        "célibataire, celibataire, marié, marie, divorcé, divorce, veuf, veuve, soltero, casado, divorciado, "
        "viudo, husband, wife, own child, not in family, other relative"
    ),
    "origin": (
        "white, black, asian, hispanic, latino, caucasian, african american, african-american, native american, "
        "american indian, pacific islander, mixed, mixed race, non white, non-white, nonwhite, not white, cauc, "
        "afam, hisp, white non hispanic, black non hispanic, arab, indigenous, native hawaiian"
    ),
    "education": (
        "high school, hs, some college, college, bachelor, bachelors, master, masters, doctorate, phd, associate, "
        "associates, college graduate, college grad, hs grad, hs graduate, high school graduate, less than high "
        "school, primary, secondary, tertiary, postgraduate, graduate, elementary, advanced degree, hauptschule, "
        "freshman, sophomore, junior, senior, first year, second year, third year, fourth year, "
        "realschule, gymnasium, abitur, hochschule, bac, licence, primaria, secundaria, universitaria"
    ),
    "work": (
        "employed, unemployed, retired, student, self employed, self-employed, full time, part time, full-time, "
        "part-time, fulltime, parttime, homemaker, housewife, not in labor force, worker, manager, angestellt, "
        "arbeitslos, rentner, selbststaendig, hausfrau, schueler, beamter"
    ),
    "belief and opinion": (
        "agree, disagree, strongly agree, strongly disagree, agree strongly, disagree strongly, somewhat agree, "
        "somewhat disagree, neutral, neither, neither agree nor disagree, undecided, favor, favour, oppose, "
        "favor increase, no increase, strongly favor, strongly oppose, support, against, in favor, approve, "
        "disapprove, satisfied, dissatisfied, very satisfied, very dissatisfied, zufrieden, unzufrieden, stimme zu, "
        "stimme nicht zu, d'accord, pas d'accord, de acuerdo, en desacuerdo, trust, distrust, democrat, republican, "
        "independent, liberal, conservative, moderate, slightly liberal, slightly conservative"
    ),
    "health": (
        "placebo, treatment, treated, untreated, drug, drug 1, drug 2, active, present, absent, benign, malignant, "
        "mild, severe, low risk, medium risk, high risk, healthy, ill, sick, case, gesund, krank, sain, malade, sano, "
        "enfermo, smoker, non-smoker, nonsmoker, former smoker, current smoker, ex-smoker, alive, dead, deceased"
    ),
    "housing": ("own, rent, owner, renter, mortgage, owned, rented, tenant, for free"),
}
NOTHING = ("none", "nil")
"""Words for missing that are answers in a column of texts: no support, no side effects."""
SENSITIVE = ("belief and opinion", "health")
"""Subjects of words that others do not know of a person."""
YES_OR_NO = (
    "yes, no, y, n, true, false, t, f, ja, nein, oui, non, si, sí, none, some, never, ever, 0, 1, pos, neg, positive, "
    "negative, normal, abnormal, unknown, na"
)


def speaks_of(distinct: pa.Array) -> str | None:
    """The subject that texts speak of when nearly all of them are its words, or None.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.value_words import speaks_of
    >>> speaks_of(pa.array(["1. Never Married", "2. Married", "3. Widowed"]))
    'family'
    """
    if not 2 <= len(distinct) <= MOST_VALUES:
        return None
    texts = {_plain(text) for text in distinct.to_pylist()} - {"", "unknown", "other", "missing", "na", "unbekannt"}
    for subject, words in _sets().items():
        fit = len(texts & words)
        if fit >= 2 and fit >= SHARE * len(texts):
            return subject
    return None


def subject_of(words: list[str]) -> str | None:
    """The subject of the words of a name that could stand in a cell: "junior" of a column of 0 and 1."""
    found = [subject for subject, listed in _sets().items() if " ".join(words) in listed]
    return found[0] if found and len(words[0]) > 2 else None


def is_yes_or_no(distinct: pa.Array) -> bool:
    """Whether the texts are yes and no in some form."""
    return len(distinct) <= 3 and {_plain(text) for text in distinct.to_pylist()} <= _words(YES_OR_NO) | {""}


def words_for_missing(distinct: pa.Array) -> list[str]:
    """The texts that people write where nothing is known, in a column of others; none are told of yes and no.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.value_words import words_for_missing
    >>> words_for_missing(pa.array(["m", "w", "-", "k.A."]))
    ['-', 'k.A.']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not 3 <= len(distinct) <= MOST_SPELLINGS or is_yes_or_no(distinct):
        return []
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(distinct))
    told = pc.and_not(pc.match_substring_regex(plain, MISSING), pc.is_in(plain, pa.array(NOTHING)))
    found = distinct.filter(told)
    return sorted(found.to_pylist()) if len(found) < len(distinct) - 1 else []


def n_spelled_otherwise(distinct: pa.Array) -> int:
    """How many texts differ from another one only in case, blanks, accents or punctuation.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.value_words import n_spelled_otherwise
    >>> n_spelled_otherwise(pa.array(["Köln", "koeln ", "Bonn"]))
    1
    """
    import pyarrow.compute as pc

    if len(distinct) > MOST_SPELLINGS:
        return 0
    folded = pc.replace_substring_regex(pc.utf8_lower(plain_letters(distinct)), r"[^a-z0-9+<>=%]+", " ")
    folded = pc.utf8_trim_whitespace(folded)
    told = folded.filter(pc.greater(pc.utf8_length(folded), 0))
    return len(told) - len(told.unique())


def _plain(text: str) -> str:
    return re.sub(r"[\s_.]+", " ", NUMBERED.sub("", text)).strip().lower()


@cache
def _sets() -> dict[str, frozenset[str]]:
    return {subject: _words(words) for subject, words in WORDS.items()}


@cache
def _words(listed: str) -> frozenset[str]:
    return frozenset(word.strip() for word in listed.split(","))
