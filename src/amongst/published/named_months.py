"""Months by their names in published dates: a list of the verifier's own, month by month."""

from __future__ import annotations

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
_NAMES = (
    ("january", "januar jänner jän", "janvier", "enero", "gennaio", "januari", "janeiro"),
    ("february", "februar feber", "février fevrier", "febrero", "febbraio", "februari", "fevereiro"),
    ("march", "märz maerz mrz", "mars", "marzo", "marzo", "maart mrt", "março marco"),
    ("april", "april", "avril", "abril", "aprile", "april", "abril"),
    ("may", "mai", "mai", "mayo", "maggio", "mei", "maio"),
    ("june", "juni", "juin", "junio", "giugno", "juni", "junho"),
    ("july", "juli", "juillet", "julio", "luglio", "juli", "julho"),
    ("august", "august", "août aout", "agosto", "agosto", "augustus", "agosto"),
    ("september", "september", "septembre", "septiembre setiembre", "settembre", "september", "setembro"),
    ("october", "oktober", "octobre", "octubre", "ottobre", "oktober", "outubro"),
    ("november", "november", "novembre", "noviembre", "novembre", "november", "novembro"),
    ("december", "dezember", "décembre decembre", "diciembre", "dicembre", "december", "dezembro"),
)
_FEWEST = 3


def month(word: str, language: str) -> str:
    """The month as two digits that a name, or what one begins with, stands for; nothing where it is none, or two.

    Examples
    --------
    >>> from amongst.published.named_months import month
    >>> month("Dez", "de"), month("jui", "fr"), month("juil", "fr")
    ('12', '', '07')
    """
    place, small = LANGUAGES.index(language), word.lower()
    fits = [
        number
        for number, names in enumerate(_NAMES, start=1)
        if len(small) >= _FEWEST and any(name.startswith(small) for name in names[place].split())
    ]
    return f"{fits[0]:02d}" if len(fits) == 1 else ""
