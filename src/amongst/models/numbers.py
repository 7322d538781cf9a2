"""The numbers that models are asked with: checked once, said the same way everywhere."""

from __future__ import annotations

import math
from typing import Any

from amongst.errors import BadOption


def whole(value: Any, name: str, least: int, example: str) -> None:
    """Raise for what is no whole number of at least ``least``."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return
    raise BadOption(
        f"{name} must be a whole number of at least {least}.",
        found=f"{name} = {value!r}",
        fix=f"use a whole number, such as {example}",
    )


def real(
    value: Any,
    name: str,
    example: str,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> None:
    """Raise for what is no finite number within these limits."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if (
        is_number
        and (above is None or value > above)
        and (least is None or value >= least)
        and (most is None or value <= most)
    ):
        return
    limits = [f"above {above:g}"] if above is not None else []
    limits += [f"at least {least:g}"] if least is not None else []
    limits += [f"at most {most:g}"] if most is not None else []
    raise BadOption(
        f"{name} must be a number {' and '.join(limits)}.",
        found=f"{name} = {value!r}",
        fix=f"use a number, such as {example}",
    )


def column_name(value: Any) -> None:
    """Raise for a column that is not given by its name; None means every sensitive column."""
    if value is None or (isinstance(value, str) and value):
        return
    raise BadOption(
        "A sensitive column is given by its name.",
        found=f"column = {value!r}",
        fix="give a name, or leave it out for every sensitive column",
    )


def of_column(column: str | None, each: str = "every") -> str:
    """``of 'disease'``, or ``of every sensitive column``; with ``each="any"`` where the sentence says no."""
    return f"of {each} sensitive column" if column is None else f"of '{column}'"
