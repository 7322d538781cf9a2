"""A drawing of many choices, and beside it the one that is looked at: to be taken, or passed by."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from amongst.app.language import say
from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.app.redraw import drawn_anew


@dataclass(kw_only=True)
class Explorer:
    """What is clicked in a drawing, or chosen from the list, is told in the card.

    Attributes
    ----------
    drawings : dict
        By the name under which a test finds them; their marks tell a place among ``cards``.
    cards : callable of a place to Markup
    n : int
        How many places there are.
    names : dict of place to str
        The list, for those who use no pointer; ``label`` stands over it.
    place : int, or None
        What is looked at first; without one ``hint`` stands there.
    take : callable of a place, or None
        What the button ``words`` does, where the place ``can_be_taken``.
    zoom : bool
        Whether a part of a drawing can be looked at larger.
    """

    drawings: Mapping[str, str]
    cards: Callable[[int], markup.Markup]
    n: int
    names: Mapping[int, str]
    label: str
    place: int | None
    hint: str
    words: str
    take: Callable[[int], Any] | None
    can_be_taken: Callable[[int], bool]
    zoom: bool = False

    def show(self) -> None:
        with ui.element("div").classes("am-explorer"):
            with ui.element("div").classes("am-wide"):
                for marker, svg in self.drawings.items():
                    drawing(svg, on_click=self.go_to, marker=marker, zoom=self.zoom)
            with ui.element("div").classes("am-card"):
                value = self.place if self.place in self.names else None
                pick = ui.select(
                    {place: say(words) for place, words in self.names.items()},
                    value=value,
                    label=say(self.label),
                    on_change=lambda event: self.go_to(event.value),
                )
                pick.props("outlined dense options-dense").classes("am-pick")
                self.card = ui.element("div").props('aria-live="polite"')
        self._show_card()

    def go_to(self, place: Any) -> None:
        """Look at what was clicked or chosen."""
        if isinstance(place, int) and 0 <= place < self.n:
            self.place = place
            self._show_card()

    def _show_card(self) -> None:
        with drawn_anew(self.card):
            if self.place is None:
                ui.label(say(self.hint)).classes("am-note")
                return
            markup.show(self.cards(self.place))
            if self.take is not None and self.can_be_taken(self.place):
                button = ui.button(say(self.words), color=None, on_click=self._take)
                button.props("no-caps unelevated").classes("am-button")

    async def _take(self) -> None:
        assert self.take is not None
        assert self.place is not None
        answer = self.take(self.place)
        if inspect.isawaitable(answer):
            await answer
