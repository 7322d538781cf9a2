"""Every number that switches what happens is tried on its other sides: nothing breaks, and the answer is the same.

A new constant, or a new default of a parameter, is found by itself. It is moved to a few small values (and a large one)
while little flows run through the functions that read it. Where the answer may change, `explained.py` says why.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from explained import MAY_DIFFER, MAY_REFUSE, NOT_MOVED, reason
from limit_moved import functions_run, moved, other_sides
from little_flows import Flow, flows
from numbers_in_code import Limit, limits, users

from amongst.errors import AmongstError
from once_a_run import once_a_run

MOST_FLOWS = 2
"""So many flows, the shortest ones that together read a limit everywhere."""
MOVED = [limit for limit in limits() if reason(str(limit), NOT_MOVED) is None]


def run(flow: Flow) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return flow(Path(folder))


Ways = dict[str, set[tuple[str, str]]]


@pytest.fixture(scope="session")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Ways:
    """For every flow the functions it runs through."""
    return once_a_run(tmp_path_factory, walked)


def walked() -> Ways:
    found = {}
    for name, flow in flows().items():
        run(flow)  # what is loaded and kept the first time
        found[name] = functions_run(lambda flow=flow: run(flow))
    return found


@cache
def usual(name: str) -> str:
    return repr(run(flows()[name]))


def through(limit: Limit, ways: Ways) -> list[str]:
    """The flows to try a limit with."""
    left, chosen = set(users().get(str(limit), ())), []
    for name, ran in sorted(ways.items(), key=lambda item: (len(item[1]), item[0])):
        if ran & left and len(chosen) < MOST_FLOWS:
            chosen.append(name)
            left -= ran
    return chosen


def test_every_explanation_is_of_a_number_that_is_there() -> None:
    there = [str(limit) for limit in limits()]
    for among in (NOT_MOVED, MAY_DIFFER, MAY_REFUSE):
        stale = [pattern for pattern in among if not any(reason(one, {pattern: "it"}) for one in there)]
        assert not stale, f"explained, but not in the code: {stale}"


@pytest.mark.parametrize("limit", MOVED, ids=str)
def test_nothing_breaks_on_the_other_side(limit: Limit, ways: Ways) -> None:
    names = through(limit, ways)
    assert names, (
        f"{limit} = {limit.value}: no flow of little_flows.py reads it; add one, or say why not in explained.py"
    )
    for name in names:
        same = usual(name)  # first: what a flow loads must be loaded before the number moves
        for value in other_sides(limit.value):
            try:
                with moved(limit, value):
                    got = repr(run(flows()[name]))
            except AmongstError:
                if reason(str(limit), MAY_REFUSE) is None:
                    raise
                continue
            if reason(str(limit), MAY_DIFFER) is None:
                assert got == same, f"{limit} = {value}: {name} gives something else"
