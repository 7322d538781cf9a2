"""Check digits: numbers that were given out with one can hardly be anything else.

Sources: ISO 13616 (IBAN: the remainder by 97 is 1), ISO/IEC 7812 (cards: the sum of Luhn ends with 0).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CHECKED = 500


def checked_share(values: pa.Array, check: str) -> float:
    """The share of texts whose check digits are right; of some of them, from all over the column.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.check_digits import checked_share
    >>> checked_share(pa.array(["DE89370400440532013000", "DE88370400440532013000"]), "iban")
    0.5
    """
    some = values[:: max(len(values) // MOST_CHECKED, 1)].to_pylist()
    return sum(map(CHECKS[check], some)) / len(some) if some else 0.0


def is_iban(text: str) -> bool:
    """Whether a text is an account number of ISO 13616."""
    plain = re.sub(r"\s", "", text).upper()
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{8,30}", plain):
        return False
    return int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1


def is_luhn(text: str) -> bool:
    """Whether the digits of a text end with the check digit of cards."""
    digits = [int(letter) for letter in text if letter.isascii() and letter.isdigit()]
    twice = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return bool(digits) and (sum(digits[-1::-2]) + sum(twice)) % 10 == 0


CHECKS: dict[str, Callable[[str], bool]] = {"iban": is_iban, "luhn": is_luhn}
