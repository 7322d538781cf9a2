"""A slider over given values: told while it is dragged, and once more when the hand is off."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from amongst.app.language import Own, say
from amongst.app.parts import box, quoted, tag

VALUE = "(event) => emit(Number(event.target.value))"


class Slider:
    """A label, the value of the moment, and the slider itself; ``page.js`` shows the value while it is dragged.

    Parameters
    ----------
    label : str
    values : sequence
        From left to right.
    words : callable
        A value as it is shown and read out.
    drag, done : callable of a value
    """

    def __init__(
        self,
        label: str,
        values: Sequence[Any],
        value: Any,
        *,
        words: Callable[[Any], str],
        drag: Callable[[Any], None],
        done: Callable[[Any], None],
        mark: str,
        note: str = "",
    ) -> None:
        self.values = values
        place = self.place_of(value)
        texts = self.texts = [say(words(one)) for one in values]
        with box("slider"):
            with box("slider-head"):
                tag("span", label, "slider-name")
                self.shown = tag("output", Own(texts[place]), "slider-value")
            self.input = ui.element("input").props(f"type=range min=0 max={len(values) - 1} step=1")
            # As an attribute, where it is at first: as a property, every change of the page would put it back there.
            self.input.props["^value"] = place
            self.input.props(f"aria-label={quoted(say(label))} aria-valuetext={quoted(texts[place])} data-mark={mark}")
            self.input.props["data-texts"] = json.dumps(texts)
            if note:
                tag("p", note, "small muted")
        self.input.on("input", lambda event: drag(self._value(event.args)), js_handler=VALUE)
        self.input.on("change", lambda event: self._let_go(event.args, done), js_handler=VALUE)

    def _let_go(self, place: Any, done: Callable[[Any], None]) -> None:
        value = self._value(place)
        # What the browser shows already is known here too, so that another value is told as one.
        number = self.values.index(value)
        self.input.props["^value"], self.input.props["aria-valuetext"] = number, self.texts[number]
        self.shown.set_text(Own(self.texts[number]))
        done(value)

    def _value(self, place: Any) -> Any:
        return self.values[min(max(int(place), 0), len(self.values) - 1)]

    def place_of(self, value: Any) -> int:
        """Where a value stands, or the one that is nearest to it."""
        return min(range(len(self.values)), key=lambda i: abs(float(self.values[i]) - float(value)))

    def disable(self, on: bool) -> None:
        """Whether it can be dragged."""
        if on:
            self.input.props("disabled")
        else:
            self.input.props(remove="disabled")
