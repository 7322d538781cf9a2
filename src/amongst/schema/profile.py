"""The few facts about a column that a suggestion rests on, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.schema.arrow_kind import (
    distinct,
    is_nested,
    is_text,
    n_not_finite,
    n_nulls,
    natural_kind,
    value_type,
)
from amongst.schema.name_evidence import NameEvidence, name_evidence
from amongst.schema.person_names import SHAPE, for_letters_of
from amongst.schema.value_evidence import Pattern, value_evidence
from amongst.schema.value_words import is_yes_or_no, speaks_of

if TYPE_CHECKING:
    import pyarrow as pa

FEW_ROWS = 20
"""In fewer rows, values that are all different say nothing."""
NEARLY = 0.9
FEW_VALUES = 20
MOSTLY = 0.5
FEW_KINDS = 100
NUMBERED = r"^[A-Za-z]{0,4}[-_ .]?[0-9]+$"


@dataclass(frozen=True, eq=False)
class Profile:
    """One column: what it is called, its type, and how its values are spread."""

    name: str
    type: pa.DataType
    n_rows: int
    n_nulls: int
    n_not_finite: int
    values: pa.Array | None
    """The distinct values; None for types that cannot be compared."""
    by_name: NameEvidence | None
    by_value: Pattern | None
    by_words: str | None = None
    """The subject that the words in the cells speak of."""
    yes_or_no: bool = False
    """Two values that say yes and no, in words or as 0 and 1."""
    smallest: float | None = None
    largest: float | None = None
    middle: float | None = None
    mean: float = 0.0

    @property
    def n_distinct(self) -> int:
        return 0 if self.values is None else len(self.values)

    @property
    def kind(self) -> str | None:
        return natural_kind(self.type)

    @property
    def nested(self) -> bool:
        return is_nested(self.type)

    @property
    def text(self) -> bool:
        return is_text(self.type)

    @property
    def whole(self) -> bool:
        from pyarrow import types

        return types.is_integer(self.type)

    @property
    def distinct_share(self) -> float:
        """Distinct values by cells that are not missing."""
        return self.n_distinct / max(self.n_rows - self.n_nulls, 1)

    @property
    def all_different(self) -> bool:
        return self.n_rows - self.n_nulls >= FEW_ROWS and self.distinct_share == 1

    @property
    def nearly_all_different(self) -> bool:
        return self.n_rows - self.n_nulls >= FEW_ROWS and self.distinct_share >= NEARLY

    @property
    def mostly_different(self) -> bool:
        """More than every second cell has a value of its own, and there are too many values for a category."""
        return self.n_rows - self.n_nulls >= FEW_ROWS and self.distinct_share >= MOSTLY and self.n_distinct > FEW_KINDS

    @property
    def few_values(self) -> bool:
        return self.n_distinct <= FEW_VALUES and self.n_rows >= 5 * FEW_VALUES

    @property
    def numbered(self) -> bool:
        """Texts that are numbers with a few letters before them, all but some: "X01", "P-117"."""
        import pyarrow.compute as pc

        if self.values is None or not self.text:
            return False
        share = pc.mean(pc.match_substring_regex(self.values, NUMBERED)).as_py()
        return share is not None and share >= NEARLY

    @property
    def integral(self) -> bool:
        """Whole numbers, also where missing ones made fractions of them."""
        import pyarrow.compute as pc

        if self.whole or self.kind != "numeric" or self.values is None or not self.n_distinct:
            return self.whole
        return bool(pc.all(pc.equal(self.values, pc.floor(self.values))).as_py()) and not self.n_not_finite

    @property
    def years(self) -> bool:
        """Whole numbers that can be years of people's lives."""
        return self.smallest is not None and self.largest is not None and 1850 <= self.smallest <= self.largest <= 2100

    @property
    def written_numbers(self) -> bool:
        return self.by_value is not None and self.by_value.subject == "numbers written as text"

    @property
    def words_only(self) -> bool:
        """Texts of letters, as names are."""
        import pyarrow.compute as pc

        if not self.text or not self.n_distinct:
            return False
        return bool(pc.all(pc.match_substring_regex(self.values, for_letters_of(self.values, SHAPE))).as_py())

    @property
    def same_digits(self) -> bool:
        """Whole numbers of five digits or more, all of the same length."""
        if not self.integral or self.smallest is None or self.largest is None or self.smallest < 10_000:
            return False
        return len(str(int(self.smallest))) == len(str(int(self.largest)))

    @property
    def months(self) -> bool:
        """Whole numbers from 1 to 12, more than half of them."""
        return self.whole and self.smallest == 1 and self.largest == 12 and self.n_distinct > 6

    @property
    def bands(self) -> bool | None:
        """Texts with numbers in all of them, as "18-24" and "65+"; None where that is not so."""
        import pyarrow.compute as pc

        if not self.text or not self.n_distinct:
            return None
        return True if pc.all(pc.match_substring_regex(self.values, r"\d")).as_py() else None

    @property
    def counts_up(self) -> bool:
        """Whole numbers, all different, without gaps: a row number. Statistics packages know no numbers but doubles."""
        import pyarrow.compute as pc

        if not (self.all_different and self.integral):
            return False
        ends = pc.min_max(self.values).as_py()
        return bool(ends["max"] - ends["min"] + 1 == self.n_distinct)


def profiles(table: pa.Table) -> tuple[pa.Table, dict[str, Profile]]:
    """A table as it can be looked at, and the profile of every column."""
    table = _longer_floats(table)
    return table, {name: profile(name, column) for name, column in zip(table.column_names, table.columns, strict=True)}


def _longer_floats(table: pa.Table) -> pa.Table:
    """Half floats, with which Arrow computes nothing, as the numbers that they are."""
    import pyarrow as pa

    half = [pa.types.is_float16(value_type(column)) for column in table.columns]
    fields = [field.with_type(pa.float32()) if one else field for field, one in zip(table.schema, half, strict=True)]
    return table.cast(pa.schema(fields)) if any(half) else table


def profile(name: str, column: pa.ChunkedArray) -> Profile:
    """The profile of a column."""
    of = value_type(column)
    kind = natural_kind(of)
    values = None if kind is None else distinct(column)
    by_name = name_evidence(name)
    told: dict[str, Any] = {}
    by_value = None
    if values is not None and is_text(of):
        people = by_name is not None and by_name.names_people and (not by_name.weak or len(values) > FEW_VALUES)
        by_value = value_evidence(values, against=_against(by_name), told=people)
        told = {"by_words": speaks_of(values), "yes_or_no": is_yes_or_no(values)}
    elif values is not None and kind == "numeric":
        told = _ends(values)
    return Profile(
        name=name,
        type=of,
        n_rows=len(column),
        n_nulls=n_nulls(column),
        n_not_finite=n_not_finite(column),
        values=values,
        by_name=by_name,
        by_value=by_value,
        **told,
    )


def _ends(values: pa.Array) -> dict[str, Any]:
    """Where the numbers lie."""
    import numpy as np

    numbers = values.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return {}
    smallest, largest = float(numbers.min()), float(numbers.max())
    return {
        "smallest": smallest,
        "largest": largest,
        "middle": float(np.median(numbers)),
        "mean": float(numbers.mean()),
        "yes_or_no": len(numbers) == 2 and (smallest, largest) in ((0, 1), (1, 2)),
    }


def _against(by_name: NameEvidence | None) -> bool:
    """Whether the name of a column speaks of something else than people's names."""
    return by_name is not None and not by_name.weak and by_name.role != "identifier"
