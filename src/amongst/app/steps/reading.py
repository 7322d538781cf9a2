"""How a text file is read: encoding, separator, first line, missing cells; its first lines are seen as one says it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.language import Own, say, spoken
from amongst.app.loading import READING, is_text
from amongst.app.parts import box, button, error_box, folded, quoted, select, table, tag

if TYPE_CHECKING:
    from amongst.app.shell import Page

SEPARATORS: dict[str | None, str] = {
    None: "found by itself",
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "bar",
    " ": "blank",
    "blanks": "one or more blanks",
    "places": "columns at the same places",
}
ENCODINGS = {
    None: "found by itself",
    "utf-8": "UTF-8",
    "windows-1252": "Windows-1252 (Western)",
    "latin-1": "Latin-1 (ISO 8859-1)",
    "iso-8859-15": "Latin-9 (ISO 8859-15)",
    "windows-1250": "Windows-1250 (Central Europe)",
    "windows-1251": "Windows-1251 (Cyrillic)",
    "utf-16": "UTF-16",
    "mac-roman": "Mac Roman",
    "shift_jis": "Shift JIS",
    "gb18030": "GB 18030",
}
BELOW = {
    "encoding": "which encoding it has",
    "separator": "what stands between cells",
    "header": "what its first line is",
}
HEADERS = {None: "found by itself", True: "has the names of the columns", False: "is a row: no names"}


def show_unread(page: Page, unread: dict[str, Any]) -> None:
    """A file that could not be read: why, and how else it may be."""
    session = page.session
    with box("unread").props("data-mark=unread"):
        tag("h2", f"{unread['path'].name} was not read")
        seen, error = unread["seen"], unread["error"]
        asked = [BELOW[one] for one in error["say"] if one in BELOW]
        error_box(error | {"fix": "Say below " + " and ".join(asked) + "."} if asked and seen is not None else error)
        if seen is not None:
            words = "Say how it is to be read. The lines below are its first, as they would be read."
            tag("p", words, "muted")
            found = seen["found"]
            chosen = {
                "encoding": found["encoding"] if found["encoding"] in ENCODINGS else None,
                "separator": found["separator"],
                **{key: value for key, value in unread["reading"].items() if value is not None},
            }
            if chosen.get("header") is None and "header" in error["say"]:
                chosen["header"] = False
            chosen = unread.setdefault("chosen", chosen)  # what was said stays when the page is drawn anew
            form(page, unread["path"], chosen, unread["origin"], seen)
        if error.get("tables"):
            _tables(page, unread)
        kept = "What you had before is still here." if session.draft is not None else "Or load another file below."
        with box("done-line"):
            tag("span", kept, "muted")
            button("Leave this file", session.dismiss_unread, "quiet small")


def _tables(page: Page, unread: dict[str, Any]) -> None:
    """One of several sheets or tables is chosen."""
    tag("p", "It holds several tables. Which one is it about?", "muted")
    with box("fields"):
        for name in unread["error"]["tables"]:
            told = {**unread["reading"], "table": name}

            def read(told: dict[str, Any] = told) -> None:
                page.session.start(page.session.read_again(unread["path"], told, unread["origin"]))

            button(Own(name), read, "quiet")


def show_reading(page: Page) -> None:
    """How the text was read, for files that need it told."""
    source = page.draft.content["input"]
    path = Path(source["path"])
    evidence = page.session.about.get("evidence", [])
    if not is_text(path) and not evidence:
        return
    key = f"reading {page.session.n_loaded}"
    if evidence:
        n = len(evidence)
        words = f"{n} column{'s were' if n > 1 else ' was'} looked at closer: below stands what all cells show."
        tag("p", words, "muted")
    with folded(page.local, key, "Not read as it should be?", "reading"):
        as_read = {name: source.get(name) for name in READING} | {"reads": dict(source.get("reads") or {})}
        chosen = page.local.setdefault(f"{key}, chosen", as_read)
        _evidence(evidence, chosen["reads"])
        form(page, path, chosen, page.draft.origin, None, said=chosen is not as_read)


def _evidence(evidence: list[dict[str, Any]], reads: dict[str, Any]) -> None:
    """What the cells of columns show, and the form that each is read by, which can be changed."""

    def put(name: str, form: str) -> None:
        before = reads.pop(name, None)
        if form:
            reads[name] = {**before, "form": form} if isinstance(before, dict) else form

    for one in evidence:
        now = reads.get(one["name"], "")
        with box("labelled"):
            tag("span", Own(one["name"]))
            shown = now["form"] if isinstance(now, dict) else now
            field = ui.input(value=shown, placeholder=" or ".join(one["either"]) or "text").classes("field")
            field.props(f"outlined dense aria-label={quoted(say('Form of ' + one['name']))}")
            field.on_value_change(lambda event, name=one["name"]: put(name, (event.value or "").strip()))
            tag("span", one["words"], "muted")


def form(
    page: Page, path: Path, chosen: dict[str, Any], origin: str, seen: dict[str, Any] | None, *, said: bool = False
) -> None:
    """What can be said, the first lines as they would be read, and the button that reads the file so.

    What was ``said`` before is in ``chosen``, which outlives a page drawn anew.
    """
    session = page.session
    chosen["nulls"] = list(chosen.get("nulls") or [])

    async def look() -> None:
        found = await session.peek(path, chosen)
        if lines.is_deleted or found is None:
            return
        lines.clear()
        with lines:
            _lines(found)

    def put(key: str, value: Any) -> None:
        chosen[key] = value
        session.start(look())

    with box("fields"):
        with box("labelled"):
            tag("span", "Encoding")
            options = ENCODINGS | ({chosen["encoding"]: chosen["encoding"]} if chosen.get("encoding") else {})
            select(options | ENCODINGS, chosen.get("encoding"), lambda value: put("encoding", value), "Encoding")
        with box("labelled"):
            tag("span", "Between cells")
            separators = {chosen.get("separator"): str(chosen.get("separator"))} | SEPARATORS
            select(separators, chosen.get("separator"), lambda value: put("separator", value), "Separator")
        with box("labelled"):
            tag("span", "The first line")
            select(HEADERS, chosen.get("header"), lambda value: put("header", value), "First line")
        with box("labelled"):
            tag("span", "Texts that mean missing")
            nulls = ui.input(value=", ".join(chosen["nulls"]), placeholder="NA, ?").classes("field")
            nulls.props(spoken('outlined dense aria-label="Texts that mean missing"'))
            nulls.on_value_change(lambda event: chosen.update(nulls=_texts(event.value)))

        def read() -> None:
            chosen["nulls"] = _texts(nulls.value)
            session.start(session.read_again(path, chosen, origin))

        made = button("Read it so", read, "main" if seen is not None else "quiet").props("data-mark=read-so")
        if session.running is not None:
            made.disable()
    lines = box("lines").props("data-mark=lines")
    if seen is not None:
        with lines:
            _lines(seen)
    if said or (seen is not None and (chosen.get("header") is not None or chosen.get("encoding"))):
        session.start(look())


def _texts(typed: str | None) -> list[str]:
    return [text.strip() for text in (typed or "").split(",") if text.strip()]


def _lines(seen: dict[str, Any]) -> None:
    table(seen["columns"], seen["rows"], "sample")
