"""A limit moved for a while, wherever its name was imported to; and which functions a flow runs through."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from numbers_in_code import Limit, Number


def other_sides(value: Number) -> list[Number]:
    """Numbers on the other sides of a limit, for flows of some sixty rows."""
    if isinstance(value, float):
        return [value / 50, value * 50]
    return [1, 3, value * 20] if value <= 1000 else [1, 3]


@contextmanager
def moved(limit: Limit, value: Number) -> Iterator[None]:
    """The limit has another value inside."""
    places = _defaults(limit) if limit.function else _names(limit)
    for put, _ in places:
        put(value)
    try:
        yield
    finally:
        for put, was in places:
            put(was)


def functions_run(work: Callable[[], Any]) -> set[tuple[str, str]]:
    """The functions of amongst (file, name) that run while the work is done."""
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        seen.add((frame.f_code.co_filename, frame.f_code.co_name))

    was = sys.gettrace()
    sys.settrace(note)  # told of every call, of no line
    try:
        work()
    finally:
        sys.settrace(was)
    return seen


Place = tuple[Callable[[Number], None], Number]


def _names(limit: Limit) -> list[Place]:
    home = importlib.import_module(limit.module)
    value = getattr(home, limit.name)
    found = [home] + [
        module
        for name, module in sorted(sys.modules.items())
        if name.startswith("amongst.") and module is not home and vars(module).get(limit.name) is value
    ]
    return [(functools.partial(setattr, module, limit.name), value) for module in found]


def _defaults(limit: Limit) -> list[Place]:
    """The default of a function's parameter; a method is found in its class."""
    module = importlib.import_module(limit.module)
    homes = [
        module,
        *(one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == module.__name__),
    ]
    found: list[Place] = []
    for home in homes:
        function = inspect.unwrap(
            getattr(vars(home).get(limit.function), "__func__", vars(home).get(limit.function)) or str
        )
        if not inspect.isfunction(function) or limit.name not in inspect.signature(function).parameters:
            continue
        if limit.name in (function.__kwdefaults__ or {}):
            kept = function.__kwdefaults__
            found.append((lambda number, at=kept: at.__setitem__(limit.name, number), kept[limit.name]))
            continue
        names = list(inspect.signature(function).parameters)
        placed = [
            one for one in names if inspect.signature(function).parameters[one].kind.name.startswith("POSITIONAL")
        ]
        at = placed.index(limit.name) - (len(placed) - len(function.__defaults__ or ()))

        def put(number: Number, function: Any = function, at: int = at) -> None:
            defaults = list(function.__defaults__)
            defaults[at] = number
            function.__defaults__ = tuple(defaults)

        found.append((put, (function.__defaults__ or ())[at]))
    return found
