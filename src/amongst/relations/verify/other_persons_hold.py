"""Are other kinds of persons published alike, as many as was asked, and do references mean all of them?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from amongst.published.finding import Finding
from amongst.relations.relation import DatabaseSchema
from amongst.verify.verdict import Reached

if TYPE_CHECKING:
    import pyarrow as pa


def other_persons_hold(
    tables: Mapping[str, pa.Table], schema: DatabaseSchema, k: int
) -> tuple[list[Finding], list[Reached]]:
    """Every kind has its own promise: rows of a class are equal, classes have k rows, and no row names one of them.

    From the published tables alone: what holds a key must not tell two rows apart that are otherwise equal, and what
    refers to the kind holds such keys, of classes that are there, or nothing.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    findings, reached = [], []
    for name, relation in schema.others.items():
        if name not in tables:
            findings.append(Finding("missing-table", f"The table '{name}' is not there.", fix="publish all tables"))
            continue
        table, key = tables[name], str(relation.key)
        due = {key, *relation.schema.published}
        if set(table.column_names) != due:
            found = ", ".join(sorted(due ^ set(table.column_names)))
            findings.append(
                _finding("extra-column", f"Table '{name}' has other columns than were to be published.", found)
            )
            continue
        table = table.cast(pa.schema([(column, pa.string()) for column in table.column_names]))
        classes = table.group_by(table.column_names, use_threads=False).aggregate([([], "count_all")])
        smallest = pc.min(classes["count_all"]).as_py() or 0
        alike = "1 other" if k == 2 else f"{k - 1} others"
        words = (
            f"Every one of '{name}', and whatever refers to them, is published as that of at least {alike} (k = {k})."
        )
        reached.append(Reached("k-anonymity", k, smallest, smallest >= k, words))
        if pc.count_distinct(classes[key]).as_py() < classes.num_rows or classes[key].null_count:
            findings.append(_finding("classes", f"Rows of '{name}' with one key differ, or have none.", ""))
        for other, one in schema.items():
            for column in (column for column, kind in one.others.items() if kind == name):
                own = tables[other][column] if other in tables and column in tables[other].column_names else None
                n_astray = 0 if own is None else _n_astray(own, table[key])
                if n_astray:
                    what = f"'{column}' of '{other}' holds keys that are none of '{name}'."
                    findings.append(_finding("astray", what, f"{n_astray:,} rows"))
    return findings, reached


def _n_astray(references: pa.ChunkedArray, keys: pa.ChunkedArray) -> int:
    """How many references are there that no key is like, as texts, and that do not say that it may be any."""
    import pyarrow as pa
    import pyarrow.compute as pc

    held = pc.is_in(references.cast(pa.string()), value_set=pa.array([*keys.unique().to_pylist(), "*"]))
    return len(references) - references.null_count - (pc.sum(pc.and_(held, references.is_valid())).as_py() or 0)


def _finding(code: str, what: str, found: str) -> Finding:
    return Finding(code, what, found, "do not publish it")
