"""What stands in the way of a release, told on every step before one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.parts import box, button, error_box

if TYPE_CHECKING:
    from amongst.app.shell import Page


def show_problems(page: Page) -> None:
    """All that does not fit between roles, hierarchies and the table; it is shown anew as soon as that changes."""
    place = box("problems")

    def build() -> None:
        place.clear()
        problems = page.session.problems
        with place:
            if problems:
                lines = [_line(one) for one in problems]
                error_box({"what": "Before it can be made", "found": lines, "problems": problems})
                if page.step != "roles":
                    button("Go to the roles", lambda: page.go("roles"), "quiet small")

    build()
    page.on_checked = build


def _line(problem: dict[str, Any]) -> str:
    return problem["text"] + (f" — {problem['fix']}" if problem.get("fix") else "")
