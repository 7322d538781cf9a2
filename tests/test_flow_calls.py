"""How far it is from a public name to the kernel that groups rows: a reader can follow it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.partition.methods import METHODS

SOURCE = Path(am.__file__).parent
KERNELS = str(SOURCE / "kernels")


def ways_to_kernels(work: Callable[[], Any]) -> list[list[str]]:
    """The functions of amongst from the public name to every call of a kernel from outside, both included."""
    found: list[list[str]] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and in_kernels(frame) and not in_kernels(frame.f_back):
            found.append(way(frame))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def in_kernels(frame: FrameType | None) -> bool:
    return frame is not None and frame.f_code.co_filename.startswith(KERNELS)


def way(frame: FrameType | None) -> list[str]:
    names = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(str(SOURCE)):
            names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names[::-1]


def calls_within(ways: list[list[str]], step: str) -> int:
    """How many calls it takes to a kernel in which the method does its work: the fewest."""
    steps = [one for one in ways if step in one and one[one.index(step) + 1] not in AROUND]
    return min(len(one) for one in steps) - 1


AROUND = ("drawn_rows", "rows_of", "as_they_were", "guided")
"""What is done with rows before and after the method."""

MORE = {
    # What several methods of a family share stands once, between them and the kernel.
    **dict.fromkeys(("hilbert", "hilbert-fast", "idistance", "idistance-fast"), 5),
    **dict.fromkeys(("full-subtree", "full-subgraph", "unrestricted", "regions", "k-optimize"), 5),
    **dict.fromkeys(("cell-suppression", "cell-generalization", "attribute-suppression"), 6),
}
"""Methods that take more than four."""


def limit_of(name: str) -> int:
    """At most four; a search of the lattice is chosen from, and rows are grouped by what was chosen: five."""
    return MORE.get(name, 5 if METHODS[name].search is not None else 4)


@pytest.mark.parametrize("name", [name for name, one in METHODS.items() if one.listed and one.takes != "l"])
def test_a_method_is_few_calls_from_the_public_name_and_from_its_kernel(name: str) -> None:
    patients = am.datasets.load("patients")
    zipcode = replace(patients.schema["Zipcode"], hierarchy=am.Hierarchy.digits(5))
    schema = am.Schema({**patients.schema, "Zipcode": zipcode, "Disease": am.Column(role="sensitive")})
    ways = ways_to_kernels(lambda: am.anonymize(patients.table, schema, [am.KAnonymity(2)], name))
    assert calls_within(ways, "group") == limit_of(name)


def test_the_kernel_of_mondrian_is_four_calls_away() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 300)
    ways = ways_to_kernels(lambda: am.anonymize(table, adult.schema, [am.KAnonymity(5)], method="mondrian"))
    assert ["anonymize", "release_of", "group", "mondrian", "mondrian"] in ways


def test_five_calls_where_rows_are_in_a_file(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    pq.write_table(adult.table.slice(0, 300), tmp_path / "in.parquet")
    asked = {"memory": "4GB", "work": tmp_path, "engine": "duckdb"}
    ways = ways_to_kernels(lambda: am.anonymize(tmp_path / "in.parquet", adult.schema, [am.KAnonymity(5)], **asked))
    assert min(len(one) for one in ways if one[-1] == "mondrian") <= 6
