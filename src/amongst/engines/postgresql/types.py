"""Which types of PostgreSQL can be counted and published, and how their values are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

EXACT_DIGITS = 15
"""Decimal numbers of no more digits are told apart by a float64."""
TEXT = ("text", "varchar", "bpchar", "name")
PLAIN = ("int2", "int4", "int8", "float4", "float8", "date", "timestamp", "timestamptz", "bool")

COLUMNS = """
WITH RECURSIVE base AS (
  SELECT a.attnum, a.atttypid AS kind, a.atttypmod AS modifier, 0 AS depth
  FROM pg_attribute a WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT b.attnum, t.typbasetype, CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE b.modifier END, b.depth + 1
  FROM base b JOIN pg_type t ON t.oid = b.kind WHERE t.typtype = 'd'
)
SELECT a.attname::text, t.typname::text, t.typtype::text, b.modifier::int4, format_type(a.atttypid, a.atttypmod),
       coalesce(c.collisdeterministic, true), quote_ident(n.nspname) || '.' || quote_ident(c.collname), b.depth > 0
FROM base b JOIN pg_type t ON t.oid = b.kind AND t.typtype <> 'd'
JOIN pg_attribute a ON a.attrelid = $1::oid AND a.attnum = b.attnum
LEFT JOIN pg_collation c ON c.oid = a.attcollation AND c.collname <> 'default'
LEFT JOIN pg_namespace n ON n.oid = c.collnamespace
ORDER BY a.attnum
"""


@dataclass(frozen=True)
class StoredColumn:
    """A column as the catalogue describes it.

    Attributes
    ----------
    base : str
        The type below all domains, such as "int4"; "enum" for every enumeration.
    modifier : int
        What stands in parentheses behind the type, as PostgreSQL keeps it; -1 for nothing.
    declared : str
        The type as SQL writes it.
    deterministic : bool
        Whether texts are equal only if their bytes are.
    collation : str or None
        As SQL writes it, where it is not the database's own.
    domain : bool
        Whether the declared type is a domain over the base.
    """

    name: str
    base: str
    modifier: int
    declared: str
    deterministic: bool = True
    collation: str | None = None
    domain: bool = False

    @property
    def is_text(self) -> bool:
        return self.base in TEXT or self.base == "enum"

    @property
    def known(self) -> bool:
        return self.is_text or self.base in PLAIN or self.base == "numeric"

    @property
    def digits(self) -> tuple[int, int] | None:
        """Precision and scale of a numeric column that states them."""
        if self.base != "numeric" or self.modifier < 4:
            return None
        packed = self.modifier - 4
        scale = packed & 0x7FF
        return packed >> 16 & 0xFFFF, scale - 0x800 if scale >= 0x400 else scale

    @property
    def whole(self) -> bool:
        """Numeric without a fraction, and within 64 bits."""
        return self.digits is not None and self.digits[0] <= 18 and self.digits[1] == 0

    @property
    def exact(self) -> bool:
        """Whether what is read is the value itself, so that the value can be made of it again."""
        if self.base != "numeric":
            return True
        return self.whole or (self.digits is not None and self.digits[0] <= EXACT_DIGITS and self.digits[1] >= 0)

    def arrow(self) -> pa.DataType:
        """The type in memory; text for what is not known, which is refused only where it is used."""
        import pyarrow as pa

        if self.base == "numeric":
            return pa.int64() if self.whole else pa.float64()
        types: dict[str, pa.DataType] = {
            "int2": pa.int16(),
            "int4": pa.int32(),
            "int8": pa.int64(),
            "float4": pa.float32(),
            "float8": pa.float64(),
            "date": pa.date32(),
            "timestamp": pa.timestamp("us"),
            "timestamptz": pa.timestamp("us", "UTC"),
            "bool": pa.bool_(),
        }
        return types.get(self.base, pa.string())

    def read(self, row: str = "") -> str:
        """The value as it is counted: a plain type in which equal means equal, of texts that the bytes are."""
        cell = f"{row}.{quoted(self.name)}" if row else quoted(self.name)
        if self.base == "numeric":
            return f"{cell}::{'int8' if self.whole else 'float8'}"
        if self.is_text and (self.base not in ("text", "varchar") or self.domain or not self.deterministic):
            return f'{cell}::text COLLATE "C"'
        return f"{cell}::{self.base}" if self.domain else cell

    @property
    def is_float(self) -> bool:
        return self.base in ("float4", "float8")

    def negative_zero(self) -> str:
        """Whether a float is the negative one of its two zeros, which are equal."""
        return f"({self.read()} = 0 AND {self.read()}::text = '-0')"

    def in_order(self, read: str) -> str:
        """What rows are sorted by: of texts the bytes, whatever the collation."""
        return f'{read} COLLATE "C" NULLS LAST' if self.is_text else f"{read} NULLS LAST"

    @property
    def some_value(self) -> str:
        """A value of the type that is read, to stand where there is none."""
        if self.is_text:
            return "''"
        if self.base in ("date", "timestamp", "timestamptz"):
            return f"'epoch'::{self.base}"
        return "false" if self.base == "bool" else "0"

    def restored(self, read: str) -> str:
        """What was read as the type that the column has."""
        return f"({read})::{self.declared}" + self._collate()

    def published(self, row: str) -> str:
        """The cell itself, of the same type."""
        return f"{row}.{quoted(self.name)}"

    def _collate(self) -> str:
        if self.base not in TEXT:
            return ""
        return ' COLLATE pg_catalog."default"' if self.collation is None else f" COLLATE {self.collation}"


def columns_of(rows: Sequence[tuple[Any, ...]]) -> list[StoredColumn]:
    """The columns that the query COLUMNS has found."""
    return [
        StoredColumn(name, "enum" if kind == "e" else base, modifier, *rest)
        for name, base, kind, modifier, *rest in rows
    ]


def refuse_unknown_types(columns: Sequence[StoredColumn]) -> None:
    """Raise for columns of types that are neither counted nor sorted."""
    wrong = [column for column in columns if not column.known]
    if wrong:
        raise BadInput(
            "Some columns have types that amongst does not handle in PostgreSQL.",
            found=[f"'{column.name}' is {column.declared}" for column in wrong],
            fix='cast them to text, numbers or dates in a view, or drop them with role = "identifier"',
        )


def refuse_no_dates(columns: Sequence[StoredColumn], cells: Sequence[Any]) -> None:
    """Raise for dates and times without end, which only PostgreSQL knows."""
    import pyarrow.compute as pc

    for column, values in zip(columns, cells, strict=True):
        if column.base not in ("date", "timestamp", "timestamptz") or values.null_count == len(values):
            continue
        numbers = values.cast("int32" if column.base == "date" else "int64")
        widest = 3_000_000 if column.base == "date" else 3_000_000 * 86_400_000_000
        if pc.max(pc.abs(numbers)).as_py() > widest:
            raise BadInput(
                f"Column '{column.name}' has dates that are none.",
                found="infinity, or a year that no calendar needs",
                fix="replace them by null in a view",
            )
