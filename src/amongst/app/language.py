"""The language of the page: texts stand in English in the source and are looked up when they are shown.

A text is looked up as it stands on the page, names and figures in it. A catalogue (``languages/de.po``) has ``{}``
where those stand; its translation puts them with ``{0}`` as they are, with ``{0!n}`` as a figure and with ``{0!t}`` as
a text that is looked up itself. What the catalogue lacks stays in English as a whole, and is marked so for those who
listen to it: no sentence is in two languages. What comes from a table or is typed is ``Own``, and never looked up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache, lru_cache
from html import escape, unescape
from pathlib import Path

PLACE = Path(__file__).parent / "languages"
NAMES = {"en": "English", "de": "Deutsch"}
"""The languages of the page, by their own names; English needs no catalogue."""
LONGEST = 1000
"""Characters; longer texts are not ours, and are not compared with what has gaps."""
_GAP = re.compile(r"\{(\d*)(?:!([nt]))?\}")
_WORDS_OF_AXES = re.compile(r'(?P<head><text [^>]*class="(?:note|tick)")(?P<rest>[^>]*>)(?P<words>[^<]+)')
_DIGITS = re.compile(r"\d[\d,.]*\d")
_MEASURED = re.compile(r"[−-]?\d[\d,.]*( ?%| (bytes|[KMG]B|ms|s|min|h|d))?( \d[\d,.]* (ms|s|min|h))*|–")
_FIGURE = re.compile(r"[−-]?\d{1,3}(,\d{3})*(\.\d+)?( ?%)?")
_SENTENCES = re.compile(r"(?<=[.:?!]) (?=[A-Z\d])")
_SPOKEN = re.compile(r'\b(aria-label|title)=("[^"]*"|\w+)')
_now = "en"


class Own(str):
    """A name, a cell, or what somebody typed: shown as it is in every language."""

    __slots__ = ()


def speak(language: str) -> None:
    """Show everything in this language from now on; the app has one session, and so one language."""
    global _now
    _now = language if language in NAMES else "en"


def accepted(header: str) -> str:
    """The language of the page that a browser asks for first.

    Examples
    --------
    >>> from amongst.app.language import accepted
    >>> accepted("fr;q=0.9, de-CH, en;q=0.8"), accepted("en-US,de;q=0.5"), accepted("")
    ('de', 'en', 'en')
    """
    asked = []
    for place, part in enumerate(header.split(",")):
        name, _, weight = part.strip().partition(";q=")
        share = float(weight) if re.fullmatch(r"[01](\.\d{1,3})?", weight) else 1.0
        asked.append((-share, place, name.split("-")[0].lower()))
    return next((name for share, _, name in sorted(asked) if name in NAMES and share < 0), "en")


def say(text: str) -> str:
    """A text in the language of the page; what has no translation stays as it is."""
    return _found(text) or text


def is_foreign(text: str) -> bool:
    """Whether a text stays in English on a page of another language."""
    return _found(text) is None


def spoken(props: str) -> str:
    """The properties of an element with what is read out of it in the language of the page."""
    if _now == "en":
        return props
    return _SPOKEN.sub(lambda found: f'{found[1]}="{say(found[2].strip(chr(34)))}"', props)


def drawn(svg: str, *, ours: bool = False) -> str:
    """A drawing made where the table is, its axes named in the language of the page.

    Only whole texts of the catalogue of several words are put in, so that no column is translated. ``ours`` says that
    there are no names and cells in the drawing: marks on its axes are put in as well.
    """
    if _now == "en":
        return svg
    texts = catalogue(_now).texts

    def put(found: re.Match[str]) -> str:
        words = unescape(found["words"])
        said = say(words) if ours else texts.get(words, words) if " " in words else words
        return found[0] if said == words else f'{found["head"]} lang="{_now}"{found["rest"]}{escape(said, quote=False)}'

    return _WORDS_OF_AXES.sub(put, svg)


def drawn_in() -> str:
    """The property of what is drawn with words where the table is: in English."""
    return "" if _now == "en" else "lang=en"


def _found(text: str) -> str | None:
    if _now == "en" or isinstance(text, Own) or not text:
        return text
    return catalogue(_now).find(text)


class Catalogue:
    """Translations by their texts in English."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        gaps = sorted((one for one in texts if "{}" in one), key=lambda one: -len(one.replace("{}", "")))
        self._patterns = [
            (
                max(one.split("{}"), key=len),
                re.compile("(.+?)".join(re.escape(part) for part in one.split("{}")), re.DOTALL),
                texts[one],
            )
            for one in gaps
        ]
        self.find = lru_cache(maxsize=4096)(self._find)

    def _find(self, text: str) -> str | None:
        if _FIGURE.fullmatch(text):
            return figure(text)
        if not re.search(r"[^\W\d_]{2}", text):
            return text
        if len(text) > LONGEST:
            return None
        return self.texts.get(text) or self._filled(text) or self._joined(text)

    def _filled(self, text: str) -> str | None:
        for needle, pattern, translation in self._patterns:
            if needle in text and (found := pattern.fullmatch(text)):
                filled = self._fill(translation, found.groups())
                if filled is not None:
                    return filled
        return None

    def _fill(self, translation: str, pieces: tuple[str, ...]) -> str | None:
        told: dict[str | None, Callable[[str], str | None]] = {"n": _measured, "t": self.find, None: str}
        parts: list[str] = []
        end = 0
        for number, gap in enumerate(_GAP.finditer(translation)):
            piece = told[gap[2]](pieces[int(gap[1] or number)])
            if piece is None:
                return None
            parts += [translation[end : gap.start()], piece]
            end = gap.end()
        return "".join([*parts, translation[end:]])

    def _joined(self, text: str) -> str | None:
        """Several sentences, or a list, of which all parts are known."""
        for parts, between in ((_SENTENCES.split(text), " "), (text.split("; "), "; "), (text.split(", "), ", ")):
            if len(parts) > 1:
                found = [self.find(part) for part in parts]
                if None not in found:
                    return between.join(str(one) for one in found)
        return None


