"""Values and their texts: how a single value is written, and how a text is read as a column's type."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any


def text_of(value: Any) -> str:
    """The text that stands for one value in a label."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value)


def texts_of(values: Sequence[Any]) -> list[str]:
    """The texts of many values; quick for the types that come in great numbers."""
    types = set(map(type, values))
    return list(map(str, values)) if types <= {int} or types <= {str} else list(map(text_of, values))


def range_label(first: Any, last: Any) -> str:
    """``[25-26]`` for values, ``[2020-01-01 - 2020-03-31]`` for dates, the value itself for one."""
    if first == last:
        return text_of(first)
    between = " - " if isinstance(first, dt.date) else "-"
    return f"[{text_of(first)}{between}{text_of(last)}]"


def kind_of(values: Sequence[Any]) -> str:
    """The kind that values of this type have when nobody says otherwise."""
    first = values[0] if values else ""
    if isinstance(first, (int, float, Decimal)) and not isinstance(first, bool):
        return "numeric"
    return "date" if isinstance(first, dt.date) else "categorical"


def reader_like(values: Sequence[Any], kind: str) -> Callable[[str], Any]:
    """A function that reads a text as the type of ``values``; it raises ValueError where it cannot."""
    if not values:
        return {"numeric": _number, "date": dt.date.fromisoformat}.get(kind, str)
    first = values[0]
    readers: list[tuple[type, Callable[[str], Any]]] = [
        (bool, _truth),
        (int, _whole),
        (float, _finite),
        (Decimal, _decimal),
        (dt.datetime, dt.datetime.fromisoformat),
        (dt.date, dt.date.fromisoformat),
    ]
    return next((read for of_type, read in readers if isinstance(first, of_type)), str)


def _truth(text: str) -> bool:
    truth = {"true": True, "false": False}.get(text.strip().lower())
    if truth is None:
        raise ValueError("neither true nor false")
    return truth


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = _decimal(text)
    if number != number.to_integral_value():
        raise ValueError("not a whole number")
    return int(number)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError("not a number") from None
    if not number.is_finite():
        raise ValueError("not a finite number")
    return number


def _number(text: str) -> int | float:
    try:
        return _whole(text)
    except ValueError:
        return _finite(text)
