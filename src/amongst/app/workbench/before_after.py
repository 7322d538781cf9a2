"""The table before and after, in the middle of the workbench, with why a row became what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import spoken
from amongst.app.panels import markup
from amongst.app.panels.rows import pair, why
from amongst.app.parts import box, button, select, tag
from amongst.app.redraw import drawn_anew
from amongst.report.wording import count

if TYPE_CHECKING:
    from amongst.app.workbench.bench import Workbench

PER_PAGE = 25
ORDERS = {"as read": "as they were read", "most changed": "most changed first", "left out": "left out"}
PICK_ROW = """(event) => {
  const row = event.target.closest('[data-row]');
  if (row) emit(Number(row.dataset.row));
}"""


class BeforeAfter:
    """A page of rows, both ways; beside it the row that was clicked."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.session, self.local = bench, bench.session, bench.page.local
        self.view: dict[str, Any] | None = None
        with box("rows-tools") as self.tools:
            order = self.local.get("order", "as read")
            if self.table_name is not None:
                select({name: name for name in self._tables}, self.table_name, self._look_into, "Which table").classes(
                    "narrow-list"
                ).props("data-mark=which-table")
            orders = {key: words for key, words in ORDERS.items() if self.table_name is None or key != "most changed"}
            select(orders, order, lambda value: self._turn(order=value), "Which rows").classes("narrow-list")
            self.before = button("", lambda: self._turn(by=-PER_PAGE), "quiet small", icon="chevron_left")
            self.before.props(spoken('aria-label="Rows before"'))
            self.words = tag("span", "", "muted small")
            self.after = button("", lambda: self._turn(by=PER_PAGE), "quiet small", icon="chevron_right")
            self.after.props(spoken('aria-label="Rows after"'))
            self.legend = ui.html(str(_legend()), sanitize=False).classes("rows-legend")
        with box("rows-and-why") as self.both:
            self.table = ui.html("", sanitize=False).classes("rows-box").props("data-mark=rows")
            self.table.on("click", lambda event: self._clicked(event.args), js_handler=PICK_ROW)
            self.why = box("why").props(spoken('role=region aria-label="Why this row" aria-live=polite data-mark=why'))
            self.why.set_visibility(False)
        self.nothing = box("empty")
        self._show()
        self.session.start(self.fetch())

    @property
    def _tables(self) -> list[str]:
        return list(self.bench.page.draft.content["tables"])

    @property
    def table_name(self) -> str | None:
        """Which of many tables is on show."""
        if not self.bench.page.draft.many:
            return None
        named = self.local.get("table")
        return named if named in self._tables else self._tables[0]

    def _look_into(self, name: str) -> None:
        self.local.update(table=name, **{"first row": 0})
        self._close()
        self.session.start(self.fetch())

    @property
    def window(self) -> dict[str, Any]:
        """Which rows are on show."""
        place = {"first": self.local.get("first row", 0), "n": PER_PAGE, "order": self.local.get("order", "as read")}
        return {**place, "table": self.table_name}

    async def fetch(self) -> None:
        """The rows of what was made, and the row that is looked at."""
        found = None
        if self.session.result is not None:
            found = await self.session.rows(**self.window)
        if self.table.is_deleted:
            return
        self.put(found)
        if self.local.get("row") is not None and found is not None:
            await self._explain(self.local["row"])

    def put(self, view: dict[str, Any] | None) -> None:
        """Other rows."""
        self.view = view
        self._show()

    def _show(self) -> None:
        view = self.view
        self.nothing.set_visibility(view is None)
        for part in (self.tools, self.both):
            part.set_visibility(view is not None)
        if view is None:
            self.table.set_content("")
            with drawn_anew(self.nothing):
                self.bench.words_of_nothing()
            return
        self.nothing.clear()
        self.table.set_content(str(pair(view, self.local.get("row"))))
        last = view["first"] + len(view["rows"])
        shown = f"{count(view['first'] + 1)} to {count(last)} of {count(view['n'])}" if view["rows"] else "no rows"
        cut = f", {count(len(view['columns']))} of {count(view['n_columns'])} columns"
        self.words.set_text(shown + (cut if len(view["columns"]) < view["n_columns"] else ""))
        self.before.set_enabled(view["first"] > 0)
        self.after.set_enabled(last < view["n"])

    def _turn(self, *, by: int = 0, order: str | None = None) -> None:
        if order is not None:
            self.local.update(order=order, **{"first row": 0})
        self.local["first row"] = max(self.local.get("first row", 0) + by, 0)
        self.session.start(self.fetch())

    async def _clicked(self, row: Any) -> None:
        if isinstance(row, int):
            self.local["row"] = row
            self._show()
            await self._explain(row)

    async def _explain(self, row: int) -> None:
        told = await self.session.explain(row, self.table_name)
        if self.why.is_deleted or told is None:
            return
        self.why.set_visibility(True)
        with drawn_anew(self.why):
            button("", self._close, "tool", icon="close").props(spoken('aria-label="Close"'))
            markup.show(why(told)).classes("why-text")

    def _close(self) -> None:
        self.local.pop("row", None)
        self.why.set_visibility(False)
        self._show()


def _legend() -> markup.Markup:
    return markup.legend(("key-changed", "changed"), ("key-dropped", "dropped"))
