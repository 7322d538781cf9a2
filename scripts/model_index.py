"""Write the list of privacy models in ``docs/models/index.md`` from what the models declare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from amongst.models import MODELS, Model

PAGE = Path(__file__).parents[1] / "docs" / "models" / "index.md"
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


def written(page: str) -> str:
    """The page with the list as it is now."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{index(MODELS.values())}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
