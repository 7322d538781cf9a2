"""The pages of the documentation as things that can be run: code blocks, transcripts, files, links.

A page is run from top to bottom in one folder. Blocks in ``python`` share their names; what they print must
be the ``text`` block that follows directly, if there is one. Blocks in ``console`` are transcripts: lines
after ``$`` are run in a shell, the lines below must be what they print. In either, ``...`` stands for
anything. ``<!-- file: name -->`` before a block writes it to a file, ``<!-- edit: name -->`` before a diff
changes one, ``<!-- not run -->`` leaves a block alone.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import amongst
from typed_commands import shim

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!-- (not run|(file|edit): (\S+)) -->\s*\Z")
SPLIT = re.compile(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)\Z", re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it begins on, and what the page says of it."""

    language: str
    text: str
    line: int
    run: bool = True
    file: str = ""
    edit: str = ""
    output: str | None = None


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found = list(FENCE.finditer(text))
    blocks = []
    for i, match in enumerate(found):
        said = COMMENT.search(text[: match.start()])
        after = found[i + 1] if i + 1 < len(found) else None
        follows = after is not None and after[1] == "text" and not text[match.end() : after.start()].strip()
        blocks.append(
            Block(
                match[1],
                match[2],
                text.count("\n", 0, match.start()) + 1,
                run=not (said and said[1] == "not run"),
                file=said[3] if said and said[2] == "file" else "",
                edit=said[3] if said and said[2] == "edit" else "",
                output=after[2] if after is not None and follows else None,
            )
        )
    return blocks


def commands_of(block: Block) -> list[tuple[str, str]]:
    """The commands of a transcript, each with the output below it; a backslash continues a line."""
    commands: list[tuple[str, str]] = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, rest = SPLIT.match(part).groups()  # type: ignore[union-attr]
        commands.append((command, rest))
    return commands


def run_page(page: Path, folder: Path) -> None:
    """Run all blocks of a page in a folder; the first that does not do what the page says is an error."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.edit:
            path = folder / block.edit
            path.write_text(edited(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        elif block.run and block.language == "python":
            compare(run_python(block, page, names), block.output, page, block.line)
        elif block.run and block.language == "console":
            for (command, expected), got in zip(commands_of(block), run_console(block, folder), strict=True):
                compare(got, expected, page, block.line, command)


def edited(text: str, diff: str) -> str:
    """A text after the changes of a diff, whose lines are looked for one after the other."""
    place = 0
    for line in diff.splitlines(keepends=True):
        sign, content = line[:1], line[1:]
        if sign == "+":
            text = text[:place] + content + text[place:]
            place += len(content)
        elif content.strip():
            place = text.index(content, place)
            if sign == "-":
                text = text[:place] + text[place + len(content) :]
            else:
                place += len(content)
    return text


def run_python(block: Block, page: Path, names: dict[str, Any]) -> str:
    """What a block prints."""
    printed = io.StringIO()
    code = compile("\n" * block.line + block.text, str(page), "exec", dont_inherit=True)
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def run_console(block: Block, folder: Path) -> list[str]:
    """What every command of a transcript prints, errors included; ``$?`` is the code of the one before."""
    mark = "@@next-command@@"
    lines = ["code=0"]
    for command, _ in commands_of(block):
        lines += [f"(exit $code); {command}", "code=$?", f"printf '%s' {mark}"]
    outside = {
        **os.environ,
        "PATH": f"{shim(folder / '.shims').parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(amongst.__file__).parents[1]),
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["sh", "-c", "\n".join(lines)],
        cwd=folder,
        env=outside,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.split(mark)[:-1]


def compare(got: str, expected: str | None, page: Path, line: int, command: str = "") -> None:
    """Raise where the page shows something else than what came out."""
    if expected is None or (command and not expected.strip()):
        return
    if not doctest.OutputChecker().check_output(expected, got, LOOSE):
        where = f"{page.name}, block at line {line}" + (f", $ {command}" if command else "")
        raise AssertionError(f"{where}\n--- the page shows\n{expected}\n--- it gives\n{got}")


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors_of(page: Path) -> set[str]:
    """The anchors of all headings of a page."""
    return {slug(heading) for heading in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))}


def broken_links(page: Path) -> list[str]:
    """Relative links of a page that lead nowhere."""
    broken = []
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(FENCE.sub("", text)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors_of(file)):
            broken.append(target)
    return broken
