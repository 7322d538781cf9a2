"""Trees that are built in, by name: diagnoses, countries, states, postal areas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from amongst.errors import BadHierarchy
from amongst.schema.problem import Problem, raise_all, values_are
from amongst.schema.recipes.dates import Dates
from amongst.schema.recipes.intervals import Intervals
from amongst.schema.recipes.masks import Prefix
from amongst.schema.recipes.rows import tree_of_rows
from amongst.schema.tree import Tree
from amongst.schema.trees import KNOWN
from amongst.schema.value_text import text_of

BY_FORM: dict[str, Any] = {
    "nuts": Prefix((4, 3, 2)),
    "isco-08": Prefix((3, 2, 1)),
    "ages": Intervals((5, 10, 20)),
    "dates": Dates(("month", "quarter", "year")),
}
"""Trees that need no list: the form of the codes is the tree."""
BUILT_IN = {name: words for name, (_, _, words) in KNOWN.items()} | {
    "nuts": "regions of the European Union (NUTS): first 4, 3 and 2 characters",
    "isco-08": "occupations of ISCO-08: first 3, 2 and 1 digits",
    "ages": "ages: 5, 10 and 20 years",
    "dates": "dates: months, quarters, years",
}
"""All of them by name, in words."""


def known(name: str) -> Any:
    """The recipe of a tree that is built in."""
    return BY_FORM[name] if name in BY_FORM else Known(name)


@dataclass(frozen=True)
class Known:
    """A tree that is built in."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in KNOWN:
            problem = Problem(f"there is no tree '{self.name}'", "use one of: " + ", ".join(BUILT_IN))
            raise_all(BadHierarchy, "This tree is not built in.", [problem])

    def bind(self, values: list[Any], kind: str) -> Tree:
        above, _, _ = KNOWN[self.name]
        texts = [
            f"{value:05d}" if self.name == "us-zip" and isinstance(value, int) else text_of(value) for value in values
        ]
        found = [above(text) for text in texts]
        n_unknown = sum(one is None for one in found)
        if n_unknown:
            text = values_are(n_unknown, "not in the tree")
            fix = "write them as the tree has them, make them missing, or give a hierarchy of your own"
            raise_all(BadHierarchy, "The tree does not fit.", [Problem(text, fix, {"count": n_unknown})])
        rows = [(text_of(value), *parts, "*") for value, parts in zip(values, found, strict=True) if parts is not None]
        return tree_of_rows(sorted(rows, key=lambda row: row[::-1]), values, kind)

    def to_dict(self) -> dict[str, Any]:
        return {"known": self.name}

    def describe(self) -> str:
        return KNOWN[self.name][2]

    def public_dict(self) -> dict[str, Any]:
        return {"known": self.name}
