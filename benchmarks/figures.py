"""Figures of the pages: benchmarks keep them as JSON in ``benchmarks/results``, and this fills them into the pages.

    python benchmarks/figures.py

A page says where a table stands, by the name of the file and of the table in it:

    <!-- figures: spine.files -->
    <!-- end of figures -->

What is between the marks is written by this program alone: the table, and below it the day, the machine, the versions
and the command. ``tests/test_figures.py`` fails where a page tells anything else.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machine import machine

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
MARKED = re.compile(r"(<!-- figures: ([a-z_]+)\.([a-z_]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


@dataclass(kw_only=True)
class Figures:
    """One table: a head and a format for each column (as of ``format``; texts have none), and its rows."""

    heads: Sequence[str]
    formats: Sequence[str]
    rows: list[list[Any]] = field(default_factory=list)

    def page(self) -> str:
        """The table as a page shows it; what was not measured stays empty."""
        ends = ["---:" if one else "---" for one in self.formats]
        told = [
            [cell if isinstance(cell, str) else "" if cell is None else format(cell, one) for cell, one in pairs]
            for pairs in (zip(row, self.formats, strict=True) for row in self.rows)
        ]
        return "".join(f"| {' | '.join(line)} |\n" for line in [list(self.heads), ends, *told])


def keep(path: Path | None, tables: dict[str, Figures], *packages: str) -> None:
    """Write tables with machine, day, versions and command; nothing without a path. ``packages``: versions of more."""
    if path is None:
        return
    command = " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *_without_json(sys.argv[1:])])
    told = {name: vars(table) for name, table in tables.items()}
    text = json.dumps({**machine(*packages), "command": command, "tables": told}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def _without_json(words: list[str]) -> list[str]:
    """A command without where its figures went, and with the names of files and folders alone."""
    place = words.index("--json") if "--json" in words else len(words)
    kept = [word for word in words[:place] + words[place + 2 :] if not word.startswith("--json=")]
    return [Path(word).name if "/" in word else word for word in kept]


def filled(text: str, results: Path = RESULTS) -> str:
    """A page with every marked table as it was measured."""

    def one(found: re.Match[str]) -> str:
        kept = json.loads((results / f"{found[2]}.json").read_text(encoding="utf-8"))
        return f"{found[1]}\n{Figures(**kept['tables'][found[3]]).page()}\n{_when(kept)}\n\n{found[4]}"

    return MARKED.sub(one, text)


def _when(kept: dict[str, Any]) -> str:
    """Day, machine, load, versions and command, in one line."""
    own, versions = kept["machine"], ", ".join(f"{name} {version}" for name, version in kept["versions"].items())
    return (
        f"<small>Measured {kept['date']} with `{kept['command']}` on {own['processor']}, {own['cores']} cores,"
        f" {own['memory_gb']:.0f} GB, {own['system']}, load {own['load']} when it began; {versions}.</small>"
    )


def pages() -> list[Path]:
    """All pages in which a table is marked."""
    return [
        path
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
        if MARKED.search(path.read_text(encoding="utf-8"))
    ]


def main() -> None:
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
