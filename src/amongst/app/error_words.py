"""Errors in the words of the page: what the library says to who writes Python or a job file, for who clicks."""

from __future__ import annotations

import re
from typing import Any

from amongst.models import MODELS

_CLASSES = {cls.__name__: name for name, cls in MODELS.items()}
_WORDS = (
    (re.compile(r"give a list such as \[am\..*\]"), "choose at least one promise under Privacy"),
    (re.compile(r"write am\.Column\([^)]*\)+ and the like"), "choose a role for every column under Roles"),
    (re.compile(r"\bam\.(?=[A-Z])"), ""),
    (
        re.compile(r"\bgive (a|an|it|the|one)([\w ]*) role ?= ?\"(\w+)\"( in the schema)?"),
        r"give \1\2 the role \3 under Roles",
    ),
    (re.compile(r"\brole ?= ?\"(\w+)\"( in the schema)?"), r"the role \1"),
    (re.compile(r"\bmethod ?= ?[\"'](\S+)[\"']"), r"the method \1"),
    (re.compile(r"\b(\w+) ?= ?[\"']([^\"']*)[\"']"), r"\1 “\2”"),
    (
        re.compile(r"name one: event=\.\.\., or --event on the command line"),
        "take a column of two values, or of numbers; the command lets one be named",
    ),
    (re.compile(r"\b(?:digits|fanout)\((\d+)\) or the like"), r"\1 or the like"),
    (re.compile(r", or replace it with --force \(force=True\)"), ""),
    (re.compile(r"\b(" + "|".join(_CLASSES) + r")\b(\([^)]*\))?"), lambda found: _CLASSES[found[1]]),
)


def page_words(text: str) -> str:
    """A sentence of an error as the page says it.

    Examples
    --------
    >>> from amongst.app.error_words import page_words
    >>> page_words("give a list such as [am.KAnonymity(10)]")
    'choose at least one promise under Privacy'
    >>> page_words('give one column role="sensitive" and drop the others with role="identifier"')
    'give one column the role sensitive under Roles and drop the others with the role identifier'
    >>> page_words('use method="datafly", or ask for LDiversity alone')
    'use the method datafly, or ask for l-diversity alone'
    """
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text


def error_in_page_words(error: dict[str, Any]) -> dict[str, Any]:
    """An error, or a problem, with all it says in the words of the page."""
    told = dict(error)
    for key in ("what", "fix", "text"):
        if isinstance(told.get(key), str):
            told[key] = page_words(told[key])
    if "found" in told:
        told["found"] = [page_words(line) for line in told["found"]]
    if told.get("problems"):
        told["problems"] = [error_in_page_words(one) for one in told["problems"]]
    return told
