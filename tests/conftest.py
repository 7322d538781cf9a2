"""Hypothesis profiles for all tests, and a server.

The same examples on every run, so that what is green here is green elsewhere; ``make explore`` draws others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "explore", max_examples=40, deadline=None, suppress_health_check=_SLOW_IS_FINE, print_blob=True
)
settings.register_profile("same", settings.get_profile("explore"), derandomize=True, max_examples=20)
settings.register_profile("thorough", settings.get_profile("explore"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "same")


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
