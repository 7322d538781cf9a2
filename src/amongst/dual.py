"""The dual problem: not the least loss for a k or an l, but the largest k or l for a loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from amongst.acceptable import Acceptable
from amongst.encode import CodedTable
from amongst.engines.in_memory import MemoryStore
from amongst.engines.store import Grouping
from amongst.errors import Infeasible
from amongst.models import KAnonymity, LDiversity, Model
from amongst.partition.conditions import columns_of
from amongst.partition.feasible import refuse_ineligible
from amongst.partition.partition import Partition
from amongst.read import Source, read
from amongst.release import Release
from amongst.request import Request
from amongst.schema.check import check
from amongst.schema.schema import Schema

LOOK_AHEAD = 3
"""The loss of a heuristic may fall when k grows: so many k above the answer are tried as well."""

HEAVIER = (1.0, 4.0, 16.0, 64.0, 256.0)
"""Where a column breaks its limit, the run is repeated with its weight so many times the schema's."""


@dataclass(frozen=True)
class Try:
    """One k, or l, that was tried.

    Attributes
    ----------
    k : int
        The k, or the l.
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


@dataclass(frozen=True)
class LargestL:
    """What ``largest_l`` gives: the l, its release, and all that was tried, by l."""

    l: int  # noqa: E741
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

    Notes
    -----
    k is doubled until a limit breaks, then the gap is halved. A method that is no exact search may lose less for
    a larger k, so the next few k above the answer are tried as well, and the answer moves up where one of them
    holds. That every larger k breaks a limit is not proved.

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
    asked = Acceptable(max_loss, dict(limits or {}), dict(losses or {}))

    def models_of(k: int) -> list[Model]:
        return [KAnonymity(k)]

    request = Request(schema=schema, models=models_of(2), method=method, options=options, form=form, seed=seed)
    k, release, tried = _answer(data, request, models_of, asked, "k", progress)
    return LargestK(k, release, tried)


def largest_l(
    data: Any,
    schema: Schema,
    max_loss: float | None = None,
    *,
    sense: Any = "frequency",
    column: str | None = None,
    k: int = 1,
    method: str = "best",
    limits: Mapping[str, float] | None = None,
    losses: Mapping[str, float] | None = None,
    form: str = "labels",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> LargestL:
    """The largest whole l of l-diversity whose release loses no more than is acceptable.

    Parameters
    ----------
    sense, column
        As for ``LDiversity``.
    k : int
        Every group has at least so many rows, whatever the l.
    data, schema, max_loss, method, limits, losses, form, seed, progress, **options
        As for ``largest_k``.

    Returns
    -------
    LargestL

    Examples
    --------
    >>> import amongst as am
    >>> people = am.datasets.load("census", n_rows=2000)
    >>> found = am.largest_l(people.table, people.schema, 0.4, column="occupation", method="hilbert")
    >>> found.release.utility.gcp <= 0.4, found.l >= 2
    (True, True)
    """
    asked = Acceptable(max_loss, dict(limits or {}), dict(losses or {}))

    def models_of(number: int) -> list[Model]:
        return [KAnonymity(k), LDiversity(number, sense, column)]

    request = Request(schema=schema, models=models_of(2), method=method, options=options, form=form, seed=seed)
    found, release, tried = _answer(data, request, models_of, asked, "l", progress)
    return LargestL(found, release, tried)


def _answer(
    data: Any,
    request: Request,
    models_of: Callable[[int], list[Model]],
    asked: Acceptable,
    symbol: str,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, Release, tuple[Try, ...]]:
    """The largest number that an acceptable loss allows, and its release."""
    store = MemoryStore(data if isinstance(data, Source) else read(data))
    counts = store.look(request, lambda step, done, total: None)
    request = replace(request, schema=check(request.schema, counts.columns, form=request.form))
    asked.check(request.schema)
    coded = store.encode(counts, request, lambda step, done, total: None)
    most = coded.n_rows if symbol == "k" else _largest_eligible(coded, models_of)
    search = _Search(
        coded=coded, request=request, asked=asked, models_of=models_of, most=most, symbol=symbol, progress=progress
    )
    number = search.run()
    partition, schema, coded = search.kept
    request = replace(request, schema=schema, models=models_of(number))
    groups = Grouping(coded=coded, partition=partition)
    release = Release(
        request=request,
        store=store,
        source=store.known(counts, groups),
        coded=coded,
        partition=partition,
        plan=store.plan(groups, counts, request),
    )
    return number, release, tuple(search.tried[one] for one in sorted(search.tried))


def _largest_eligible(coded: CodedTable, models_of: Callable[[int], list[Model]]) -> int:
    """The largest l that the table as one group holds, in every column that is asked of."""
    beyond = models_of(coded.n_rows + 1)[-1]
    most = coded.n_rows
    for name in columns_of(beyond, coded):
        try:
            refuse_ineligible(coded, coded.sensitive[name], beyond)
        except Infeasible as error:
            most = min(most, int(error.facts["largest_l"]))
    return most


class _Search:
    """Doubling, then halving, then a look at the neighbours."""

    def __init__(
        self,
        coded: CodedTable,
        request: Request,
        asked: Acceptable,
        models_of: Callable[[int], list[Model]],
        most: int,
        symbol: str,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.coded, self.schema, self.method = coded, request.schema, request.chosen
        lots = {"seed": request.seed} if self.method.draws_lots else {}
        self.options: dict[str, Any] = {**lots, **request.options}
        self.asked, self.models_of, self.most, self.symbol = asked, models_of, most, symbol
        self.progress = progress
        self.tried: dict[int, Try] = {}
        self.kept: tuple[Partition, Schema, CodedTable]
        self.kept_k, self.least_loss = 0, 1.0

    def run(self) -> int:
        most = self.most
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
            partition = self.method.run(coded, self.models_of(k), **self.options)
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
        rules = {name: replace(self.schema[name], weight=weight) for name, weight in weight_of.items()}
        columns = [replace(column, weight=weight_of.get(column.name, column.weight)) for column in self.coded.columns]
        return self.schema.with_columns(**rules), replace(self.coded, columns=columns)

    def _refuse(self, k: int) -> None:
        found = self.tried[k]
        raise Infeasible(
            f"With the method {self.method.name!r} no {self.symbol} of 2 or more keeps what is acceptable.",
            found=[f"{self.symbol} = {k}: {words}" for words in found.broken],
            fix=f"accept a loss of {self.least_loss:.4f}, or wider ranges, or choose another method",
            least_loss=self.least_loss,
        )
