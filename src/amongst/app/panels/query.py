"""Ask the release: an estimate with hard bounds, and the true answer beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from amongst.app.language import Own, say
from amongst.app.panels import markup
from amongst.app.panels.chart import drawing
from amongst.app.panels.plain_question import PlainQuestion
from amongst.query.answer import shown
from amongst.report.wording import count

Ask = Callable[[str], Awaitable[dict[str, Any]]]
"""Gives the view of an answer: ``await ask(sql)``."""


class QueryPanel:
    """A question in plain words or in SQL, examples to click, and the answer below."""

    def __init__(self, ask: Ask, examples: Sequence[str], columns: Sequence[Mapping[str, Any]], *, truth: bool) -> None:
        self.ask = ask
        words = "The release answers with an estimate, and with bounds that the truth cannot leave."
        words += " Only here, where the original is, the true answer stands beside it." if truth else ""
        markup.show(markup.section("Ask the release", words))
        if columns:
            PlainQuestion(self.answer_to, columns)
        with ui.row().classes("am-ask"):
            self.box = (
                ui.input(say("A question in SQL"), placeholder="SELECT COUNT(*) WHERE …")
                .props("outlined dense clearable spellcheck=false")
                .classes("am-sql")
                .on("keydown.enter", self.answer)
            )
            self.button = (
                ui.button(say("Ask"), color=None, on_click=self.answer).props("no-caps unelevated").classes("am-button")
            )
        with ui.element("div").classes("am-examples"):
            for example in examples:
                ui.button(example, color=None, on_click=lambda _, sql=example: self.answer_to(sql)).props(
                    "flat no-caps"
                )
        self.place = ui.element("div").classes("am-answer").props('aria-live="polite"')
        with self.place:
            ui.label(say("Ask, or click one of the questions above.")).classes("am-note")

    async def answer_to(self, sql: str) -> None:
        self.box.set_value(sql)
        await self.answer()

    async def answer(self) -> None:
        """Ask what is in the box."""
        sql = (self.box.value or "").strip()
        if not sql:
            return
        self.button.props("loading")
        try:
            view = await self.ask(sql)
        finally:
            self.button.props(remove="loading")
        self.place.clear()
        with self.place:
            answered(view)


def query(
    ask: Ask, examples: Sequence[str] = (), columns: Sequence[Mapping[str, Any]] = (), *, truth: bool = True
) -> QueryPanel:
    """A panel for questions; ``ask`` is ``figures.query_view`` where the release and the original are.

    ``columns`` are those that a question in plain words may speak of (``figures.columns_to_ask``), and ``truth`` says
    whether the answer of the original stands beside that of the release.
    """
    return QueryPanel(ask, examples, columns, truth=truth)


def answered(view: dict[str, Any]) -> None:
    """The answer to a question, or why there is none."""
    if "error" in view:
        markup.show(error_markup(view["error"]))
        return
    if not view["lines"]:
        markup.show(markup.element("p", "No row of the release can match.", class_="am-note"))
        return
    if not view["by"]:
        markup.show(_spoken(view))
    markup.show(
        markup.legend(
            ("am-bounds", "bounds: the truth lies within"), ("am-estimate", "estimate"), ("am-truth", "true answer")
        )
    )
    for i, svg in enumerate(view["drawings"]):
        if svg is not None:
            drawing(svg, marker=f"answer-{i}")
    markup.show(markup.folded("The figures as a table", answer_table(view)))
    _notes(view)


def answer_table(view: dict[str, Any]) -> markup.Markup:
    """All lines and figures."""
    many = len(view["figures"]) > 1
    ends = ("estimate", "at least", "at most", "true answer")
    headings = [
        *(Own(one) for one in view["by"]),
        *(f"{figure} {end}" if many or not view["by"] else end for figure in view["figures"] for end in ends),
    ]
    rows = []
    for line in view["lines"]:
        cells = [*line["key"]]
        for one in line["answers"]:
            cells += [shown(one[end], "none") for end in ("estimate", "lower", "upper")]
            cells.append(one["truth_words"])
        rows.append(cells)
    return markup.table(headings, rows, right=range(len(view["by"]), len(headings)))


def error_markup(error: dict[str, Any]) -> markup.Markup:
    """What stood in the way, what was found and what to do."""
    parts = [markup.element("h4", error["what"])]
    parts += [markup.element("p", f"Found: {one}") for one in error["found"]]
    if error["fix"]:
        parts.append(markup.element("p", f"What to do: {error['fix']}"))
    return markup.element("div", *parts, class_="am-error", role="alert")


def _spoken(view: dict[str, Any]) -> markup.Markup:
    said = []
    for one in view["lines"][0]["answers"]:
        truth = markup.element("span", f"true answer: {one['truth_words']}", class_="am-true")
        said.append(
            markup.element("p", markup.element("small", one["figure"]), one["words"], truth, class_="am-spoken")
        )
    return markup.join(said)


def _notes(view: dict[str, Any]) -> None:
    notes = list(view["notes"])
    if view["n_lines"] > len(view["lines"]):
        notes.insert(0, f"The first {count(len(view['lines']))} of {count(view['n_lines'])} lines.")
    if view["n_suppressed"]:
        notes.append(
            f"{count(view['n_suppressed'])} rows of the original are not in the release; bounds allow for them."
        )
    for note in notes:
        markup.show(markup.element("p", note, class_="am-note"))
