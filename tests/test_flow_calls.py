"""How far it is from a public name to the kernel that groups rows: a reader can follow it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pyarrow.parquet as pq

import amongst as am

SOURCE = Path(am.__file__).parent
KERNELS = str(SOURCE / "kernels")


def calls_to(kernel: str, work: Callable[[], Any]) -> list[str]:
    """The functions of amongst from the public name to the first call of a kernel, both included."""
    found: list[list[str]] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name == kernel and code.co_filename.startswith(KERNELS) and not found:
            found.append(way(frame))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found[0]


def way(frame: FrameType | None) -> list[str]:
    names = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(str(SOURCE)):
            names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names[::-1]


def test_four_calls_in_memory() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 300)
    seen = calls_to("mondrian", lambda: am.anonymize(table, adult.schema, [am.KAnonymity(5)]))
    assert seen == ["anonymize", "release_of", "group", "mondrian", "mondrian"]


def test_five_calls_where_rows_are_in_a_file(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    pq.write_table(adult.table.slice(0, 300), tmp_path / "in.parquet")
    asked = {"memory": "4GB", "work": tmp_path, "engine": "duckdb"}
    seen = calls_to(
        "mondrian", lambda: am.anonymize(tmp_path / "in.parquet", adult.schema, [am.KAnonymity(5)], **asked)
    )
    assert len(seen) <= 6, seen
