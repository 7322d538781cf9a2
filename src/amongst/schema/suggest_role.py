"""Which role a column seems to have, and why: what the values say first, then the name, then how they are spread."""

from __future__ import annotations

from amongst.schema.name_evidence import COUNTING, LOGGED, is_sampling_weight, is_weight_of_anything, words_of
from amongst.schema.name_words import NOT_TIMES
from amongst.schema.odd_numbers import looks_like_serials
from amongst.schema.problem import count
from amongst.schema.profile import FEW_VALUES, MOSTLY, Profile
from amongst.schema.value_words import SENSITIVE, subject_of

CALLED = ("name", "nom")
"""Last words of a name that speak of what something is called, after others: "clinic_name"."""
KEYS = ("id", "ids", "nr", "key", "uid", "number", "nummer", "code", "identifier", "kennung")
"""Last words of a name of a key: "loan_id"."""
TIME = "a time when something happened to a person"
BIRTH = "a date or place of birth"
OLDEST = 120
LONGEST_PREGNANCY = 46
LARGEST_FAMILY = 25
PLACED = ("lat", "latitude", "lon", "lng", "long", "longitude", "coordinates", "distance", "dist", "location")
"""Places that are fractions."""
SHARED = 0.1
MANY_KEYS = 1000
"""Fewer keys than this, each in ten rows or more, are of places or groups and not of people."""
MOST_SEXES = 6

Verdict = tuple[str, str, list[str]]
"""Role, confidence, reasons."""


def suggest_role(about: Profile) -> Verdict:
    """The first of these that has something to say; else what columns of its kind mostly are."""
    for judge in (
        _by_type,
        _by_pattern,
        _constant,
        _weights,
        _counts_up,
        _by_name,
        _by_words,
        _by_pattern_of_others,
        _by_spread,
    ):
        verdict = judge(about)
        if verdict is not None:
            return verdict
    return by_kind(about)


def _by_type(about: Profile) -> Verdict | None:
    if about.nested:
        return "identifier", "sure", ["its values are nested: dropped, unless you make columns of its parts"]
    if about.kind is None:
        return "identifier", "guess", [f"the type {about.type} cannot be generalized: dropped to be safe"]
    return None


def _by_pattern(about: Profile) -> Verdict | None:
    """Values that point at one person whatever the column is called."""
    pattern = about.by_value
    if pattern is None or pattern.role != "identifier":
        return None
    if pattern.subject == "free text":
        return "identifier", "likely", ["the values are free text, which may name people"]
    if pattern.subject == "names of people":
        return "identifier", "likely", ["the values look like names of people"]
    return "identifier", "sure", [f"the values look like {pattern.subject}"]


def _constant(about: Profile) -> Verdict | None:
    if about.n_rows > 1 and about.n_distinct == 0:
        return "keep", "sure", ["all values are missing"]
    named = about.by_name is not None and about.by_name.names_people and about.words_only
    if about.n_rows > 1 and about.n_distinct == 1 and not about.n_nulls and not named:
        return "keep", "sure", ["every row has the same value, which tells nobody apart"]
    return None


def _weights(about: Profile) -> Verdict | None:
    """Sampling weights: called so, and spread as no body's weight is."""
    if about.kind != "numeric" or not is_sampling_weight(about.name) or about.few_values:
        return None
    middle, largest = about.middle, about.largest
    if middle is None or largest is None or about.smallest is None or about.smallest < 0:
        return None
    bare = is_weight_of_anything(about.name)
    around_one = abs(about.mean - 1) < 0.1
    # Of bodies and things in kilograms, pounds or grams.
    as_of_things = (largest < 3 * middle and middle < 10_000) or (largest < 10 * middle and middle < 1000)
    if not around_one and bare and as_of_things:
        return None
    reason = "the name speaks of a sampling weight, and the values are spread as weights are"
    return "weight", "likely" if bare else "sure", [reason]


def _counts_up(about: Profile) -> Verdict | None:
    if about.counts_up and not looks_like_serials(about):  # a visit a day, as a spreadsheet counts days
        return "identifier", "sure", ["whole numbers that count up, a different one in every row"]
    return None


