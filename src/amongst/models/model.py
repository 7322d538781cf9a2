"""What every privacy model declares: who searches, proves, writes or shows asks the model, never which one it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from amongst.models.population import population_fields

if TYPE_CHECKING:
    import numpy as np

    from amongst.models.card import Card
    from amongst.schema.schema import Schema

Counts = Literal["rows", "subsets", "values", "population"]


class Model:
    """A privacy model: what is asked, in words, and what a search may rely on.

    A model is a frozen dataclass that names itself and declares what differs from what is said here. How it is proved
    lies in ``amongst.verify.proofs``, in the file of the same name, which shares no code with a search.

    Attributes
    ----------
    name : str
        As in job files, manifests and the command: ``k-anonymity``.
    symbol : str
        The letter that it is asked with, which is also the field that holds the number.
    larger_asks_more : bool
        Whether a larger number asks for more: so it is of k and l, not of t.
    counts : {"rows", "subsets", "values", "population"}
        What must be counted in a group. "rows": nothing but its size. "subsets": its rows on some of the columns
        (``k`` and ``m``). "values": the values of sensitive columns. "population": the people of another table.
    monotone : bool
        Whether a union of groups holds it where each of them does.
    survives_more_rows : bool
        Whether a group that holds it does so whatever rows are added: searches that suppress rows, and those that
        count people, need that.
    survives_suppression : bool
        Whether a search may leave out rows that fail and still find all answers.
    smallest_group : int
        No smaller group can hold it.
    group_size : int
        The size of groups that hold what is asked of rows, for methods that look at all columns only.
    asks_nothing : bool
        Whether every table holds it, so that holding it proves nothing.
    caveat : str
        What it does not protect against, for the report.
    card : Card
        How the page of the app shows it.
    place : int
        Where it stands in lists of models: the smallest first.
    choices : mapping of str to tuple of str
        What a field that is a word may be.
    typed : tuple of tuple of str
        The options of the command that it has for itself, each with the fields that it gives: the first of them asks,
        the others go beside it. Every model can be asked with ``--privacy``.
    letter_of_another : bool
        Whether its letter belongs to a better known model, so that the report names the model beside it.
    many_tables, two_tables : bool
        Whether it can be asked of a database; of two tables that a group number links.

    For models that count sensitive values:

    column : str or None
        The sensitive column; None: every one, each for itself.
    of_kinds : tuple of str
        The kinds of columns that it speaks of; empty: all.
    condition : str
        The search's condition, as ``amongst.partition.value_conditions`` names it; empty: ``holds`` is asked, group by
        group, without a compiled kernel.
    whole_table_holds : bool
        Whether it compares groups with the whole table, which as one group always holds it.
    largest_share : float or None
        Where all it asks is that no value has more than this share.
    distance : str or None
        How far two values are apart, where that is asked for.
    needs_order : bool
        Whether it looks at the order or the hierarchy of the values.

    For models that compare with a population:

    population : path or table
    everybody_must_fit : bool
        Whether everybody of the population must fit something that is published.
    needs_classes : bool
        Whether published nulls that match anything leave nothing to count.
    """

    name: ClassVar[str]
    symbol: ClassVar[str]
    larger_asks_more: ClassVar[bool] = True
    counts: ClassVar[Counts] = "rows"
    caveat: ClassVar[str] = ""
    card: ClassVar[Card]
    place: ClassVar[int] = 100
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    typed: ClassVar[tuple[tuple[str, ...], ...]] = ()
    many_tables: ClassVar[bool] = False
    two_tables: ClassVar[bool] = False
    letter_of_another: ClassVar[bool] = False
    of_kinds: ClassVar[tuple[str, ...]] = ()
    whole_table_holds: ClassVar[bool] = False
    needs_classes: ClassVar[bool] = False

    monotone: bool = True
    column: str | None = None
    distance: str | None = None
    population: Any

    @property
    def asked(self) -> float:
        """The number that is asked for."""
        number: float = getattr(self, self.symbol)
        return number

    @property
    def smallest_group(self) -> int:
        return 1

    @property
    def group_size(self) -> int:
        return self.smallest_group

    @property
    def survives_more_rows(self) -> bool:
        return False

    @property
    def survives_suppression(self) -> bool:
        return self.survives_more_rows

    @property
    def asks_nothing(self) -> bool:
        return False

    @property
    def condition(self) -> str:
        return ""

    @property
    def largest_share(self) -> float | None:
        return None

    @property
    def needs_order(self) -> bool:
        return False

    @property
    def everybody_must_fit(self) -> bool:
        return False

    def columns_in(self, schema: Schema) -> list[str]:
        """The columns of a schema whose values it counts."""
        return schema.sensitive if self.column is None else [self.column]

    def words(self, people: bool = False) -> str:
        """What the model asks for, in a sentence: of rows, or of people where these are counted."""
        raise NotImplementedError

    def easier(self, best: float) -> str:
        """What to ask for instead, where no grouping can reach more than this."""
        return f"use {self.symbol} = {best:.6g}"

    def holds(self, count: np.ndarray, share: np.ndarray, size: float) -> bool:
        """Whether a group may be published: where there is no compiled condition for a model of sensitive values.

        Parameters
        ----------
        count : ndarray, one a value of the column
            How many rows of the group have it; how many people, where these are counted.
        share : ndarray, one a value
            The share of every value in the table.
        size : float
            The rows of the group, or its people.
        """
        raise NotImplementedError

    def breaks(
        self, *, fewest: np.ndarray, most: np.ndarray, fit_fewest: np.ndarray, fit_most: np.ndarray
    ) -> np.ndarray:
        """The groups that may break a model of a population: by the rows that look alike, at fewest and at most, and
        by the people of the population whom they fit, at fewest and at most."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """As a job file and a manifest write it; of a population where it is, never what is in it."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        told = {name: value for name, value in own.items() if value is not None and name != "population"}
        return {"model": self.name, **told, **(population_fields(own["population"]) if "population" in own else {})}

    def with_fields(self, **fields: Any) -> Self:
        """The same with some fields changed: another column, another population."""
        return replace(self, **fields)  # type: ignore[type-var]

    @classmethod
    def from_fields(cls, **fields: Any) -> Self:
        """From the fields of a job file or manifest."""
        return cls(**fields)
