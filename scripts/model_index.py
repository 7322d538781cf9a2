"""Write the lists of privacy models in the docs (``PAGES``) from what the models declare."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path

from amongst.models import MODELS, Model

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- the list: written by `make models` -->", "<!-- end of the list -->"
COUNTED = {
    "rows": "rows, or people",
    "subsets": "rows, or people, on some of the columns",
    "values": "values of a group",
    "population": "people of a population",
}


def index(models: Iterable[type[Model]]) -> str:
    """The table of these models."""
    rows = ["| model | in job files | stronger with | monotone | counts |", "|---|---|---|---|---|"]
    for one in models:
        given = ", ".join(field.name for field in fields(one) if field.name != "column")  # type: ignore[arg-type]
        stronger = f"{'larger' if one.larger_asks_more else 'smaller'} {one.symbol}"
        monotone = "yes" if one.monotone is True else "depends on what is asked"
        counts = COUNTED[one.counts] + (" and of the table" if one.whole_table_holds else "")
        rows.append(f"| `{one.__name__}({given})` | `{one.name}` | {stronger} | {monotone} | {counts} |")
    return "\n".join(rows)


def in_job_files(models: Iterable[type[Model]]) -> str:
    """The table of the keys that each is asked with: those it needs, those it may have, the column."""
    rows = ["| `model` | other keys |", "|---|---|"]
    for one in models:
        given = inspect.signature(one if one.from_fields.__func__ is Model.from_fields.__func__ else one.from_fields)  # type: ignore[attr-defined]
        needed = [key.name for key in given.parameters.values() if key.default is key.empty]
        free = [name for name in given.parameters if name not in (*needed, "column")]
        column = ["column"] if "column" in given.parameters else []
        told = "; ".join(", ".join(_key(one, name) for name in part) for part in (needed, free, column) if part)
        rows.append(f"| `{one.name}` | {told} |")
    return "\n".join(rows)


def _key(model: type[Model], name: str) -> str:
    words = ", ".join(f"`{word}`" for word in model.choices.get(name, ()))
    return f"`{name}` ({words})" if words else f"`{name}`"


PAGES: dict[Path, Callable[[Iterable[type[Model]]], str]] = {
    DOCS / "models" / "index.md": index,
    DOCS / "job-file.md": in_job_files,
}


def written(page: Path) -> str:
    """The page with its list as it is now."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n{PAGES[page](MODELS.values())}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page), encoding="utf-8")
