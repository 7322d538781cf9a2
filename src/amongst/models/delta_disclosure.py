"""delta-disclosure: the share of a sensitive value in a group is near its share in the table, as a ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType

from amongst.errors import BadOption
from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, of_column, real

ABSENT = ("ignored", "counted")


@dataclass(frozen=True)
class DeltaDisclosure(Model):
    """For every sensitive value the ratio of its share in a group to that in the table lies in [e^-delta, e^delta].

    Brickell, Shmatikov, *The Cost of Privacy*, KDD 2008, with the natural logarithm.

    Parameters
    ----------
    delta : float
        The largest ``|ln(share in the group / share in the table)|``, above 0.
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
    place = 50
    typed = (("--delta-disclosure", "delta"),)
    larger_asks_more = False
    counts = "values"
    choices = MappingProxyType({"absent": ABSENT})
    condition = "ratio"
    whole_table_holds = True
    caveat = (
        "delta-disclosure bounds how far the shares of values differ from those in the table. Where "
        "absent values are ignored, it may be certain that somebody does not have a value."
    )
    card = Card(
        title="delta-disclosure",
        means="No sensitive value becomes much more or much less likely in a group than in the table.",
        leaves_open="values that a group does not have at all, unless they are counted.",
        fields=(
            Field("delta", "delta", 0.1, None, 0.1, whole=False),
            Field("absent", "absent values", options={"ignored": "ignored", "counted": "counted"}),
        ),
        first={"delta": 1.5, "absent": "ignored"},
    )

    def __post_init__(self) -> None:
        real(self.delta, "delta", "DeltaDisclosure(1.5)", above=0)
        column_name(self.column)
        if self.absent not in ABSENT:
            raise BadOption(
                "Values that a group does not have are ignored or counted.",
                found=f"absent = {self.absent!r}",
                fix='use "ignored" or "counted"',
            )

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        return self.absent == "counted"

    @property
    def asks_nothing(self) -> bool:
        return math.isinf(self.delta) and self.absent != "counted"

    def words(self, people: bool = False) -> str:
        which = "every value" if self.absent == "counted" else "every value it has"
        return (
            f"In every group the share of {which} {of_column(self.column)} differs from that in the table by a factor "
            f"of at most e^{self.delta:g} (delta = {self.delta:g})."
        )
