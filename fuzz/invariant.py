"""What must hold whatever the input is: a result, or an error of amongst's own that shows no cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from amongst.errors import AmongstError

T = TypeVar("T")
SECRET = "Zq7Secret"
"""Stands in cells of the seeds; no message may show it."""


class Broken(AssertionError):
    """The invariant does not hold."""


def result_or_own_error(call: Callable[[], T], *, may_show: bool = False) -> T | None:
    """What ``call`` gives; None where it ends in an error of amongst that says what, found and fix."""
    try:
        return call()
    except AmongstError as error:
        check_error(error, may_show=may_show)
        return None


def check_error(error: AmongstError, *, may_show: bool = False) -> None:
    if not error.what or not error.found or not error.fix:
        raise Broken(f"{type(error).__name__} does not say what, found and fix: {error}")
    if SECRET in str(error) and not may_show:
        raise Broken(f"{type(error).__name__} shows a cell")
    if error.__cause__ is not None:
        raise Broken(f"{type(error).__name__} carries another error, whose text may show a cell")
