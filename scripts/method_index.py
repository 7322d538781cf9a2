"""Write the list of methods in ``docs/methods/index.md`` from what the methods say of themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from amongst.partition.method import Method
from amongst.partition.methods import METHODS
from amongst.relations.methods import DATABASE_METHODS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "methods" / "index.md"
BEGIN, END = "<!-- the list: written by `make methods` -->", "<!-- end of the list -->"


def index(methods: Iterable[Method]) -> str:
    """The table of these methods."""
    rows = ["| method | family | what it does | equal rows |", "|---|---|---|---|"]
    together = {"global": "stay together", "local": "may be divided", "none": "are published as they are"}
    for one in methods:
        many = one.publishes == "many tables"
        link = "../many-tables.md" if many else f"{one.name}.md"
        family = one.family.replace("_", " ")
        rows.append(f"| [`{one.name}`]({link}) | {family} | {one.words} | {'' if many else together[one.recoding]} |")
    return "\n".join(rows)


def written(page: str) -> str:
    """The page with the list as it is now."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{index([*METHODS.values(), *DATABASE_METHODS.values()])}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    missing = [name for name in METHODS if not (PAGE.parent / f"{name}.md").exists()]
    sys.exit(f"without a page in docs/methods: {', '.join(missing)}" if missing else 0)
