"""Load: a file, a database, or an example."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.files import size_words
from amongst.app.parts import box, button, drop_zone, heading, select, table, tag
from amongst.app.session import EXAMPLE_TABLES, EXAMPLES

if TYPE_CHECKING:
    from amongst.app.shell import Page

ACCEPT = ".csv,.tsv,.txt,.gz,.parquet,.pq,.arrow,.feather,.ipc,.sqlite,.sqlite3,.db,.duckdb,.ddb,.toml"
WORDS = {
    "adult": ("Adult", "45,222 people of a census, with hierarchies. A good place to start."),
    "patients": ("Patients", "The six rows of the Mondrian paper."),
    "census": ("Census", "20,000 made-up people."),
    "hospital": ("Hospital", "Four tables: patients, visits, diagnoses, prescriptions."),
}
SEPARATORS = {None: "found by itself", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENCODINGS = {None: "UTF-8", "latin-1": "Latin-1", "cp1252": "Windows-1252", "utf-16": "UTF-16"}


def show(page: Page) -> None:
    """Where the table comes from, and what it looks like."""
    session = page.session
    if session.draft is None:
        heading(
            "Which table is it about?",
            "It stays on this machine. You will say what each column is, see what a release would look like, and "
            "only then write one.",
        )
        _sources(page)
        return
    heading(session.about["name"], _size(session.about))
    if session.draft.many:
        _tables(page)
    else:
        sample = session.about["sample"]
        tag("h2", "First rows")
        table(sample["columns"], sample["rows"], "sample")
        if str(session.draft.content["input"]["path"]).lower().rstrip(".gz").endswith((".csv", ".tsv", ".txt")):
            _reading(page)
    with box("again", "details"):
        tag("summary", "Load another table")
        _sources(page)


def _size(about: dict[str, Any]) -> str:
    if "tables" in about:
        return f"{len(about['tables'])} tables, {sum(one['rows'] for one in about['tables'].values()):,} rows in all."
    return f"{about['rows']:,} rows, {len(about['columns'])} columns, {size_words(about['bytes'])}."


def _sources(page: Page) -> None:
    session = page.session
    with box("sources"):
        kinds = "CSV, Parquet, Arrow, SQLite or DuckDB"
        limit = f"{kinds}, up to {size_words(session.upload_limit)}. A job file (.toml) works too."
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
    made = button("", action, "example").props(f'aria-label="Example {title}"').props(f"data-mark=example-{name}")
    with made, box("example-text"):
        tag("span", title, "example-title")
        tag("span", words, "muted")
    if page.session.running is not None:
        made.disable()


def _database(page: Page) -> None:
    session = page.session
    with box("database"):
        address = ui.input(placeholder="postgresql://user@host/database").classes("field wide")
        address.props('outlined dense aria-label="Address of a database" autocomplete=off')

        def connect() -> None:
            told = (address.value or "").strip()
            if not told.startswith(("postgresql://", "postgres://")):
                from amongst.errors import BadOption

                fix = "write postgresql://user@host/database; files are dropped on the left"
                session.refuse(
                    "load", BadOption("This is no address of a database.", found="no postgresql://", fix=fix)
                )
                return
            session.start(session.open_database(told))

        address.on("keydown.enter", connect)
        button("Connect", connect, "quiet")


def _reading(page: Page) -> None:
    """How the text was read, for files that need it told."""
    session = page.session
    assert session.draft is not None
    source = session.draft.content["input"]
    chosen = {
        "nulls": ", ".join(source.get("nulls", [])),
        "separator": source.get("separator"),
        "encoding": source.get("encoding"),
    }
    with box("reading", "details"):
        tag("summary", "Not read as it should be?")
        with box("fields"):
            with box("labelled"):
                tag("span", "Texts that mean missing")
                nulls = ui.input(value=chosen["nulls"], placeholder="NA, ?").classes("field")
                nulls.props('outlined dense aria-label="Texts that mean missing"')
            with box("labelled"):
                tag("span", "Between cells")
                select(SEPARATORS, chosen["separator"], lambda value: chosen.update(separator=value), "Separator")
            with box("labelled"):
                tag("span", "Encoding")
                select(ENCODINGS, chosen["encoding"], lambda value: chosen.update(encoding=value), "Encoding")

            def read_again() -> None:
                texts = [text.strip() for text in (nulls.value or "").split(",") if text.strip()]
                session.start(session.read_again(texts, chosen["separator"], chosen["encoding"]))

            button("Read again", read_again, "quiet")


def _tables(page: Page) -> None:
    """The tables of a database: all together, or one alone."""
    session = page.session
    tag("p", "Go on to anonymize them together: one table has the persons, the others hang on it. Or take one alone.")
    for name, facts in session.about["tables"].items():
        with box("table-head"):
            tag("h2", name)
            tag("span", f"{facts['rows']:,} rows", "muted")
            button("Take this table alone", lambda name=name: session.start(session.take_table(name)), "quiet small")
        table(facts["sample"]["columns"], facts["sample"]["rows"][:3], "sample")
