"""Does a published table hold a model? By the definitions, in lists and dicts, from the published rows alone.

One judge a model: the file of its name, as its proof is in ``amongst.verify.proofs``, with ``holds(model, published)``.
Whoever has a release and wants to know asks ``holds`` here, whatever the models are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

Row = Mapping[str, Any]
SLACK = 1e-9


@dataclass(frozen=True, kw_only=True)
class Published:
    """What a judge looks at.

    ``distances`` has for a sensitive column "ordered", or the path from every leaf to the root of its tree, where
    t-closeness without a distance of its own means that. Where a key of ``wild`` is missing it may be anything.
    ``fits`` says whether a published cell can stand for a value of the population.
    """

    rows: Sequence[Row]
    keys: Sequence[str]
    sensitive: Sequence[str] = ()
    distances: Mapping[str, Any] = field(default_factory=dict)
    wild: Sequence[str] = ()
    fits: Callable[[Any, Any], bool] = lambda cell, value: cell in ("*", value)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The values of a sensitive column in one class, and in the whole table."""

    count: Counter[Any]
    whole: Counter[Any]
    distance: Any = "equal"

    @property
    def n(self) -> int:
        return sum(self.count.values())

    @property
    def own(self) -> dict[Any, float]:
        return shares(self.count)

    @property
    def usual(self) -> dict[Any, float]:
        return shares(self.whole)


def holds(model: Any, rows: Sequence[Row], keys: Sequence[str], sensitive: Sequence[str] = (), **more: Any) -> bool:
    """Whether rows with these key columns hold a model; ``more`` as of ``Published``."""
    published = Published(rows=rows, keys=keys, sensitive=sensitive, **more)
    return bool(judge_of(model.name).holds(model, published))


def judge_of(name: str) -> Any:
    """The judge of a model, by its name."""
    return import_module(f"judges.{name.replace('-', '_')}")


def in_every_class(model: Any, published: Published, right: Callable[[Seen], bool]) -> bool:
    """Whether every class is right, in the column that a model speaks of, or in every sensitive one."""
    for column in published.sensitive if model.column is None else [model.column]:
        if not all(column in row for row in published.rows):
            return False  # nothing can be said of what is not published
        whole = counts(published.rows, column)
        asked = getattr(model, "distance", None)
        distance = published.distances.get(column, "equal") if asked in (None, "hierarchical") else asked
        for members in classes(published.rows, published.keys):
            if not right(Seen(count=counts(members, column), whole=whole, distance=distance)):
                return False
    return True


def classes(rows: Sequence[Row], keys: Sequence[str], wild: Sequence[str] = ()) -> list[list[Row]]:
    """The rows that each row cannot be told from. Where a key of ``wild`` is missing it may be anything."""
    if not wild:
        found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
        for row in rows:
            found[tuple(row[key] for key in keys)].append(row)
        return list(found.values())
    return [[other for other in rows if _alike(row, other, keys, wild)] for row in rows]


def _alike(row: Row, other: Row, keys: Sequence[str], wild: Sequence[str]) -> bool:
    return all(row[key] == other[key] or (key in wild and None in (row[key], other[key])) for key in keys)


def counts(rows: Sequence[Row], column: str, unit: str | None = None) -> Counter[Any]:
    """How often every value occurs among some rows; where people are counted, a person once for a value."""
    if unit is None:
        return Counter(row[column] for row in rows)
    return Counter(value for _, value in {(row[unit], row[column]) for row in rows})


def size(rows: Sequence[Row], unit: str | None = None) -> int:
    """How many rows, or people."""
    return len(rows) if unit is None else len({row[unit] for row in rows})


def shares(count: Mapping[Any, int]) -> dict[Any, float]:
    n = sum(count.values())
    return {value: c / n for value, c in count.items()}
