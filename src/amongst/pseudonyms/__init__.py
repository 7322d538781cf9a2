"""Pseudonyms with a key, dates moved person by person, ages in place of dates."""

from amongst.pseudonyms.key import make_key, read_key
from amongst.pseudonyms.pseudonyms import NOT_PROTECTED, Pseudonyms, age_at

__all__ = ["NOT_PROTECTED", "Pseudonyms", "age_at", "make_key", "read_key"]
