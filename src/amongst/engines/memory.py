"""How much memory a run may take, and how it is shared out."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from dataclasses import dataclass

from amongst.engines.control_group import room_in_group
from amongst.errors import BadOption, Infeasible

UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?I?B)\s*", re.IGNORECASE)
ROOM = 300 * 10**6
"""The least that must be free beside what the process takes already: for a query, a batch of rows, a row group."""

FOR_QUERIES, FOR_TUPLES = 0.55, 0.75
"""Shares of what is free: the two are not there at once."""


def size_of(memory: str | int) -> int:
    """A size in bytes.

    Examples
    --------
    >>> from amongst.engines.memory import size_of
    >>> size_of("4GB"), size_of("512 MiB")
    (4000000000, 536870912)
    """
    if isinstance(memory, int) and not isinstance(memory, bool) and memory > 0:
        return memory
    found = SIZE.fullmatch(memory) if isinstance(memory, str) else None
    if found is None or float(found[1]) <= 0:
        raise BadOption(
            "The memory limit is not a size.", found=f"memory = {memory!r}", fix='use a size such as "4GB" or "800MB"'
        )
    return int(float(found[1]) * UNITS[found[2].upper()])


def words(n_bytes: float) -> str:
    """A size in words.

    Examples
    --------
    >>> from amongst.engines.memory import words
    >>> words(1_234_000_000), words(45_000_000)
    ('1.2 GB', '45 MB')
    """
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes >= 1e9 else f"{max(round(n_bytes / 1e6), 1)} MB"


def resident() -> int:
    """What this process has in memory now, in bytes; a guess where the system does not say."""
    try:
        with open("/proc/self/statm") as facts:
            return int(facts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 250 * 10**6


def give_back() -> None:
    """Let the system have what this process has freed and kept, where it knows how: a limit counts that too."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with contextlib.suppress(OSError, AttributeError):  # only the C library of GNU does so
        ctypes.CDLL(None).malloc_trim(0)


@dataclass(frozen=True)
class Budget:
    """A memory limit, and what is left of it beside the process itself.

    Attributes
    ----------
    limit : int
        For the whole process.
    free : int
        What tuples, batches and DuckDB may take together.
    """

    limit: int
    free: int

    @property
    def for_queries(self) -> int:
        """What DuckDB is told; it takes somewhat more at times."""
        return int(self.free * FOR_QUERIES)

    @property
    def for_tuples(self) -> int:
        """What the frequency set and the search over it may take."""
        return int(self.free * FOR_TUPLES)


def budget(memory: str | int | None) -> Budget:
    """The budget of a run; without a limit four fifths of what the machine, or the control group, has free."""
    import duckdb  # noqa: F401  # these three take most of what the program itself takes
    import numpy  # noqa: F401
    import pyarrow.compute
    import pyarrow.parquet  # noqa: F401

    now = resident()
    limit = (free_memory() or 5 * 10**9) * 4 // 5 if memory is None else _within_group(size_of(memory), now)
    if limit - now < ROOM:
        least = -(-(now + ROOM) // 10**8) / 10
        raise Infeasible(
            "The memory limit is too small to work with.",
            found=f"{words(limit)}, of which the program itself takes {words(now)}",
            fix=f"allow at least {least:.1f}GB",
            least=int(least * 10**9),
        )
    return Budget(limit, limit - now)


def _within_group(limit: int, now: int) -> int:
    """The limit, or what the control group leaves where that is less: beyond it the system would end the process."""
    room = room_in_group()
    return limit if room is None else min(limit, now + room)


def free_memory() -> int | None:
    """Bytes that are free for this process: of the machine, and of the control group it is kept in; None: not said."""
    found = [free for free in (_free_of_machine(), room_in_group()) if free is not None]
    return min(found) if found else None


def _free_of_machine() -> int | None:
    try:
        with open("/proc/meminfo") as facts:
            told = dict(line.split(":") for line in facts)
        return int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
