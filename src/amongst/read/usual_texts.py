"""What people write in columns of numbers and dates that is none: words for missing, limits, signs, units."""

from __future__ import annotations

from amongst.read.forms import GAP

MISSING = (
    r"^[(\[<]?(?:na|n/a|n\.a\.?|nan|null|none|nil|\\n|-{1,3}|–|\.|\?|unknown|unk\.?|missing|undefined|refused|declined|"
    r"not (?:available|known|recorded|reported|stated|applicable|done)|n\.b\.?|n\.d\.?|nd|n/d|k\. ?a\.?|o\. ?a\.?|"
    r"(?:keine|ohne) angaben?|unbekannt|nicht (?:bestimmt|bekannt|erhoben)|fehlt|"
    r"entf\.|entfällt|#n/?[av]|#(?:wert|value|zahl|num|name|bezug|ref|div/0|null)[!?]|"
    r"inconnue?|non (?:renseignée?|déterminée?|connue?)|n\.?c\.?|desconocid[oa]|sin datos?|s/d|no disponible|"
    r"desconhecid[oa]|ignorad[oa]|não informad[oa]|sconosciut[oa]|non (?:noto|disponibile)|onbekend|niet bekend|"
    r"saknas|okänd|ukjent|ukendt|mangler|(?:ikke )?uoplyst|tuntematon|ei tietoa|nieznan[ye]|brak(?: danych)?|"
    r"neznám[ýo]|н/д|нет данных|неизвестно)[)\]>]?$"
)
"""Texts that people write where a number or a date is not known, in small letters."""
SIGNED = r"^[^-+]*[0-9][^-+0-9]*-|^\(.*\)$|\x{2212}"
"""Numbers below zero that have another sign than a minus in front."""
LIMIT = r"^[<>≤≥]=?\s*[+-]?[0-9][0-9.,]*$"
CURRENCIES = "CHF|EUR|USD|GBP|SEK|NOK|DKK|ISK|BRL|PLN|CZK|HUF|RON|TRY|JPY|CNY|INR|CAD|AUD|MXN|ZAR|kr|Fr"
WITH_UNIT = (
    rf"^[-+(]?(?P<before>[A-Z]{{0,2}}\p{{Sc}}|(?:{CURRENCIES})\.?|){GAP}[-+]?[0-9][0-9.,'’ \x{{a0}}\x{{202f}}]*?-?"
    rf"{GAP}(?P<after>[%‰°µ\p{{Sc}}\pL][^\s\d,'’+<>()\-\[\]{{}}]{{0,11}}|)[-)]?$"
)
"""A number with a currency before it, or a word behind it."""
