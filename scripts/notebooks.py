"""Write every case study of ``docs/cases`` as a notebook too: ``make notebooks``, then open out/notebooks.

The page is the only source. Its text becomes cells of text, its Python and its commands become cells that run, and what
the page shows below them becomes their output. Links to other pages are named, not linked.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "docs" / "cases"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n(?:\s*^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
OWN_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?![a-z]+:)[^)\s]+\)")


def notebook(page: str) -> dict[str, Any]:
    """The notebook of a page, in the format 4.5."""
    cells, place = list[dict[str, Any]](), 0
    for block in BLOCK.finditer(page):
        cells += text(page[place : block.start()])
        cells.append(code(block[2], block[3] or "") if block[1] == "python" else commands(block[2]))
        place = block.end()
    cells += text(page[place:])
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}


def text(words: str) -> list[dict[str, Any]]:
    words = OWN_LINK.sub(r"\1", words).strip()
    return [{"cell_type": "markdown", "metadata": {}, "source": words}] if words else []


def commands(transcript: str) -> dict[str, Any]:
    """The commands of a transcript, which a notebook writes with ``!``, and all that they print."""
    lines = transcript.splitlines(keepends=True)
    typed = [f"!{line[2:]}" for line in lines if line.startswith("$ ")]
    return code("".join(typed), "".join(line for line in lines if not line.startswith("$ ")))


def code(source: str, printed: str) -> dict[str, Any]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    cell = {"cell_type": "code", "metadata": {}, "execution_count": None}
    return {**cell, "source": source.rstrip("\n"), "outputs": outputs}


def write(folder: Path) -> list[Path]:
    """The notebooks of all case studies, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for page in sorted(CASES.glob("*.md")):
        written.append(folder / f"{page.stem}.ipynb")
        book = json.dumps(notebook(page.read_text(encoding="utf-8")), ensure_ascii=False, indent=1)
        written[-1].write_text(book + "\n", encoding="utf-8")
    return written


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "notebooks")
