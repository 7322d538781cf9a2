"""What the page says to people who write no code: in its own words, early, and of many columns at once."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from app_process import App, Tab

import amongst
from amongst.app.error_words import error_in_page_words, page_words

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')

SOURCE = Path(amongst.__file__).parent
CODE = re.compile(r"\bam\.[A-Za-z]|\b[A-Z][a-z]*[A-Z]\w*\(|\brole ?= ?[\"']|force=True")
REACHED = ("anonymize.py", "models", "partition", "encode", "recode", "schema", "release", "measure", "relations")
"""Where errors come from that the page can show."""
BY_CODE_ALONE = ("am.Relation(", "am.anonymize(..., seed=)")
"""Only Python can give a wrong value there."""


def texts() -> list[str]:
    """Every text of the library that ends up in an error."""
    files = [file for place in REACHED for file in [SOURCE / place, *(SOURCE / place).rglob("*.py")] if file.is_file()]
    found = []
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.keyword) and node.arg in ("fix", "found"):
                parts = [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
                found += [part for part in parts if isinstance(part, str)]
    return [text for text in found if not any(part in text for part in BY_CODE_ALONE)]


def test_no_error_speaks_python_to_who_clicks() -> None:
    spoken = texts()
    assert len(spoken) > 300
    assert [text for text in spoken if CODE.search(text)]  # they do, to who writes Python
    assert [text for text in spoken if CODE.search(page_words(text))] == []


def test_all_parts_of_an_error_are_told_in_the_words_of_the_page() -> None:
    problem = {"text": "give it KAnonymity(10)", "fix": 'give it role="keep"'}
    error = {"what": "LDiversity(2)", "found": ["am.TCloseness(0.2)"], "fix": "", "problems": [problem]}
    assert not CODE.search(str(error_in_page_words(error)))
    assert error["what"] == "LDiversity(2)"


def test_many_columns_are_found_and_set_at_once_and_problems_are_told_early(
    app: App, browser: Any, tmp_path: Path
) -> None:
    names = [f"answer_{i}" for i in range(30)]
    rows = [
        ",".join("" if (i + j) % 9 == 0 else str((i * j) % 5) for j in range(30)) + f",{20 + i % 40}"
        for i in range(200)
    ]
    file = tmp_path / "survey.csv"
    file.write_text("\n".join([",".join([*names, "age"]), *rows, ""]))
    tab = Tab(browser, app, "many").open()
    with tab.loading():
        tab.drop(file)
    tab.step("Roles")
    tab.marked("search").fill("answer_2")
    tab.page.get_by_text("All 11 columns below").wait_for()
    tab.page.get_by_label("A role for all columns below").click()
    tab.page.get_by_role("option", name="Quasi").click()
    tab.sees("columns have missing values and no rule for them")
    tab.shot("found")
    tab.step("Method")  # told here as well, before anything is made
    tab.sees("columns have missing values and no rule for them")
    tab.shot("early")
    tab.page.get_by_role("button", name="Go to the roles").click()
    tab.page.wait_for_selector("nav [aria-current=step]:has-text('Roles')")
    tab.sees("What is each column?")
    tab.marked("nulls-own-value").click()
    tab.page.locator(".problems .error").wait_for(state="detached")
    tab.shot("set")
    assert tab.problems == []


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = """async (rules) => {
  const found = await axe.run(document, { runOnly: { type: "tag", values: rules } });
  return found.violations.map((one) => one.id + ": " + one.nodes[0].html.slice(0, 200));
}"""


def walls(tab: Tab) -> list[str]:
    """What axe finds that somebody cannot get past: WCAG 2.2, AA, and what is held to be good practice."""
    package = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    tab.rests()
    tab.page.evaluate((Path(package.__path__[0]) / "axe.min.js").read_text(encoding="utf-8"))
    return list(tab.page.evaluate(AXE, RULES))


def test_every_step_can_be_walked_by_keyboard_and_by_ear_and_names_are_warned_of(
    app: App, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    rows = [f"p{i:04d}@example.org,{20 + i % 40},{i % 5}" for i in range(120)]
    file.write_text("\n".join(["email,age,score", *rows, ""]))
    tab = Tab(browser, app, "names").open()
    tab.page.keyboard.press("Tab")  # the first thing that the keyboard comes to
    assert tab.page.evaluate("document.activeElement.textContent") == "Skip to the step"
    with tab.loading():
        tab.drop(file)
    assert walls(tab) == []
    tab.step("Roles")
    assert tab.marked("names").count() == 0
    tab.page.get_by_label("Role of email").get_by_text("Quasi").click()
    tab.marked("names").wait_for()
    tab.shot("roles")
    tab.step("Method")
    tab.page.get_by_role("button", name="Make the release").click()
    tab.made()
    tab.marked("names-published").get_by_text("email").wait_for()
    tab.shot("result")
    for name in ("Roles", "Hierarchies", "Privacy", "Method", "Workbench", "Publish"):
        tab.step(name)
        assert walls(tab) == [], name
    tab.step("Workbench")
    tab.page.locator(".is-after tbody tr").first.click()
    tab.marked("why").get_by_text("Row 1").wait_for()
    assert walls(tab) == []
    for key in ("figures", "ask", "models", "lattice", "others", "attack"):
        tab.marked(f"tab-{key}").click()
        assert walls(tab) == [], key
    for asked, left in (("Save the project", "Leave it"), ("Close amongst", "Stay")):
        tab.page.get_by_role("button", name=asked).click()
        tab.page.get_by_role("button", name=left).wait_for()
        assert walls(tab) == [], asked
        tab.page.get_by_role("button", name=left).click()
        tab.page.locator(".dialog").wait_for(state="detached")
    tab.page.get_by_role("button", name="Light or dark").click()
    tab.page.wait_for_selector("body.body--dark")
    for width, height in ((683, 384), (1366, 768), (3840, 2160)):  # the first is 1366 at 200 %
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.step("Publish")
        tab.step("Workbench")
        assert walls(tab) == [], width
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        tab.shot(f"dark-{width}")
    assert tab.problems == []
