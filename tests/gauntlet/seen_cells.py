"""Whether a cell of a column that names people can be read anywhere: in tables, pages, messages, file names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import amongst

WORDS = re.compile(r"\w+")
MOST_WORDS = 5
"""Of longer cells the first so many words are looked for."""
SHORTEST = 4
"""Shorter cells are in every text by chance."""
PROGRAM = Path(amongst.__file__).parent


@functools.cache
def program_words() -> frozenset[str]:
    """Words that the program says by itself: a name that is one of them cannot be told from it."""
    endings = {".py", ".html", ".css", ".js", ".md"}
    paths = [path for path in PROGRAM.rglob("*") if path.suffix in endings]
    return frozenset(word for path in paths for word in _words(path.read_text(encoding="utf-8")))


def looked_for(cells: Iterable[object], other_cells: Iterable[object] = ()) -> dict[tuple[str, ...], str]:
    """What to look for, by its words; cells that say nothing of their own are left out."""
    elsewhere = program_words() | {word for cell in other_cells for word in _words(cell)}
    found = {}
    for cell in cells:
        words = _words(cell)[:MOST_WORDS]
        told_apart = [word for word in words if word not in elsewhere]
        if told_apart and len("".join(words)) >= SHORTEST and not (len(words) == 1 and _counts(words[0])):
            found[tuple(words)] = str(cell)
    return found


def seen(wanted: dict[tuple[str, ...], str], text: str) -> int:
    """How many of the wanted cells stand in the text."""
    lengths = {len(words) for words in wanted}
    words = _words(text)
    return sum(1 for length in lengths for run in set(zip(*[words[i:] for i in range(length)])) if run in wanted)  # noqa: B905


def texts_in(folder: Path) -> Iterator[tuple[str, str]]:
    """A file, or every file of a folder, as text: of a table its distinct cells, with names and metadata."""
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        yield path.name, path.name
        if path.suffix == ".parquet":
            yield path.name, _text_of_parquet(path)
        else:
            yield path.name, path.read_text(encoding="utf-8", errors="replace")


def _text_of_parquet(path: Path) -> str:
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    cells = (cell for column in table.columns for cell in column.unique().to_pylist())
    return "\n".join(map(str, [table.schema.to_string(show_schema_metadata=True), *cells]))


def _words(text: object) -> list[str]:
    return WORDS.findall(str(text).casefold())


def _counts(word: str) -> bool:
    """A short number: it may stand anywhere."""
    return word.isdigit() and len(word) < 7
