"""The editor of groups: tick values and give them a name, or drag one onto another; and so on upwards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import say, spoken
from amongst.app.panels import javascript
from amongst.app.parts import box, button, tag
from amongst.app.redraw import drawn_anew
from amongst.app.tree import Tree, key_of

if TYPE_CHECKING:
    from amongst.app.shell import Page

MOST = 400
"""Values of a column that an editor of single values can help with."""


def show_groups(page: Page, column: str, current: dict[str, Any] | None, put: Any) -> None:
    """The tree with a box to tick on every line, and what can be done with the ticked ones."""
    place = ui.element("div").classes("groups")
    with place:
        tag("p", "Reading the values of the column.", "muted")
    page.session.start(_build(page, column, current, put, place))


async def _build(page: Page, column: str, current: dict[str, Any] | None, put: Any, place: Any) -> None:
    found = await page.session.values(column, MOST)
    if place.is_deleted:
        return
    place.clear()
    with place:
        if found["n"] > MOST:
            tag("p", f"{found['n']:,} values are too many to group by hand: use another kind, or an ARX file.", "needs")
            return
        rows = found["rows"]
        tree = Tree.of(current["nested"], rows) if current else Tree(rows)
        _Editor(tree, rows, put)


class _Editor:
    def __init__(self, tree: Tree, rows: Mapping[str, int], put: Any) -> None:
        self.tree, self.rows, self.put = tree, rows, put
        self.ticked: set[str] = set()
        with box("group-tools"):
            self.name = ui.input(placeholder=say("Name of the group")).props(
                spoken('outlined dense aria-label="Name of the group"')
            )
            self.name.classes("field").props("data-mark=group-name")
            self.name.on("keydown.enter", self.group)
            button("Put together", self.group, "quiet small")
            button("Rename", self.rename, "quiet small")
            button("Take apart", self.dissolve, "quiet small")
        self.words = tag("p", "", "muted small")
        self.lines = ui.element("div").classes("group-lines").props("role=tree")
        self.lines.on("dragstart", js_handler=javascript.DRAG)
        self.lines.on("dragover", js_handler=javascript.DRAG_OVER)
        self.lines.on("drop", lambda event: self.move(*event.args), js_handler=javascript.DROP)
        self.show()

    def show(self) -> None:
        self.ticked.clear()
        self.tell()
        with drawn_anew(self.lines):
            for depth, node in self.tree.lines():
                classes = "group-line " + ("is-group" if node.is_group else "")
                line = box(classes).style(f"padding-left: {depth * 22}px").props("role=treeitem draggable=true")
                line.props["data-key"] = key_of(node)
                with line:
                    label = node.label or "(empty)"
                    made = ui.checkbox(label if not node.is_group else f"{label} ({len(node.members)})")
                    made.props("dense")
                    made.on_value_change(partial(self.tick, key_of(node)))
                    n = sum(self.rows.get(one.label, 0) for _, one in node.walk() if not one.is_group)
                    tag("span", f"{n:,} rows" if n != 1 else "1 row", "muted small")

    def tick(self, key: str, event: Any) -> None:
        (self.ticked.add if event.value else self.ticked.discard)(key)
        self.tell()

    def tell(self) -> None:
        n = len(self.ticked)
        first = "Tick values or groups, then put them together under a name; or drag one onto another."
        self.words.set_text(f"{n} ticked" if n else first)

    def group(self) -> None:
        if self.ticked and self.name.value:
            self.tree.group(self.ticked, self.name.value)
            self.name.set_value("")
            self.done()

    def move(self, key: Any, onto: Any) -> None:
        if isinstance(key, str) and isinstance(onto, str):
            self.tree.move(key, onto)
            self.done()

    def rename(self) -> None:
        if len(self.ticked) == 1 and self.name.value:
            self.tree.rename(next(iter(self.ticked)), self.name.value)
            self.name.set_value("")
            self.done()

    def dissolve(self) -> None:
        self.tree.dissolve(self.ticked)
        self.done()

    def done(self) -> None:
        self.show()
        self.put({"nested": self.tree.mapping()} if self.tree.n_groups else {})
