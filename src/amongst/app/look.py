"""What the page shows of the table before anything is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.errors import BadHierarchy
from amongst.schema.arrow_kind import distinct, natural_kind, value_type
from amongst.schema.export import to_rows
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.level_words import level_words
from amongst.schema.suggest import ColumnSuggestion, suggest
from amongst.schema.value_text import text_of

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.schema.tree import Tree

FEW_ROWS = 6
WIDE = 60
"""Characters of a cell that are shown."""
SHOWN_LEAVES = 12
NAMED_NODES = 8


def column_facts(table: pa.Table) -> list[dict[str, Any]]:
    """Every column with its type, how many values it has, and what it seems to be."""
    suggested = suggest(table)
    types = {name: str(value_type(table.column(name))) for name in table.column_names}
    return [{**_suggested(one), "type": types[one.name]} for one in suggested.columns.values()]


def _suggested(one: ColumnSuggestion) -> dict[str, Any]:
    column = one.column
    fields = {"role": column.role, "kind": column.kind}
    if column.hierarchy is not None:
        fields["hierarchy"] = column.hierarchy.to_dict()  # type: ignore[assignment]
    return {
        "name": one.name,
        "fields": {key: value for key, value in fields.items() if value is not None},
        "idea": None if one.idea is None else one.idea.to_dict(),
        "confidence": one.confidence,
        "reasons": list(one.reasons),
        "distinct": one.n_distinct,
        "nulls": one.n_nulls,
    }


def first_rows(table: pa.Table, n: int = FEW_ROWS) -> dict[str, Any]:
    """The first rows as short texts, so that one sees whether the file was read as it should."""
    few = table.slice(0, n)
    cells = [[shortened(cell) for cell in few.column(i).to_pylist()] for i in range(few.num_columns)]
    return {"columns": table.column_names, "rows": [list(row) for row in zip(*cells, strict=True)]}


def shortened(cell: Any) -> str | None:
    """A cell as a short text."""
    if cell is None:
        return None
    text = str(cell)
    return text if len(text) <= WIDE else text[: WIDE - 1] + "…"


def texts_of(column: pa.ChunkedArray, most: int) -> dict[str, Any]:
    """The distinct values as texts in order with their rows, as far as an editor can show them."""
    values = distinct(column)
    if len(values) > most:
        return {"rows": {}, "n": len(values)}
    counted = column.drop_null().value_counts()
    rows: dict[str, int] = {}
    for value, n in sorted(zip(*(part.to_pylist() for part in counted.flatten()), strict=True)):
        rows[text_of(value)] = rows.get(text_of(value), 0) + n
    return {"rows": rows, "n": len(values)}


def preview_of(column: pa.ChunkedArray, kind: str | None, hierarchy: Hierarchy) -> dict[str, Any]:
    """The levels of a hierarchy over the values of a column; an error names what is not covered."""
    values = distinct(column).to_pylist()
    if not values:
        raise BadHierarchy(
            "There is nothing to build on.", found="the column has no values", fix="choose another column"
        )
    tree = hierarchy.tree(values, kind or natural_kind(value_type(column)))
    n_nodes = [len(labels) for labels in tree.labels]
    words = level_words(hierarchy, n_nodes)
    rows = to_rows(tree)
    step = max(len(rows) // SHOWN_LEAVES, 1)
    return {
        "describe": hierarchy.describe(),
        "leaves": tree.n_leaves,
        "levels": [
            {"words": word, "nodes": n, "names": _names(tree, level)}
            for level, (word, n) in enumerate(zip(words, n_nodes, strict=True))
        ],
        "rows": [[shortened(cell) for cell in row] for row in rows[::step][:SHOWN_LEAVES]],
    }


def _names(tree: Tree, level: int) -> list[str | None]:
    return [shortened(label) for label in list(tree.labels[level].values())[:NAMED_NODES]]
