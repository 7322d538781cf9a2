"""All panels in a real browser: they draw, they answer to clicks, and nothing of a table becomes code.

Screenshots of every panel, light and dark, are kept in ``out/app-shots``.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui")
sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "out" / "app-shots"
PANELS = ("result", "lattice", "lattice-large", "front", "query", "schema")
QUIET = ("favicon", "reading 'dispose'")
"""No icon here; and the chart element of NiceGUI 3.18 stumbles when it is taken away before it was drawn."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def served(command: list[str], port: int) -> Iterator[str]:
    """Start a page, wait until it answers, and end it in the end."""
    # NiceGUI behaves otherwise where it finds pytest around it.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NICEGUI"))}
    environment = {**kept, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen(
        [sys.executable, *command, str(port)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(240):
            if process.poll() is not None:
                raise RuntimeError("the page ended before it began")
            try:
                urllib.request.urlopen(f"{address}?only=nothing", timeout=20).read()
                break
            except OSError:
                time.sleep(0.25)
        yield address
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def gallery() -> Iterator[str]:
    yield from served([str(ROOT / "scripts" / "gallery.py"), "--port"], free_port())


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    yield from served([str(Path(__file__).with_name("hostile_page.py"))], free_port())


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page on a laptop; whatever goes wrong in it, or asks for another host, fails the test."""
    opened = browser.new_page(viewport={"width": 1366, "height": 768})
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    opened.on("request", lambda asked: wrong.append(asked.url) if _leaves(asked.url) else None)
    yield opened
    opened.close()
    assert [one for one in wrong if not any(name in one for name in QUIET)] == []


def _leaves(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:"))


def look_at(page: Any, address: str, panel: str, dark: int = 0) -> None:
    page.goto(f"{address}?dark={dark}&only={panel}", timeout=90_000)
    page.wait_for_selector(".am h3")
    if panel != "query":
        page.wait_for_selector(".am-drawing svg")
    page.wait_for_timeout(300)


@pytest.mark.parametrize("dark", [0, 1])
def test_every_panel_is_drawn(page: Any, gallery: str, dark: int) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    mode = "dark" if dark else "light"
    for panel in PANELS:
        look_at(page, gallery, panel, dark)
        page.screenshot(path=SHOTS / f"{panel}-{mode}.png", full_page=True)
        # Nothing is wider than the screen.
        assert page.evaluate("document.documentElement.scrollWidth") <= 1366
        for one in page.locator(".am-drawing svg").all():
            assert one.get_attribute("role") == "img"
            assert len(one.locator("> desc").text_content() or "") > 20
    look_at(page, gallery, "result", dark)
    for tab in ("Columns", "Groups", "Published rows", "Proof and limits"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(500)
        page.screenshot(path=SHOTS / f"result-{tab.lower().replace(' ', '-')}-{mode}.png", full_page=True)


def test_axes_can_be_changed_and_zoomed(page: Any, gallery: str) -> None:
    look_at(page, gallery, "result")
    page.get_by_role("tab", name="Groups").click()
    page.wait_for_selector("[data-panel=partition] canvas")
    page.locator(".am-tools .q-field").nth(1).click()
    page.get_by_role("option", name="occupation").click()
    page.get_by_text("groups over age and occupation").wait_for()
    page.wait_for_selector("[data-panel=partition] canvas")
    page.get_by_role("button", name="rows in a group").click()
    page.get_by_text("rows in a group:").wait_for()
    until_shown(page, "start === 0 && end === 100")
    page.get_by_role("button", name="Closer").click()
    until_shown(page, "start > 0 && end < 100")
    page.get_by_role("button", name="Show everything").click()
    until_shown(page, "start === 0 && end === 100")
    box = page.locator("[data-panel=partition]").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.4)
    page.mouse.move(box["x"] + box["width"] * 0.61, box["y"] + box["height"] * 0.4)
    page.locator(".am-tip").wait_for()
    assert "rows in" in page.locator(".am-tip").inner_text()


def until_shown(page: Any, condition: str) -> None:
    """Wait until what the chart shows of its first axis, in percent, fulfils a condition."""
    find = "getElement(parseInt(document.querySelector('[data-panel=partition]').id.slice(1))).chart"
    zoom = f"const zoom = (({find})?.getOption()?.dataZoom ?? [])[0]"
    page.wait_for_function(
        f"() => {{ {zoom}; if (!zoom) return false; const {{start, end}} = zoom; return {condition}; }}"
    )


def test_a_node_can_be_clicked_and_applied(page: Any, gallery: str) -> None:
    look_at(page, gallery, "lattice")
    before = page.locator(".am-card").inner_text()
    page.locator("[data-panel=lattice] .node").last.click()
    # The last node is the top of the lattice: everything is one value there.
    page.locator(".am-card").get_by_text("4 of 4").wait_for()
    after = page.locator(".am-card").inner_text()
    assert after != before
    assert "Safe" in after
    page.get_by_role("button", name="Apply these levels").click()
    page.get_by_text("apply {").wait_for()


def test_a_candidate_can_be_clicked_and_taken(page: Any, gallery: str) -> None:
    look_at(page, gallery, "front")
    page.locator("[data-panel=front] .dot").first.click()
    page.locator(".am-card h4").get_by_text("k = 5").wait_for()
    page.get_by_role("button", name="Take this one").click()
    page.get_by_text(re.compile(r"^take \d")).wait_for()


def test_questions_are_answered_beside_the_truth(page: Any, gallery: str) -> None:
    look_at(page, gallery, "query")
    page.locator(".am-examples button").first.click()
    page.locator(".am-spoken").wait_for()
    assert "true answer" in page.locator(".am-spoken").inner_text()
    page.wait_for_selector("[data-panel=answer-0] svg")
    page.locator(".am-sql input").fill("SELECT <b>x</b>")
    page.locator(".am-sql input").press("Enter")
    page.get_by_role("alert").wait_for()
    page.screenshot(path=SHOTS / "query-error.png")


def test_of_a_sample_more_is_shown_where_one_looks_closer(page: Any, hostile: str) -> None:
    page.goto(hostile)
    page.get_by_role("tab", name="Groups").click()
    page.get_by_text("even sample of 10").wait_for()
    page.wait_for_selector("[data-panel=partition] canvas")
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Closer").click()
    page.get_by_text("looked closer at 4 ends").first.wait_for()
    until_shown(page, "start > 0")


def test_nothing_of_a_table_becomes_code(page: Any, hostile: str) -> None:
    page.goto(hostile)
    page.wait_for_selector(".am-drawing svg")
    for tab in ("Columns", "Groups", "Published rows", "Proof and limits", "Risk and loss"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(400)
        for one in page.locator(".am-chart, .am-drawing").all()[:6]:
            box = one.bounding_box()
            if box is not None:
                one.scroll_into_view_if_needed()
                box = one.bounding_box()
                for share in (0.3, 0.6):
                    page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.5)
                    page.wait_for_timeout(80)
    for button in page.locator(".am-examples button").all():
        button.click()
        page.wait_for_timeout(300)
    assert page.evaluate("window.hurt") is None
    assert page.locator(".am img, .am script").count() == 0
