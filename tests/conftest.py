"""Hypothesis profiles for all tests, and a server.

The same examples on every run, so that what is green here is green elsewhere; ``make explore`` draws others.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests start many processes: none compiles the package anew, whatever the shell says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "explore", max_examples=40, deadline=None, suppress_health_check=_SLOW_IS_FINE, print_blob=True
)
settings.register_profile("same", settings.get_profile("explore"), derandomize=True, max_examples=20)
settings.register_profile("thorough", settings.get_profile("explore"), max_examples=1000)
settings.register_profile("few", settings.get_profile("same"), max_examples=5)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "same")

SLOW = (
    *("app", "app_figures", "cli", "compare", "engines", "faults", "gauntlet", "goldens", "hostile", "limits"),
    *("papers", "relations", "test_docs.py", "kernels/test_relations_kernel.py", "kernels/test_cuts_kernel.py"),
    *("partition/test_least_loss.py", "partition/test_unrestricted.py", "partition/test_k_optimize.py"),
    *("partition/test_full_subgraph.py", "verify/test_broken_releases.py", "verify/test_came_and_went.py"),
)
"""Tests that start processes, servers and browsers, or walk whole lives or many tables; ``--fast`` leaves them out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="one case of every test within this process")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        settings.load_profile("few")


def _when(item: pytest.Item) -> int:
    """What takes longest is not left to the end; and what needs a server runs in one process, which starts it once."""
    name = item.nodeid.lower()
    return next((place for place, word in enumerate(("gauntlet", "spark", "postgresql")) if word in name), 3)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=_when)
    if not config.getoption("--fast"):
        return
    here, first = Path(__file__).parent, dict[str, pytest.Item]()
    for item in items:
        where = item.path.relative_to(here)
        if where.parts[0] not in SLOW and where.as_posix() not in SLOW:
            first.setdefault(item.nodeid.split("[")[0], item)
    kept = {*first.values()}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_collection_finish() -> None:
    """What was collected stays until the end: looked at once more, and then no more when rubbish is sought."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server of our own; tests that need it are skipped where there can be none."""
    from postgresql_server import WHY_NOT, server

    pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")
    running = server()
    try:
        address = running.__enter__()
    except LookupError as reason:
        pytest.skip(WHY_NOT.format(reason=reason))
    try:
        yield address
    finally:
        running.__exit__(None, None, None)
