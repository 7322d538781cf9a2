"""What loss is acceptable: in the whole table, in a column, in one published value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.encode import CodedTable
from amongst.errors import BadOption
from amongst.measure.ncp import gcp, ncp, ncp_of_published
from amongst.partition.partition import Partition
from amongst.schema.schema import Schema

ROUNDING = 1e-9


@dataclass(frozen=True)
class Acceptable:
    """The most that may be lost.

    Attributes
    ----------
    max_loss : float, or None
        The largest GCP.
    limits : dict of str to float
        How much of a column one published value may cover: a width for numbers and dates, else a number of
        values.
    losses : dict of str to float
        The largest NCP of a column.
    """

    max_loss: float | None
    limits: dict[str, float]
    losses: dict[str, float]

    def check(self, schema: Schema) -> None:
        """Raise for limits that cannot be."""
        if self.max_loss is None and not self.limits and not self.losses:
            raise BadOption(
                "Nothing limits k.",
                found="no max_loss, limits or losses",
                fix="give at least one, such as max_loss=0.1",
            )
        unknown = sorted((set(self.limits) | set(self.losses)) - set(schema.quasi))
        if unknown:
            raise BadOption(
                "A limit is for a column that is no quasi-identifier.",
                found=", ".join(unknown),
                fix="use: " + ", ".join(schema.quasi),
            )
        shares = {
            "max_loss": self.max_loss,
            **{f"losses[{name!r}]": share for name, share in self.losses.items()},
        }
        for name, share in shares.items():
            if share is not None and not (_number(share) and 0 <= share <= 1):
                raise BadOption(
                    "A loss lies between 0 and 1.",
                    found=f"{name} = {share!r}",
                    fix="use a number such as 0.1",
                )
        for name, width in self.limits.items():
            if not (_number(width) and width >= 0):
                raise BadOption(
                    "A limit must be a number of 0 or more.",
                    found=f"limits[{name!r}] = {width!r}",
                    fix="use a number such as 10",
                )

    def broken(self, coded: CodedTable, schema: Schema, partition: Partition) -> tuple[float, dict[str | None, str]]:
        """The loss of a partition, and what it breaks, by column; None is the table as a whole."""
        penalties = ncp(coded, schema, partition)
        loss = gcp(penalties)
        words: dict[str | None, str] = {}
        if self.max_loss is not None and loss > self.max_loss + ROUNDING:
            words[None] = f"GCP {loss:.4f} is above {self.max_loss:g}"
        for name, share in self.losses.items():
            if penalties[name] > share + ROUNDING:
                words[name] = f"NCP of {name!r} {penalties[name]:.4f} is above {share:g}"
        for name, limit in self.limits.items():
            widest = widest_of(coded, schema, partition, name)
            if widest > limit * (1 + ROUNDING):
                words[name] = f"a published {name!r} covers {widest:g}, more than {limit:g}"
        return loss, words


def widest_of(coded: CodedTable, schema: Schema, partition: Partition, name: str) -> float:
    """The most that one published value covers: a width for numbers and dates, else a number of values."""
    c = [column.name for column in coded.columns].index(name)
    column = coded.columns[c]
    share = float(ncp_of_published(column, schema[name], partition, c)[partition.size_of_group > 0].max(initial=0.0))
    if column.kind in ("numeric", "date"):
        return share * column.span
    if column.position is not None and schema[name].publish != "set" and partition.sets_of(c) is None:
        return share * column.span + 1  # from rank to rank
    return max(1.0, float(np.rint(share * column.n_codes)))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
