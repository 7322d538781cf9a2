"""What all workers of a run need, made by the first that asks: the others wait and read it."""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable
from typing import TypeVar

import pytest

Made = TypeVar("Made")


def once_a_run(folders: pytest.TempPathFactory, make: Callable[[], Made]) -> Made:
    """What ``make`` gives, called once however many workers there are."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return make()
    kept = folders.getbasetemp().parent / f"{make.__module__}.{make.__qualname__}"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(make()))
        made: Made = pickle.loads(kept.read_bytes())
    return made
