"""The dual problem: not the least loss for a k, but the largest k for a loss."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from amongst.acceptable import Acceptable
from amongst.encode import CodedTable, encode
from amongst.errors import Infeasible
from amongst.models import KAnonymity
from amongst.partition import find_method
from amongst.partition.methods import Method
from amongst.partition.partition import Partition
from amongst.read import Source, read
from amongst.recode import recode, refuse_unknown_form
from amongst.release import Release
from amongst.schema.check import check
from amongst.schema.schema import Schema

LOOK_AHEAD = 3
"""The loss of a heuristic may fall when k grows: so many k above the answer are tried as well."""

HEAVIER = (1.0, 4.0, 16.0, 64.0, 256.0)
"""Where a column breaks its limit, the run is repeated with its weight so many times the schema's."""


@dataclass(frozen=True)
class Try:
    """One k that was tried.

    Attributes
    ----------
    k : int
    gcp : float
    broken : tuple of str
        The limits that it breaks, in words; none where it holds.
    heavier : dict of str to float
        The columns whose weight was raised to keep a limit, and how many times.
    """

    k: int
    gcp: float
    broken: tuple[str, ...]
    heavier: dict[str, float]

    @property
    def holds(self) -> bool:
        return not self.broken


@dataclass(frozen=True)
class LargestK:
    """What ``largest_k`` gives: the k, its release, and all that was tried, by k."""

    k: int
    release: Release
    tried: tuple[Try, ...]


def largest_k(
    data: Any,
    schema: Schema,
    max_loss: float | None = None,
    *,
    method: str = "best",
    limits: Mapping[str, float] | None = None,
    losses: Mapping[str, float] | None = None,
    form: str = "labels",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> LargestK:
    """The largest k whose release loses no more than is acceptable.

    Parameters
    ----------
    data : path, pandas, polars or pyarrow table
    schema : Schema
    max_loss : float, optional
        The largest acceptable GCP, between 0 and 1.
    method : str
        One of ``am.methods()``.
    limits : dict of str to number, optional
        How much of a column one published value may cover: the width of a range for numbers and dates (in
        days), the number of values for all others. ``{"age": 10}``: no published age range is wider than
        10.
    losses : dict of str to float, optional
        The largest acceptable NCP of a column, between 0 and 1.
    form, seed, **options
        As for ``anonymize``.
    progress : callable, optional
        Told (k, number of k tried) before every run.

    Returns
    -------
    LargestK

    Notes ----- k is doubled until a limit breaks, then the gap is halved. A method that is no exact search
    may lose less for a larger k, so the next few k above the answer are tried as well, and the answer moves
    up where one of them holds. That every larger k breaks a limit is not proved.

    Methods do not know of ``limits`` and ``losses``; they know weights. Where a column breaks its limit the
    method runs again with a heavier weight for that column, up to 256 times the schema's. The release's
    schema has the weights that were used.

    Examples
    --------
    >>> import amongst as am
    >>> adult = am.datasets.load("adult")
    >>> found = am.largest_k(adult.table, adult.schema, 0.1, method="mondrian")
    >>> found.release.utility.gcp <= 0.1, found.tried[0].k
    (True, 2)
    """
    chosen = find_method(method)
    chosen.check_options(options)
    refuse_unknown_form(form)
    source = data if isinstance(data, Source) else read(data)
    schema = check(schema, source.table, form=form)
    asked = Acceptable(max_loss, dict(limits or {}), dict(losses or {}))
    asked.check(schema)
    coded = encode(source.table, schema)
    told = {"seed": seed, **options} if chosen.draws_lots else options
    search = _Search(coded, schema, chosen, told, asked, progress)
    k = search.run()
    partition, schema, coded = search.kept
    published = recode(source.table, schema, coded, partition, form)
    release = Release(source, schema, [KAnonymity(k)], method, options, seed, form, coded, partition, published)
    return LargestK(k, release, tuple(search.tried[one] for one in sorted(search.tried)))


class _Search:
    """Doubling, then halving, then a look at the neighbours."""

    def __init__(
        self,
        coded: CodedTable,
        schema: Schema,
        method: Method,
        options: Mapping[str, Any],
        asked: Acceptable,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.coded, self.schema, self.method, self.options = coded, schema, method, dict(options)
        self.asked, self.progress = asked, progress
        self.tried: dict[int, Try] = {}
        self.kept: tuple[Partition, Schema, CodedTable]
        self.kept_k, self.least_loss = 0, 1.0

    def run(self) -> int:
        most = self.coded.n_rows
        k, step = min(2, most), 2
        if not self._holds(k):
            self._refuse(k)
        broken = most + 1
        while k < most:
            step = min(2 * k, most)
            if not self._holds(step):
                broken = step
                break
            k = step
        while broken - k > 1:
            middle = (k + broken) // 2
            k, broken = (middle, broken) if self._holds(middle) else (k, middle)
        ahead = k + 1
        while ahead <= min(k + LOOK_AHEAD, most):
            k = ahead if self._holds(ahead) else k
            ahead += 1
        return k

    def _holds(self, k: int) -> bool:
        if k not in self.tried:
            if self.progress is not None:
                self.progress(k, len(self.tried))
            self.tried[k] = self._try(k)
        return self.tried[k].holds

    def _try(self, k: int) -> Try:
        """Run the method; again with heavier weights while nothing but limits of columns is broken."""
        heavier: dict[str, float] = {}
        for _ in HEAVIER:
            schema, coded = self._weighed(heavier)
            partition = self.method.run(coded, [KAnonymity(k)], **self.options)
            loss, broken = self.asked.broken(coded, schema, partition)
            found = Try(k, loss, tuple(broken.values()), dict(heavier))
            self.least_loss = min(self.least_loss, loss)
            if found.holds and k > self.kept_k:
                self.kept_k, self.kept = k, (partition, schema, coded)
            if found.holds:
                return found
            if None in broken:
                return found
            for name in broken:
                step = HEAVIER.index(heavier.get(str(name), 1.0))
                heavier[str(name)] = HEAVIER[min(step + 1, len(HEAVIER) - 1)]
        return found

    def _weighed(self, heavier: Mapping[str, float]) -> tuple[Schema, CodedTable]:
        if not heavier:
            return self.schema, self.coded
        weight_of = {name: self.schema[name].weight * times for name, times in heavier.items()}
        rules = {name: dataclasses.replace(self.schema[name], weight=weight) for name, weight in weight_of.items()}
        columns = [
            dataclasses.replace(column, weight=weight_of.get(column.name, column.weight))
            for column in self.coded.columns
        ]
        return self.schema.with_columns(**rules), CodedTable(columns, self.coded.n_input, self.coded.kept_rows)

    def _refuse(self, k: int) -> None:
        found = self.tried[k]
        raise Infeasible(
            f"With the method {self.method.name!r} no k of 2 or more keeps what is acceptable.",
            found=[f"k = {k}: {words}" for words in found.broken],
            fix=f"accept a loss of {self.least_loss:.4f}, or wider ranges, or choose another method",
            least_loss=self.least_loss,
        )
