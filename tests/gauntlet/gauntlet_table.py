"""A table that goes through the whole life: where it is, how it is read, and what in it names a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GauntletTable:
    """One table of the gauntlet.

    Attributes
    ----------
    name : str
    place : callable
        Given an empty folder, the path of the table: written there, or found elsewhere.
    people : tuple of str
        The columns that name a person, known by hand: none of their cells may be seen anywhere.
    reading : dict
        What a person would say to read it, as keys of ``[input]`` in a job (``encoding``, ``separator``, ``header``).
    unit : str, optional
        The column that tells people apart, where one has several rows.
    k : int
    refused : str
        Why it may end in a clear refusal, and where ("inspect: a later version reads it"); empty: it must not.
    """

    name: str
    place: Callable[[Path], Path]
    people: tuple[str, ...] = ()
    reading: dict[str, str] | None = None
    unit: str | None = None
    k: int = 5
    refused: str = ""

    def __str__(self) -> str:
        return self.name
