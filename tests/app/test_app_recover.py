"""What goes wrong costs no work: files that cannot be read, workers that die, settings that were changed by mistake."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from app_process import App, Tab, running

ROWS = [(20 + i % 50, ("Köln", "Münster", "Bad Tölz")[i % 3], f"{50_000 + i % 40}", i % 7) for i in range(300)]
HEAD = "Alter;Ort;PLZ;Tage"
LINES = [";".join(map(str, row)) for row in ROWS]


def read_so(tab: Tab) -> None:
    before = int(tab.page.locator(".content").get_attribute("data-loaded") or 0)
    tab.marked("read-so").first.click()
    tab.page.locator(f".content[data-loaded='{before + 1}']").wait_for()


@pytest.mark.parametrize(("encoding", "told"), [("latin-1", "windows-1252"), ("utf-16", "utf-16")])
def test_a_file_of_another_encoding_is_read_and_told(
    app: App, browser: Any, tmp_path: Path, encoding: str, told: str
) -> None:
    file = tmp_path / f"klinik-{encoding}.csv"
    file.write_bytes("\n".join([HEAD, *LINES, ""]).encode(encoding))
    tab = Tab(browser, app, f"encoding-{encoding}").open()
    with tab.loading():
        tab.drop(file)
    tab.sees("300 rows, 4 columns")
    tab.sees(f"Read as {told}")
    tab.page.locator("table.sample").get_by_text("Bad Tölz").first.wait_for()
    tab.shot("read")
    assert tab.problems == []


def test_a_file_without_names_and_with_blanks_between_cells_is_read_and_told(
    app: App, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "credit.data"
    file.write_text("\n".join(f"A1{i % 4} {i % 48} A3{i % 3} {1000 + i}" for i in range(200)) + "\n")
    tab = Tab(browser, app, "no-names").open()
    with tab.loading():
        tab.drop(file)
    tab.sees("200 rows, 4 columns")
    tab.sees("The first line looks like data")
    assert "header=False" in tab.text("Python")
    assert tab.problems == []


def test_forms_are_shown_with_what_speaks_for_them_and_can_be_changed(app: App, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "labor.csv"
    rows = [f"{1 + i % 28:02d}.03.{1950 + i % 40};{8 + i % 7},5" for i in range(60)]
    file.write_text("\n".join(["Geburt;Hb", *rows, "01.04.1999;n.b.", ""]))
    tab = Tab(browser, app, "forms").open()
    with tab.loading():
        tab.drop(file)
    tab.sees("2 columns were looked at closer")
    tab.page.locator("details.reading > summary").click()
    tab.sees("60 of 61 are numbers with a decimal comma; 1 say n.b.")
    tab.shot("forms")
    tab.page.get_by_label("Form of Geburt").fill("text")
    tab.page.get_by_label("Form of Geburt").press("Tab")
    read_so(tab)
    assert 'Geburt = "text"' in tab.text()
    assert tab.problems == []


def test_a_wrong_choice_can_be_seen_and_changed(app: App, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "klinik.csv"
    file.write_bytes("\n".join([HEAD, *LINES, ""]).encode("latin-1"))
    tab = Tab(browser, app).open()
    with tab.loading():
        tab.drop(file)
    tab.page.locator("details.reading > summary").click()
    tab.pick("Encoding", "Windows-1251 (Cyrillic)")
    tab.marked("lines").get_by_text("Kцln").first.wait_for()
    read_so(tab)
    tab.page.locator("details.reading > summary").click()
    tab.pick("Encoding", "Latin-1 (ISO 8859-1)")
    read_so(tab)
    tab.page.locator("table.sample").get_by_text("Köln").first.wait_for()


def test_what_was_opened_and_chosen_stays_when_the_page_is_drawn_anew(app: App, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "klinik.csv"
    file.write_text("\n".join([HEAD, *LINES, ""]))
    tab = Tab(browser, app).open()
    with tab.loading():
        tab.drop(file)
    tab.page.locator("details.reading > summary").click()
    tab.pick("Encoding", "Latin-1 (ISO 8859-1)")
    tab.page.get_by_label("Texts that mean missing").fill("n.b., ?")
    tab.page.get_by_label("Texts that mean missing").press("Tab")
    lines = tab.marked("lines")
    lines.get_by_text("KÃ¶ln").first.wait_for()
    typed = tab.page.get_by_label("Texts that mean missing")
    typed.focus()
    typed.evaluate("(one) => { one.marked = true; }")
    other = Tab(browser, app).open("/privacy")  # what is changed there draws this page anew
    other.marked("k-anonymity-k").fill("7")
    other.sees("with at least 6 others")
    tab.page.locator("button[aria-label=Undo]:not([disabled])").wait_for()
    assert typed.evaluate("(one) => one.marked && one === document.activeElement")  # the very element that it was
    tab.page.locator("details.reading[open]").wait_for()
    tab.sees("Latin-1 (ISO 8859-1)")
    lines.get_by_text("KÃ¶ln").first.wait_for()
    assert tab.page.get_by_label("Texts that mean missing").input_value() == "n.b., ?"
    read_so(tab)
    tab.page.locator("details.reading:not([open])").wait_for()  # a new table: nothing of it was said yet
    assert 'nulls = ["n.b.", "?"]' in tab.text()


def test_a_broken_file_leaves_what_was_there(app: App, browser: Any, tmp_path: Path) -> None:
    good, broken = tmp_path / "people.csv", tmp_path / "other" / "people.csv"
    good.write_text("\n".join([HEAD, *LINES, ""]))
    broken.parent.mkdir()
    broken.write_bytes(b"Alter;Ort\n1\n\xff\xff\n")  # of the same name
    tab = Tab(browser, app, "leaves").open()
    with tab.loading():
        tab.drop(good)
    tab.step("Privacy")
    tab.marked("k-anonymity-k").fill("7")
    tab.sees("with at least 6 others")
    tab.step("Load")
    tab.drop(broken)
    tab.marked("unread").wait_for()
    tab.sees("What you had before is still here")
    tab.shot("load")
    tab.page.get_by_role("button", name="Leave this file").click()
    tab.marked("unread").wait_for(state="detached")
    tab.step("Privacy")
    tab.sees("with at least 6 others")
    (worker,) = app.workers
    os.kill(worker, signal.SIGKILL)  # what is read again is the file that was read, not the one of its name
    tab.step("Method")
    tab.page.get_by_role("button", name="Make the release").click()
    tab.made()


def test_settings_survive_loading_the_table_again_and_changes_can_be_taken_back(
    app: App, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("\n".join([HEAD, *LINES, ""]))
    tab = Tab(browser, app, "undo").open()
    with tab.loading():
        tab.drop(file)
    tab.step("Privacy")
    for k in ("7", "9"):
        tab.marked("k-anonymity-k").fill(k)
        tab.sees(f"with at least {int(k) - 1} others")
    tab.step("Load")
    file.write_text("\n".join([HEAD, *LINES[:200], ""]))
    with tab.loading():
        tab.drop(file)
    tab.sees("200 rows")
    tab.sees("all settings were kept")
    tab.shot("kept")
    tab.step("Privacy")
    tab.sees("with at least 8 others")
    tab.page.get_by_role("button", name="Undo").click()
    tab.page.get_by_role("button", name="Undo").click()
    tab.sees("with at least 6 others")
    tab.page.get_by_role("button", name="Redo").click()
    tab.sees("with at least 8 others")
    assert tab.problems == []


def test_another_table_loaded_by_mistake_costs_nothing(app: App, browser: Any, tmp_path: Path) -> None:
    good, other = tmp_path / "people.csv", tmp_path / "other.csv"
    good.write_text("\n".join([HEAD, *LINES, ""]))
    other.write_text("age,zip\n" + "".join(f"{20 + i % 30},{i % 7}\n" for i in range(100)))
    tab = Tab(browser, app, "mistake").open()
    with tab.loading():
        tab.drop(good)
    tab.step("Workbench")
    tab.made()
    tab.marked("slide-k").focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.locator(".card").nth(1).wait_for()
    tab.page.get_by_text("Where the lines are").click()
    tab.page.get_by_label("lost, at most").fill("33")
    tab.page.locator(".gauge", has_text="Detail lost").get_by_text("Line: 33.0%").wait_for()
    tab.page.get_by_role("button", name="Undo").click()
    tab.page.locator(".gauge", has_text="Detail lost").get_by_text("Line: 20.0%").wait_for()
    tab.page.get_by_role("button", name="Redo").click()
    tab.page.locator(".gauge", has_text="Detail lost").get_by_text("Line: 33.0%").wait_for()
    tab.step("Load")
    with tab.loading():
        tab.drop(other)
    tab.sees("100 rows")
    tab.shot("other")
    tab.marked("go-back").click()
    tab.sees("300 rows")
    tab.step("Workbench")
    tab.page.locator("[data-mark=slide-k][aria-valuetext='12']").wait_for()
    tab.made()  # of the table that is read again
    assert tab.page.locator(".card").count() == 2
    tab.page.locator(".card", has_text="k 10").click()
    tab.page.locator("[data-mark=slide-k][aria-valuetext='10']").wait_for()
    tab.page.locator(".gauge", has_text="Detail lost").get_by_text("Line: 33.0%").wait_for()
    tab.made()
    tab.step("Load")
    tab.marked("go-back").click()  # and forth
    tab.sees("100 rows")
    assert tab.problems == []


def test_a_worker_that_dies_is_replaced_with_the_table_and_the_release(tmp_path: Path, browser: Any) -> None:
    (tmp_path / "people.csv").write_text("\n".join([HEAD, *LINES, ""]))
    with running(tmp_path, "people.csv") as app:
        tab = Tab(browser, app, "dies").open()
        tab.sees("300 rows")
        (worker,) = app.workers
        os.kill(worker, signal.SIGKILL)
        tab.step("Method")
        tab.page.get_by_role("button", name="Make the release").click()
        tab.made()
        (worker,) = app.workers
        os.kill(worker, signal.SIGKILL)
        tab.step("Publish")
        tab.marked("pack").click()
        tab.sees("Proved and packed")
        assert "no table" not in tab.page.content()
        assert tab.problems == []
