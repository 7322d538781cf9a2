"""What the pages show is what happens: code runs, transcripts are true, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

import amongst
from doc_pages import (
    PAGES,
    ROOT,
    Block,
    blocks_of,
    broken_links,
    commands_of,
    compare,
    edited,
    run_page,
    slug,
)

SOURCE = Path(amongst.__file__).parent
MODULES = sorted(
    ".".join([*package, *path.relative_to(folder).with_suffix("").parts]).removesuffix(".__init__")
    for package, folder in ((["amongst"], SOURCE), (["benchmarks", "papers"], ROOT / "benchmarks" / "papers"))
    for path in folder.rglob("*.py")
    if path.name != "__main__.py" and ">>> " in path.read_text(encoding="utf-8")
)

by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@by_page
def test_code_and_transcripts_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(page, tmp_path)


@by_page
def test_links_of_a_page(page: Path) -> None:
    assert broken_links(page) == []


@by_page
def test_commands_of_a_page_exist(page: Path) -> None:
    known = _options_of_command()
    for block in blocks_of(page.read_text(encoding="utf-8")):
        for command, _ in commands_of(block) if block.language == "console" else []:
            words = shlex.split(command.replace("\\\n", " "), comments=True)
            if words[:1] != ["amongst"]:
                continue
            options = {word.partition("=")[0] for word in words[1:] if word.startswith("--")}
            part = next((word for word in words[1:] if not word.startswith("-")), "")
            assert part in known, command
            assert options <= known[part], command


@by_page
def test_a_page_makes_no_promise_that_nobody_can_keep(page: Path) -> None:
    """A release is never called anonymous or compliant; the models' own names are another matter."""
    text = page.read_text(encoding="utf-8").lower()
    for phrase in (
        "is anonymous",
        "are anonymous",
        "fully anonymous",
        "gdpr-compliant",
        "hipaa-compliant",
        "is compliant",
    ):
        assert phrase not in text


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md" or not page.exists():
            continue
        seen.add(page)
        targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        waiting += [(page.parent / target).resolve() for target in targets if "://" not in target]
    assert [page for page in PAGES if page not in seen] == []


@cache
def _options_of_command() -> dict[str, set[str]]:
    import typer.main

    from amongst.cli.command import app

    top = typer.main.get_command(app)
    parts = {"": top, **top.commands}  # type: ignore[attr-defined]
    return {name: _options(command) | {"--help"} for name, command in parts.items()}


def _options(command: object) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}  # type: ignore[attr-defined]


# The tests above rest on reading pages rightly; these would fail if that were wrong.


def test_a_page_is_read_block_by_block() -> None:
    text = "x\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n<!-- not run -->\n```python\n1/0\n```\n"
    first, shown, last = blocks_of(text)
    assert (first.language, first.output, first.run, first.line) == ("python", "1\n", True, 3)
    assert (shown.language, shown.output) == ("text", None)
    assert (last.run, last.output) == (False, None)


def test_a_transcript_is_read_command_by_command() -> None:
    block = Block("console", "$ amongst run \\\n    job.toml\nverdict\n  x\n$ echo $?\n0\n", 1)
    assert commands_of(block) == [("amongst run \\\n    job.toml", "verdict\n  x\n"), ("echo $?", "0\n")]


def test_a_diff_changes_a_file() -> None:
    text = "[a]\nx = 1\n[b]\nx = 1\ny = 2\n"
    assert edited(text, " [b]\n-x = 1\n+x = 3\n") == "[a]\nx = 1\n[b]\nx = 3\ny = 2\n"


def test_a_page_that_shows_something_else_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    for wrong in ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "```console\n$ echo 1\n2\n```\n"):
        page.write_text(wrong)
        with pytest.raises(AssertionError, match="the page shows"):
            run_page(page, tmp_path)
    page.write_text("[a](missing.md) [b](#no-heading) [c](page.md#here) [d](https://example.org)\n\n## Here\n")
    assert broken_links(page) == ["missing.md", "#no-heading"]
    with pytest.raises(AssertionError):
        compare("1 2", "1 ... 3", page, 1)
    compare("1 2 3", "1 ... 3", page, 1)


def test_anchors_are_made_as_hosts_make_them() -> None:
    assert slug("Null rules: `own value`, and more") == "null-rules-own-value-and-more"
