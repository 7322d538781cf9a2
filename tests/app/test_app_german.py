"""The page in German: every text of the source has a translation, and no sentence is in two languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_process import Tab, running
from test_app_words import walls

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')

from amongst.app import language
from amongst.app.desk import Desk
from amongst.app.error_words import error_in_page_words
from amongst.app.language import Own, catalogue, is_foreign, say, spoken
from amongst.app.panels import markup
from amongst.errors import AmongstError
from amongst.partition.methods import METHODS
from amongst.relations.methods import DATABASE_METHODS
from amongst.schema import name_words
from amongst.schema.recipes.known import BUILT_IN

SOURCE = Path(language.__file__).parent
SHOWN = (
    "dialogs.py",
    "shell.py",
    "parts.py",
    "running.py",
    "session.py",
    "state.py",
    "desk.py",
    "loading.py",
    "worker.py",
)
SHOWN_FOLDERS = ("steps", "workbench", "panels")
NOT_SHOWN = ("javascript.py",)
SAYS_NOTHING = {"box", "classes", "props", "on", "run_javascript", "style", "mark", "on_page_exception", "js_handler"}
"""Calls whose texts are no words: classes, properties, code."""
STYLED = {"tag": 2, "button": 2, "folded": 3, "table": 2, "drop_zone": 3}
"""From this place on the arguments are no words."""
GAP = re.compile(r"\{[^}]*\}")


@pytest.fixture(autouse=True)
def in_german() -> Iterator[None]:
    language.speak("de")
    yield
    language.speak("en")


def texts_of(file: Path) -> Iterator[str]:
    """What looks like words for a reader, with {} where something is put in."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else []:
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                passed.add(one.value)
        if isinstance(node, ast.JoinedStr):
            passed.update(node.values)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = 0 if name in SAYS_NOTHING else STYLED.get(name, 99)
            passed.update(inner for one in node.args[first:] for inner in ast.walk(one))
            keywords = [one for one in node.keywords if one.arg in ("class_", "classes", "js_handler", "style", "kind")]
            passed.update(inner for one in keywords for inner in ast.walk(one))
        if isinstance(node, ast.Subscript):
            passed.update(ast.walk(node.slice))
    for node in ast.walk(tree):
        if node in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield GAP.sub("{}", node.value)


def are_words(text: str) -> bool:
    return bool(re.match(r"[A-Z][a-z]", text) or re.search(r"[A-Za-z}][.,:;]? [A-Za-z{(]", text))


def has_german(text: str) -> bool:
    """Whether it is a text of the catalogue, or the part of one that is put together."""
    known, text = catalogue("de").texts, text.strip()
    if text in known or catalogue("de").find(text.replace("{}", "7")) is not None:
        return True
    if "{}" not in text and re.match(r"[A-Z]", text):
        return any(re.match(re.escape(text) + r"(\W| missing)", one) for one in known)
    parts = [part.strip() for piece in text.split("{}") for part in re.split(r"(?<=[.:]) ", piece) if part.strip()]
    return all(any(part in one for one in known) for part in parts)


NO_WORDS = {
    "a key of the options is no plain word",
    "options hold code that is not one of the app's functions",
    "the table {} of the database, saved as {}",
    "the tables of the example {}",
    "--option {}={}",
    "Python",
    "SELECT COUNT(*) WHERE …",
    "Session",
    "again {}",
    "amongst datasets {}{} --write {}   makes the table",
    "as read",
    "by lot",
    "distinct value",
    "find best",
    "first column",
    "first row",
    "match anything",
    "monotone models",
    "more promises",
    "only Markup can be shown: text must be escaped first",
    "own value",
    "reading {}",
    "shown role",
}
"""Keys, names, and what is said to who writes code."""
IN_ENGLISH = (
    "The release is attacked and made anew until nobody's sensitive value is certain",
    "attacks that nobody has thought of",
    "does not succeed",
)
"""What is promised of a release, and what an attack found of that."""


def test_every_text_of_the_page_has_a_german_one() -> None:
    files = [SOURCE / name for name in SHOWN]
    files += [file for folder in SHOWN_FOLDERS for file in (SOURCE / folder).glob("*.py")]
    shown = {text for file in files if file.name not in NOT_SHOWN for text in texts_of(file) if are_words(text)}
    shown = {
        text
        for text in shown
        if not text.startswith(("<link", "<script", "{}{}<meta", *IN_ENGLISH)) and text.strip() not in NO_WORDS
    }
    assert len(shown) > 450
    assert sorted(text for text in shown if not has_german(text)) == []
    assert not has_german("A sentence that nobody has translated.")


