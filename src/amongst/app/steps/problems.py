"""What stands in the way of a release, told on every step before one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.parts import box, button, error_box, tag
from amongst.app.redraw import drawn_anew

if TYPE_CHECKING:
    from amongst.app.shell import Page

NULLS = {
    None: "choose what missing means",
    "own value": "a value of its own",
    "match anything": "could be any value",
    "suppress": "leave such rows out",
}
NAMED = 6
"""Columns that a sentence names."""


def show_problems(page: Page) -> None:
    """All that does not fit between roles, hierarchies and the table; it is shown anew as soon as that changes."""
    place = box("problems")

    def build() -> None:
        missing = [one for one in page.session.problems if one.get("problem") == "nulls" and "column" in one]
        others = [one for one in page.session.problems if one not in missing]
        with drawn_anew(place):
            if others:
                error_box(
                    {"what": "Before it can be made", "found": [_line(one) for one in others], "problems": others}
                )
            if missing:
                _missing(page, [one["column"] for one in missing])
            if (others or missing) and page.step != "roles":
                button("Go to the roles", lambda: page.go("roles"), "quiet small")

    build()
    page.on_checked = build


def _missing(page: Page, names: list[str]) -> None:
    """Columns whose missing values have no meaning yet: one choice for all of them, or one by one below."""

    def put(rule: str) -> None:
        for name in names:
            page.draft.columns[name]["nulls"] = rule
        page.session.changed()
        page.session.start(page.session.check())

    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    with box("error").props("role=alert"):
        tag("p", "Before it can be made: what does missing mean?", "error-what")
        one = "One column has" if len(names) == 1 else f"{len(names):,} columns have"
        tag("p", f"{one} missing values and no rule for them: {', '.join(names[:NAMED])}{more}.")
        with box("choices"):
            tag("span", "In all of them, missing is" if len(names) > 1 else "Missing is")
            for rule, words in NULLS.items():
                if rule is not None:
                    made = button(words, lambda rule=rule: put(rule), "quiet small")
                    made.props(f"data-mark=nulls-{rule.replace(' ', '-')}")


def _line(problem: dict[str, Any]) -> str:
    return problem["text"] + (f" — {problem['fix']}" if problem.get("fix") else "")
