"""Which kernels run: the compiled ones where there are any, unless numpy is asked for."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any


def compiled(name: str) -> Any:
    """A compiled module; None where it was not compiled, or with ``AMONGST_KERNELS=numpy``."""
    if os.environ.get("AMONGST_KERNELS", "") == "numpy":
        return None
    try:
        return import_module(f"amongst.kernels.cpp.{name}")
    except ImportError:
        return None
