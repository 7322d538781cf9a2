"""beta-likeness: no sensitive value is much more frequent in a group than in the whole table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from amongst.errors import BadOption
from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, of_column, real


@dataclass(frozen=True)
class BetaLikeness(Model):
    """The share of a sensitive value in a group exceeds its share in the table by at most beta times the latter.

    Cao, Karras, *Publishing Microdata with a Robust Privacy Guarantee*, VLDB 2012. With p the share in the table
    and q that in the group, the basic sense asks for (q - p) / p <= beta for every value, the enhanced one for
    (q - p) / p <= min(beta, -ln p), which also bounds what frequent values may become.

    Parameters
    ----------
    beta : float
        Above 0.
    enhanced : bool
    column : str, optional
        The sensitive column; left out, every sensitive column, each for itself.

    Examples
    --------
    >>> import amongst as am
    >>> am.BetaLikeness(2).words()
    'In no group does a value of any sensitive column gain more than 2 times its share in the table (beta = 2).'
    """

    beta: float
    enhanced: bool = False
    column: str | None = None
    name = "beta-likeness"
    symbol = "beta"
    place = 40
    typed = (("--beta", "beta"),)
    larger_asks_more = False
    counts = "values"
    condition = "gain"
    whole_table_holds = True
    caveat = (
        "beta-likeness bounds how much more likely a value becomes. It does not bound how much less likely: "
        "that somebody does not have a value may be certain."
    )
    card = Card(
        title="beta-likeness",
        means="No sensitive value becomes much more likely in a group than it is in the table.",
        leaves_open="values that become less likely: a group may rule a diagnosis out.",
        fields=(Field("beta", "beta", 0.1, None, 0.5, whole=False),),
        first={"beta": 2.0},
    )

    def __post_init__(self) -> None:
        real(self.beta, "beta", "BetaLikeness(2)", above=0)
        column_name(self.column)
        if not isinstance(self.enhanced, bool):
            raise BadOption(
                "enhanced is true or false.", found=f"enhanced = {self.enhanced!r}", fix="use True or False"
            )

    @property
    def asks_nothing(self) -> bool:
        return not self.enhanced and math.isinf(self.beta)

    def words(self, people: bool = False) -> str:
        more = ", nor more than -ln of that share," if self.enhanced else ""
        return (
            f"In no group does a value {of_column(self.column, 'any')} gain more than {self.beta:g} times{more} "
            f"its share in the table (beta = {self.beta:g})."
        )