def test_every_method_and_every_suggestion_has_german_words() -> None:
    said = [words for method in METHODS.values() for words in (method.heading, method.words)]
    said += [words for method in DATABASE_METHODS.values() for words in (method.heading, method.words)]
    for method in DATABASE_METHODS.values():  # what is left out by default is not offered
        said += [method.words_of_option(name) for name, usual in method.options.items() if usual is not None]
    said += BUILT_IN.values()
    said += [f"the name speaks of {one}" for one in {**name_words.IDENTIFIER, **name_words.QUASI}]
    said += [f"the name speaks of {one}" for one in {**name_words.SENSITIVE, **name_words.WEAK_IDENTIFIER}]
    assert [words for words in said if is_foreign(words)] == []


def test_whatever_is_put_in_stands_in_both_languages() -> None:
    for text, german in catalogue("de").texts.items():
        used = {int(number) for number in re.findall(r"\{(\d+)(?:![nt])?\}", german)}
        assert used == set(range(text.count("{}"))), text
        assert text[:1].isspace() == german[:1].isspace(), text


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("45,222 rows, 9 columns, 3.3 MB.", "45.222 Zeilen, 9 Spalten, 3,3 MB."),
        ("Proved: 30,162 rows in 1,204 groups, no row left out.", None),
        ("Proved: 12 rows in 2 groups, fewer than 10 left out.", None),
        ("Quasi, weight 0.5, to be settled", "Quasi, Gewicht 0,5, zu klären"),
        ("12.5%", "12,5\N{NO-BREAK SPACE}%"),
        (
            "Columns whose name was there before are called a_2, b_2.",
            "Spalten, deren Name schon da war, heißen a_2, b_2.",
        ),
        ("the name speaks of age; every value is different", "dem Namen nach: Alter; jeder Wert ist anders"),
        ("The page could not be reached by a fax.", "The page could not be reached by a fax."),
        ("Not possible: the moon is full.", "Not possible: the moon is full."),  # not one half in German
        ("Load it. The moon is full.", "Load it. The moon is full."),
    ],
)
def test_a_text_is_said_as_a_whole_or_stays_in_english(english: str, german: str | None) -> None:
    said = say(english)
    if german is None:
        assert said.startswith("Bewiesen: ")
        assert said.endswith("ausgelassen.")
        assert "left" not in said
    else:
        assert said == german
    assert is_foreign(english) == (said == english)
    language.speak("en")
    assert say(english) == english
    assert not is_foreign(english)


def test_names_and_cells_are_never_translated() -> None:
    assert say("Method") == "Verfahren"
    assert say(Own("Method")) == "Method"
    assert not is_foreign(Own("Method"))
    assert str(markup.element("b", Own("Method"))) == "<b>Method</b>"
    assert str(markup.table([Own("Role")], [["Method"], ["1.5"]])).count("<td>Method</td><") == 1
    assert "<td>1.5</td>" in str(markup.table(["Role"], [["1.5"]]))
    assert str(markup.element("p", "what is promised")) == '<p lang="en">what is promised</p>'
    assert say('Role of "Method"') == 'Rolle von "Method"'
    assert spoken('dense aria-label="Weight" data-mark=x') == 'dense aria-label="Gewicht" data-mark=x'


def test_axes_of_drawings_are_german_and_names_in_them_are_not() -> None:
    svg = '<text x="1" class="note">rows that look alike</text><text x="1" class="name">rows that look alike</text>'
    marks = '<text class="note">Method</text><text class="tick">3 to 4</text>'
    german = '<text x="1" class="note" lang="de">Zeilen, die gleich aussehen</text>'
    assert language.drawn(svg + marks) == german + svg.partition("</text>")[2] + marks
    assert '<text class="tick" lang="de">3 bis 4</text>' in language.drawn(marks, ours=True)
    hostile = '<text class="tick">&lt;script&gt; to 4</text>'
    assert language.drawn(hostile, ours=True) == hostile
    language.speak("en")
    assert language.drawn(svg + marks, ours=True) == svg + marks


FOREIGN = """() => [...document.querySelectorAll(".content [lang=en], .foot [lang=en], .steps [lang=en]")]
  .filter((one) => one.innerText && !one.closest(".model")).map((one) => one.innerText)"""
"""What is in English on the page, but for the cards of what is promised."""


