"""Which role a column seems to have, and why."""

from __future__ import annotations

from amongst.schema.name_evidence import words_of
from amongst.schema.problem import count
from amongst.schema.profile import MOSTLY, Profile

COUNTING = ("num", "number", "no", "nr", "n", "nombre", "numero")
"""First words of a name that speak of how many, before others: "num_open_accounts"."""
CALLED = ("name", "nom")
"""Last words of a name that speak of what something is called, after others: "clinic_name"."""

Verdict = tuple[str, str, list[str]]
"""Role, confidence, reasons."""


def suggest_role(about: Profile) -> Verdict:
    """The first of these that has something to say: type, patterns, name, spread; else the safe side."""
    for judge in (_by_type, _by_pattern, _constant, _by_name, _by_pattern_of_others, _by_spread):
        verdict = judge(about)
        if verdict is not None:
            return verdict
    return _safe_side(about)


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
    named = about.by_name is not None and about.by_name.role == "identifier"
    if about.n_rows > 1 and about.n_distinct == 1 and not about.n_nulls and not named:
        return "keep", "sure", ["every row has the same value, which tells nobody apart"]
    return None


def _by_name(about: Profile) -> Verdict | None:
    found = about.by_name
    if found is None:
        return None
    reasons = [f"the name speaks of {found.subject}"]
    if found.role == "keep":
        return "keep", "guess", [*reasons, "which nobody outside knows; drop it if the survey itself is public"]
    if found.weak:
        return _by_weak_name(about, reasons)
    if found.role == "identifier":
        if about.few_values and not found.names_people and not _codes_of_people(about):
            return "quasi", "guess", [*reasons, _but_few(about)]
        return (
            "identifier",
            "sure" if about.nearly_all_different else "likely",
            reasons + _spread_reasons(about),
        )
    if about.counts_up or (about.text and about.all_different and about.by_value is None):
        return "identifier", "likely", [*reasons, "but every value is different, as in a key"]
    if about.by_value is not None:
        reasons.append(f"the values look like {about.by_value.subject}")
        agree = about.by_value.role == found.role
        return found.role, "sure" if agree else "likely", reasons
    return found.role, "sure" if found.role == "quasi" else "likely", reasons


def _by_weak_name(about: Profile, reasons: list[str]) -> Verdict | None:
    """Words such as "id" and "name" yield to the values: few are a category, counted things are numbers."""
    found = about.by_name
    assert found is not None
    if found.names_people and not about.text:
        return None  # "first" and "last" of numbers are no names
    if _codes_of_people(about):
        return "identifier", "likely", [*reasons, "and the values are numbered, as people are in a study"]
    if about.few_values:
        return "quasi", "guess", [*reasons, _but_few(about)]
    words = words_of(about.name)
    counted = words[0] in COUNTING and len(words) > 1 and not about.text and not about.nearly_all_different
    called = words[-1] in CALLED and len(words) > 1 and about.distinct_share < MOSTLY
    if counted or (called and about.by_value is None):
        return "quasi", "guess", [*reasons, f"but {count(about.n_distinct, 'value')} that many rows share"]
    return "identifier", "likely", reasons + _spread_reasons(about)


def _codes_of_people(about: Profile) -> bool:
    """Few values, and yet each is somebody with several rows: X01 to X12 in "Subject", 1 to 12 in "patient_id"."""
    words, found = words_of(about.name), about.by_name
    if found is None or about.n_distinct <= 2:
        return False
    of_people = found.subject in ("a person", "a personal number") or words == ["id"]
    return of_people and (about.numbered if about.text else about.whole and "id" in words)


def _but_few(about: Profile) -> str:
    return f"but {count(about.n_distinct, 'value')} in all: more like a category"


def _by_pattern_of_others(about: Profile) -> Verdict | None:
    pattern = about.by_value
    if pattern is None:
        return None
    reasons = [f"the values look like {pattern.subject}"]
    if pattern.role == "sensitive" and about.nearly_all_different:  # as they are, they would tell people apart
        return "identifier", "likely", [*reasons, "but nearly every value is different, as in a key"]
    return pattern.role, "likely", reasons


def _by_spread(about: Profile) -> Verdict | None:
    """Keys have as many values as there are rows."""
    if about.counts_up:
        return "identifier", "sure", ["whole numbers that count up, a different one in every row"]
    if about.all_different and (about.text or about.whole):
        return "identifier", "likely", ["every value is different, as in a key"]
    if about.nearly_all_different and about.text:
        return "identifier", "likely", ["nearly every value is different, as in a key"]
    if about.mostly_different and about.text:
        return "identifier", "guess", ["most values are different, as in a key: dropped to be safe"]
    return None


def _spread_reasons(about: Profile) -> list[str]:
    if about.all_different:
        return ["every value is different"]
    return ["nearly every value is different"] if about.nearly_all_different else []


def _safe_side(about: Profile) -> Verdict:
    if about.nearly_all_different:
        reason = "nearly every value is different, so whoever knows one finds the row: quasi to be safe"
        return "quasi", "guess", [reason, "choose sensitive or keep if nobody outside can know these values"]
    reason = "nothing says that others cannot know it: quasi to be safe"
    return "quasi", "guess", [reason]
