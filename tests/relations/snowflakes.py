"""Random snowflakes of tables, and definitions 9 and 10 in lists and dicts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am

LETTERS = {"x": {"u": ["a", "b"], "v": ["c"]}, "y": ["d", "e"]}


def random_column(rng: np.random.Generator, n: int) -> tuple[pa.Array, am.Column]:
    chance = rng.random()
    if chance < 0.4:
        column = am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.nested(LETTERS))
        return pa.array(rng.choice(list("abcde"), n)), column
    if chance < 0.6:
        cells = [None if rng.random() < 0.2 else int(one) for one in rng.integers(0, 9, n)]
        rule = str(rng.choice(["own value", "suppress"]))
        return pa.array(cells, pa.int64()), am.Column(role="quasi", kind="numeric", nulls=rule)
    if chance < 0.8:
        grid = 3.0 if rng.random() < 0.5 else None
        return pa.array(rng.integers(0, 20, n)), am.Column(role="quasi", kind="numeric", grid=grid)
    return pa.array(rng.choice(["p", "q"], n)), am.Column(role="quasi")


def random_snowflake(rng: np.random.Generator, most_persons: int = 20) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Up to four tables; the persons' may be without quasi-identifiers, other tables without rows."""
    tables: dict[str, pa.Table] = {}
    relations: dict[str, am.Relation] = {}
    for t in range(int(rng.integers(1, 5))):
        name = f"t{t}"
        columns: dict[str, Any] = {}
        n, parent = int(rng.integers(2, most_persons + 1)), None
        if t:
            parent = f"t{rng.integers(0, t)}"
            n = int(rng.integers(0, 2 * max(tables[parent].num_rows, 1))) if tables[parent].num_rows else 0
            columns["up"] = rng.choice(tables[parent]["key"].to_numpy(), n) if n else pa.array([], pa.int64())
        columns["key"] = rng.permutation(1000)[:n]
        rules = {}
        for c in range(int(rng.integers(0 if t else 1, 3))):
            columns[f"q{c}"], rules[f"q{c}"] = random_column(rng, n)
        columns["s"], rules["s"] = pa.array(rng.choice(["m", "n", "o"], n), pa.string()), am.Column(role="sensitive")
        columns["name"], rules["name"] = (
            pa.array([f"row {i}" for i in range(n)], pa.string()),
            am.Column(role="identifier"),
        )
        tables[name] = pa.table(columns)
        relations[name] = am.Relation(rules, key="key", parent=parent, foreign_key=parent and "up")
    return tables, am.DatabaseSchema(relations)


def trees(tables: Mapping[str, pa.Table], schema: am.DatabaseSchema) -> dict[Any, Any]:
    """For every person the nested tuple of everything published by quasi-identifiers."""
    rows = {name: tables[name].to_pylist() for name in schema}

    def tree(name: str, row: dict[str, Any]) -> Any:
        relation = schema[name]
        own = tuple(str(row[column]) for column in relation.schema.quasi)
        below = [
            tuple(
                sorted(tree(child, one) for one in rows[child] if one[schema[child].foreign_key] == row[relation.key])
            )
            for child in schema.children(name)
        ]
        return (own, *below)

    person = schema.person
    return {row[schema[person].key]: tree(person, row) for row in rows[person]}


def smallest_group(tables: Mapping[str, pa.Table], schema: am.DatabaseSchema) -> int:
    """The k of definition 9: by theorem 1, the size of the smallest set of persons with the same tree."""
    return min(Counter(trees(tables, schema).values()).values(), default=0)


def least_diversity(
    tables: Mapping[str, pa.Table], schema: am.DatabaseSchema, sense: str, count: str = "both"
) -> float:
    """The least l over all kinds of rows and all sensitive columns, in rows and in persons."""
    rows = {name: tables[name].to_pylist() for name in schema}
    whole = trees(tables, schema)
    sizes = Counter(whole.values())
    found: dict[Any, list[tuple[Any, str]]] = defaultdict(list)
    size_of: dict[Any, int] = {}

    def signature(name: str, row: dict[str, Any]) -> Any:
        relation = schema[name]
        own = tuple(str(row[column]) for column in relation.schema.quasi)
        below = [
            tuple(sorted(signature(c, one) for one in rows[c] if one[schema[c].foreign_key] == row[relation.key]))
            for c in schema.children(name)
        ]
        return (own, *below)

    def visit(name: str, row: dict[str, Any], above: Any, person: Any) -> None:
        kind = (name, above, signature(name, row))
        size_of[kind] = sizes[whole[person]]
        found[kind].append((person, row["s"]))
        for child in schema.children(name):
            for one in rows[child]:
                if one[schema[child].foreign_key] == row[schema[name].key]:
                    visit(child, one, kind, person)

    for row in rows[schema.person]:
        visit(schema.person, row, None, row[schema[schema.person].key])
    least = math.inf
    for kind, pairs in found.items():
        by_rows = Counter(value for _, value in pairs)
        by_people = Counter(value for _, value in set(pairs))
        ways = {"rows": (by_rows, sum(by_rows.values())), "persons": (by_people, size_of[kind])}
        for counts, people in (way for name, way in ways.items() if count in ("both", name)):
            total = sum(counts.values())
            shares = [count / total for count in counts.values()]
            reached = {
                "distinct": len(counts),
                "frequency": people / max(counts.values()),
                "entropy": math.exp(-sum(share * math.log(share) for share in shares)),
            }
            least = min(least, reached[sense])
    return least
