"""Cells that a spreadsheet would take for formulas: told, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

FORMULA = r"^[ ]*[=@\t\r]|^[ ]*[+-](?:.*[^-+0-9.,eE: ])"
"""Begins as a formula does, and is no number, date or range: ``=1+1``, ``@SUM(A1)``, ``-cmd|x``; not ``-5``."""

CAVEAT = (
    "Cells of {names} begin as a formula does. They are published as they are; a spreadsheet that opens the CSV file "
    "may run them, so read it as text."
)


def formula_columns(table: pa.Table) -> list[str]:
    """The columns with a text, or a name, that begins as a formula does.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.release.formulas import formula_columns
    >>> formula_columns(pa.table({"note": ["=1+1", "ok"], "change": ["-5", "+3.5"]}))
    ['note']
    """
    return [name for name in table.column_names if _any_formula(table.column(name)) or _is_formula(name)]


def caveats_of_csv(*tables: pa.Table) -> tuple[str, ...]:
    """What to know before a CSV file of these tables is opened in a spreadsheet."""
    names = [name for table in tables for name in formula_columns(table)]
    return (CAVEAT.format(names=", ".join(f"'{name}'" for name in dict.fromkeys(names))),) if names else ()


def _any_formula(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    of = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(of) or pa.types.is_large_string(of)):
        return False
    texts = pc.unique(column)
    texts = texts.dictionary.take(texts.indices) if pa.types.is_dictionary(texts.type) else texts
    return bool(pc.any(pc.match_substring_regex(texts, FORMULA)).as_py())


def _is_formula(text: str) -> bool:
    import re

    return re.search(FORMULA, text) is not None
