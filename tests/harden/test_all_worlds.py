"""An intruder who tries all worlds: which of the tables that fit what was published would have published the same?

In lists and sets, without anything of the attacks. The intruder knows the method, the hierarchies, how many people
there are, and which values of a text and which range of numbers occur. A cell is narrowed where a value that its label
allows occurs in no world that is left, or occurs in all of them though it need not by the labels alone.
"""

from __future__ import annotations

import warnings
from collections import Counter
from itertools import chain, combinations_with_replacement, product
from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am
from amongst.errors import AmongstError

NUMBERS, LETTERS = (1, 2, 3, 4), ("a", "b", "c")
MOST_WORLDS = 500
Row = tuple[int, str, str]

SCHEMA = am.Schema(
    {
        "x": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([2, 4])),
        "y": am.Column(role="quasi", hierarchy=am.Hierarchy.nested({"ab": ["a", "b"], "cc": ["c"]})),
        "s": am.Column(role="sensitive"),
    }
)
FLAT = am.Schema({**SCHEMA, "x": am.Column(role="quasi"), "y": am.Column(role="quasi")})


def stands_for(label: str, value: int | str) -> bool:
    if label in ("*", str(value)):
        return True
    if label.startswith("all but "):
        return str(value) not in label[8:].split(" and ")
    if label.startswith("["):
        low, high = label[1:-1].split("-")
        return int(low) <= int(value) <= int(high)
    if label.startswith("{"):
        return str(value) in label[1:-1].split(",")
    if label[0] in "<>":
        return int(value) < int(label[1:]) if label[0] == "<" else int(value) >= int(label[2:])
    return value in {"ab": ("a", "b"), "cc": ("c",)}.get(label, ())


def published(rows: list[Row], schema: am.Schema, options: dict[str, Any]) -> Counter[tuple[str, str, str]] | None:
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate("xys")})
    try:
        shown = am.anonymize(table, schema, [am.KAnonymity(2)], **options).table
    except AmongstError:
        return None
    return Counter(zip(*(map(str, shown.column(name).to_pylist()) for name in "xys"), strict=True))


def known(rows: list[Row]) -> tuple[Any, ...]:
    return {row[1] for row in rows}, min(row[0] for row in rows) // 4, max(row[0] for row in rows) // 4


def narrowed(rows: list[Row], schema: am.Schema, **options: Any) -> int | None:
    """How many cells of classes are narrowed; None where nothing was published, or there are too many worlds."""
    shown = published(rows, schema, options)
    if shown is None:
        return None
    labels = sorted({(x, y) for x, y, _ in shown})
    ways = []
    for x, y in labels:
        boxes = [(a, b) for a in NUMBERS for b in LETTERS if stands_for(x, a) and stands_for(y, b)]
        sick = sorted((s, n) for (one, other, s), n in shown.items() if (one, other) == (x, y))
        dealt = product(*(combinations_with_replacement(boxes, n) for _, n in sick))
        ways.append([[(*box, s) for (s, _), group in zip(sick, one, strict=True) for box in group] for one in dealt])
    if np.prod([len(one) for one in ways]) > MOST_WORLDS:
        return None
    worlds = [one for one in product(*ways) if known([*chain(*one)]) == known(rows)]
    left = [one for one in worlds if published([*chain(*one)], schema, options) == shown]
    assert left  # the world that it is
    n = 0
    for place, c in product(range(len(labels)), (0, 1)):
        before, after = ([{row[c] for row in one[place]} for one in some] for some in (worlds, left))
        n += set.union(*before) != set.union(*after) or set.intersection(*before) != set.intersection(*after)
    return n


def tables(seed: int, n_tables: int, n_rows: int) -> list[list[Row]]:
    rng = np.random.default_rng(seed)
    return [
        [
            (int(rng.choice(NUMBERS)), str(rng.choice(LETTERS, p=[0.6, 0.3, 0.1])), str(rng.choice(["ill", "well"])))
            for _ in range(n_rows)
        ]
        for _ in range(n_tables)
    ]


def tried(seed: int, n_tables: int, n_rows: int, schema: am.Schema, **options: Any) -> list[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [narrowed(rows, schema, **options) for rows in tables(seed, n_tables, n_rows)]
    return [one for one in found if one is not None]


def test_regions_narrow_no_cell_in_any_world() -> None:
    found = tried(4, 12, 4, SCHEMA, method="regions")
    assert len(found) >= 3
    assert sum(found) == 0


def test_the_same_intruder_narrows_cells_of_other_methods() -> None:
    assert sum(tried(4, 5, 4, SCHEMA, method="incognito")) > 0
    assert sum(tried(4, 2, 4, FLAT, method="mondrian")) > 0


def test_a_hardened_release_is_made_by_regions_whatever_was_asked() -> None:
    """Levels that the attack cannot narrow may be narrowed by who tries all worlds, so they do not stand."""
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 1000)
    promised = am.Harden(membership=None, certain=False)
    for method in ("incognito", "unrestricted"):
        release = am.anonymize(table, adult.schema, [am.KAnonymity(5)], method, harden=promised)
        assert release.method == "regions"
