"""Files that are broken, hostile or large, in a real browser."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from app_process import App, Tab, running

import amongst as am

EVIL = (
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    "{{constructor.constructor('window.hacked=1')()}}"
)


def test_a_broken_file_is_told_in_words(app: App, browser: Any, tmp_path: Path) -> None:
    broken = {
        "ragged.csv": (b"age,zip\n31,53711\n42\n", "ragged.csv"),
        "broken.parquet": (b"PAR1 this is no parquet", "cannot be read as Parquet"),
        "empty.csv": (b"", "is empty"),
        "notes.docx": (b"hello", "does not know what kind of file"),
    }
    tab = Tab(browser, app, "broken").open()
    for name, (content, words) in broken.items():
        (tmp_path / name).write_bytes(content)
        tab.drop(tmp_path / name)
        box = tab.page.locator(".error")
        box.get_by_text(words).first.wait_for()
        assert "Traceback" not in tab.page.content()
        tab.shot(name.split(".")[0])
    tab.page.get_by_role("button", name="Leave this file").click()
    tab.marked("unread").wait_for(state="detached")


def test_what_cannot_be_reached_is_told_with_a_way_out(app: App, browser: Any) -> None:
    tab = Tab(browser, app, "infeasible").open()
    tab.load("Patients")
    tab.step("Privacy")
    tab.marked("k-anonymity-k").fill("11")
    tab.sees("with at least 10 others")
    tab.step("Method")
    tab.page.get_by_role("button", name="Make the release").click()  # k = 11 of 6 rows
    tab.page.locator(".error").wait_for()
    tab.sees("What to do")
    tab.shot("workbench")


def test_hostile_values_stay_text(app: App, browser: Any, tmp_path: Path) -> None:
    quoted = '"' + EVIL.replace('"', '""') + '"'
    rows = [f'{20 + i % 50},{quoted},"{EVIL[:20].replace(chr(34), "")}{i % 3}",{i % 5}' for i in range(200)]
    file = tmp_path / "<b>evil.csv"
    file.write_text("\n".join([f"age,{quoted},<script>alert(1)</script>,income", *rows]), encoding="utf-8")
    tab = Tab(browser, app, "hostile").open()
    with tab.loading():
        tab.drop(file)
    tab.sees("First rows")
    tab.step("Roles")
    tab.shot("roles")
    tab.step("Hierarchies")
    tab.page.get_by_role("option").last.click()
    tab.marked("recipe-nested").click()
    tab.page.locator(".group-line").first.wait_for()
    tab.shot("hierarchies")
    for name in ("Privacy", "Method"):
        tab.step(name)
    tab.page.get_by_role("button", name="Make the release").click()
    tab.made()
    tab.page.locator(".is-after tbody tr").first.click()
    tab.marked("why").get_by_text("Row 1").wait_for()
    tab.figures()
    for name in ("Columns", "Groups", "Published rows", "Proof and limits"):
        tab.page.get_by_role("tab", name=name).click()
        tab.rests()
    tab.shot("result")
    for chart in tab.page.locator("canvas").all():
        chart.hover(force=True, position={"x": 120, "y": 60}) if chart.is_visible() else None
    assert tab.page.evaluate("window.hacked") is None
    assert tab.page.locator("img[src=x]").count() == 0
    assert tab.problems == []


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import pyarrow.parquet as pq

    path = tmp_path_factory.mktemp("million") / "people.parquet"
    pq.write_table(am.datasets.load("adult-like", n_rows=1_000_000).table, path)
    return path


def test_a_million_rows_seen_from_two_tabs_reloaded_and_cancelled(million: Path, browser: Any, tmp_path: Path) -> None:
    with running(tmp_path, str(million)) as app:
        tab = Tab(browser, app, "million").open()
        tab.sees("1,000,000 rows")
        tab.step("Method")
        tab.marked("method-bottom-up").click()  # takes several seconds
        tab.page.locator("[data-mark=method-bottom-up][aria-pressed=true]").wait_for()
        tab.page.get_by_role("button", name="Make the release").click()
        tab.page.get_by_role("button", name="Cancel").wait_for()
        (worker,) = app.workers
        os.kill(worker, signal.SIGSTOP)  # it is not done before it was looked at, on any machine
        tab.page.reload()
        tab.page.get_by_role("button", name="Cancel").wait_for()
        other = Tab(browser, app).open("/method")
        other.page.get_by_role("button", name="Cancel").wait_for()
        tab.shot("running")
        other.page.get_by_role("button", name="Cancel").click()
        tab.page.get_by_role("button", name="Cancel").wait_for(state="hidden")
        tab.marked("method-mondrian").click()
        tab.page.locator("[data-mark=method-mondrian][aria-pressed=true]").wait_for()
        tab.page.get_by_role("button", name="Make the release").click()
        tab.made()
        tab.shot("made")
        tab.drag("slide-k", [8, 9, 10])  # a part of the rows, told as such
        assert re.search("of [0-9,]+ of 1,000,000 rows", tab.marked("live").inner_text())
        tab.shot("dragged")
        other.step("Workbench")
        other.made()
        assert tab.problems == []