def _by_name(about: Profile) -> Verdict | None:
    found = about.by_name
    if found is None:
        return None
    reasons = [f"the name speaks of {found.subject}"]
    if found.weak:
        return _by_weak_name(about, reasons)
    if found.role == "identifier":
        return _by_name_of_people(about, reasons)
    if _ends_as_key(about) and about.nearly_all_different and (about.integral or about.text):
        return "identifier", "sure", [*reasons, "and of a key; nearly every value is different"]
    if about.text and about.nearly_all_different and about.by_value is None and found.role != "keep":
        return "identifier", "likely", [*reasons, "but nearly every value is different, as in a key or names"]
    known = about.by_words is not None and about.by_words not in SENSITIVE
    if found.subject == "how something ended" and known:  # "class" of a school
        return None
    if about.kind == "date" and found.role == "sensitive":  # "ingreso" is an income or an admission
        return None
    fit = _fit(about)
    if fit is False:
        return _how_much(about)
    if about.by_value is not None:
        reasons.append(f"the values look like {about.by_value.subject}")
        fit = about.by_value.role == found.role
    return found.role, "sure" if fit and found.role != "keep" else "likely", reasons


def _how_much(about: Profile) -> Verdict | None:
    """Numbers in a column called a time or an area, which are no dates and no places: how long something took, how
    large it is."""
    found, words = about.by_name, words_of(about.name)
    if found is None or about.kind != "numeric":
        return None
    if found.subject == TIME and words[-1] in ("time", "days"):
        return "sensitive", "guess", ["the name speaks of a time, and the values are how long it took"]
    if found.subject == "a place" and "area" in words:
        return "sensitive", "guess", ["the name speaks of an area, and the values are how large it is"]
    return None


def _ends_as_key(about: Profile) -> bool:
    return words_of(about.name)[-1] in KEYS


def _by_name_of_people(about: Profile, reasons: list[str]) -> Verdict | None:
    found = about.by_name
    assert found is not None
    if about.yes_or_no and not found.names_people:
        return None  # whether there is an address
    if about.few_values and found.subject == "free remarks" and about.kind == "numeric":
        return "sensitive", "likely", [*reasons, "but the values are few numbers, as marks are"]
    if about.few_values and not found.names_people and not _codes_of_people(about):
        return "quasi", "guess", [*reasons, _but_few(about)]
    return "identifier", "sure" if about.nearly_all_different else "likely", reasons + _spread_reasons(about)


def _fit(about: Profile) -> bool | None:
    """Whether the values are what the name says: True, False, or None where they tell neither."""
    subject = about.by_name.subject if about.by_name is not None else ""
    numeric = about.kind == "numeric"
    if about.by_words is not None:
        return True if about.by_words == subject else None
    if subject == "age":
        in_years = numeric and (about.smallest or 0) >= 0 and (about.largest or 0) <= OLDEST
        return True if in_years or about.bands else None
    if subject == "sex or gender":
        return None if about.n_distinct <= MOST_SEXES else False
    if subject == "a postal code":
        return None
    if subject == BIRTH:
        return True if about.kind == "date" or about.years else None
    if subject == TIME:
        return _fit_time(about)
    if subject == "money":
        return True if numeric and not about.few_values else None
    return False if numeric and _otherwise(about) else None


def _otherwise(about: Profile) -> bool:
    """Whether numbers are something else than the name says: areas measured, hours of television, weeks of a pregnancy,
    how long somebody studies."""
    found, last = about.by_name, words_of(about.name)[-1]
    subject, role = ("", "") if found is None else (found.subject, found.role)
    fractions = not about.integral and about.mostly_different
    if subject in (LOGGED, "family"):
        large = words_of(about.name) == ["size"] and (about.largest or 0) > LARGEST_FAMILY
        return fractions or large if subject == "family" else not fractions
    if subject == "a place":
        return fractions and last not in PLACED
    if subject == "housing":
        return bool({"tv", "radio"} & set(words_of(about.name))) and about.n_distinct > 2
    if last in ("weeks", "wks", "week"):
        return 36 <= about.mean <= 41 and (about.largest or 0) <= LONGEST_PREGNANCY
    return role == "keep" and not about.few_values and subject == "how the table was made"


def _fit_time(about: Profile) -> bool | None:
    if about.kind == "date" or about.years:
        return True
    if about.by_value is not None and about.by_value.subject == "dates":
        return True
    last = words_of(about.name)[-1]
    if last in ("date", "datum", "fecha"):
        return None
    no_times = NOT_TIMES.replace(" ", "").split(",")
    other = last in no_times and (about.kind == "numeric" or about.yes_or_no)
    other = other or (about.yes_or_no and not set(words_of(about.name)).isdisjoint(no_times))
    return False if other and not about.months else None


