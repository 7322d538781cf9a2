"""Hypothesis profiles for all tests, and a server.

The same examples on every run, so that what is green here is green elsewhere; ``make explore`` draws others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "explore", max_examples=40, deadline=None, suppress_health_check=_SLOW_IS_FINE, print_blob=True
)
settings.register_profile("same", settings.get_profile("explore"), derandomize=True, max_examples=20)
settings.register_profile("thorough", settings.get_profile("explore"), max_examples=1000)
settings.register_profile("few", settings.get_profile("same"), max_examples=5)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "same")

WITH_PROCESSES = (
    *("app", "app_figures", "cli", "engines", "experiments", "faults", "gauntlet"),
    *("goldens", "hostile", "limits", "papers"),
)
"""Folders of tests that start processes, servers and browsers, or walk whole lives; ``--fast`` leaves them out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="what runs within this process, with few random examples")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        settings.load_profile("few")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--fast"):
        return
    here = Path(__file__).parent
    left_out = [item for item in items if item.path.relative_to(here).parts[0] in WITH_PROCESSES]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


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
