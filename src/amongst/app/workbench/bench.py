"""One live workbench: whatever is turned on the right or set on the left is seen in the middle at once.

While a slider is dragged every value is tried on the spot (``trial``), told as such; when the hand is off, the release
is made by the chosen method and proved. What was made stays as a card to go back to.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import spoken
from amongst.app.panels import javascript
from amongst.app.panels.candidates import cards
from amongst.app.parts import box, button, error_box, tag, warn_of_names
from amongst.app.redraw import drawn_anew
from amongst.app.steps.problems import show_problems
from amongst.app.workbench.before_after import BeforeAfter
from amongst.app.workbench.columns import Columns
from amongst.app.workbench.controls import Controls
from amongst.app.workbench.sides import ASIDES, about_aside, show_aside

if TYPE_CHECKING:
    from amongst.app.shell import Page

TABS = {"table": "Before and after", **{key: title for key, (title, _) in ASIDES.items()}}
OF_MANY = ("table", "figures", "ask", "others", "attack")
"""What there is of many tables together."""


class Workbench:
    """What one tab shows of it."""

    def __init__(self, page: Page) -> None:
        self.page, self.session = page, page.session
        self.trial: dict[str, Any] | None = None
        self._wanted: dict[str, Any] | None = None
        self._trying = False
        self._drawn: Any = None
        self._on_show: str | None = None
        self.refill: Callable[[], None] | None = None
        """What shows another release in what is on show, where that needs no building anew."""

    # What is on show

    @property
    def is_trial(self) -> bool:
        """Whether the figures on show are of a trial, not of what was made."""
        return self.trial is not None

    @property
    def told(self) -> dict[str, Any] | None:
        """The figures on show: of the trial, or of what was made."""
        if self.trial is not None:
            return self.trial
        return None if self.session.result is None else self.session.result["told"]

    @property
    def losses(self) -> dict[str, float]:
        """What every quasi-identifier loses."""
        return {} if self.told is None else self.told["gauges"]["loss_of_column"]

    # Building

    def build(self) -> None:
        """Lay out the three parts."""
        tag("h1", f"Workbench: {self.session.about['name']}", "unseen")
        with box("bench") as self.root:
            with box("pane left", "section").props(spoken("aria-label=Columns")):
                self.columns = Columns(self)
            with box("pane middle", "section").props(spoken('aria-label="The table"')):
                show_problems(self.page)
                self.warned = box("warned")
                self._tabs()
                self.body = box("bench-body")
                self.tried = ui.html("", sanitize=False).classes("tried-box").props("data-mark=candidates")
                self.tried.on("click", lambda event: self._again(event.args), js_handler=javascript.PICK)
            with box("pane right", "section").props(spoken('aria-label="What is asked and what it comes to"')):
                self.controls = Controls(self)
        self.page.on_changed = self.update
        self.show_body()
        self._show_tried()
        self._drawn = self._state()
        self._settle()

    def _tabs(self) -> None:
        chosen = self.page.local.get("tab", "table")
        with box("tabs").props(spoken('role=tablist aria-label="What to look at"')):
            self.tabs = {
                key: button(title, lambda key=key: self.choose(key), "tab")
                .props("role=tab")
                .props(f"data-mark=tab-{key}")
                for key, title in TABS.items()
                if not self.page.draft.many or key in OF_MANY
            }
        self._mark(chosen)

    def _mark(self, chosen: str) -> None:
        for key, made in self.tabs.items():
            made.props(f"aria-selected={'true' if key == chosen else 'false'}")

    def choose(self, key: str) -> None:
        """Another look at it in the middle."""
        self.page.local["tab"] = key
        self._mark(key)
        self.show_body()

    def show_body(self) -> None:
        """What stands in the middle."""
        key, before = self.page.local.get("tab", "table"), self._on_show
        self._on_show = key
        self.rows: BeforeAfter | None = None
        self.refill = None
        with drawn_anew(self.body, same=key == before):
            if key == "table":
                self.rows = BeforeAfter(self)
            else:
                show_aside(self, key)
        self._show_warned()

    def _show_warned(self) -> None:
        """What could not be done, and what is published although it seems to name people."""
        with drawn_anew(self.warned):
            if self.session.error is not None and self.session.error_step == "workbench":
                error_box(self.session.error)
            warn_of_names(self.session.named_in_public)

    def _show_tried(self) -> None:
        made = [one for one in self.session.history if "gauges" in one]
        now = self.page.draft.content
        shown = next((i for i, one in enumerate(made) if one["job"] == now), None)
        self.tried.set_content(str(cards(made, shown)) if made else "")

    def _again(self, number: Any) -> None:
        for one in [one for one in self.session.history if one["number"] == number]:
            self.page.draft.content = copy.deepcopy(one["job"])
            self.edited()
            self.columns.show()
            self.controls.show()

    # Changing

    def drag(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Something is being dragged: try it, and nothing else."""
        content = copy.deepcopy(self.page.draft.content)
        change(content)
        self._wanted = content
        if not self._trying:
            self.session.start(self._try())

    async def _try(self) -> None:
        self._trying = True
        try:
            while self._wanted is not None and not self.root.is_deleted:
                content, self._wanted = self._wanted, None
                window = (
                    {"first": 0, "n": 1, "order": "as read", "table": None} if self.rows is None else self.rows.window
                )
                told = await self.session.try_out(content, **window)
                if told is not None and not self.root.is_deleted:
                    self._show_trial(None if content == self.session.made_job else told)
        finally:
            self._trying = False

    def _show_trial(self, told: dict[str, Any] | None) -> None:
        """What came of the value under the hand; None where that is what was made."""
        with self.root:
            if told is not None and "error" in told:
                self.controls.say(f"Not possible: {told['error']}", told["fix"] or "")
                return
            self.trial = told
            self.controls.show_gauges()
            self.columns.show_losses()
            if self.rows is not None and told is None:
                self.session.start(self.rows.fetch())
            elif self.rows is not None and told is not None and told["rows"] is not None:
                self.rows.put(told["rows"])

    def edited(self) -> None:
        """The draft was changed here: other tabs look again, and the release is made anew."""
        self.page.edited(check=True)
        self._settle()

    def _settle(self) -> None:
        """Make what is asked now, where that does not take long."""
        self.session.start(self.session.settle())

    # Told by the session

    def _state(self) -> Any:
        session = self.session
        return (
            None if session.draft is None else copy.deepcopy((session.draft.content, session.lines)),
            session.n_made,
            session.running is not None,
            about_aside(session, self.page.local.get("tab", "table")),
        )

    def update(self) -> None:
        """Something changed, here or in another tab: show what is different, and nothing else."""
        before, now = self._drawn, self._state()
        self._drawn = now
        with self.root:
            if before[0] != now[0]:
                if not self.page.typed:
                    self.trial = None
                    self.columns.show()
                    self.controls.show()
                self._settle()
            self.page.typed = False
            if before[1] != now[1]:
                self.trial = None
                self.columns.show_losses()
                if self.rows is not None:
                    self.session.start(self.rows.fetch())
                elif self.refill is not None:
                    self.refill()
                else:
                    self.show_body()
            elif before[3] != now[3] and self.rows is None:
                self.show_body()
            elif before[2] != now[2] and self.rows is not None and self.rows.view is None:
                self.rows.put(None)
            self.controls.show_gauges()
            self._show_warned()
            self._show_tried()

    def make(self) -> None:
        """Make it now, however long it takes."""
        self.session.start(self.session.make())

    def words_of_nothing(self) -> None:
        """There is no release: why, and what to do."""
        session = self.session
        if session.running is not None:
            tag("p", f"{session.running.title} …", "muted")
        elif session.problems:
            tag("p", "Settle what is listed above; the release is made as soon as nothing stands in the way.", "muted")
        else:
            button("Make the release", self.make, "main").props("data-mark=make")
