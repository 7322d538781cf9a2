"""How a column is to be read: a form, and the texts that mean missing in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from amongst.errors import BadOption
from amongst.read.forms import Form, form_of

if TYPE_CHECKING:
    import pyarrow as pa

FOUND = "found"
"""Said instead of forms: take those that the cells show without doubt."""
_MOST_NAMES = 10


@dataclass(frozen=True)
class Reads:
    """How the cells of one column are to be read.

    Attributes
    ----------
    form : str
        Such as "1.234,56" or "dd.MM.yyyy"; see ``amongst.read.forms``.
    missing : tuple of str
        Texts that mean missing in this column.
    """

    form: str
    missing: tuple[str, ...] = ()
    format: ClassVar[str] = "csv"
    """The format in which a release has the texts again."""

    def __post_init__(self) -> None:
        form_of(self.form)

    @classmethod
    def of(cls, told: Any) -> Reads:
        """From a form, or a table with ``form`` and ``missing``."""
        if isinstance(told, Reads):
            return told
        if isinstance(told, str):
            return cls(told)
        if isinstance(told, Mapping) and isinstance(told.get("form"), str) and not set(told) - {"form", "missing"}:
            missing = told.get("missing", ())
            if (
                isinstance(missing, Sequence)
                and not isinstance(missing, str)
                and all(isinstance(t, str) for t in missing)
            ):
                return cls(told["form"], tuple(missing))
        raise BadOption(
            "How a column is read is a form, or a form and what means missing.",
            found=f"something of type {type(told).__name__}",
            fix='say "dd.MM.yyyy", or { form = "1234,56", missing = ["n.b."] }',
        )

    @property
    def plain(self) -> str | dict[str, Any]:
        """As a job file has it."""
        return {"form": self.form, "missing": list(self.missing)} if self.missing else self.form

    @property
    def settled(self) -> Form:
        return form_of(self.form)

    def values(self, cells: pa.Array) -> tuple[pa.Array, Any]:
        """Distinct texts as what they are, null where they mean missing; and which of them fit neither."""
        import pyarrow as pa
        import pyarrow.compute as pc

        trimmed = cells if self.form == "text" else pc.utf8_trim_whitespace(cells)
        empty = pc.is_in(trimmed, pa.array(["", *(word.strip() for word in self.missing)], pa.string()))
        if self.form == "text":
            empty = pc.is_in(cells, pa.array(self.missing, pa.string()))
        told = pc.if_else(empty, pa.scalar(None, pa.string()), trimmed)
        values = self.settled.read(told)
        return values, pc.and_(pc.is_valid(told), pc.is_null(values))


def all_reads(told: Any) -> dict[str, Reads]:
    """What was told of columns, by name."""
    if not isinstance(told, Mapping):
        raise BadOption(
            "How columns are read is told by their names.",
            found=f"something of type {type(told).__name__}",
            fix=f'give {{"birth": "dd.MM.yyyy"}}, or "{FOUND}" for what the cells show',
        )
    return {str(name): Reads.of(one) for name, one in told.items()}


def refuse_unknown(reads: Mapping[str, Reads], names: Sequence[str]) -> None:
    """Raise where columns are to be read that are not there."""
    unknown = [name for name in reads if name not in names]
    if unknown:
        raise BadOption(
            "Forms are told of columns that are not there.",
            found=", ".join(f"'{name}'" for name in unknown[:_MOST_NAMES]),
            fix="check the names; the columns are " + ", ".join(f"'{name}'" for name in names[:_MOST_NAMES]),
        )
