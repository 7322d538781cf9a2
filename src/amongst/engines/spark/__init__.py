"""Tables on a Spark cluster: counted and recoded by the executors, decided on in the driver.

Names are imported when they are asked for: the workers of the executors import this package for its kernel alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

HOME = {"SparkStore": "store", "Started": "session", "open_spark": "open"}

__all__ = ["SparkStore", "Started", "open_spark"]


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOME[name]}"), name)
