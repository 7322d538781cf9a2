"""Load: a file, a database, or an example."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.files import size_words
from amongst.app.language import Own, spoken
from amongst.app.parts import box, button, drop_zone, folded, heading, table, tag
from amongst.app.session import EXAMPLE_TABLES, EXAMPLES
from amongst.app.steps.reading import show_reading, show_unread
from amongst.errors import BadOption
from amongst.read.formats import formats

if TYPE_CHECKING:
    from amongst.app.shell import Page

ACCEPT = ".csv,.tsv,.txt,.tab,.data,.dat,.asc,.gz,.zip,.parquet,.pq,.arrow,.feather,.ipc,.toml,.amongst," + ",".join(
    ending for one in formats().values() for ending in one.endings
)
WORDS = {
    "adult": ("Adult", "45,222 people of a census, with hierarchies. A good place to start."),
    "patients": ("Patients", "The six rows of the Mondrian paper."),
    "census": ("Census", "20,000 made-up people."),
    "hospital": ("Hospital", "Four tables: patients, visits, diagnoses, prescriptions."),
}


def show(page: Page) -> None:
    """Where the table comes from, and what it looks like."""
    session = page.session
    if session.unread is not None:
        show_unread(page, session.unread)
    if session.project is not None:
        with box("hint").props("role=status data-mark=waits"):
            tag("b", "A project waits for its table")
            tag("span", f"Load {session.project.name}: its settings are taken over then.")
            button("Leave the project", session.leave_project, "quiet small")
    if session.draft is None:
        heading(
            "Which table is it about?",
            "It stays on this machine. You will say what each column is, see what a release would look like, and "
            "only then write one.",
        )
        _sources(page)
        return
    heading(Own(session.about["name"]), _size(session.about))
    for words in _notes(session.about):
        with box("hint"):
            tag("span", words)
    if session.left is not None:
        with box("hint").props("data-mark=left"):
            tag("span", f"Before, {session.left['about']['name']} was open. It is kept with all that you chose.")
            made = button("Back to it", lambda: session.start(session.go_back()), "quiet small")
            made.props("data-mark=go-back").set_enabled(session.running is None)
    if session.draft.many:
        _tables(page)
    else:
        sample = session.about["sample"]
        tag("h2", "First rows")
        table(sample["columns"], sample["rows"], "sample")
        show_reading(page)
    with folded(page.local, f"again {session.n_loaded}", "Load another table", "again"):
        _sources(page)


SAY = re.compile(r"say \w+ = \S+(?= if )")
"""What a job file would say; here it is said on the page."""


def _notes(about: dict[str, Any]) -> list[str]:
    """What to know of how it was read."""
    notes = [f"{one[:1].upper()}{SAY.sub('say so below', one[1:])}." for one in about.get("notes", [])]
    kept = (
        "It has the columns of the table before, so all settings were kept. Undo takes you back one change at a time."
    )
    return [*notes, *([kept] if about.get("kept") else [])]


def _size(about: dict[str, Any]) -> str:
    if "tables" in about:
        return f"{len(about['tables'])} tables, {sum(one['rows'] for one in about['tables'].values()):,} rows in all."
    return f"{about['rows']:,} rows, {len(about['columns'])} columns, {size_words(about['bytes'])}."


def _sources(page: Page) -> None:
    session = page.session
    with box("sources"):
        kinds = "CSV, Excel, SPSS, Stata, SAS, JSON, Parquet, Arrow, SQLite or DuckDB"
        limit = (
            f"{kinds}, up to {size_words(session.upload_limit)}. A job file (.toml) or a project (.amongst) works too."
        )
        drop_zone("/upload/table", "Drop a file here, or choose one", limit, ACCEPT, "large")
        with box("source-side"):
            tag("h2", "Examples")
            with box("examples"):
                for name in EXAMPLES:
                    _example(page, name, lambda name=name: session.start(session.open_example(name)))
                for name in EXAMPLE_TABLES:
                    _example(page, name, lambda name=name: session.start(session.open_example_tables(name)))
            tag("h2", "PostgreSQL")
            _database(page)


def _example(page: Page, name: str, action: Any) -> None:
    title, words = WORDS[name]
    made = button("", action, "example").props(f"data-mark=example-{name}")
    with made, box("example-text"):
        tag("span", title, "example-title")
        tag("span", words, "muted")
    if page.session.running is not None:
        made.disable()


def _database(page: Page) -> None:
    session = page.session
    with box("database"):
        address = ui.input(placeholder="postgresql://user@host/database").classes("field wide")
        address.props(spoken('outlined dense aria-label="Address of a database" autocomplete=off'))

        def connect() -> None:
            told = (address.value or "").strip()
            if not told.startswith(("postgresql://", "postgres://")):
                fix = "write postgresql://user@host/database; files are dropped on the left"
                session.refuse(
                    "load", BadOption("This is no address of a database.", found="no postgresql://", fix=fix)
                )
                return
            session.start(session.open_database(told))

        address.on("keydown.enter", connect)
        button("Connect", connect, "quiet")


def _tables(page: Page) -> None:
    """The tables of a database: all together, or one alone."""
    session = page.session
    tag("p", "Go on to anonymize them together: one table has the persons, the others hang on it. Or take one alone.")
    for name, facts in session.about["tables"].items():
        with box("table-head"):
            tag("h2", Own(name))
            tag("span", f"{facts['rows']:,} rows", "muted")
            button("Take this table alone", lambda name=name: session.start(session.take_table(name)), "quiet small")
        table(facts["sample"]["columns"], facts["sample"]["rows"][:3], "sample")
