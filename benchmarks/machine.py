"""Where and when figures were measured, and with which versions: what every JSON of a benchmark begins with."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any

VERSIONS = ("amongst", "numpy", "pyarrow", "duckdb", "formulaic", "scikit-learn")


def machine(*more: str) -> dict[str, Any]:
    """The processor, its cores, the load when it began, the day, and the versions of what computes."""
    versions = {"python": platform.python_version()}
    for name in (*VERSIONS, *more):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
            "system": platform.system(),
            "load": round(os.getloadavg()[0], 1),
        },
        "date": datetime.date.today().isoformat(),
        "versions": versions,
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.machine()


def below(pid: int) -> list[int]:
    """A process and all below it."""
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        try:
            tasks = list(Path(f"/proc/{found[-1]}/task").iterdir())
            todo += [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except OSError:  # it has ended
            continue
    return found


def memory_of_all(pid: int) -> int:
    """What a process and all below it have in memory, in bytes."""
    return sum(int(facts[1]) for one in below(pid) if (facts := _facts(one, "statm"))) * os.sysconf("SC_PAGE_SIZE")


def cpu_of_all(pid: int) -> float:
    """Seconds of a process and all below it, those that have ended too."""
    told = [facts[-1] for one in below(pid) if (facts := _facts(one, "stat", ")"))]  # a name may hold blanks
    return sum(int(ticks) for own in told for ticks in own.split()[11:15]) / os.sysconf("SC_CLK_TCK")


def _facts(pid: int, name: str, by: str | None = None) -> list[str]:
    try:
        return Path(f"/proc/{pid}/{name}").read_text().split(by)
    except OSError:  # it has ended
        return []