def test_the_path_in_german(chromium: Any, tmp_path: Path) -> None:
    rows = [f"{20 + i % 40},{'mw'[i % 2]},{i % 5}" for i in range(120)]
    (tmp_path / "leute.csv").write_text("\n".join(["Method,sex,score", *rows, ""]))
    context = chromium.new_context(viewport={"width": 1366, "height": 768}, color_scheme="light", locale="de-DE")
    with running(tmp_path) as app:
        tab = Tab(context, app, "german").open()
        assert tab.page.locator("html").get_attribute("lang") == "de"
        tab.sees("Um welche Tabelle geht es?")
        foreign = {"Laden": tab.page.evaluate(FOREIGN)}
        assert walls(tab) == []
        tab.shot("load")
        tab.page.locator(".drop.large input[type=file]").set_input_files(tmp_path / "leute.csv")
        tab.sees(re.compile(r"^120 Zeilen, 3 Spalten"))
        tab.marked("next").click()
        tab.page.locator("[data-mark=live]", has_text=re.compile("^Bewiesen")).wait_for()
        foreign["Werkbank"] = tab.page.evaluate(FOREIGN)
        assert walls(tab) == []
        for asked, left in (("Projekt speichern", "Lieber nicht"), ("amongst schließen", "Bleiben")):
            tab.page.get_by_role("button", name=asked).click()
            tab.page.get_by_role("button", name=left).wait_for()
            assert walls(tab) == [], asked
            tab.page.get_by_role("button", name=left).click()
            tab.page.locator(".dialog").wait_for(state="detached")
        assert tab.page.locator(".col-name").all_inner_texts() == ["Method", "sex", "score"]
        tab.shot("workbench")
        for name in ("Rollen", "Hierarchien", "Schutz", "Verfahren", "Veröffentlichen"):
            tab.step(name)
            foreign[name] = tab.page.evaluate(FOREIGN)
            assert walls(tab) == [], name
            tab.shot(name)
            assert (tab.page.locator(".model [lang=en]").count() > 0) == (name == "Schutz")
        assert foreign == {name: [] for name in foreign}
        tab.marked("language-en").click()
        tab.sees("Before you give it away")
        assert tab.page.locator("html").get_attribute("lang") == "en"
        tab.page.reload()  # what was chosen is remembered, whatever the browser asks for
        tab.sees("Before you give it away")
        assert tab.problems == []
    context.close()


BROKEN = {
    "ragged.csv": b"age,zip\n31,53711\n42\n",
    "broken.parquet": b"PAR1 this is no parquet",
    "empty.csv": b"",
    "header.csv": b"a,b\n",
    "notes.docx": b"hello",
    "book.xlsx": b"nope",
    "lines.jsonl": b"{]",
    "long.csv": b"a,b\n" + b"x" * 11_000_000 + b",2\n",
}
ASKED: list[dict[str, Any]] = [
    {"privacy": [{"model": "k-anonymity", "k": 1000}]},
    {"columns": {"age": {"role": "keep"}, "town": {"role": "keep"}}},
    {"columns": {"age": {"role": "quasi"}, "town": {}}},
    {"columns": {"age": {"role": "quasi"}, "town": {"role": "quasi", "kind": "numeric"}}},
    {"columns": {"age": {"role": "quasi"}, "town": {"role": "quasi", "hierarchy": {"nested": {"*": ["Bern"]}}}}},
    {"privacy": [{"model": "l-diversity", "l": 2}]},
]


def test_what_stands_in_the_way_is_told_in_german(tmp_path: Path) -> None:
    desk, told = Desk(), []
    for name, content in BROKEN.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(AmongstError) as refused:
            desk.open(str(tmp_path / name), nulls=[], separator=None, encoding=None, header=None)
        told.append(refused.value)
    good = tmp_path / "people.csv"
    good.write_text("\n".join(["age,town", *(f"{20 + i % 30},{('Bern', 'Chur')[i % 2]}" for i in range(60)), ""]))
    desk.open(str(good), nulls=[], separator=None, encoding=None, header=None)
    usual = {
        "input": {"path": str(good)},
        "columns": {"age": {"role": "quasi"}, "town": {"role": "quasi"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "method": {"name": "mondrian", "seed": 0},
        "output": {"format": "parquet", "form": "labels"},
    }
    for asked in ASKED:
        with pytest.raises(AmongstError) as refused:
            desk.anonymize({**usual, **asked})
        told.append(refused.value)
    for error in told:
        words = error_in_page_words({"what": error.what, "found": error.found, "fix": error.fix})
        listed = [words["found"]] if isinstance(words["found"], str) else words["found"]
        assert [one for one in (words["what"], *listed, words["fix"]) if is_foreign(one)] == []
