"""Publish: write the release, or download it; and what to know before it is given to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.files import size_words
from amongst.app.language import Own, say, spoken
from amongst.app.parts import box, button, empty, folded, heading, select, tag, warn_of_names
from amongst.app.steps.review import show_review
from amongst.read.file import TEXT
from amongst.read.formats import formats

if TYPE_CHECKING:
    from amongst.app.shell import Page

FORMATS = {"parquet": "Parquet", "csv": "CSV"}
LIKE_INPUT = "csv, as the input"
TABLE_FORMATS = {
    "parquet": "Parquet files",
    "csv": "CSV files",
    "duckdb": "one DuckDB file",
    "sqlite": "one SQLite file",
}
INSIDE = (
    "For you and whoever checks your work: figures that need the original, its digest, the seed, and counts of few "
    "people. With it in hand, people in the release may be found."
)
BEFORE = (
    "Give away release.zip, or the folder you named, alone: never what is called inside.",
    "Read the report that comes with it: what holds, what was lost, what it assumes.",
    "What holds is about this file alone. A second release of the same people may undo it.",
    "Whoever knows a sensitive value of a person may learn others from it.",
    "Free text, pictures and kept columns are published as they are: look at them once more.",
    "Keep the job file with the release: it makes the same bytes again.",
)


def show(page: Page) -> None:
    """Two ways out, the job file, and a last look."""
    session = page.session
    heading(
        "Publish",
        "The file is read back and proved before it appears. If it does not hold what you asked, nothing is written.",
    )
    page.next = ("", None)
    if session.result is None or session.stale:
        words = "Make it again: something was changed since." if session.stale else "Make one first."
        empty("There is no release of these settings", words)
        if session.running is None:
            button("Make the release", page.then("publish", session.make), "main").props("data-mark=make-here")
        return
    warn_of_names(session.named_in_public)
    with box("publish"):
        with box("publish-main"):
            _format(page)
            _download(page)
            _folder(page)
            _job(page)
            _evidence(page)
        with box("publish-side"):
            tag("h2", "Before you give it away")
            with box("before", "ul"):
                for line in BEFORE:
                    tag("li", line)


def _format(page: Page) -> None:
    draft = page.draft

    def put(value: str) -> None:
        told = {"format": "csv", "shape": "input"} if value == LIKE_INPUT else {"format": value}
        outputs = [draft.output, *([] if page.session.result is None else [page.session.result["job"]["output"]])]
        for output in outputs:  # the same release, in another kind of file
            output.pop("shape", None)
            output.update(told)
        page.session.packed = None
        page.edited()
        page.show()

    with box("labelled line"):
        tag("span", "Write as")
        chosen = LIKE_INPUT if draft.output.get("shape") else draft.output.get("format", "parquet")
        known = TABLE_FORMATS if draft.many else _formats(draft.content["input"]["path"])
        select({chosen: chosen, **known}, chosen, put, "Format")


def _formats(path: str) -> dict[str, str]:
    """The kinds of files that a release can become here; the shape of the input where that is a text file."""
    text = any(suffix.lower() in TEXT for suffix in Path(path).suffixes)
    shape = {LIKE_INPUT: "CSV, written as the input is"} if text else {}
    written = {name: one for name, one in formats().items() if one.write is not None and not one.missing}
    return {**FORMATS, **shape, **{name: f"{one.words[:1].upper()}{one.words[1:]}" for name, one in written.items()}}


def _download(page: Page) -> None:
    session = page.session
    with box("way-out"):
        tag("h2", "Download")
        tag("p", "One archive to give away: the data, the report and the manifest.", "muted")
        if session.packed is None:
            made = button("Prepare the archives", lambda: session.start(session.pack()), "main").props("data-mark=pack")
            if session.running is not None:
                made.disable()
            return
        with box("done-line"):
            tag("span", "Proved and packed", "good")
            _archive("Download release.zip", session.packed, "release.zip", "main").props("data-mark=download")
        if session.packed_inside is not None:
            with box("inside"):
                tag("b", "Not to be given away")
                tag("p", INSIDE, "small")
                _archive("Download inside.zip", session.packed_inside, "inside.zip", "quiet").props(
                    "data-mark=download-inside"
                )


def _archive(words: str, path: Path, name: str, kind: str) -> ui.button:
    made = button(f"{words} ({size_words(path.stat().st_size)})", None, kind, icon="download")
    return made.on("click", js_handler=f"() => {{ location.href = '/download/{name}' }}")


def _folder(page: Page) -> None:
    session = page.session
    draft = page.draft
    stem = Path(draft.content["input"]["path"]).name.split(".")[0] or "data"
    with box("way-out"):
        tag("h2", "Or write folders on this machine")
        tag(
            "p",
            "The folder you name is the one to give away. Beside it appears another, NAME.inside, to keep.",
            "muted",
        )
        if session.written is not None:
            _written(session.written, "Written and proved", "good")
            if session.written["inside"] is not None:
                with box("inside"):
                    tag("b", "Not to be given away")
                    tag("p", INSIDE, "small")
                    _written(session.written["inside"], "Only you can read", "muted")
        with box("database"):
            folder = page.local.setdefault("folder", str(Path.cwd() / f"{stem}-release"))
            place = ui.input(value=folder).classes("field wide")
            place.on_value_change(lambda event: page.local.update(folder=event.value))
            place.props(spoken('outlined dense aria-label="Folder"')).props("data-mark=folder")
            made = button("Write", lambda: session.start(session.write(place.value or "")), "quiet").props(
                "data-mark=write"
            )
            if session.running is not None:
                made.disable()
        tag("p", "A folder that is there already is never replaced.", "muted small")


def _evidence(page: Page) -> None:
    """For whom it is, and a pack for those who decide."""
    session = page.session
    with box("way-out"):
        tag("h2", "For a review board")
        if page.draft.many:  # a job of many tables has no review
            tag("p", "A pack: verified again, attacked, measured.", "muted")
        else:
            words = "For whom it is and what risk is borne; then a pack: verified again, attacked, measured."
            tag("p", words, "muted")
            with folded(page.local, "review", "The review", "plain"):
                show_review(page)
        made = button("Gather the evidence", lambda: session.start(session.gather()), "quiet").props("data-mark=gather")
        if session.running is not None:
            made.disable()
        for of, path in session.evidence_packed.items():
            if path.exists():
                name = f"evidence-{of}.zip"
                _archive(f"Download {name}", path, name, "quiet").props(f"data-mark=download-{of}-evidence")


def _written(told: dict[str, Any], words: str, kind: str) -> None:
    tag("p", f"{words}: {told['folder']}", kind)
    for file in told["files"]:
        tag("p", Own(f"{file['name']}, {say(size_words(file['bytes']))}"), "muted small")


def _job(page: Page) -> None:
    draft = page.draft
    with box("way-out"):
        tag("h2", "The job file")
        tag(
            "p", "What you chose, as a file to keep under version control: amongst run job.toml does it again.", "muted"
        )
        with box("dialog-buttons left"):
            button("Download job.toml", lambda: ui.download.content(draft.job_text(), "job.toml"), "quiet").props(
                "data-mark=job"
            )
            button("Download job.py", lambda: ui.download.content(draft.python_text(), "job.py"), "quiet").props(
                "data-mark=python"
            )
