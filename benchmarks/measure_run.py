"""CPU time, wall time and peak memory of one piece of work, in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from typing import Any

PREPARE = """
import json, resource, sys, time
{prepare}
started, cpu = time.perf_counter(), time.process_time()
{work}
print("\\n" + json.dumps({{
    "cpu": time.process_time() - cpu,
    "wall": time.perf_counter() - started,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "result": globals().get("result"),
}}))
"""


def in_process(prepare: str, work: str) -> dict[str, Any]:
    """Run ``work`` after ``prepare`` in a fresh process; only ``work`` is timed."""
    done = subprocess.run(
        [sys.executable, "-c", PREPARE.format(prepare=prepare, work=work)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def median_of(repeats: int, *works: tuple[str, str]) -> list[dict[str, Any]]:
    """The run with the median CPU time of each work; the works take turns, so that noise falls on all of them."""
    runs: list[list[dict[str, Any]]] = [[] for _ in works]
    for _ in range(repeats):
        for own, (prepare, work) in zip(runs, works, strict=True):
            own.append(in_process(prepare, work))
    return [sorted(own, key=lambda run: run["cpu"])[len(own) // 2] for own in runs]


def command_cpu(command: list[str], repeats: int) -> float:
    """The median CPU time of a whole command, children and all."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "0"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)

    return statistics.median(once() for _ in range(repeats))
