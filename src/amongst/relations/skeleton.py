"""Any low-loss grouping of single tables as the skeleton: one row a person, with counts of what the person has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from amongst.encode import encode
from amongst.errors import BadOption
from amongst.kernels.relations import Rules, split_trees
from amongst.relations.forest import Forest
from amongst.schema import Column, Schema
from amongst.schema.check import check

MOST_FEATURES = 48
"""Columns of the table of persons; more would drown each other."""


def groups_by(
    forest: Forest, rules: Rules, method: str, progress: Callable[[int, int], object] | None = None
) -> np.ndarray:
    """The group of every person: by the distance of trees ("split"), or by a method for single tables.

    "split" is the top-down scheme of Xu et al. (KDD 2006): persons are halved around two that are far apart, until
    fewer than 2k are left together. The others work on a table of what the persons' trees hold.

    Columns are the persons' own quasi-identifiers, and for every other table how many rows a person has, in all and
    below the nodes next to the root of each column's hierarchy, the most frequent first.
    """
    from amongst.models import KAnonymity
    from amongst.partition import METHODS, find_method

    if method == "split":
        return split_trees(forest.tables, rules, tick=progress)
    if method not in METHODS or not METHODS[method].any_width:
        able = METHODS.names(lambda one: one.any_width)
        raise BadOption(
            f"There is no skeleton {method!r}.",
            found=f"skeleton = {method!r}",
            fix="use clusters, split, or a method for single tables: " + ", ".join(able),
        )
    table, schema = features(forest)
    coded = encode(table, check(schema, table))
    partition = find_method(method).run(coded, [KAnonymity(rules.k)])
    return np.asarray(partition.group_of_row, dtype=np.int32)


def features(forest: Forest) -> tuple[Any, Any]:
    """The table of persons with its schema: all columns numeric."""
    import pyarrow as pa

    columns: dict[str, np.ndarray] = {}
    for c, column in enumerate(forest.columns[0]):
        columns[f"0.{column.name}"] = forest.tables[0].codes[:, c].astype(np.int64)
    counted: list[tuple[int, str, np.ndarray]] = []
    for t, name in enumerate(forest.names[1:], start=1):
        persons = forest.person_of[t]
        counted.append((1 << 62, f"{t}.{name}", np.bincount(persons, minlength=forest.n_persons)))
        for c, column in enumerate(forest.columns[t]):
            node = _upper_node(column, forest.tables[t].codes[:, c])
            for number in np.unique(node).tolist():
                own = persons[node == number]
                counts = np.bincount(own, minlength=forest.n_persons)
                counted.append((len(own), f"{t}.{column.name}.{number}", counts))
    counted.sort(key=lambda one: (-one[0], one[1]))
    for _, key, counts in counted[: max(MOST_FEATURES - len(columns), 1)]:
        columns[key] = counts.astype(np.int64)
    if not columns:
        columns["0"] = np.zeros(forest.n_persons, dtype=np.int64)
    schema = Schema({key: Column(role="quasi", kind="numeric") for key in columns})
    return pa.table(columns), schema


def _upper_node(column: Any, codes: np.ndarray) -> np.ndarray:
    """The node of the level below the root; without a tree an eighth of the range."""
    if column.tree is not None and column.tree.n_levels > 1:
        return np.asarray(column.tree.start[-2])[np.minimum(codes, column.tree.n_leaves - 1)]
    return codes.astype(np.int64) * 8 // max(column.n_codes, 1)
