"""What is built anew stays the same element in the browser where it means the same, and only there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from app_process import App, Tab

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')

from nicegui import Client, ui
from nicegui.page import page as page_of

from amongst.app.redraw import drawn_anew


@pytest.fixture
def place() -> Iterator[Any]:
    """A part of a page that no browser has open."""
    client = Client(page_of("/"), request=None)
    with client:
        yield ui.element("div")
    client.outbox.stop()


def lines(place: Any, names: list[str], clicked: Callable[[str], None]) -> dict[str, tuple[int, str]]:
    """A line with a button for every name, drawn as all was sent before; the numbers of the buttons."""
    place.client.outbox.updates.clear()
    numbers = {}
    with drawn_anew(place):
        for name in names:
            with ui.element("div"):
                ui.label(name)
                made = ui.button("Remove", on_click=lambda name=name: clicked(name))
                numbers[name] = made
    return {name: (made.id, next(iter(made._event_listeners))) for name, made in numbers.items()}


def click(place: Any, number: tuple[int, str]) -> None:
    element, listener = number
    place.client.handle_event({"id": element, "listener_id": listener, "args": []})


def test_a_late_click_finds_the_line_it_was_meant_for_or_none(place: Any) -> None:
    clicked: list[str] = []
    first = lines(place, ["age", "sex", "zip"], clicked.append)
    second = lines(place, ["age", "zip", "work"], clicked.append)  # one went, another came
    assert second["age"] == first["age"]
    assert second["zip"] == first["zip"]
    assert second["work"][0] not in {number for number, _ in first.values()}
    for name in first:
        click(place, first[name])
    assert clicked == ["age", "zip"]


def test_only_what_is_different_is_sent(place: Any) -> None:
    lines(place, ["age", "sex"], print)
    numbers = lines(place, ["age", "sex"], print)
    told = dict(place.client.outbox.updates)
    assert set(told) == {place.id}  # that its children are what they were
    lines(place, ["age"], print)
    gone = {number for number, one in place.client.outbox.updates.items() if not hasattr(one, "id")}
    assert numbers["sex"][0] in gone
    assert numbers["age"][0] not in place.client.outbox.updates


def test_alike_lines_of_which_one_went_are_not_taken_for_each_other(place: Any) -> None:
    clicked: list[str] = []
    first = lines(place, ["", "", ""], clicked.append)  # nothing tells them apart
    again = lines(place, ["", ""], clicked.append)
    assert not set(again.values()) & set(first.values())


def test_clicks_in_a_row_and_the_keyboard_survive_what_they_draw_anew(app: App, browser: Any) -> None:
    tab = Tab(browser, app).open()
    tab.load("Patients")
    tab.step("Method")
    tab.marked("method-hilbert").focus()
    tab.page.evaluate(  # both are on their way before the page is drawn anew for the first
        """() => ["mondrian", "hilbert"].forEach((name) =>
             document.querySelector(`[data-mark=method-${name}]`).click())"""
    )
    tab.page.locator("[data-mark=method-hilbert][aria-pressed=true]").wait_for()
    assert tab.page.evaluate("document.activeElement.dataset.mark") == "method-hilbert"
    assert tab.page.locator("[data-mark=method-mondrian][aria-pressed=true]").count() == 0
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Shift+Tab")
    assert tab.page.evaluate("document.activeElement.dataset.mark") == "method-hilbert"
    tab.page.get_by_role("button", name="Undo").click()  # of two changes, so both were made
    tab.page.locator("[data-mark=method-mondrian][aria-pressed=true]").wait_for()
    assert tab.problems == []
