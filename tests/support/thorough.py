"""How many cases a test walks: a part of them while one works and in CI, all of them with ``make explore``."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") in ("explore", "thorough")


def some(n: int) -> int:
    """So many of ``n`` cases."""
    return n if THOROUGH else max(n // 3, min(n, 3))
