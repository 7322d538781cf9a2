"""A release: the published table, or tables, with their proof and their figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.encode.coded import CodedColumn
from amongst.engines.data_file import refuse_unknown_shape
from amongst.errors import BadOption
from amongst.models import Model
from amongst.release.account import ONE_TABLE, TWO_TABLES
from amongst.release.attained import attained
from amongst.release.sensitive import sensitive_figures
from amongst.release.write import write_release
from amongst.schema.doubts import doubts
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.analysis.own_models import NotFitted
    from amongst.analysis.regression import Regression
    from amongst.encode.coded import CodedTable
    from amongst.engines.store import Store
    from amongst.measure import Utility
    from amongst.measure.population import Population
    from amongst.measure.sensitive import SensitiveFigures
    from amongst.partition.certified import LeastLoss
    from amongst.partition.lower_bound import LowerBound
    from amongst.partition.partition import Partition
    from amongst.query.answer import Answers
    from amongst.query.fidelity import Fidelity
    from amongst.query.workload import Workload
    from amongst.query.workload_error import WorkloadError
    from amongst.read.source import Source
    from amongst.recode.plan import RecodingPlan
    from amongst.release.worth_knowing import Worth
    from amongst.report import Story
    from amongst.request import Request
    from amongst.schema.schema import Schema
    from amongst.verify import Verdict


@dataclass(frozen=True, eq=False, kw_only=True)
class Release(Brief):
    """What ``anonymize`` and ``anonymize_database`` give, wherever the rows live: one table, two, or many.

    It has the figures of the release, and can be written. Where the rows are in a file larger than memory, in a
    database or on a cluster they stay there: what would need them here says so. Of many tables schema, verdict and
    utility are those of the tables together; what there is for one table alone says so.

    Attributes
    ----------
    table
        The published table, in the kind of frame that came in. It is verified before it is handed out.
    tables : dict of str to table
        All published tables by their names, likewise.
    sensitive_table
        The second table of a release that has two: the group number, the sensitive value, and how many rows of the
        group have it. Raises for a release of one table.
    verdict : Verdict
        What the verifier found in the published table.
    utility : Utility
        What was kept and lost.
    bound : bool or None
        Whether reports tell the lower bound of the loss; None: where it takes no time worth speaking of.
    sensitive : dict of str to SensitiveFigures
        How well the values of every sensitive column are hidden, before and after, whatever was asked for.
    group_of_row : ndarray
        The group of every input row, -1 where it was suppressed. For study; never written.
    group_of_person : ndarray
        Of many tables the group of every row of the table of persons, -1 where it was suppressed. Likewise.
    unit : str or None
        The column that tells people apart, where people are counted and not rows.
    target, workload
        What it was made for, if that was told.
    request : Request
        All that was asked.
    store : Store
        Where the rows are.
    coded, partition
        The codes that were grouped, and their groups: of rows in memory, elsewhere of the distinct rows that were
        counted, or of one row for every group.
    plan : RecodingPlan
        What every class publishes; of many tables the tables.
    account : Account
        How so many tables are proved, measured and told.
    state : str
        What the store said of itself when its rows were counted.
    certificate : Certificate or None
        What came of hardening, where that was asked for.
    review : Review or None
        For whom it is and what risk is borne, where a job says so; told inside.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> release.verdict.ok
    True
    """

    request: Request
    store: Store
    source: Source
    coded: CodedTable
    partition: Partition
    plan: RecodingPlan
    account: Any = None
    rows_of_code: Sequence[np.ndarray] = ()
    state: str = ""
    certificate: Any = None
    review: Any = None

    def __post_init__(self) -> None:
        if self.account is None:
            object.__setattr__(self, "account", ONE_TABLE if self.plan.sensitive is None else TWO_TABLES)

    @property
    def schema(self) -> Schema:
        return self.request.schema

    @property
    def models(self) -> Sequence[Model]:
        return self.request.models

    @property
    def method(self) -> str:
        return self.request.method

    @property
    def options(self) -> dict[str, Any]:
        return self.request.options

    @property
    def seed(self) -> int | None:
        return self.request.seed

    @property
    def form(self) -> str:
        return self.request.form

    @property
    def unit(self) -> str | None:
        return self.request.unit

    @property
    def bound(self) -> bool | None:
        return self.request.bound

    @property
    def target(self) -> str | None:
        return self.request.target

    @property
    def workload(self) -> Workload | None:
        return self.request.workload

    @property
    def told_options(self) -> dict[str, Any]:
        """The options of the method as reports tell them, with the target and in words the workload."""
        return self.request.told_options

    @property
    def repeats(self) -> dict[str, Any]:
        """Where the clock ended the method: the options that repeat this release, beside those it was given."""
        return self.request.chosen.repeats(self.options, self.partition.facts)

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """A sentence for every published column that looks as if it names people, by what was read of the source."""
        return doubts(self.source.table, self.schema, counted=not self.store.in_memory)

    @cached_property
    def worth_knowing(self) -> tuple[Worth, ...]:
        """What to know before it goes out, the dangerous first (``danger``, ``words``); for the owner of the table."""
        from amongst.release.worth_knowing import worth_knowing

        return worth_knowing(self)

    @property
    def attained(self) -> list[str]:
        """The columns in which both ends of every published range, or all members of a set, occur in its class."""
        return attained(self)

    @property
    def threshold(self) -> int:
        """Counts of people below this are not shown."""
        return self.request.threshold

    @property
    def is_pair(self) -> bool:
        """Whether it is two tables that only a group number links."""
        return self.account.pair

    @property
    def arrow(self) -> pa.Table:
        """The published table as pyarrow, text columns dictionary-encoded, not yet verified; without its rows where
        these are not in memory. Of many tables all of them by their names."""
        return self.account.arrow(self)

    @property
    def sensitive_arrow(self) -> pa.Table:
        """The second table as pyarrow, not yet verified."""
        if self.plan.sensitive is None:
            raise BadOption(
                "This release is one table.", found="asked for a second", fix='make one with method = "anatomy"'
            )
        return self.plan.sensitive

    @cached_property
    def verdict(self) -> Verdict:
        return self.account.verdict(self)

    @cached_property
    def person_of_row(self) -> np.ndarray | None:
        """The person of every published row, numbered; None where rows are counted. Never written."""
        return self.store.person_of_row(self.coded, self.plan)

    @cached_property
    def table(self) -> Any:
        self.account.refuse("table")
        refuse_unproved(self.verdict)
        return self.store.native(self.plan)

    @cached_property
    def sensitive_table(self) -> Any:
        second = self.sensitive_arrow
        refuse_unproved(self.verdict)
        return self.source.native(self.source.as_read(second, self.schema.sensitive))

    @cached_property
    def tables(self) -> dict[str, Any]:
        refuse_unproved(self.verdict)
        return self.account.tables(self)

    @cached_property
    def utility(self) -> Utility:
        return self.account.utility(self)

    @cached_property
    def population(self) -> Population | None:
        """Figures counted in people of the population, where a column has their weights and rows are in memory."""
        from amongst.measure.population import of_population

        name = self.schema.weight
        if name is None or self.is_pair or not self.store.in_memory:
            return None
        weight = self.source.table.column(name).to_numpy().astype(np.float64)
        return of_population(self.coded, self.schema, self.partition, self.plan, weight)

    @cached_property
    def sensitive(self) -> dict[str, SensitiveFigures]:
        return sensitive_figures(self)

    @cached_property
    def group_of_row(self) -> np.ndarray:
        self.account.refuse("group_of_row")
        if not self.store.in_memory:
            raise self.store.not_in_memory("group_of_row")
        if self.coded.kept_rows is None:
            return self.partition.group_of_row
        groups = np.full(self.coded.n_input, -1, dtype=self.partition.group_of_row.dtype)
        groups[self.coded.kept_rows] = self.partition.group_of_row
        return groups

    @cached_property
    def group_of_person(self) -> np.ndarray:
        self.account.refuse("group_of_person")
        return self.account.group_of_person(self)

    def counts_of_values(self, column: CodedColumn) -> np.ndarray:
        """How many rows have every value of a quasi-identifier."""
        if self.rows_of_code:
            place = [own.name for own in self.coded.columns].index(column.name)
            return np.asarray(self.rows_of_code[place][: column.n_values]).astype(np.int64)
        count = np.bincount(column.codes, weights=self.coded.count, minlength=column.n_values)
        return count[: column.n_values].astype(np.int64)

    def lower_bound(self, **options: Any) -> LowerBound:
        """The GCP that no release of this table with this k can go below; see ``amongst.lower_bound``."""
        from amongst.partition.lower_bound import bound_of

        self.account.refuse("lower_bound")
        by_set = [
            self.partition.sets_of(c) is not None
            or (self.schema[column.name].publish == "set" and not self.partition.publishes_nodes)
            for c, column in enumerate(self.coded.columns)
        ]
        return bound_of(self.coded, self.threshold, by_set, **options)

    def least_loss(self, *, rounds: int = 4) -> LeastLoss:
        """How far the loss is, at most, above the least that any grouping can lose. It needs the original: inside only.

        Examples
        --------
        >>> import amongst as am
        >>> patients = am.datasets.load("patients")
        >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(3)], method="best")
        >>> found = release.least_loss()
        >>> found.least <= found.loss
        True
        """
        from amongst.partition.certified import least_loss

        self.account.refuse("least_loss")
        if self.rows_of_code or self.coded.count is not None:
            raise BadOption(
                "The least loss is worked out from rows in memory that were generalized.",
                found=f"method = {self.method!r}, rows elsewhere or not generalized",
                fix="use a method that generalizes, on a table in memory",
            )
        return least_loss(self.coded, self.partition, self.threshold, rounds=rounds)

    def for_models(self, form: str = "midpoints") -> Any:
        """The published table as a model can learn from it, worked out from what is published alone.

        Parameters
        ----------
        form : {"midpoints", "indicators"}
            A range is its middle; categories keep their labels, or every label becomes a column of 0 and 1.

        Examples
        --------
        >>> import amongst as am
        >>> patients = am.datasets.load("patients")
        >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(3)], method="mondrian")
        >>> release.for_models()["Age"].to_pylist()
        [25.5, 25.5, 25.5, 27.5, 27.5, 27.5]
        """
        from amongst.release.for_models import for_models

        self.account.refuse("for_models")
        return for_models(self, form)

    def query(self, sql: str) -> Answers:
        """Ask the release a question in SQL: an estimate with bounds; see ``amongst.query``."""
        from amongst.query.ask import query

        self.account.refuse("query")
        return query(self, sql)

    def workload_error(self, workload: Workload, *, sanity: float = 1.0) -> WorkloadError:
        """How far answers from the release are from those of the table it was made of; see ``amongst.Workload``."""
        from amongst.query.workload import workload_error

        self.account.refuse("workload_error")
        return workload_error(self, self.source.table, workload, schema=self.schema, sanity=sanity)

    def fidelity(self, **options: Any) -> Fidelity:
        """How like the table it was made of the release is: data cube, columns, correlations; see ``am.fidelity``."""
        from amongst.query.fidelity import fidelity

        self.account.refuse("fidelity")
        return fidelity(self, self.source.table, self.schema, **options)

    def regression(self, formula: str, **options: Any) -> Regression:
        """A model fitted to the release and to the table it was made of, side by side; see ``am.regression``."""
        from amongst.analysis.regression import regression

        self.account.refuse("regression")
        return regression(self, formula, schema=self.schema, original=self.source.table, **options)

    @cached_property
    def analyses(self) -> tuple[Regression | NotFitted, ...]:
        """The models that were asked for (``formulas``), before and after; what needs the original is for the inside.

        Examples
        --------
        >>> import amongst as am
        >>> adult = am.datasets.load("adult")
        >>> asked = {"k": 5, "formulas": "age ~ sex", "method": "mondrian"}
        >>> am.anonymize(adult.table[:300], adult.schema, **asked).analyses  # doctest: +SKIP
        (<Regression: age ~ sex: 2 coefficients from 300 rows, 83% overlap with the original>,)
        """
        from amongst.analysis.own_models import fit_all

        self.account.refuse("analyses")
        return fit_all(self, self.source.table, self.schema, self.request.formulas)

    @cached_property
    def reported_bound(self) -> LowerBound | None:
        """The lower bound, if reports are to tell it."""
        from amongst.partition.lower_bound import is_cheap

        if self.is_pair or self.rows_of_code:  # nothing is generalized; or what was coded are groups, not rows
            return None
        wanted = self.store.in_memory and is_cheap(self.coded) if self.bound is None else self.bound
        return self.lower_bound() if wanted and self.coded.n_rows >= self.threshold > 1 else None

    def brief(self) -> str:
        return self.account.brief(self)

    def _repr_html_(self) -> str:
        return self.account.notebook(self)

    def __getstate__(self) -> dict[str, Any]:
        """A pickle may go where the original must not: it holds what is published, and figures."""
        return self.account.pickled(self)

    def __copy__(self) -> Release:
        return self  # nothing in it changes, and a copy by way of a pickle would lose its rows

    def __deepcopy__(self, known: dict[int, Any]) -> Release:
        return self

    def story(self, **details: Any) -> Story:
        """What a report tells of this release."""
        self.account.refuse("story")
        return self.account.story(self, **details)

    def report(self, verdict: Verdict | None = None, *, public: bool = False) -> str:
        """The report as the text of one HTML file: for the inside, or for the public."""
        return self.account.page(self, verdict or self.verdict, public=public)

    def chart(self, name: str) -> Any:
        """A chart of the report as an altair chart (needs ``pip install amongst[charts]``)."""
        import altair

        from amongst.report import vega

        return altair.Chart.from_dict(vega.spec(self.story(), name))

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str | None = None,
        table: str = "",
        force: bool = False,
        step: Callable[..., None] | None = None,
        inside: str | os.PathLike[str] | None = None,
        shape: str | None = None,
    ) -> Verdict:
        """Write the release folder: the data, ``manifest.json`` and ``report.html``; and what stays inside.

        What was written is opened anew and verified before the folder, or the table of a database, appears under its
        name; a release that fails is not left behind. Figures in the folder can be computed from the published table
        alone. What needs the original goes to a second folder that its owner alone can read, which is written first.

        Parameters
        ----------
        folder : path
            Where the release goes. It must not exist, or be empty. What a cluster writes goes to a file system that
            all executors see.
        format : {"parquet", "csv", ...}, optional
            Of the data file, or of both where there are two tables: ``release`` and ``sensitive``; left out, Parquet.
            A cluster writes Parquet, PostgreSQL a table. Of many tables one file a table, or one database
            file ("duckdb", "sqlite"); left out, the kind that came in (Parquet for frames and PostgreSQL).
        table : str
            The name of the new table, such as ``public.people_release``, where the data is to be a table: in
            PostgreSQL it is one, on Spark it can be. The folder has manifest and report then.
        force : bool
            Replace a release that is there already, folder and table. Other tables are never replaced.
        step : callable, optional
            Told the name of every step; where rows are not in memory also how much of it is done, and of how much.
        inside : path, optional
            Where the full manifest and report go, and the person of every row where people are counted; left out,
            ``<folder>.inside`` beside the folder.
        shape : {"input"}, optional
            Of a CSV file: written as the text file that was read is, with its separator, encoding, quotes, line ends,
            decimal marks and forms of dates. Beside it stand metadata that say how it is to be read (W3C's CSV on the
            Web), by which it is verified.
        """
        refuse_unknown_shape(shape)
        return write_release(
            self,
            folder,
            format=format or self.store.format,
            table=table,
            force=force,
            say=step or (lambda *step: None),
            inside=inside,
            like_input=shape is not None,
        )

    def write_postgresql(self, address: str, namespace: str) -> Verdict:
        """Write many tables into a new schema of a PostgreSQL database, with their keys, in one transaction.

        They are read back and verified before the transaction ends; whatever goes wrong, nothing is left.
        """
        self.account.refuse("write_postgresql")
        return self.account.write_postgresql(self, address, namespace)

    def close(self) -> None:
        """Let go of what the store holds open: a transaction, a session that was made for it."""
        self.store.close()
