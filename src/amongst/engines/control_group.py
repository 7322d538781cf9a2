"""The control group that a process is kept in (a container, a job of a cluster): what memory it may still take."""

from __future__ import annotations

from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
BOUNDLESS = 1 << 60
"""From here on a limit is none; the first version writes such a number where there is no limit."""


def room_in_group(root: Path = ROOT, own: Path = OWN) -> int | None:
    """Bytes that the process may still take within its group and the groups around it; None: no group limits it.

    What the system keeps of files that were read (and would give back) is not counted as taken.
    """
    rooms = [room for folder in _folders(root, own) if (room := _room(folder)) is not None]
    return min(rooms) if rooms else None


def _folders(root: Path, own: Path) -> list[Path]:
    """The group's folder and those around it. In a container the path may be one that only the host has."""
    try:
        lines = [line.split(":", 2) for line in own.read_text().splitlines()]
    except OSError:
        return []
    found = []
    for line in lines:
        if len(line) != 3 or not (line[1] == "" or "memory" in line[1].split(",")):
            continue
        top = root if line[1] == "" else root / "memory"
        inner = top / line[2].lstrip("/")
        around = [folder for folder in (inner, *inner.parents) if folder == top or folder.is_relative_to(top)]
        found += [folder for folder in around if folder.is_dir()]
    return found


def _room(folder: Path) -> int | None:
    for limit, taken, cached in (
        ("memory.max", "memory.current", "inactive_file"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    ):
        try:
            most, now = int((folder / limit).read_text()), int((folder / taken).read_text())
            facts = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        except (OSError, ValueError):  # "max": no limit
            continue
        if most < BOUNDLESS:
            return max(most - now + int(facts.get(cached, 0)), 0)
    return None
