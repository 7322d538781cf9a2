"""l-diversity: every group has at least l well-represented sensitive values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from amongst.errors import BadOption
from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, of_column, real, whole

SENSES = ("frequency", "distinct", "entropy", "recursive")
ALIASES = {"probabilistic": "frequency"}


@dataclass(frozen=True)
class LDiversity(Model):
    """Whoever is known to be in a group, the sensitive value remains open between about l.

    Parameters
    ----------
    l : int or float
    sense : {"frequency", "distinct", "entropy"} or ("recursive", c)
        What well represented means. "frequency" (also called "probabilistic"): no value has more than 1/l of the
        group (Ghinita et al., *Fast Data Anonymization with Low Information Loss*, definition 3). "distinct": at
        least l different values. "entropy": the entropy of the values is at least log l. ("recursive", c): the
        most frequent value is less often there than c times all values from the l-th most frequent on
        (Machanavajjhala et al., *l-Diversity*, ICDE 2006).
    column : str, optional
        The sensitive column; left out, every sensitive column, each for itself.

    Examples
    --------
    >>> import amongst as am
    >>> am.LDiversity(3).words()
    'In every group no value of any sensitive column has more than 1 in 3 of the rows (l = 3).'
    >>> am.LDiversity(3, ("recursive", 2.0), column="disease").c
    2.0
    """

    l: float  # noqa: E741
    sense: Any = "frequency"
    column: str | None = None
    name = "l-diversity"
    symbol = "l"
    place = 20
    typed = (("--l", "l"), ("--l-sense", "sense", "c"))
    counts = "values"
    choices = MappingProxyType({"sense": SENSES})
    many_tables = True
    two_tables = True
    caveat = (
        "l-diversity leaves about l values open for everybody. It does not see that values may mean nearly the "
        "same (three kinds of cancer are three values), nor that a value may be far more likely in a group than in the "
        "table; and who can rule out some of the values learns more."
    )
    card = Card(
        title="l-diversity",
        means="In every group the sensitive values differ: none belongs to more than 1 in l, or at least l occur.",
        leaves_open="values that differ and mean the same, such as two kinds of cancer; groups unlike the whole table.",
        fields=(
            Field("l", "l", 1, None, 1, whole=True),
            Field(
                "sense",
                "counted as",
                options={
                    None: "no value above 1 in l",
                    "distinct": "l different values",
                    "entropy": "entropy of l values",
                },
            ),
        ),
        first={"l": 3},
        common=True,
    )

    def __post_init__(self) -> None:
        sense, c = _sense(self.sense)
        object.__setattr__(self, "sense", sense if c is None else (sense, c))
        if self.kind in ("distinct", "recursive"):
            whole(self.l, "l", 1, "LDiversity(3)")
        real(self.l, "l", "LDiversity(3)", least=1)
        column_name(self.column)

    @property
    def kind(self) -> str:
        """The sense without its c."""
        return self.sense[0] if isinstance(self.sense, tuple) else self.sense

    @property
    def c(self) -> float | None:
        """The c of recursive (c, l)-diversity."""
        return self.sense[1] if isinstance(self.sense, tuple) else None

    @property
    def smallest_group(self) -> int:
        return math.ceil(self.l - 1e-9)

    @property
    def survives_more_rows(self) -> bool:
        return self.kind == "distinct"

    @property
    def asks_nothing(self) -> bool:
        return self.l <= 1 and (self.c is None or self.c > 1)

    @property
    def condition(self) -> str:
        return self.kind

    @property
    def largest_share(self) -> float | None:
        return 1 / self.l if self.kind == "frequency" else None

    def words(self, people: bool = False) -> str:
        who = "people" if people else "rows"
        column, any_column, number = of_column(self.column), of_column(self.column, "any"), f"{self.l:g}"
        text = {
            "frequency": f"In every group no value {any_column} has more than 1 in {number} of the {who}",
            "distinct": f"Every group has at least {number} different values {column}",
            "entropy": f"In every group the values {column} are as evenly spread as {number} equally frequent ones",
            "recursive": f"In every group the most frequent value {column} has fewer {who} than {self.c} times those "
            f"from place {number} on",
        }[self.kind]
        return f"{text} (l = {number})."

    def easier(self, best: float) -> str:
        return f"use l <= {best:.6g}" + (", or a larger c" if self.kind == "recursive" else "")

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"model": self.name, "l": self.l, "sense": self.kind}
        if self.c is not None:
            fields["c"] = self.c
        return fields | ({} if self.column is None else {"column": self.column})

    @classmethod
    def from_fields(  # type: ignore[override]
        cls,
        l: float,  # noqa: E741
        sense: str = "frequency",
        c: float | None = None,
        column: str | None = None,
    ) -> LDiversity:
        """From the fields of a job file or manifest, where c stands beside the sense."""
        return cls(l, sense if c is None else (sense, c), column)


def _sense(sense: Any) -> tuple[str, float | None]:
    if isinstance(sense, (tuple, list)) and len(sense) == 2 and sense[0] == "recursive":
        real(sense[1], "c", '("recursive", 2.0)', above=0)
        return "recursive", float(sense[1])
    known = ALIASES.get(sense, sense) if isinstance(sense, str) else None
    if known in SENSES and known != "recursive":
        return str(known), None
    raise BadOption(
        "There is no such sense of l-diversity.",
        found=f"sense = {sense!r}",
        fix='use "frequency", "distinct", "entropy", or ("recursive", c) with a number c',
    )
