"""delta-disclosure: the share of a sensitive value in a group is near its share in the table, as a ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from amongst.errors import BadOption
from amongst.models.numbers import column_name, of_column, real


@dataclass(frozen=True)
class DeltaDisclosure:
    """For every sensitive value the ratio of its share in a group to that in the table lies in [e^-delta, e^delta].

    Brickell, Shmatikov, *The Cost of Privacy*, KDD 2008, with the natural logarithm.

    Parameters
    ----------
    delta : float
        The largest |ln(share in the group / share in the table)|, above 0.
    absent : {"ignored", "counted"}
        A value that a group does not have at all has a ratio of 0, whose logarithm is beyond every delta. The paper
        counts it, so that every group must have every value; ARX and pyCANON ignore it. Ignored, the model is not
        monotone: joining two groups can break it.
    column : str, optional
        The sensitive column; left out, every sensitive column, each for itself.

    Examples
    --------
    >>> import amongst as am
    >>> am.DeltaDisclosure(1.5, absent="counted").monotone
    True
    """

    delta: float
    absent: str = "ignored"
    column: str | None = None
    name = "delta-disclosure"
    symbol = "delta"
    smallest_group = 1

    def __post_init__(self) -> None:
        real(self.delta, "delta", "DeltaDisclosure(1.5)", above=0)
        column_name(self.column)
        if self.absent not in ("ignored", "counted"):
            raise BadOption(
                "Values that a group does not have are ignored or counted.",
                found=f"absent = {self.absent!r}",
                fix='use "ignored" or "counted"',
            )

    @property
    def monotone(self) -> bool:
        return self.absent == "counted"

    @property
    def asked(self) -> float:
        return self.delta

    def words(self) -> str:
        """What the model asks for, in a sentence."""
        which = "every value" if self.absent == "counted" else "every value it has"
        return (
            f"In every group the share of {which} {of_column(self.column)} differs from that in the table by a factor "
            f"of at most e^{self.delta:g} (delta = {self.delta:g})."
        )

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"model": self.name, "delta": self.delta, "absent": self.absent}
        return fields | ({} if self.column is None else {"column": self.column})
