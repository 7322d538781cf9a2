"""The page around the steps: the steps' names, the job file beside them, and what runs below them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from nicegui import app, ui

from amongst.app import language, theme
from amongst.app.dialogs import ask_to_close, ask_to_save
from amongst.app.draft import Draft
from amongst.app.language import Own, say, spoken
from amongst.app.parts import box, box_of_grid, button, error_box, tag
from amongst.app.redraw import drawn_anew
from amongst.app.session import MAIN, STEPS, Session

TITLES = {
    "load": "Load",
    "workbench": "Workbench",
    "roles": "Roles",
    "hierarchies": "Hierarchies",
    "privacy": "Privacy",
    "method": "Method",
    "publish": "Publish",
}
TICK = 0.25
"""Seconds between two looks at what the session knows."""
SOON = 0.4
"""Seconds; what is done by then needs no progress shown."""
FOOT = {"job": "amongst run job.toml does what this page does.", "python": "The same release from Python."}
SECTION = {
    "privacy": ("[[privacy]]", "release ="),
    "method": ("[method]", "release ="),
    "publish": ("[output]", "release.write"),
}
"""Where the file beside a step begins to be about it."""
ASSETS = Path(__file__).parent / "assets"


def add_pages(session: Session) -> None:
    """One page for all steps; the step is in the address, so that a reload finds it."""
    app.add_static_files("/assets", ASSETS)
    named = {path.name: f"/assets/{path.name}?{path.stat().st_mtime_ns}" for path in sorted(ASSETS.iterdir())}
    styles = (f'<link rel="stylesheet" href="{place}">' for name, place in named.items() if name.endswith(".css"))
    scripts = (f'<script src="{place}" defer></script>' for name, place in named.items() if name.endswith(".js"))
    ui.add_head_html(
        f'{"".join(styles)}{"".join(scripts)}<meta name="referrer" content="no-referrer">',
        shared=True,
    )
    ui.add_css(theme.css(), shared=True)
    app.config.quasar_config["loadingBar"] = {"skipHijack": True}  # a bar without a name; ours says what it is about

    @app.on_page_exception
    def broken(error: Exception) -> None:  # the toolkit's own page would show a traceback
        with box("empty"):
            tag("h1", "The page could not be shown")
            tag("p", f"A defect in amongst: {type(error).__name__}. What runs goes on; reload the page to see it.")

    @ui.page("/", title="amongst")
    def first() -> None:
        Page(session, "load").build()

    @ui.page("/{step}", title="amongst")
    def other(step: str) -> None:
        Page(session, step if step in STEPS else "load").build()


class Page:
    """One tab."""

    def __init__(self, session: Session, step: str) -> None:
        self.session = session
        self.step = step if session.draft is not None else "load"
        self.seen, self.seen_checked = session.version, session.n_checked
        self.on_checked: Callable[[], None] | None = None
        """What a step shows anew when something stops or begins to fit."""
        self.on_changed: Callable[[], None] | None = None
        """A step that shows by itself what changed, instead of being built anew."""
        self.on_show: Any = None
        """Which step, and of which table."""
        self.shown: Any = None
        """What the step on show was drawn from, where that is nothing but settings; None where it is more."""
        self.typed = False
        """Whether the last change was made in this tab, which shows it already."""
        self.aside = "job"
        self.aside_open = False
        """Whether the job file and the Python are on show."""
        self.next: tuple[str, Callable[[], Any] | None] = ("", None)
        """What the button below says and does; without something to do it goes on to the next step."""
        self.local: dict[str, Any] = {}
        """What only this tab knows: which column is selected, and the like."""

    @property
    def draft(self) -> Draft:
        """What was chosen so far; every step but the first has one."""
        assert self.session.draft is not None
        return self.session.draft

    # The frame

    def build(self) -> None:
        """Lay out the page."""
        if self.session.language is None:
            self.session.language = language.accepted(ui.context.client.request.headers.get("accept-language", ""))
        self.language = self.session.language
        language.speak(self.language)
        self.dark = ui.dark_mode(self.session.dark)
        ui.query("html").props(f"lang={self.language}")
        ui.link(say("Skip to the step"), "#step").classes("skip")
        with box("bar", "header"):
            with box("brand"):
                box_of_grid()
                tag("span", Own("amongst"), "wordmark")
            with ui.element("nav").classes("steps").props(spoken("aria-label=Steps")):
                self._build_nav()
            with box("tools"):
                self.undo = self._tool("Undo", "undo", lambda: self.session.undo())
                self.redo = self._tool("Redo", "redo", lambda: self.session.redo())
                self.save = self._tool("Save the project", "save", lambda: ask_to_save(self.session))
                self.code = self._tool("Job file and Python", "code", self._switch_aside)
                self._tool("Light or dark", "contrast", self._switch_theme)
                self._build_languages()
                self._tool("Close amongst", "power_settings_new", lambda: ask_to_close(self.session))
        with box("stage"):
            self.content = box("content").props("id=step tabindex=-1")
            self.side = ui.element("aside").classes("side").props(spoken('aria-label="The same as a file"'))
        self.foot = ui.element("footer").classes("foot")
        with self.foot:
            self._build_foot()
        self.show()
        ui.timer(TICK, self._tick)
        ui.timer(0.05, self._learn_theme, once=True)

    @staticmethod
    def _tool(name: str, icon: str, action: Callable[[], Any]) -> Any:
        return button("", action, "tool", icon=icon).props(spoken(f'aria-label="{name}" title="{name}"'))

    def _build_languages(self) -> None:
        """A button for every other language, by its own name."""
        for name, title in language.NAMES.items():
            if name != self.language:
                made = button("", lambda name=name: self._switch_language(name), "tool", icon="translate")
                made.props(f'aria-label="{title}" title="{title}" lang={name} data-mark=language-{name}')

    def _build_foot(self) -> None:
        self.back = button("Back", lambda: self.go(self._step_before), "quiet")
        with box("progress").props("role=status aria-live=polite") as self.progress:
            with box("progress-words"):
                self.progress_step = tag("span", "", "progress-step")
                self.progress_time = tag("span", "", "muted")
            with box("track").props(
                spoken('role=progressbar aria-label="How much is done" aria-valuemin=0 aria-valuemax=100')
            ) as whole:
                self.whole = whole
                self.track = ui.element("div").classes("track-bar")
        self.cancel = button("Cancel", self._cancel, "quiet")
        with box("next"):
            self.next_button = button("", self._go_on, "main").props("icon-right=east data-mark=next")

    # Showing

    def show(self) -> None:
        """Build everything that depends on the session anew."""
        self.seen, self.seen_checked, self.on_checked = self.session.version, self.session.n_checked, None
        self.on_changed = None
        self._show_nav()
        now, before = (self.step, self.session.n_loaded, self.session.draft is None), self.on_show
        self.on_show = now
        wide = self.step == "workbench" and self.session.draft is not None
        self.content.classes(**({"add": "whole"} if wide else {"remove": "whole"}))
        self.content.props(f"data-loaded={self.session.n_loaded}")
        self.next = ("", None) if self.step == MAIN[-1] else (TITLES[self._step_after], None)
        with drawn_anew(self.content, same=now == before):
            error = self.session.error
            if error is not None and not wide and (self.session.error_step == self.step or self.step == "load"):
                error_box(error)
            import_module(f"amongst.app.steps.{self.step}").show(self)
        self.shown = self._settings()
        self._show_side()
        self._show_next()
        self._tick()

    def _settings(self) -> Any:
        """What a step off the main way shows; what runs is told below it, and draws nothing anew under a hand."""
        session = self.session
        if self.step in MAIN or session.draft is None:
            return None
        error = session.error if session.error_step == self.step else None
        return session.n_loaded, session.n_taken, copy.deepcopy(session.draft.content), error

    @property
    def _step_after(self) -> str:
        """Where one goes on: what is not on the way leads back to the workbench."""
        return MAIN[MAIN.index(self.step) + 1] if self.step in MAIN else "workbench"

    @property
    def _step_before(self) -> str:
        return MAIN[max(MAIN.index(self.step) - 1, 0)] if self.step in MAIN else "workbench"

    def _build_nav(self) -> None:
        """The buttons stay while the page changes, so that no click is lost."""
        number = {step: f"{i} " for i, step in enumerate(MAIN, start=1)}
        self.step_button = {
            step: button(
                number.get(step, "") + say(TITLES[step]),
                lambda step=step: self.go(step),
                "step" if step in MAIN else "step detail",
            )
            for step in STEPS
        }

    def _show_nav(self) -> None:
        for step, made in self.step_button.items():
            made.props("aria-current=step") if step == self.step else made.props(remove="aria-current")
            made.set_enabled(self.session.draft is not None or step == "load")
        self._show_undo()

    def _show_undo(self) -> None:
        self.undo.set_enabled(self.session.can_undo and self.session.may_change)
        self.redo.set_enabled(self.session.can_redo and self.session.may_change)

    def _show_next(self) -> None:
        """The button for what comes next; a step may have said otherwise."""
        words, _ = self.next
        self.back.set_visibility(self.step != STEPS[0])
        self.next_button.set_visibility(bool(words))
        self.next_button.set_text(say(words))
        self.next_button.set_enabled(self.session.draft is not None and self.session.running is None)

    def _go_on(self) -> None:
        _, action = self.next
        if action is None:
            self.go(self._step_after)
        else:
            action()

    def _show_side(self) -> None:
        """The job file and the Python that the choices so far amount to."""
        draft = self.session.draft
        self.side.set_visibility(draft is not None and self.aside_open)
        self.code.set_enabled(draft is not None)
        self.save.set_enabled(draft is not None)
        self.code.props(f"aria-expanded={'true' if self.aside_open else 'false'}")
        if draft is None or not self.aside_open:
            self.side.clear()
            return
        with drawn_anew(self.side):
            texts = {"job": ("Job file", draft.job_text), "python": ("Python", draft.python_text)}
            text = texts[self.aside][1]()
            with box("side-tabs"):
                with box("side-list").props(spoken('role=tablist aria-label="The same as a file"')):
                    for name, (title, _) in texts.items():
                        made = button(title, lambda name=name: self._choose_aside(name), "side-tab").props("role=tab")
                        made.props(f"aria-selected={'true' if name == self.aside else 'false'}")
                button("Copy", lambda: self._copy(text), "side-copy", icon="content_copy")
                button("", self._switch_aside, "side-fold", icon="close").props(spoken('aria-label="Close"'))
            tag("pre", Own(text), "side-text").props("tabindex=0")
            tag("p", FOOT[self.aside], "side-foot muted")
            ui.run_javascript(f"amongstScroll('.side-text', {_line_of(text, self.step)})")

    def edited(self, *, check: bool = False) -> None:
        """The draft was changed in this tab: the others look again, this one keeps what is typed where it is."""
        self.session.changed()
        self.seen, self.typed, self.shown = self.session.version, True, self._settings()
        self._show_side()
        self._show_undo()
        if check:
            self.session.start(self.session.check())

    # What runs

    def _tick(self) -> None:
        if self.session.language != self.language:
            self.language = self.session.language or self.language
            ui.navigate.reload()
            return
        if self.session.version != self.seen:
            same = self.shown is not None and self.shown == self._settings()
            loaded = self.content.props.get("data-loaded") != str(self.session.n_loaded)
            if not same and (self.on_changed is None or loaded):
                self.show()
                return
            self.seen = self.session.version
            self._show_nav()
            self._show_side()
            self._show_next()
            if self.on_changed is not None:
                self.on_changed()
        if self.session.n_checked != self.seen_checked:
            self.seen_checked = self.session.n_checked
            if self.on_checked is not None:
                self.on_checked()
        running = self.session.running
        if running is not None and running.steps.elapsed() < SOON:
            running = None
        self.progress.set_visibility(running is not None)
        self.cancel.set_visibility(running is not None)
        if running is not None:
            self.progress_step.set_text(running.words)
            self.progress_time.set_text(running.time)
            done = running.done
            self.track.style(f"width: {100 * (done or 0):.1f}%")
            self.whole.props(remove="aria-valuenow") if done is None else self.whole.props(
                f"aria-valuenow={100 * done:.0f}"
            )
            self.track.classes(**({"add": "unknown"} if done is None else {"remove": "unknown"}))

    def _cancel(self) -> None:
        self.session.cancel()

    # Moving

    def go(self, step: str) -> None:
        """Show another step."""
        if step not in STEPS or (self.session.draft is None and step != "load"):
            return
        self.step = step
        if self.session.running is None and self.session.error_step != step:
            self.session.error = None
        ui.navigate.history.push("/" if step == "load" else f"/{step}")
        self.show()
        ui.run_javascript("document.querySelector('.content').scrollTop = 0")

    def then(self, step: str, work: Callable[[], Any]) -> Callable[[], None]:
        """Something to click: done in the background; this tab then goes on, or to where it is told why not."""

        async def doing() -> None:
            done = await work()
            if not self.content.is_deleted and (done or self.session.error is not None):
                with self.content:
                    self.go(step if done else self.session.error_step)

        return lambda: self.session.start(doing())

    # Tools

    def _choose_aside(self, name: str) -> None:
        self.aside = name
        self._show_side()

    def _switch_aside(self) -> None:
        self.aside_open = not self.aside_open
        self._show_side()

    def _copy(self, text: str) -> None:
        ui.clipboard.write(text)
        ui.notify(say("Copied"), position="bottom-right", classes="toast")

    async def _learn_theme(self) -> None:
        if self.session.dark is None:
            asked = await ui.run_javascript("matchMedia('(prefers-color-scheme: dark)').matches", timeout=5)
            self.local["dark"] = bool(asked)

    @property
    def is_dark(self) -> bool:
        """Whether the page is dark now."""
        return bool(self.local.get("dark", False)) if self.session.dark is None else self.session.dark

    def _switch_theme(self) -> None:
        self.session.dark = not self.is_dark
        self.dark.set_value(self.session.dark)
        self.session.changed()

    def _switch_language(self, name: str) -> None:
        language.speak(name)
        self.session.language = name  # every tab sees that it is another one, and is built anew


def _line_of(text: str, step: str) -> int:
    """The line of a file that a step is about."""
    starts = SECTION.get(step, ())
    return next((number for number, line in enumerate(text.splitlines()) if starts and line.startswith(starts)), 0)
