"""t-closeness: in every group the sensitive values are distributed nearly as in the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from amongst.errors import refuse_unknown_word
from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, of_column, real

DISTANCES = ("equal", "ordered", "hierarchical")


@dataclass(frozen=True)
class TCloseness(Model):
    """Knowing somebody's group says little about the sensitive value that the whole table does not say.

    The distance between the two distributions is the earth mover's distance (Li, Li, Venkatasubramanian,
    *t-Closeness*, ICDE 2007).

    Parameters
    ----------
    t : float
        The largest distance, from 0 to 1.
    distance : {"equal", "ordered", "hierarchical"}, optional
        How far two values are apart: 1 for any two; by their places among the values of the table in order; by
        the height of their lowest common ancestor in the column's hierarchy. Left out: ordered for numbers, dates
        and ordered columns, else hierarchical where the column has a hierarchy, else equal.
    column : str, optional
        The sensitive column; left out, every sensitive column, each for itself.

    Examples
    --------
    >>> import amongst as am
    >>> am.TCloseness(0.2, column="disease").words()
    "In every group the values of 'disease' are distributed as in the whole table, up to a distance of 0.2 (t = 0.2)."
    """

    t: float
    distance: str | None = None
    column: str | None = None
    name = "t-closeness"
    symbol = "t"
    place = 30
    typed = (("--t", "t"), ("--t-distance", "distance"))
    larger_asks_more = False
    counts = "values"
    choices = MappingProxyType({"distance": DISTANCES})
    condition = "earth-mover"
    whole_table_holds = True
    caveat = (
        "t-closeness bounds what a group tells beyond the whole table, on the whole. A rare value can still be "
        "several times as likely in a group as in the table, and what the table tells about everybody is not hidden."
    )
    card = Card(
        title="t-closeness",
        means="In every group the sensitive values are spread nearly as in the whole table.",
        leaves_open="what the whole table tells about everybody. It costs the most detail of these three.",
        fields=(Field("t", "t", 0, 1, 0.05, whole=False),),
        first={"t": 0.2},
        common=True,
    )

    def __post_init__(self) -> None:
        real(self.t, "t", "TCloseness(0.2)", least=0, most=1)
        column_name(self.column)
        if self.distance is not None:
            refuse_unknown_word(
                "There is no such distance between sensitive values.", "distance", self.distance, DISTANCES
            )

    @property
    def asks_nothing(self) -> bool:
        return self.t >= 1

    @property
    def needs_order(self) -> bool:
        return self.distance != "equal"

    def words(self, people: bool = False) -> str:
        how = "" if self.distance is None else f" by the {self.distance} distance"
        return (
            f"In every group the values {of_column(self.column)} are distributed as in the whole table{how}, "
            f"up to a distance of {self.t:g} (t = {self.t:g})."
        )
