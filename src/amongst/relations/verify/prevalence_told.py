"""Does the table that tells how many persons have a code give nobody away, and is it true?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.published.finding import Finding
from amongst.relations.persons_with import PERSONS_WITH
from amongst.relations.relation import DatabaseSchema
from amongst.relations.verify.cover import Cover
from amongst.relations.verify.neutral import Neutral
from amongst.schema.value_text import text_of
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

HIDDEN_AT_MOST = 0.5
"""The share of those who may hide a code that can have it at most."""
FREE = 2
"""So many codes of every general label must have no line."""
ROWS_AT_MOST = (1, 2, 4, 8, 16)
"""Rows of a person that may be the same code."""
ROUNDING = 1e-6


def prevalence_told(database: Any, published: Neutral, told: pa.Table | None, k: int) -> list[Finding]:
    """What is wrong with the lines, from the published tables alone; None is a table of other columns.

    Every line must lie between two neighbouring multiples of 2 k, from 2 k on, must not tell fewer persons than are
    published with the code, and must leave open for at least half of the other persons who have a row that may be the
    code whether they have it. All lines together must leave open what every general row is: the parts of codes
    that rows must be on average make no more than one row of any label, and two codes of every label have no line.
    """
    if told is None:
        return [_finding("columns or cells that it should not have", "not read")]
    real = {name: neutral for neutral, name in published.called.items()}
    column_of = {(table, name): own for (table, own), name in published.column_called.items()}
    findings = []
    for (table, column), lines in _by_column(told).items():
        near = real.get(table, "")
        own = column_of.get((near, column), "")
        relation = published.schema.get(near)
        if relation is None or relation.known != "codes" or own not in relation.schema.quasi:
            findings.append(_finding("lines about a column without codes that may be known", f"'{table}', '{column}'"))
            continue
        holders = _holders(database, near, own)
        cover, values = Cover(relation.schema[own]), {value for value, _, _ in lines}
        general = [label for label in holders if label not in values]
        rows_of: dict[tuple[str, ...], np.ndarray] = {}
        load: dict[str, float] = {}
        n_persons = 1 + max((int(persons.max()) for persons, _ in holders.values()), default=0)
        wrong = len(lines) - len(values)
        for value, least, most in lines:
            shown, _ = holders.get(value, (np.zeros(0, dtype=np.int64), None))
            labels = tuple(label for label in general if _may_be(cover, label, value))
            if labels not in rows_of:
                rows_of[labels] = np.zeros(n_persons, dtype=np.int64)
                for label in labels:
                    persons, n_rows = holders[label]
                    rows_of[labels][persons] += n_rows
            hidden = np.delete(rows_of[labels], shown)
            hiding = np.count_nonzero(hidden)
            stepped = least >= 2 * k and least % (2 * k) == 0 and most == least + 2 * k - 1
            wrong += not (stepped and len(shown) <= most and most - len(shown) <= HIDDEN_AT_MOST * hiding)
            part = _part(max(0, least - len(shown)), hidden)
            for label in labels if _knows(cover) else labels and ("*",):
                load[label] = load.get(label, 0.0) + part
        below = cover.below(load)
        wrong += sum(
            one > 1 + ROUNDING or 0 < len(below[label]) < FREE + len(values & below[label])
            for label, one in load.items()
        )
        if wrong:
            what = "numbers that tell too much of persons, or cannot be"
            findings.append(_finding(what, f"'{table}', '{column}': {wrong:,} of {len(lines):,}"))
    return findings


def prevalence_true(
    told: pa.Table, original: Mapping[str, pa.Table], schema: DatabaseSchema, persons: np.ndarray
) -> list[Finding]:
    """Whether as many of the published persons (rows of their original table) have every code as is told."""
    import pyarrow as pa

    owner, findings = _owners(original, schema), []
    for (table, column), lines in _by_column(told).items():
        rows = np.flatnonzero(np.isin(owner[table], persons))
        cells = original[table].column(column).take(pa.array(rows))
        pairs = pa.table({"value": cells, "person": owner[table][rows]}).group_by(["value", "person"]).aggregate([])
        counts = pairs.group_by("value").aggregate([([], "count_all")])
        n_of = {text_of(one["value"]): one["count_all"] for one in counts.to_pylist()}
        wrong = sum(not least <= n_of.get(value, 0) <= most for value, least, most in lines)
        if wrong:
            findings.append(_finding("numbers that are not so", f"'{table}', '{column}': {wrong:,} of {len(lines):,}"))
    return findings


def _owners(original: Mapping[str, pa.Table], schema: DatabaseSchema) -> dict[str, np.ndarray]:
    """For every original row the row of its person."""
    import pyarrow as pa
    import pyarrow.compute as pc

    owner = {schema.person: np.arange(original[schema.person].num_rows)}
    for name in schema.in_order()[1:]:
        parent = str(schema[name].parent)
        own, keys = original[name][str(schema[name].foreign_key)], original[parent][str(schema[parent].key)]
        if pa.types.is_dictionary(keys.type):
            keys = keys.cast(keys.type.value_type)
        above = pc.index_in(own.cast(keys.type), value_set=keys.combine_chunks())
        owner[name] = owner[parent][above.to_numpy()] if len(above) else np.zeros(0, dtype=np.int64)
    return owner


def _by_column(told: pa.Table) -> dict[tuple[str, str], list[tuple[str, int, int]]]:
    lines: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
    for one in told.to_pylist():
        lines.setdefault((one["table"], one["column"]), []).append((one["value"], one["least"], one["most"]))
    return lines


def _holders(database: Any, table: str, column: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The persons who are published with every label, and in how many rows."""
    label = f"CAST(b.{quoted(column)} AS VARCHAR)"
    found = database.sql(
        f"SELECT {label} AS label, n.person AS person, count(*) AS n FROM {quoted('near ' + table)} n "
        f"JOIN {quoted(table)} b ON b.rowid = n.rid WHERE b.{quoted(column)} IS NOT NULL GROUP BY ALL"
    ).to_arrow_table()
    labels = found["label"].combine_chunks().dictionary_encode()
    place = labels.indices.to_numpy()
    order = np.argsort(place, kind="stable")
    ends = np.flatnonzero(np.diff(place[order])) + 1
    parts = zip(*(np.split(found[name].to_numpy()[order], ends) for name in ("person", "n")), strict=True)
    return dict(zip(labels.dictionary.to_pylist(), parts, strict=True)) if len(place) else {}


def _part(persons: int, rows: np.ndarray) -> float:
    """How much of a code each row is where so many have it, shared out evenly: of no person a whole one.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.relations.verify.prevalence_told import _part
    >>> _part(2, np.array([3, 3, 1])), _part(1, np.array([3, 3, 1]))
    (0.4, 0.14285714285714285)
    """
    parts = [1.0] if persons else [0.0]
    for most in ROWS_AT_MOST:
        whole = int(np.minimum(rows, most).sum())
        if persons * most < whole:
            parts.append(persons / whole)
    return min(parts)


def _may_be(cover: Cover, label: str, value: str) -> bool:
    """Whether a label that no line is about may stand for the value; where nobody knows the nodes, any may."""
    return label == "*" or not _knows(cover) or cover.holds(label, value)


def _knows(cover: Cover) -> bool:
    """A manifest does not tell the nodes of a hierarchy, nor what kind its values are."""
    return cover.rule.hierarchy is not None or not (cover.rule.kind is None or cover.rule.publish == "ancestor")


def _finding(what: str, found: str) -> Finding:
    return Finding("persons-with", f"The table '{PERSONS_WITH}' has {what}.", found, "do not publish it")
