"""The key of pseudonyms: a file of its own, for its owner alone, and never in the folder of what is given away."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from amongst.errors import BadInput, BadOption, BadOutput
from amongst.own_files import is_given_away

LEAST = 16
"""Bytes; a shorter key could be guessed."""


def make_key(path: str | os.PathLike[str]) -> bytes:
    """Draw a key and write it to a new file that only its owner can read.

    Examples
    --------
    >>> from amongst.pseudonyms import make_key, read_key
    >>> make_key("people.key") == read_key("people.key")
    True
    """
    key = secrets.token_bytes(32)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(key.hex() + "\n")
    except OSError as error:
        raise BadOutput(
            "The key could not be written.",
            found=error.strerror or "an error of the system",
            fix="name a file that is not there yet, or leave --new-key out to go on under the key that is there",
        ) from None
    return key


def read_key(path: str | os.PathLike[str]) -> bytes:
    """The key in a file: hexadecimal digits, as ``make_key`` writes them."""
    try:
        key = bytes.fromhex(Path(path).read_text(encoding="ascii").strip())
    except OSError as error:
        fix = "make one with --new-key, or name the file"
        raise BadInput("The key cannot be read.", found=error.strerror or "an error", fix=fix) from None
    except ValueError:
        raise BadInput(
            "The key cannot be read.", found="no hexadecimal digits", fix="give the file of the key"
        ) from None
    return refuse_short(key)


def refuse_short(key: bytes) -> bytes:
    """The key, if it is long enough."""
    if not isinstance(key, bytes) or len(key) < LEAST:
        raise BadOption(
            "The key is no key.",
            found=f"{len(key)} bytes" if isinstance(key, bytes) else f"of type {type(key).__name__}",
            fix=f"use at least {LEAST} bytes at random: make_key draws them",
        )
    return key


def refuse_key_in(folder: Path, key: Path) -> None:
    """Raise where the key lies in the folder of what is given away, or in any release."""
    beside = key.resolve().parent
    if folder.resolve() in key.resolve().parents or is_given_away(beside):
        raise BadOption(
            "The key would lie in the folder of what is given away.",
            found=f"{key.name} in {beside.name}",
            fix="keep the key elsewhere: whoever has it has the names",
        )
