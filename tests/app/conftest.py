"""One browser for all tests of the app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_process import CHROMIUM, App, running


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: apt-get install chromium, or scripts/setup dev as root")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """A window without cookies, as large as a laptop's screen."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768}, color_scheme="light", accept_downloads=True)
    yield context
    context.close()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with running(tmp_path) as started:
        yield started
