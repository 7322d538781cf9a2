"""Building hierarchies in the browser, and working with the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from app_process import App, Tab


def people(tmp_path: Path) -> Path:
    towns = ("Bern", "Chur", "Oslo", "Rome")
    rows = [f"{20 + i % 60},{towns[i % 4]},{53700 + i % 40},{'flu' if i % 3 else 'cold'}" for i in range(240)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["age,town,zip,diagnosis", *rows]))
    return path


def choose(tab: Tab, column: str) -> None:
    tab.page.get_by_role("option", name=re.compile(f"^{column}")).click()
    tab.page.locator(".editor-head h2", has_text=column).wait_for()


def test_hierarchies_are_built_seen_and_published(app: App, browser: Any, tmp_path: Path) -> None:
    tab = Tab(browser, app, "builder").open()
    with tab.loading():
        tab.page.locator("input[type=file]").first.set_input_files(people(tmp_path))
    tab.step("Hierarchies")
    tab.marked("recipe-intervals").click()
    tab.marked("recipe-numbers").fill("10, 20")
    tab.sees("all 60 values, 4 levels")
    tab.marked("recipe-numbers").fill("10, 25")  # 25 is no multiple of 10
    tab.page.locator(".preview .error").wait_for()
    tab.marked("recipe-numbers").fill("10, 20, 40")
    tab.sees("all 60 values, 5 levels")

    choose(tab, "town")
    tab.marked("recipe-nested").click()
    tab.page.get_by_text("Bern", exact=True).click()
    tab.page.get_by_text("Chur", exact=True).click()
    tab.marked("group-name").fill("Switzerland")
    tab.page.get_by_role("button", name="Put together").click()
    tab.page.get_by_text("Switzerland (2)").wait_for()
    tab.sees("all 4 values, 3 levels")
    tab.page.locator(".hierarchy-item", has_text="town").get_by_text("a mapping of 4 leaves").wait_for()
    lines = tab.page.locator(".group-line")
    assert lines.filter(has_text="Switzerland").inner_text().split("\n")[-1] == "120 rows"
    lines.filter(has_text="Oslo").drag_to(lines.filter(has_text="Rome"))
    tab.page.get_by_text("Rome, Oslo (2)").wait_for()
    lines.filter(has_text="Bern").drag_to(lines.filter(has_text="Rome, Oslo"))
    tab.page.get_by_text("Rome, Oslo (3)").wait_for()
    tab.shot("dragged")
    tab.page.get_by_role("button", name="Undo").click()
    tab.page.get_by_role("button", name="Undo").click()
    tab.page.get_by_text("Switzerland (2)").wait_for()
    tab.sees("all 4 values, 3 levels")
    tab.shot("groups")

    choose(tab, "zip")
    tab.marked("recipe-csv").click()
    arx = tmp_path / "zip.csv"
    arx.write_text("".join(f"{53700 + i};537**;*\n" for i in range(30)))  # ten values are not covered
    drop = tab.page.locator(".hierarchy-editor input[type=file]")
    drop.set_input_files(arx)
    tab.sees(re.compile("10 values of the column"))
    tab.shot("not-covered")
    arx.write_text("".join(f"{53700 + i};5370*;*\n" for i in range(40)))
    drop.set_input_files(arx)
    tab.sees("all 40 values, 3 levels")
    tab.shot("arx")

    tab.step("Method")
    tab.marked("method-incognito").click()
    tab.page.get_by_role("button", name="Make the release").click()
    tab.made()
    shown = tab.text()
    assert '{ Switzerland = ["Bern", "Chur"] }' in shown
    assert "intervals = [10, 20, 40]" in shown
    assert 'csv = "zip.csv"' in shown  # the second upload took the place of the first

    tab.marked("tab-models").click()  # what becomes of a regression
    formula = tab.page.get_by_label("Formula of the model")
    assert formula.input_value().startswith("diagnosis ~ age")
    formula.fill("diagnosis ~ nobody")
    tab.marked("fit").click()
    tab.sees("The formula names a column that is not there.")
    formula.fill("diagnosis ~ age")
    tab.marked("fit").click()
    tab.sees(re.compile("of the intervals kept .logistic"))
    tab.shot("model")
    tab.marked("keep-formula").click()
    tab.made()
    assert '[analysis]\nformulas = ["diagnosis ~ age"]' in tab.text()
    assert tab.problems == []


def test_the_keyboard_is_enough_and_shows_where_it_is(app: App, browser: Any) -> None:
    tab = Tab(browser, app, "keyboard").open()
    with tab.loading():
        tab.marked("example-patients").focus()
        tab.page.keyboard.press("Shift+Tab")
        tab.page.keyboard.press("Tab")
        frame = tab.page.evaluate("getComputedStyle(document.activeElement).boxShadow")
        assert "rgb" in frame
        tab.shot("focus")
        tab.page.keyboard.press("Enter")
    tab.marked("next").focus()
    tab.page.keyboard.press("Enter")
    tab.marked("slide-k").wait_for()
    tab.marked("slide-k").focus()
    for _ in range(6):  # to k = 2: six rows cannot hold ten
        tab.page.keyboard.press("ArrowLeft")
    tab.made()
    tab.page.locator(".row-number button").first.focus()
    tab.page.keyboard.press("Enter")
    tab.marked("why").get_by_text("Row 1").wait_for()
    tab.page.get_by_role("navigation").get_by_role("button", name="Roles").focus()
    tab.page.keyboard.press("Enter")
    tab.sees("What is each column?")
    toggle = tab.page.get_by_label("Role of Age").get_by_role("button", name="Sensitive")
    toggle.focus()
    tab.page.keyboard.press("Space")
    tab.page.locator(".role-row.role-sensitive", has_text="Age").wait_for()
    assert tab.page.locator(".content").evaluate("main => main.scrollWidth <= main.clientWidth")
    assert tab.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
