"""Numbers that are none: codes such as -99 that mean missing, and days as spreadsheets count them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.schema.profile import Profile

if TYPE_CHECKING:
    import pyarrow as pa

UNKNOWN = (7, 8, 9, 66, 77, 88, 96, 97, 98, 99, 666, 777, 888, 996, 997, 998, 999, 7777, 8888, 9999, 99999)
CODES = (*UNKNOWN, *(-code for code in UNKNOWN))
"""What people write where a number is not known, or does not apply."""
FEWEST_VALUES = 2
"""Of fewer others nothing is far."""
SERIAL = (10_000, 60_000)
"""Days since the end of 1899 in which most people are born and treated: 1927 to 2064."""

EPOCH = (10**8, 2 * 10**9)
"""Seconds since 1970 in which most things happened that are noted so: 1973 to 2033."""
OF_DATES = ("a date or place of birth", "a time when something happened to a person")


def missing_codes(values: pa.Array) -> list[int]:
    """Which distinct numbers are likely to be codes: below zero where no other number is, or as far above all others
    as these are from each other.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.odd_numbers import missing_codes
    >>> missing_codes(pa.array([0, 1, 2, 3, -9, 99])), missing_codes(pa.array([60, 70, 80, 99]))
    ([-9, 99], [])
    """
    numbers = values.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    numbers = numbers[np.isfinite(numbers)]
    coded = np.isin(numbers, CODES)
    while coded.any():
        others = numbers[~coded]
        if len(others) < FEWEST_VALUES:
            return []
        low, high = others.min(), others.max()
        far = np.where(numbers < 0, low >= 0, numbers - high >= high - low)
        if (far | ~coded).all():
            return sorted(int(one) for one in numbers[coded])
        coded &= far
    return []


def looks_like_serials(about: Profile) -> bool:
    """Whether a column whose name speaks of dates has days as spreadsheets count them, or seconds as computers do."""
    if about.kind != "numeric" or about.middle is None or about.smallest is None or about.largest is None:
        return False
    dates = about.by_name is not None and about.by_name.subject in OF_DATES
    days = about.smallest >= 1 and about.largest < 2 * SERIAL[1] and SERIAL[0] <= about.middle <= SERIAL[1]
    seconds = any(EPOCH[0] * unit <= about.middle <= EPOCH[1] * unit for unit in (1, 1000))
    return dates and (days or seconds)
