"""The names of months in some languages, as people write them in dates."""

from __future__ import annotations

from functools import cache

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
OTHERS = {
    "de": {"mrz": 3, "maerz": 3, "jänner": 1, "jän": 1, "feber": 2},
    "fr": {"fevrier": 2, "fev": 2, "fevr": 2, "aout": 8, "decembre": 12, "dec": 12},
    "es": {"setiembre": 9, "set": 9},
    "nl": {"mrt": 3},
    "pt": {"marco": 3},
}
"""Further words: common short forms, and those without accents."""
SHORTEST = 3
"""Letters that a short form has at least."""


def names_of(language: str) -> list[str]:
    """The twelve names, in small letters."""
    return MONTHS[language].split()


@cache
def month_of_word(language: str) -> dict[str, int]:
    """The month that every word stands for: names, and what they begin with, where that is one month only.

    Examples
    --------
    >>> from amongst.month_names import month_of_word
    >>> month_of_word("fr")["juil"], month_of_word("de")["mrz"], "jui" in month_of_word("fr")
    (7, 3, False)
    """
    found: dict[str, set[int]] = {}
    for month, name in enumerate(names_of(language), start=1):
        for end in range(SHORTEST, len(name) + 1):
            found.setdefault(name[:end], set()).add(month)
    alone = {word: months.pop() for word, months in found.items() if len(months) == 1}
    return {**alone, **OTHERS.get(language, {})}
