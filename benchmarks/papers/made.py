"""One run of a method on one table: how long it takes and what it loses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.measure.discernibility import discernibility
from amongst.measure.ncp import gcp, ncp
from amongst.models import Model
from amongst.partition.methods import find_method
from amongst.partition.partition import Partition
from amongst.partition.requested import encode_for
from amongst.release import Release
from amongst.schema.check import check
from amongst.schema.schema import Schema
from benchmarks.papers.experiment import Panel

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Way:
    """A series of a figure: a method with options.

    Attributes
    ----------
    method : str
    options : dict
    flat : bool
        Whether the columns are ordered sets without hierarchies.
    printed : dict
        The options of the version that the paper prints, where there is one.
    """

    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    flat: bool = False
    printed: Mapping[str, Any] = field(default_factory=dict)

    def now(self) -> Way:
        """As it is run: ours, or as printed."""
        return replace(self, options={**self.options, **self.printed}) if printed_now() else self


_versions = ["ours"]


def printed_now() -> bool:
    """Whether methods are run as their papers print them."""
    return _versions[-1] == "paper"


@contextmanager
def version(name: str) -> Iterator[None]:
    """Run methods as printed ("paper") or as ours."""
    _versions.append(name)
    try:
        yield
    finally:
        _versions.pop()


@dataclass(frozen=True, eq=False)
class Case:
    """A table with its schema and what is asked of it: an x of a figure."""

    table: pa.Table
    schema: Schema
    models: Sequence[Model]

    @cached_property
    def checked(self) -> Schema:
        return check(self.schema, self.table)

    @cached_property
    def coded(self) -> CodedTable:
        return encode_for(self.table, self.checked, self.models, None)

    @cached_property
    def flat(self) -> Case:
        """The same with ordered columns, whose hierarchies leave nothing but the order of their leaves."""
        columns = dict(self.schema)
        for coded in self.coded.columns:
            column = replace(columns[coded.name], hierarchy=None, publish=None)
            if coded.kind != "numeric":
                column = replace(column, kind="ordered", order=coded.values.to_pylist())
            columns[coded.name] = column
        return Case(self.table, Schema(columns), self.models)


@dataclass(frozen=True, eq=False)
class Made:
    """What a method made of a case, and the CPU seconds of the grouping alone."""

    case: Case
    way: Way
    partition: Partition
    seconds: float

    @cached_property
    def gcp(self) -> float:
        return gcp(ncp(self.case.coded, self.case.checked, self.partition))

    @property
    def certainty(self) -> float:
        """The certainty penalty of the table: the sum over rows and columns."""
        return self.gcp * self.case.coded.n_rows * self.case.coded.n_qi

    @property
    def dm(self) -> float:
        """C_DM of the groups that the method makes."""
        size = self.partition.size_of_group
        return float(discernibility(size, self.case.coded.n_input - int(size.sum()), self.case.coded.n_input))

    @cached_property
    def release(self) -> Release:
        from amongst.anonymize import anonymize

        return anonymize(self.case.table, self.case.schema, self.case.models, self.way.method, **self.way.options)


def make(case: Case, way: Way) -> Made:
    """Group the rows of a case."""
    way = way.now()
    case = case.flat if way.flat else case
    table = case.coded
    began = time.process_time()
    partition = find_method(way.method).run(table, case.models, **way.options)
    return Made(case, way, partition, time.process_time() - began)


@dataclass(frozen=True)
class Measure:
    """One panel of a sweep: what is measured, and which ways are left out of it."""

    title: str
    y_name: str
    of: Callable[[Made], float]
    log_y: bool = False
    without: Sequence[str] = ()


GCP = Measure("information loss", "GCP", lambda made: made.gcp)
DM = Measure("discernibility", "C_DM", lambda made: made.dm, log_y=True)
SECONDS = Measure("time", "CPU seconds", lambda made: made.seconds, log_y=True)


def sweep(
    x_name: str,
    xs: Sequence[float],
    case_of: Callable[[Any], Case],
    ways: Mapping[str, Way],
    measures: Sequence[Measure],
    log_x: bool = False,
) -> list[Panel]:
    """Every way at every x; a panel for every measure."""
    found: list[dict[str, list[float | None]]] = [
        {name: [] for name in ways if name not in measure.without} for measure in measures
    ]
    if SECONDS in measures:  # what is imported and built when it is first used
        for way in ways.values():
            make(case_of(xs[0]), way)
    for x in xs:
        case = case_of(x)
        for name, way in ways.items():
            made = make(case, way)
            for measure, series in zip(measures, found, strict=True):
                if name in series:
                    series[name].append(float(measure.of(made)))
    return [
        Panel(measure.title, x_name, measure.y_name, list(xs), series, log_x=log_x, log_y=measure.log_y)
        for measure, series in zip(measures, found, strict=True)
    ]


def over_draws(n: int, panels_of: Callable[[int], list[Panel]]) -> list[Panel]:
    """The mean of every series over several draws of the data, by their seeds."""
    drawn = [panels_of(seed) for seed in range(n)]
    return [
        replace(
            same[0],
            series={
                name: [float(np.mean(values)) for values in zip(*(one.series[name] for one in same), strict=True)]
                for name in same[0].series
            },
        )
        for same in zip(*drawn, strict=True)
    ]


def some_columns(schema: Schema, quasi: Sequence[str], sensitive: Sequence[str] = ()) -> Schema:
    """The schema with these quasi-identifiers and sensitive columns; the others are dropped."""
    roles = {**dict.fromkeys(quasi, "quasi"), **dict.fromkeys(sensitive, "sensitive")}
    return Schema({name: replace(column, role=roles.get(name, "identifier")) for name, column in schema.items()})


def first_rows(table: Any, n: int, seed: int = 0) -> Any:
    """Some rows by lot."""
    if n >= table.num_rows:
        return table
    return table.take(np.sort(np.random.default_rng(seed).choice(table.num_rows, n, replace=False)))
