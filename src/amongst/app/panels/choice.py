"""A few choices side by side, of which one is pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nicegui import ui

from amongst.app.language import say, spoken


def choice(options: Mapping[str, str], value: str, on_change: Callable[[str], None], words: str) -> None:
    """Buttons in one frame; ``words`` say what is chosen with them."""
    buttons: dict[str, ui.button] = {}

    def press(key: str) -> None:
        for name, button in buttons.items():
            button.classes(add="am-on" if name == key else "", remove="" if name == key else "am-on")
            button.props(f"aria-pressed={'true' if name == key else 'false'}")

    def choose(key: str) -> None:
        press(key)
        on_change(key)

    with ui.element("div").classes("am-buttons").props(spoken(f'role=group aria-label="{words}"')):
        for key, name in options.items():
            buttons[key] = ui.button(say(name), color=None, on_click=lambda _, k=key: choose(k)).props(
                "flat dense no-caps"
            )
    press(value)
