"""A browser for the tests of the app; each file has its own, as two cannot be driven side by side in one process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from app_process import CHROMIUM, App, running


@pytest.fixture(scope="module")
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
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app of the test's own: nothing of another one is in it."""
    with running(tmp_path_factory.mktemp("app")) as started:
        yield started
