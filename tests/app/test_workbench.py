"""The live workbench in a real browser: sliders that answer, rows with reasons, cards to go back to, undo of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app_process import App, Tab


def k_of(tab: Tab) -> str:
    return str(tab.marked("slide-k").get_attribute("aria-valuetext"))


def test_three_clicks_to_a_release_then_turn_the_knobs(app: App, browser: Any) -> None:
    tab = Tab(browser, app, "bench").open()
    tab.load("Adult")  # one
    tab.step("Workbench")  # two: it is made, and proved
    assert "45,222 rows in" in tab.made()
    tab.page.locator(".is-after td.changed").first.wait_for()
    assert tab.page.locator(".is-before tbody tr").count() == tab.page.locator(".is-after tbody tr").count() == 25
    tab.shot("1-made")

    # A row, its group, and why every cell became what it is.
    tab.page.locator(".is-after tbody tr").nth(3).click()
    tab.marked("why").get_by_text("It shares what is published with").wait_for()
    assert "became" in tab.marked("why").inner_text()
    tab.shot("2-why")

    # Dragged: every value is tried at once, told as a preview, and changes neither the settings nor what was made.
    tab.drag("slide-k", [8, 10, 12])
    assert tab.marked("live").inner_text().startswith("A preview by mondrian")
    assert tab.page.locator(".card").count() == 1
    tab.let_go("slide-k")
    tab.page.locator(".card").nth(1).wait_for()
    tab.made()
    assert k_of(tab) == "40"
    tab.drag("slide-l", [1])
    tab.let_go("slide-l")
    tab.page.locator(".card").nth(2).wait_for()
    tab.shot("3-cards")

    # What cannot be is told while it is dragged, and again when the hand is off, with a way out.
    tab.page.evaluate("(m) => { const s = document.querySelector(`[data-mark='${m}']`); s.value = 9; }", "slide-l")
    tab.page.evaluate(
        "(m) => document.querySelector(`[data-mark='${m}']`).dispatchEvent(new Event('input', {bubbles: true}))",
        "slide-l",
    )
    tab.page.locator("[data-mark=live]", has_text="Not possible").wait_for()
    tab.let_go("slide-l")
    tab.page.locator(".bench .error").get_by_text("What to do").wait_for()
    tab.shot("4-not-possible")

    # Undo and redo go through all of it; a card goes back at once.
    for k, diverse in (("40", "1.2"), ("40", "off"), ("10", "off")):
        tab.page.get_by_role("button", name="Undo").click()
        tab.page.locator(f"[data-mark=slide-l][aria-valuetext='{diverse}']").wait_for()
        tab.page.locator(f"[data-mark=slide-k][aria-valuetext='{k}']").wait_for()
        tab.page.locator(".slider:has([data-mark=slide-k]) output").get_by_text(k, exact=True).wait_for()
    tab.page.get_by_role("button", name="Redo").click()
    tab.page.locator("[data-mark=slide-k][aria-valuetext='40']").wait_for()
    tab.made()
    tab.page.locator(".card", has_text="l 1.2").click()
    tab.page.locator("[data-mark=slide-l][aria-valuetext='1.2']").wait_for()
    tab.page.locator(".card.shown", has_text="l 1.2").wait_for()
    tab.made()
    tab.step("Publish")  # three
    tab.marked("pack").wait_for()
    assert tab.problems == []
    assert tab.hosts == {app.host}


def test_many_columns_are_found_set_at_once_and_walked_by_keyboard(app: App, browser: Any, tmp_path: Path) -> None:
    names = [f"answer_{i}" for i in range(199)]
    rows = [",".join(str((i * (j + 3)) % 5) for j in range(199)) + f",{20 + i % 40}" for i in range(60)]
    file = tmp_path / "survey.csv"
    file.write_text("\n".join([",".join([*names, "age"]), *rows, ""]))
    tab = Tab(browser, app, "wide").open()
    with tab.loading():
        tab.drop(file)
    tab.step("Workbench")
    tab.marked("find").fill("answer_1")
    tab.page.locator(".pane-head", has_text="110 of 200").wait_for()
    tab.pick("A role for all shown", "Keep")
    tab.page.locator(".column-item.role-keep").nth(109).wait_for()
    tab.marked("find").fill("")
    tab.page.locator(".column-item").nth(199).wait_for(state="attached")
    tab.shot("columns")
    # One stop for the keyboard, arrows through the list, Enter opens.
    assert tab.page.locator(".column-item[tabindex='0']").count() == 1
    tab.page.locator(".column-item[tabindex='0']").focus()
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    chosen = tab.page.locator(
        ".column-item[aria-selected=true] .column-name, .column-item[aria-selected=true] .col-name"
    )
    tab.page.locator(".col-editor h3", has_text=str(chosen.inner_text())).wait_for()
    tab.page.get_by_role("button", name="Undo").click()  # a role for 110 columns is one change
    tab.page.wait_for_function("document.querySelectorAll('.column-item.role-keep').length < 110")
    assert tab.problems == []
