"""How many threads the kernels take: what they make does not depend on it."""

from __future__ import annotations

import os


def n_threads() -> int:
    """``AMONGST_THREADS`` where it is a number of 1 or more, else the cores that this process may use."""
    asked = os.environ.get("AMONGST_THREADS", "")
    if asked.isdigit() and int(asked) >= 1:
        return min(int(asked), 256)
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
