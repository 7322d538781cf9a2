"""A long run can be watched and stopped: what the tick raises comes out, and so does Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from amongst.kernels.axis import FIXED_POINT, Axis
from amongst.kernels.numpy import rows as reference

compiled = pytest.importorskip("amongst.kernels.compiled_rows", reason="no compiled kernels here")

N_COMPILED, N_REFERENCE = 1_500_000, 5_000
"""Enough rows for compiled kernels, which tick every 0.1 s, and for numpy, which ticks every 1,024 groups."""


def long_run(kernels: Any, tick: Callable[[int, int], None], relaxed: bool = False) -> Any:
    rng = np.random.default_rng(1)
    n = N_COMPILED if kernels is compiled else N_REFERENCE
    position = np.linspace(0, FIXED_POINT, 30_000).astype(np.int64)
    columns = [rng.integers(0, 30_000, n).astype(np.uint16) for _ in range(4)]
    return kernels.mondrian(columns, None, [Axis(30_000, position)] * 4, 2, cuts=0, relaxed=relaxed, tick=tick)


class StopHere(Exception):
    pass


@pytest.mark.parametrize("kernels", [compiled, reference], ids=["compiled", "numpy"])
@pytest.mark.parametrize("relaxed", [False, True])
def test_what_the_tick_raises_comes_out(kernels: Any, relaxed: bool) -> None:
    seen = []

    def tick(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 2:
            raise StopHere

    with pytest.raises(StopHere):
        long_run(kernels, tick, relaxed)
    assert len(seen) == 2
    n = N_COMPILED if kernels is compiled else N_REFERENCE
    assert all(0 <= done <= total == n for done, total in seen)
    assert seen[0] <= seen[1]


def test_ctrl_c_stops_the_compiled_kernel() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            long_run(compiled, lambda done, total: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile() -> None:
    turns, over = [], threading.Event()

    def count() -> None:
        while not over.wait(0.01):
            turns.append(1)

    other = threading.Thread(target=count)
    other.start()
    try:
        long_run(compiled, lambda done, total: None)
    finally:
        over.set()
        other.join()
    assert len(turns) > 3