def figure(text: str) -> str:
    r"""A number, or several, as they are written on the Continent.

    Examples
    --------
    >>> from amongst.app.language import figure
    >>> figure("45,222"), figure("3.3 MB"), figure("12.5%")
    ('45.222', '3,3 MB', '12,5\xa0%')
    """
    swapped = _DIGITS.sub(lambda found: found[0].translate(str.maketrans(",.", ".,")), text)
    return re.sub(r"(?<=\d)%", "\N{NO-BREAK SPACE}%", swapped)


def _measured(text: str) -> str | None:
    """A number with its unit as it is written there; None where it is something else."""
    return figure(text).replace(" bytes", " Bytes") if _MEASURED.fullmatch(text) else None


@cache
def catalogue(language: str) -> Catalogue:
    """The translations of a language."""
    return Catalogue(read_po((PLACE / f"{language}.po").read_text(encoding="utf-8")))


def read_po(text: str) -> dict[str, str]:
    r"""The texts of a ``.po`` file with their translations; those without one are left out.

    Examples
    --------
    >>> from amongst.app.language import read_po
    >>> read_po('# noted\nmsgid "Load"\nmsgstr ""\n"Laden"\n\nmsgid "Undo"\nmsgstr ""\n')
    {'Load': 'Laden'}
    """
    entries: list[dict[str, str]] = []
    key = ""
    for line in text.splitlines():
        if found := re.fullmatch(r'(msgid|msgstr)? ?(".*")', line):
            key = found[1] or key
            if found[1] == "msgid":
                entries.append({"msgid": "", "msgstr": ""})
            entries[-1][key] += ast.literal_eval(found[2])
    return {one["msgid"]: one["msgstr"] for one in entries if one["msgid"] and one["msgstr"]}
