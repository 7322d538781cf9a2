"""What is shown: facts with a name in front, and tables; as plain text, or with colours for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from amongst.verify import Finding, Verdict

TONES = {
    "": "",
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
    "name": "bold",
    "faint": "dim",
    "label": "cyan",
}


Cell = str | tuple[str, str]
"""The text of a cell, or its text and tone."""


def visible(text: str) -> str:
    """Text without characters that act on a terminal instead of being read."""
    if text.isprintable():
        return text
    from amongst.report.wording import visible as shown_by_number  # costs the import of numpy

    return shown_by_number(text)


class Shown(Protocol):
    """Something that can be shown."""

    def plain(self) -> str: ...

    def rich(self) -> Any: ...


@dataclass(frozen=True)
class Line:
    """A line of text."""

    text: str
    tone: str = ""

    def plain(self) -> str:
        return visible(self.text)

    def rich(self) -> Any:
        from rich.text import Text

        return Text(visible(self.text), style=TONES[self.tone])


@dataclass(frozen=True)
class Facts:
    """Facts under each other, their names in a column: (name, text) or (name, text, tone)."""

    rows: Sequence[tuple[str, ...]]
    indent: int = 0

    def plain(self) -> str:
        width = max((len(name) for name, *_ in self.rows), default=0)
        return "\n".join(
            f"{' ' * self.indent}{visible(name):<{width}}  {visible(text)}".rstrip() for name, text, *_ in self.rows
        )

    def rich(self) -> Any:
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, text, *tone in self.rows:
            grid.add_row(Text(visible(name), style=TONES["label"]), Text(visible(text), style=TONES[(tone or [""])[0]]))
        return Padding(grid, (0, 0, 0, self.indent))


@dataclass(frozen=True)
class Grid:
    """A table with headings; ``right`` names those over numbers, ``cut`` those whose cells take what is left of a
    line of a terminal, and no more."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[str] = ()
    cut: Sequence[str] = ()

    def plain(self) -> str:
        lines = [list(self.headings), *[[visible(_text(cell)) for cell in row] for row in self.rows]]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.headings))]
        signs = [">" if heading in self.right else "<" for heading in self.headings]
        shapes = [f"{sign}{width}" for sign, width in zip(signs, widths, strict=True)]
        return "\n".join("  ".join(map(format, line, shapes)).rstrip() for line in lines)

    def rich(self) -> Any:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", expand=bool(self.cut))
        for i, heading in enumerate(self.headings):
            justify: Any = "right" if heading in self.right else "left"
            if heading in self.cut:
                table.add_column(heading, overflow="ellipsis", no_wrap=True, ratio=1)
                continue
            width = max((len(visible(_text(row[i]))) for row in self.rows), default=0) if self.cut else None
            whole = i == 0 or bool(self.cut)
            table.add_column(heading, overflow="fold", no_wrap=whole, justify=justify, min_width=width)
        for row in self.rows:
            table.add_row(*[Text(visible(_text(cell)), style=TONES[_tone(cell)]) for cell in row])
        return table


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[0]


def _tone(cell: Cell) -> str:
    return "" if isinstance(cell, str) else cell[1]


def show(page: Iterable[Shown], stream: Any) -> None:
    """Print: plain where it goes to a file or another program, with colours and wrapped on a terminal."""
    if not stream.isatty():
        for part in page:
            print(part.plain(), file=stream)
        return
    from rich.console import Console

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    for part in page:
        console.print(part.rich())


def finding_words(name: str, finding: Finding) -> list[tuple[str, ...]]:
    """What a verdict found, as facts: what, and what was found and would help where that is told."""
    rows = [(name, finding.what, "bad" if name == "why" else "warn")]
    details = [("found", finding.found), ("fix", finding.fix)]
    return rows + [("", f"{label}: {text}") for label, text in details if text]


def model_words(verdict: Verdict) -> list[tuple[str, ...]]:
    """What was asked and reached of every model, as facts."""
    names = ["checked", *[""] * len(verdict.models)]
    return [
        (name, f"{one.model}: {one.words_of_both()}", "" if one.ok else "bad")
        for name, one in zip(names, verdict.models, strict=False)
    ]