def _by_weak_name(about: Profile, reasons: list[str]) -> Verdict | None:
    """Words such as "id" and "name" yield to the values: few are a category, counted things are numbers."""
    found = about.by_name
    assert found is not None
    if found.names_people and not about.text:
        return None  # "first" and "last" of numbers are no names
    if _codes_of_people(about):
        return "identifier", "likely", [*reasons, "and the values are numbered, as people are in a study"]
    words = words_of(about.name)
    how_many = len(words) > 1 or (about.integral and about.distinct_share < SHARED)  # few numbers, which repeat
    if words[0] in COUNTING and how_many and not about.text and not about.nearly_all_different:
        return None
    if about.few_values:
        return "quasi", "guess", [*reasons, _but_few(about)]
    called = words[-1] in CALLED and len(words) > 1 and about.distinct_share < MOSTLY
    if called and about.by_value is None:
        return "quasi", "guess", [*reasons, f"but {count(about.n_distinct, 'value')} that many rows share"]
    if about.kind == "numeric" and not about.integral:
        return None  # a key is no fraction
    enough = about.n_rows >= 5 * FEW_VALUES
    if enough and about.distinct_share < SHARED and found.subject != "a person" and about.n_distinct < MANY_KEYS:
        return (
            "quasi",
            "guess",
            [*reasons, f"but {count(about.n_distinct, 'value')} that many rows share, as of places"],
        )
    return "identifier", "likely", reasons + _spread_reasons(about)


def _codes_of_people(about: Profile) -> bool:
    """Few values, and yet each is somebody with several rows: X01 to X12 in "Subject", 1 to 12 in "patient_id"."""
    words, found = words_of(about.name), about.by_name
    if found is None or about.n_distinct <= 2:
        return False
    of_people = found.subject in ("a person", "a personal number") or words in (["id"], ["pid"], ["uid"])
    return of_people and (about.numbered if about.text else about.integral and "id" in words[-1])


def _but_few(about: Profile) -> str:
    return f"but {count(about.n_distinct, 'value')} in all: more like a category"


def _by_words(about: Profile) -> Verdict | None:
    if about.by_words is None:
        answer = subject_of(words_of(about.name)) if about.yes_or_no and about.by_name is None else None
        if answer is None or answer in SENSITIVE:
            return None
        return "quasi", "likely", [f"the name is an answer, of {answer}, and the values are yes and no"]
    role = "sensitive" if about.by_words in SENSITIVE else "quasi"
    return role, "likely", [f"the values speak of {about.by_words}"]


def _by_pattern_of_others(about: Profile) -> Verdict | None:
    pattern = about.by_value
    if pattern is None:
        return None
    if about.all_different and pattern.role == "sensitive":
        return (
            "identifier",
            "likely",
            [f"the values look like {pattern.subject}, but every one is different, as in a key"],
        )
    if about.written_numbers:
        return None  # as other numbers
    return pattern.role, "likely", [f"the values look like {pattern.subject}"]


def _by_spread(about: Profile) -> Verdict | None:
    """Keys have as many values as there are rows."""
    if about.written_numbers and not about.all_different:
        return None
    if about.all_different and (about.text or about.integral):
        return "identifier", "likely", ["every value is different, as in a key"]
    if about.nearly_all_different and about.same_digits:
        return "identifier", "likely", ["nearly every value is different, with as many digits, as in a key"]
    if about.nearly_all_different and about.text:
        return "identifier", "likely", ["nearly every value is different, as in a key"]
    if about.mostly_different and about.text:
        return "identifier", "guess", ["most values are different, as in a key: dropped to be safe"]
    return None


def _spread_reasons(about: Profile) -> list[str]:
    if about.all_different:
        return ["every value is different"]
    return ["nearly every value is different"] if about.nearly_all_different else []


def by_kind(about: Profile) -> Verdict:
    """Nothing speaks for a role: numbers are mostly measured or answered, texts and dates known to others. Whole
    numbers that most rows have for themselves would be published as they are, and find people: the safe side is taken.
    Fractions were nearly always measured, and the release says where hardly two rows have the same."""
    if about.kind == "date":
        return "quasi", "likely", ["dates of what happened to a person, which others may know"]
    if about.kind == "numeric" or about.written_numbers or about.yes_or_no or str(about.type) == "bool":
        finds = about.nearly_all_different or about.mostly_different
        if finds and (about.integral or about.kind != "numeric"):
            why = "nothing says what it is, and whoever knows it of a person finds the row: to be safe"
            return "quasi", "guess", [why]
        reason = "measured, counted or answered, as far as can be told: choose quasi if others may know it of people"
        return "sensitive", "guess", [f"{reason}; most rows have a value of their own" if finds else reason]
    return "quasi", "guess", ["nothing says that others cannot know it: quasi to be safe"]
