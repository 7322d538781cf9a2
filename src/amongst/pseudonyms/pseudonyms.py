"""The same person, the same pseudonym, in every table and every month; dates that keep their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.errors import BadInput, BadOption
from amongst.pseudonyms.key import refuse_short

if TYPE_CHECKING:
    import pyarrow as pa

NOT_PROTECTED = (
    "Whoever has the key can tell for every name whether and where it is there.",
    "A pseudonym is an identifier: all that is known of a person is in one place, and a few facts find it.",
    "Moved dates keep intervals and order: who knows one date of a person knows all of them, and who knows the days "
    "between some visits may find the person.",
)
"""What pseudonyms and moved dates do not protect against; printed wherever they are made."""

N_DIGITS = 20
BLOCK_SIZE = 64
HMAC = "sha256($outer::BLOB || unhex(sha256($inner::BLOB || encode(value))))"


class Pseudonyms(Brief):
    """Replaces what tells people apart, by HMAC-SHA256 under a key.

    Parameters
    ----------
    key : bytes
        At least 16, from ``read_key`` or ``make_key``.
    scope : str
        Pseudonyms of one scope are the same everywhere; another scope gives others that cannot be put together without
        the key.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import amongst as am
    >>> visits = pa.table({"patient": ["anna", "paul", "anna"]})
    >>> made = am.Pseudonyms(b"a key of 16 bytes, or more").of(visits.column("patient")).to_pylist()
    >>> made[0] == made[2], made[0] == made[1], made[0][:1], len(made[0])
    (True, False, 'P', 21)
    """

    def __init__(self, key: bytes, scope: str = "") -> None:
        self._key = refuse_short(key)
        self.scope = scope

    def __reduce__(self) -> Any:
        raise TypeError("pseudonyms hold a key, which is not written with other things")

    def of(self, people: Any) -> pa.Array:
        """The pseudonym of every cell; missing where it is missing or empty: rows without a name are not one person."""
        import pyarrow.compute as pc

        digest = self._digest("pseudonym", people)
        return pc.binary_join_element_wise("P", pc.utf8_upper(pc.utf8_slice_codeunits(digest, 0, N_DIGITS)), "")

    def digests(self, people: Any, purpose: str = "digest") -> np.ndarray:
        """A number of 64 bits for every cell, to compare people by; not to be published."""
        number = self._digest(purpose, people, f"CAST('0x' || substr({HMAC}, 1, 16) AS UBIGINT)")
        if number.null_count:
            raise BadInput("Somebody has no name.", found=f"{number.null_count} rows", fix="leave these rows out")
        return np.asarray(number.to_numpy(zero_copy_only=False), dtype=np.uint64)

    def shifts(self, people: Any, most_days: int = 182) -> np.ndarray:
        """By how many days the dates of every row are moved: the same for all rows of a person, never told."""
        if isinstance(most_days, bool) or not isinstance(most_days, int) or most_days < 1:
            fix = "use a whole number of days, such as 182"
            raise BadOption("Dates are moved by some days.", found=f"most_days = {most_days!r}", fix=fix)
        return (self.digests(people, "shift") % np.uint64(2 * most_days + 1)).astype(np.int64) - most_days

    def moved(self, people: Any, dates: Any, most_days: int = 182) -> pa.Array:
        """The dates of every person moved by a number of days of her own: intervals and order stay."""
        import pyarrow as pa
        import pyarrow.compute as pc

        dates = _one(dates)
        if not (pa.types.is_date(dates.type) or pa.types.is_timestamp(dates.type)):
            fix = "read the column as dates first"
            raise BadInput("Only dates can be moved.", found=f"a column of type {dates.type}", fix=fix)
        days = pa.array(self.shifts(people, most_days))
        if pa.types.is_date(dates.type):
            whole = pc.add(dates.cast(pa.date32()).cast(pa.int32()).cast(pa.int64()), days)
            return whole.cast(pa.int32()).cast(pa.date32()).cast(dates.type)
        unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[dates.type.unit] * 86_400
        return pc.add(dates.cast(pa.int64()), pc.multiply(days, unit)).cast(dates.type)

    def table(
        self,
        table: pa.Table,
        person: str,
        *,
        move: Sequence[str] = (),
        most_days: int = 182,
        ages: Mapping[str, tuple[str, str]] | None = None,
        drop: Sequence[str] = (),
    ) -> pa.Table:
        """A table with pseudonyms in place of ``person``, sorted by them.

        The order of the input is gone, but for the rows of a person: sorted by name it would tell the alphabet, sorted
        by date about when things happened that were moved.

        Parameters
        ----------
        move : names
            Columns of dates, all moved by the same days for a person.
        ages : dict of str to (str, str)
            New columns: the age at an event, ``{"age at visit": ("born", "visit")}``, worked out before dates move.
            The event stays; drop it, or move it.
        drop : names
        """
        import pyarrow.compute as pc

        ages = dict(ages or {})
        named = [person, *move, *drop, *(name for pair in ages.values() for name in pair)]
        missing = [name for name in dict.fromkeys(named) if name not in table.column_names]
        if missing:
            raise BadOption(
                "A column is not in the table.",
                found=", ".join(f"'{name}'" for name in missing),
                fix="use the names of its columns",
            )
        for name, (born, event) in ages.items():
            table = table.append_column(name, age_at(table.column(born), table.column(event)))
        who = table.column(person)
        for name in move:
            at = table.column_names.index(name)
            table = table.set_column(at, name, self.moved(who, table.column(name), most_days))
        table = table.set_column(table.column_names.index(person), person, self.of(who))
        table = table.take(pc.sort_indices(table, sort_keys=[(person, "ascending")]))
        return table.drop_columns([name for name in dict.fromkeys(drop) if name != person])

    def _digest(self, purpose: str, people: Any, made: str = HMAC) -> pa.Array:
        import duckdb
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = _one(people)
        texts = texts if pa.types.is_string(texts.type) else texts.cast(pa.string())
        texts = pc.if_else(pc.equal(pc.utf8_trim_whitespace(texts), ""), pa.scalar(None, pa.string()), texts)
        coded = pc.dictionary_encode(texts)
        values = pa.table({"place": np.arange(len(coded.dictionary)), "value": coded.dictionary})  # noqa: F841
        padded = self._key_of(purpose).ljust(BLOCK_SIZE, b"\0")
        pads = {"inner": bytes(one ^ 0x36 for one in padded), "outer": bytes(one ^ 0x5C for one in padded)}
        with duckdb.connect() as connection:
            query = f"SELECT {made} AS digest FROM values ORDER BY place"
            found = connection.sql(query, params=pads).to_arrow_table()
        return _one(found.column("digest")).take(coded.indices)

    def _key_of(self, purpose: str) -> bytes:
        """A key for every purpose and scope: from a pseudonym nothing follows for the days of the same person."""
        import hashlib
        import hmac

        return hmac.new(self._key, f"{purpose}\0{self.scope}".encode(), hashlib.sha256).digest()


def age_at(born: Any, event: Any) -> pa.Array:
    """Whole years from birth to an event: of dates by the day, of a year of birth by years alone.

    Examples
    --------
    >>> import datetime as dt
    >>> import pyarrow as pa
    >>> from amongst.pseudonyms import age_at
    >>> age_at(pa.array([dt.date(1980, 6, 1)]), pa.array([dt.date(2020, 5, 31)])).to_pylist()
    [39]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    born, event = _one(born), _one(event)
    if not (pa.types.is_date(event.type) or pa.types.is_timestamp(event.type)):
        fix = "give a column of dates"
        raise BadInput("An event has a date.", found=f"a column of type {event.type}", fix=fix)
    if pa.types.is_integer(born.type):
        return pc.subtract(pc.year(event), born.cast(pa.int64()))
    years = pc.subtract(pc.year(event), pc.year(born))
    day = [pc.add(pc.multiply(pc.month(one), 100), pc.day(one)) for one in (event, born)]
    return pc.subtract(years, pc.if_else(pc.less(day[0], day[1]), 1, 0))


def _one(values: Any) -> pa.Array:
    import pyarrow as pa

    array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    array = array if isinstance(array, (pa.Array, pa.ChunkedArray)) else pa.array(array)
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.nulls(0, array.type)
    return array.cast(array.type.value_type) if pa.types.is_dictionary(array.type) else array
