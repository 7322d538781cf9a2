"""The columns on the left: found, filtered, set one by one or many at once; two hundred of them, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import Own, say, spoken
from amongst.app.panels import javascript, markup
from amongst.app.parts import box, button, select, tag
from amongst.app.redraw import drawn_anew
from amongst.app.steps.hierarchies import describe
from amongst.app.steps.problems import NULLS
from amongst.app.steps.roles import HOW, NAMES, ROLES, facts_words, set_role
from amongst.schema.column import TAKES_LIMITS

if TYPE_CHECKING:
    from amongst.app.workbench.bench import Workbench

WEIGHTS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
CALENDAR = ("day", "week", "month", "quarter", "year", "decade")


class Columns:
    """The list, and below it what can be set for the column that is chosen."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.page = bench, bench.page
        self.local = self.page.local
        self._in_editor: str | None = None
        with box("pane-head"):
            tag("h2", "Columns")
            self.n = tag("span", "", "muted small")
        with box("col-find"):
            text = ui.input(value=self.local.get("search") or "", placeholder=say("find a column")).classes(
                "field wide"
            )
            text.props(spoken('outlined dense clearable debounce=200 aria-label="Find a column"')).props(
                "data-mark=find"
            )
            text.on_value_change(lambda event: self._look_for("search", event.value))
            roles = {None: "all roles"} | ROLES
            role = select(
                roles, self.local.get("shown role"), lambda value: self._look_for("shown role", value), "Role"
            )
            role.classes("narrow")
        self.list = ui.html("", sanitize=False).classes("col-list").props(spoken('role=listbox aria-label="Columns"'))
        self.list.on("click", lambda event: self.choose(event.args), js_handler=javascript.PICK)
        with box("col-bulk"):
            self.bulk = select({None: "set all shown to…"} | ROLES, None, self._set_all, "A role for all shown")
        self.editor = box("col-editor").props("aria-live=polite")
        self.show()

    @property
    def fields(self) -> dict[str, dict[str, Any]]:
        return self.page.draft.columns

    def _look_for(self, key: str, value: Any) -> None:
        self.local[key] = value
        self.show()

    def show(self) -> None:
        """The list and the editor anew."""
        text, role = str(self.local.get("search") or "").casefold(), self.local.get("shown role")
        self.found = [
            name
            for name, fields in self.fields.items()
            if text in name.casefold() and (role is None or fields.get("role") == role)
        ]
        self.names = list(self.fields)
        if self.local.get("column") not in self.fields:
            quasi = self.page.draft.named("quasi")
            self.local["column"] = quasi[0] if quasi else next(iter(self.names), None)
        of = f" of {len(self.names):,}" if len(self.found) < len(self.names) else ""
        self.n.set_text(f"{len(self.found):,}{of}")
        self.list.set_content(str(self._listed()))
        self._show_editor()

    def _listed(self) -> markup.Markup:
        losses, items = self.bench.losses, []
        chosen = self.local["column"]
        stop = chosen if chosen in self.found else next(iter(self.found), None)
        wrong = {one.get("column") for one in self.page.session.problems}
        for name in self.found:
            role = self.fields[name].get("role") or "none"
            weight = self.fields[name].get("weight", 1.0)
            words = [ROLES.get(role, "no role yet")]
            words += [f"weight {weight:g}"] if weight != 1.0 else []
            words += ["to be settled"] if name in wrong else []
            loss = losses.get(name)
            bar = markup.element("i", style=f"width:{100 * (loss or 0):.0f}%", data_loss=self.names.index(name))
            items.append(
                markup.element(
                    "button",
                    markup.element("span", Own(name), class_="col-name"),
                    markup.element("small", ", ".join(words), class_="needs" if name in wrong else None),
                    markup.element("span", bar, class_="col-bar", aria_hidden="true") if role == "quasi" else "",
                    type="button",
                    role="option",
                    class_=f"column-item role-{role}",
                    data_place=self.names.index(name),
                    aria_selected="true" if name == chosen else "false",
                    tabindex="0" if name == stop else "-1",
                )
            )
        if not items:
            items.append(markup.element("p", "No column like this.", class_="muted", role="option"))
        return markup.join(items)

    def choose(self, place: Any) -> None:
        """Another column in the editor."""
        if isinstance(place, int) and 0 <= place < len(self.names):
            self.local["column"] = self.names[place]
            self.local.pop("recipe", None)
            self.show()
            self.list.client.run_javascript("amongstFocus('.column-item[aria-selected=true]')")

    def _set_all(self, role: str | None) -> None:
        if role is None:
            return
        for name in self.found:
            set_role(self.fields[name], role)
        self.bulk.set_value(None)
        self.bench.edited()
        self.show()

    def show_losses(self) -> None:
        """What every column lost, without drawing the list anew: the keyboard stays where it is."""
        losses = self.bench.losses
        shares = [round(100 * (losses.get(name) or 0)) for name in self.names]
        self.list.client.run_javascript(f"amongstBars({shares})")

    def _show_editor(self) -> None:
        name, before = self.local["column"], self._in_editor
        self._in_editor = name
        if name is None:
            self.editor.clear()
            return
        fields, facts = self.fields[name], self.page.session.column_facts.get(name, {})
        with drawn_anew(self.editor, same=name == before):
            with box("pane-head"):
                tag("h3", Own(name), "column-name")
            tag("p", facts_words(facts), "muted small")
            with box("col-fields"):
                self._field("Role", lambda: select(ROLES, fields.get("role"), self._role, f"Role of {name}"))
                if fields.get("role") == "quasi":
                    self._quasi(name, fields, facts)
                if fields.get("role") in TAKES_LIMITS:
                    self._limits(name, fields, facts)
            role = fields.get("role")
            if facts.get("fields", {}).get("role") == "identifier" and role in HOW:
                tag("p", NAMES.format(how=HOW[role]), "needs small").props("role=status data-mark=names")

    def _field(self, label: str, made: Any) -> None:
        with box("labelled"):
            tag("span", label)
            made()

    def _quasi(self, name: str, fields: dict[str, Any], facts: dict[str, Any]) -> None:
        weights = {one: f"{one:g}" for one in sorted({*WEIGHTS, fields.get("weight", 1.0)})}
        self._field(
            "Weight",
            lambda: select(
                weights, fields.get("weight", 1.0), lambda value: self._put("weight", value, 1.0), f"Weight of {name}"
            ),
        )
        if facts.get("nulls"):
            self._field(
                "Missing is",
                lambda: select(NULLS, fields.get("nulls"), lambda value: self._put("nulls", value), "Missing is"),
            )
        with box("labelled"):
            tag("span", "Hierarchy")
            button(describe(fields.get("hierarchy")) + " …", self._hierarchy, "quiet small").props(
                "data-mark=edit-hierarchy"
            )

    def _limits(self, name: str, fields: dict[str, Any], facts: dict[str, Any]) -> None:
        """What may not be published of the column, whatever the method."""
        self._field("Never finer than", lambda: self._finest(name, fields, facts))
        if is_number(facts):
            self._field("One value from", lambda: self._tail("top", f"One value from, {name}", fields))
            self._field("One value up to", lambda: self._tail("bottom", f"One value up to, {name}", fields))

    def _tail(self, key: str, label: str, fields: dict[str, Any]) -> None:
        made = ui.number(value=fields.get(key)).classes("field")
        made.props(spoken(f'outlined dense clearable debounce=500 aria-label="{markup.text(label)}"'))
        made.on_value_change(lambda event: self._put(key, _number(event.value)))

    def _finest(self, name: str, fields: dict[str, Any], facts: dict[str, Any]) -> None:
        """A level of its hierarchy, a part of the calendar, or a width."""
        label, value = f"Never finer than, {name}", fields.get("finest")
        kind = fields.get("kind") or ""
        if kind == "date" or facts.get("type", "").startswith(("date", "timestamp")):
            options: dict[Any, str] = {None: "as it is", **{part: say(part) for part in CALENDAR}}
            select(options, value, lambda one: self._put("finest", one), label)
            return
        words = "a level" if "hierarchy" in fields else "a width" if kind == "numeric" else "letters"
        made = ui.number(value=value if isinstance(value, (int, float)) else None, min=0, placeholder=say(words))
        made.props(spoken(f'outlined dense clearable debounce=500 aria-label="{markup.text(label)}"')).classes("field")
        made.on_value_change(lambda event: self._put("finest", _whole(event.value)))

    def _role(self, role: str) -> None:
        set_role(self.fields[self.local["column"]], role)
        self.bench.edited()
        self.show()

    def _put(self, key: str, value: Any, usual: Any = None) -> None:
        fields = self.fields[self.local["column"]]
        fields.pop(key, None)
        if value != usual and value is not None:
            fields[key] = value
        self.bench.edited()
        self.list.set_content(str(self._listed()))

    def _hierarchy(self) -> None:
        self.page.go("hierarchies")


def is_number(facts: dict[str, Any]) -> bool:
    """Whether a column has numbers, by its type."""
    return facts.get("type", "").startswith(("int", "uint", "float", "double", "decimal"))


def _whole(value: float | None) -> float | int | None:
    return _number(value) or None


def _number(value: float | None) -> float | int | None:
    return None if value is None else int(value) if float(value).is_integer() else float(value)
