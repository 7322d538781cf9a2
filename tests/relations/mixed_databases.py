"""Random small databases of all the shapes that a schema can say, and what an intruder may know of each table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am

CODES = am.Hierarchy.nested({"u": ["a", "b"], "v": {"w": ["c", "d"], "x": ["e"]}})
BELOW = {"all": ["all", "count", "codes", "presence", "nothing"], "rest": ["codes", "presence", "nothing"]}
"""What may be known of a table that hangs on one of which all is known, and on others."""


def mixed_database(
    rng: np.random.Generator, *, whole: bool = False, most_persons: int = 12
) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Persons and up to three more tables: keys of one or two columns or none, rows one to one, references to other
    tables, to the persons, to the table itself, missing and astray; codes below a lookup table. Of all tables all is
    known where ``whole`` is given.
    """
    n = int(rng.integers(4, most_persons + 1))
    tables: dict[str, dict[str, Any]] = {"p": {"id": _keys(rng, n, "p"), "q": _cells(rng, n, 2), "kept": range(n)}}
    made: dict[str, dict[str, Any]] = {"p": {"columns": _rules(rng, ["q"]) | {"kept": KEPT}, "key": ("id",)}}
    owner = {"p": np.arange(n)}
    n_more = int(rng.integers(1, 4))
    wide = {f"t{t}": bool(rng.random() < 0.3) for t in range(n_more)}
    for t in range(n_more):
        name, parent = f"t{t}", str(rng.choice([one for one in made if made[one]["key"]]))
        above = made[parent].get("known", "all")
        choice = BELOW["all" if above in ("all", "count") else "rest"]
        known = "all" if whole else str(rng.choice(choice))
        size = len(owner[parent])
        each = bool(rng.random() < 0.15) and len(made[parent]["key"]) == 1
        rows = np.arange(size) if each else np.repeat(np.arange(size), rng.integers(0, 3, size))
        owner[name] = owner[parent][rows]
        columns: dict[str, Any] = {}
        up = made[parent]["key"]
        foreign = tuple(f"up{c}" for c in range(len(up)))
        for own, other in zip(foreign, up, strict=True):
            columns[own] = [tables[parent][other][row] for row in rows]
        key: tuple[str, ...] = ("n0", "n1") if wide[name] else ("n0",)
        if each:
            key = foreign
        elif rng.random() < 0.2:
            key = ()
        else:
            for column in key:
                columns[column] = _keys(rng, len(rows), f"{name}{column}")
        columns |= {"q": _cells(rng, len(rows), 5), "s": list(rng.choice(["m", "n", "o"], len(rows)))}
        tables[name] = columns
        made[name] = {"columns": _rules(rng, ["q"]) | {"s": KEPT if rng.random() < 0.5 else SECRET}, "key": key}
        made[name] |= {"parent": parent, "foreign_key": foreign, "known": known, "references": []}
    for name in [one for one in made if one != "p"]:
        for r in range(int(rng.integers(0, 3))):
            other = str(rng.choice([one for one in made if made[one]["key"]]))
            links = tuple(f"to{r}{c}" for c in range(len(made[other]["key"])))
            led = [_target(rng, one, owner[other]) for one in owner[name]]
            for own, part in zip(links, made[other]["key"], strict=True):
                tables[name][own] = [None if row is None else tables[other][part][row] for row in led]
            made[name]["references"].append(am.relations.relation.Link(links, other))
    lookups = []
    if rng.random() < 0.3:
        lookups = ["kinds"]
        made["t0"]["columns"]["q"] = am.Column(role="quasi")
        made["t0"]["looked_up"] = {"q": ["kinds", "above"]}
    relations = {name: am.Relation(**{**one, "key": one["key"] or None}) for name, one in made.items()}
    arrow = {name: pa.table({c: _array(cells) for c, cells in one.items()}) for name, one in tables.items()}
    if lookups:
        arrow["kinds"] = pa.table({"q": list("abcde"), "above": ["A", "A", "B", "B", "B"]})
    return arrow, am.DatabaseSchema(relations, lookups=lookups)


KEPT, SECRET = am.Column(role="keep"), am.Column(role="sensitive")


def _keys(rng: np.random.Generator, n: int, prefix: str) -> list[str]:
    """Keys that no other column holds, so that one that is left is seen."""
    return [f"{prefix}#{one}" for one in rng.permutation(10_000)[:n]]


def _cells(rng: np.random.Generator, n: int, n_values: int) -> list[str]:
    return [str(one) for one in rng.choice(list("abcde")[:n_values], n)]


def _array(cells: Any) -> pa.Array:
    return pa.array(list(cells), pa.int64() if isinstance(cells, range) else pa.string())


def _rules(rng: np.random.Generator, names: list[str]) -> dict[str, am.Column]:
    tree = CODES if rng.random() < 0.5 else None
    return {name: am.Column(role="quasi", kind="categorical", hierarchy=tree) for name in names}


def _target(rng: np.random.Generator, person: int, owner: np.ndarray) -> int | None:
    """A row that a reference leads to: mostly of the same person, sometimes of another, sometimes none."""
    chance = rng.random()
    own = np.flatnonzero(owner == person) if chance < 0.8 else np.arange(len(owner))
    return None if chance > 0.9 or len(own) == 0 else int(rng.choice(own))
