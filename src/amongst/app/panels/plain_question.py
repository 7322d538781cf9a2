"""A question put together from lists: which figure, of which rows, for every what; asked as the SQL it stands for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from amongst.app.language import Own, say, spoken
from amongst.app.redraw import drawn_anew
from amongst.query.in_sql import RELATIONS, in_sql, lacks_a_value

FIGURES = {
    "COUNT": "How many rows",
    "AVG": "The mean of",
    "SUM": "The total of",
    "MIN": "The smallest of",
    "MAX": "The largest of",
}
RELATION_WORDS = {
    "at least": "is at least",
    "at most": "is at most",
    "between": "is between",
    "is": "is exactly",
    "one of": "is one of",
    "none of": "is none of",
    "missing": "is missing",
}


class PlainQuestion:
    """Lists to choose from; ``ask`` gets the SQL when the button is pressed."""

    def __init__(self, ask: Callable[[str], Awaitable[None]], columns: Sequence[Mapping[str, Any]]) -> None:
        self.ask = ask
        self.all = columns
        self.tables = list(dict.fromkeys(one["table"] for one in columns if "table" in one))
        self._begin(next(iter(self.tables), None))
        self.place = ui.element("div").classes("am-plain").props("data-mark=plain-question")
        self._draw()

    def _begin(self, table: str | None) -> None:
        """A question about this table, or about the only one."""
        self.table = table
        self.columns = {one["name"]: one for one in self.all if one.get("table") == table}
        self.figure = "COUNT"
        self.of: str | None = None
        self.by: str | None = None
        self.conditions: list[dict[str, Any]] = [{}]

    def _choose_table(self, table: str) -> None:
        self._begin(table)
        self._draw()

    def _draw(self) -> None:
        with drawn_anew(self.place):
            if self.tables:
                with ui.element("div").classes("am-line"):
                    self._word("in")
                    named = {name: Own(name) for name in self.tables}
                    self._list(named, self.table, "Which table", self._choose_table)
            with ui.element("div").classes("am-line"):
                self._list(FIGURES, self.figure, "Figure", self._choose_figure)
                if self.figure != "COUNT":
                    self._list(
                        self._that_hold("number"), self.of, "Column of the figure", lambda name: self._set("of", name)
                    )
            for i, condition in enumerate(self.conditions):
                self._condition(i, condition)
            with ui.element("div").classes("am-line"):
                self._word("for every")
                self._list(
                    self._that_hold("name"), self.by, "For every", lambda name: self._set("by", name), clearable=True
                )
                self.button = ui.button(say("Ask in these words"), color=None, on_click=self._ask)
                self.button.props("no-caps unelevated data-mark=ask-plain").classes("am-button")

    def _condition(self, i: int, condition: dict[str, Any]) -> None:
        with ui.element("div").classes("am-line"):
            self._word("where" if i == 0 else "and")
            self._list(
                self._that_hold("number", "date", "name"),
                condition.get("column"),
                f"Column of condition {i + 1}",
                lambda name: self._choose_column(condition, name),
                clearable=True,
            )
            if not condition.get("column"):
                return
            words = {one: RELATION_WORDS[one] for one in RELATIONS[condition["holds"]]}
            self._list(words, condition["relation"], f"Condition {i + 1}", lambda one: self._relate(condition, one))
            self._values(i, condition)

    def _values(self, i: int, condition: dict[str, Any]) -> None:
        relation, label = condition["relation"], f"Value of condition {i + 1}"
        if relation in ("one of", "none of"):
            offered = self.columns[condition["column"]]["values"]
            chosen = [one for one in condition["values"] if one]
            made = ui.select(
                list(dict.fromkeys([*offered, *chosen])), value=chosen, multiple=True, new_value_mode="add-unique"
            )
            made.props(spoken(f'outlined dense options-dense use-chips use-input aria-label="{label}"'))
            made.classes("field am-values").on_value_change(lambda event: condition.update(values=list(event.value)))
            return
        hint = "2024-01-31" if condition["holds"] == "date" else ""
        for place in range({"missing": 0, "between": 2}.get(relation, 1)):
            if place:
                self._word("and")
            typed = ui.input(value=condition["values"][place], placeholder=hint).classes("field am-value")
            typed.props(spoken(f'outlined dense aria-label="{label}"'))
            typed.on_value_change(lambda event, place=place: _put(condition["values"], place, event.value))
            typed.on("keydown.enter", self._ask)

    def _list(
        self,
        options: Mapping[str, str],
        value: str | None,
        label: str,
        on_change: Callable[[Any], None],
        *,
        clearable: bool = False,
    ) -> None:
        told = {key: str(words) if isinstance(words, Own) else say(words) for key, words in options.items()}
        made = ui.select(told, value=value, clearable=clearable)
        made.on_value_change(lambda event: on_change(event.value))
        made.props(spoken(f'outlined dense options-dense aria-label="{label}"')).classes("field am-pick")

    def _that_hold(self, *holds: str) -> dict[str, str]:
        """The columns that hold one of these, to choose from."""
        return {name: Own(name) for name, one in self.columns.items() if one["holds"] in holds}

    def _word(self, text: str) -> None:
        ui.label(say(text)).classes("am-word")

    def _set(self, what: str, value: str | None) -> None:
        setattr(self, what, value)

    def _choose_figure(self, figure: str) -> None:
        self.figure = figure
        self.of = None if figure == "COUNT" else self.of or next(iter(self._that_hold("number")), None)
        self._draw()

    def _choose_column(self, condition: dict[str, Any], name: str | None) -> None:
        holds = self.columns[name]["holds"] if name else ""
        relation = RELATIONS[holds][0] if name else ""
        condition.update(column=name, holds=holds, relation=relation, values=["", ""])
        # One condition without a column is always there to begin the next with.
        self.conditions = [*(one for one in self.conditions if one.get("column")), {}]
        self._draw()

    def _relate(self, condition: dict[str, Any], relation: str) -> None:
        condition["relation"] = relation
        self._draw()

    async def _ask(self) -> None:
        if self.figure != "COUNT" and self.of is None:
            ui.notify(say("No column here holds numbers."))
        elif lacks_a_value(self.conditions):
            ui.notify(say("A condition has no value yet."))
        else:
            await self.ask(in_sql(self.figure, self.of, self.conditions, self.by, self.table))


def _put(values: list[str], place: int, value: str | None) -> None:
    values[place] = value or ""
