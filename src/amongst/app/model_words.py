"""Every privacy model for people who do not read papers: what it means, what it asks, what it leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Field:
    """A number, or a choice, of a model."""

    name: str
    label: str
    least: float | None = None
    most: float | None = None
    step: float = 1
    whole: bool = True
    options: Mapping[Any, str] = field(default_factory=dict)

    def number(self, value: float | None) -> float | int | None:
        """What was typed, as the model wants it."""
        if value is None:
            return None
        return int(value) if self.whole and float(value).is_integer() else float(value)


@dataclass(frozen=True)
class Card:
    """A model as the page shows it.

    Attributes
    ----------
    first : mapping
        What it begins with when it is chosen.
    needs : {"", "sensitive", "population"}
    common : bool
        Whether it is shown at first, not under more.
    many_tables : bool
        Whether it can be asked of many tables.
    """

    name: str
    title: str
    means: str
    leaves_open: str
    fields: tuple[Field, ...]
    first: Mapping[str, Any]
    needs: str = ""
    common: bool = False
    many_tables: bool = False


CARDS = (
    Card(
        "k-anonymity",
        "k-anonymity",
        "Nobody can be told from at least k − 1 others by the columns that others may know.",
        "what the others have in common: if all k share a diagnosis, it is known of each of them.",
        (Field("k", "k", 1, None),),
        {"k": 10},
        common=True,
        many_tables=True,
    ),
    Card(
        "l-diversity",
        "l-diversity",
        "In every group the sensitive values differ: none belongs to more than 1 in l, or at least l occur.",
        "values that differ and mean the same, such as two kinds of cancer; groups unlike the whole table.",
        (
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
        {"l": 3},
        needs="sensitive",
        common=True,
        many_tables=True,
    ),
    Card(
        "t-closeness",
        "t-closeness",
        "In every group the sensitive values are spread nearly as in the whole table.",
        "what the whole table tells about everybody. It costs the most detail of these three.",
        (Field("t", "t", 0, 1, 0.05, whole=False),),
        {"t": 0.2},
        needs="sensitive",
        common=True,
    ),
    Card(
        "alpha-k",
        "(alpha, k)-anonymity",
        "Groups of k, in which no sensitive value has more than a share alpha.",
        "rare values: a share of alpha may still be far above the share in the table.",
        (Field("alpha", "alpha", 0.01, 1, 0.05, whole=False), Field("k", "k", 1, None)),
        {"alpha": 0.5, "k": 10},
        needs="sensitive",
    ),
    Card(
        "beta-likeness",
        "beta-likeness",
        "No sensitive value becomes much more likely in a group than it is in the table.",
        "values that become less likely: a group may rule a diagnosis out.",
        (Field("beta", "beta", 0.1, None, 0.5, whole=False),),
        {"beta": 2.0},
        needs="sensitive",
    ),
    Card(
        "delta-disclosure",
        "delta-disclosure",
        "No sensitive value becomes much more or much less likely in a group than in the table.",
        "values that a group does not have at all, unless they are counted.",
        (
            Field("delta", "delta", 0.1, None, 0.1, whole=False),
            Field("absent", "absent values", options={"ignored": "ignored", "counted": "counted"}),
        ),
        {"delta": 1.5, "absent": "ignored"},
        needs="sensitive",
    ),
    Card(
        "proximity",
        "Proximity",
        "For numbers: in every group at most 1 in l values lie close together.",
        "sensitive columns that are not numbers or dates.",
        (Field("l", "l", 1, None), Field("width", "close is within", 0, None, 100, whole=False)),
        {"l": 3, "width": 1000.0},
        needs="sensitive",
    ),
    Card(
        "k-of-subsets",
        "k of every few columns",
        "Whoever knows m of the columns finds at least k rows. For tables with many columns.",
        "somebody who knows more than m columns of a person.",
        (Field("k", "k", 1, None), Field("m", "m", 1, None)),
        {"k": 10, "m": 2},
    ),
    Card(
        "k-map",
        "k-map",
        "Every published combination fits at least k people of a population, even where it is alone in the release.",
        "an intruder who knows who of the population is in the data.",
        (Field("k", "k", 1, None),),
        {"k": 10},
        needs="population",
    ),
    Card(
        "delta-presence",
        "delta-presence",
        "Nobody learns much about whether somebody of a population is in the data at all.",
        "what is said about those who are known to be in it.",
        (
            Field("lower", "at least", 0, 1, 0.05, whole=False),
            Field("upper", "at most", 0, 1, 0.05, whole=False),
        ),
        {"lower": 0.0, "upper": 0.5},
        needs="population",
    ),
)
