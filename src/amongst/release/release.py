"""A release: the published table with its proof and its figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief, page_part
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.engines.data_file import refuse_unknown_shape
from amongst.errors import BadOption
from amongst.measure import Utility, measure, measure_groups
from amongst.measure.utility import cm_of
from amongst.models import Model
from amongst.partition.partition import Partition
from amongst.read.source import Source
from amongst.recode.plan import RecodingPlan
from amongst.release.attained import attained
from amongst.release.write import prove, write_release
from amongst.schema.doubts import doubts
from amongst.schema.schema import Schema
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.store import Store
    from amongst.measure.sensitive import SensitiveFigures
    from amongst.partition.certified import LeastLoss
    from amongst.partition.lower_bound import LowerBound
    from amongst.query.answer import Answers
    from amongst.query.fidelity import Fidelity
    from amongst.query.workload import Workload
    from amongst.query.workload_error import WorkloadError
    from amongst.release.worth_knowing import Worth
    from amongst.report import Story
    from amongst.request import Request
    from amongst.verify import Verdict


@dataclass(frozen=True, eq=False, kw_only=True)
class Release(Brief):
    """What ``anonymize`` gives, wherever the rows live.

    It has the figures of the release, and can be written. Where the rows are in a file larger than memory, in a
    database or on a cluster they stay there: what would need them here says so.

    Attributes
    ----------
    table
        The published table, in the kind of frame that came in. It is verified before it is handed out.
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
        What every class publishes.
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
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> release.verdict.ok
    True
    """

    request: Request
    store: Store
    source: Source
    coded: CodedTable
    partition: Partition
    plan: RecodingPlan
    rows_of_code: Sequence[np.ndarray] = ()
    state: str = ""
    certificate: Any = None
    review: Any = None

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
        return self.plan.sensitive is not None

    @property
    def arrow(self) -> pa.Table:
        """The published table as pyarrow, text columns dictionary-encoded, not yet verified; without its rows where
        these are not in memory."""
        return self.plan.table

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
        return prove(self, self.store.unwritten(self.plan))

    @cached_property
    def person_of_row(self) -> np.ndarray | None:
        """The person of every published row, numbered; None where rows are counted. Never written."""
        return None if self.coded.unit is None else self.coded.unit[self.plan.row_at]

    @cached_property
    def table(self) -> Any:
        refuse_unproved(self.verdict)
        return self.store.native(self.plan)

    @cached_property
    def sensitive_table(self) -> Any:
        second = self.sensitive_arrow
        refuse_unproved(self.verdict)
        return self.source.native(self.source.as_read(second, self.schema.sensitive))

    @cached_property
    def utility(self) -> Utility:
        if self.is_pair:
            return measure_groups(self.coded, self.schema, self.partition, self.plan.size_of_class, self.models)
        target = self.coded.target
        cm = None if target is None else cm_of(self.coded, self.plan, target)
        return measure(self.coded, self.schema, self.partition, self.plan.size_of_class, self.models, cm)

    @cached_property
    def sensitive(self) -> dict[str, SensitiveFigures]:
        from amongst.release.sensitive import sensitive_figures

        return sensitive_figures(self)

    @cached_property
    def group_of_row(self) -> np.ndarray:
        if not self.store.in_memory:
            raise self.store.not_in_memory("group_of_row")
        if self.coded.kept_rows is None:
            return self.partition.group_of_row
        groups = np.full(self.coded.n_input, -1, dtype=self.partition.group_of_row.dtype)
        groups[self.coded.kept_rows] = self.partition.group_of_row
        return groups

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

        if self.is_pair:
            raise BadOption(
                "Anatomy generalizes nothing, so there is no least loss to compare with.",
                found='method = "anatomy"',
                fix="use lower_bound with a method that generalizes",
            )
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

        if self.is_pair or self.rows_of_code or self.coded.count is not None:
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
        >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(3)])
        >>> release.for_models()["Age"].to_pylist()
        [25.5, 25.5, 25.5, 27.5, 27.5, 27.5]
        """
        from amongst.release.for_models import for_models

        return for_models(self, form)

    def query(self, sql: str) -> Answers:
        """Ask the release a question in SQL: an estimate with bounds; see ``amongst.query``."""
        from amongst.query.ask import query

        return query(self, sql)

    def workload_error(self, workload: Workload, *, sanity: float = 1.0) -> WorkloadError:
        """How far answers from the release are from those of the table it was made of; see ``amongst.Workload``."""
        from amongst.query.workload import workload_error

        return workload_error(self, self.source.table, workload, schema=self.schema, sanity=sanity)

    def fidelity(self, **options: Any) -> Fidelity:
        """How like the table it was made of the release is: data cube, columns, correlations; see ``am.fidelity``."""
        from amongst.query.fidelity import fidelity

        return fidelity(self, self.source.table, self.schema, **options)

    @cached_property
    def reported_bound(self) -> LowerBound | None:
        """The lower bound, if reports are to tell it."""
        from amongst.partition.lower_bound import is_cheap

        if self.is_pair or self.rows_of_code:  # nothing is generalized; or what was coded are groups, not rows
            return None
        wanted = self.store.in_memory and is_cheap(self.coded) if self.bound is None else self.bound
        return self.lower_bound() if wanted and self.coded.n_rows >= self.threshold > 1 else None

    def brief(self) -> str:
        sizes, models = self.plan.size_of_class, ", ".join(model.name for model in self.models)
        return f"{sizes.sum():,} rows published in {len(sizes):,} classes by {self.method} for {models}"

    def _repr_html_(self) -> str:
        rows = [(name, column.role, column.kind or "") for name, column in self.schema.items()]
        said = [
            *(one.words for one in self.worth_knowing),
            "The rows are sorted by what they publish: their order says nothing about the input.",
        ]
        return page_part(self.brief(), rows, headings=["column", "role", "kind"], notes=said)

    def __getstate__(self) -> dict[str, Any]:
        """A pickle may go where the original must not: it holds what is published, and figures."""
        from amongst.left_out import without_rows

        return without_rows(self)

    def __copy__(self) -> Release:
        return self  # nothing in it changes, and a copy by way of a pickle would lose its rows

    def __deepcopy__(self, known: dict[int, Any]) -> Release:
        return self

    def story(self, **details: Any) -> Story:
        """What a report tells of this release."""
        if self.is_pair:
            from amongst.release.anatomy_story import tell_anatomy

            return tell_anatomy(self, **details)
        from amongst.release.story import tell

        return tell(self, **details)

    def chart(self, name: str) -> Any:
        """A chart of the report as an altair chart (needs ``pip install amongst[charts]``)."""
        import altair

        from amongst.report import vega

        return altair.Chart.from_dict(vega.spec(self.story(), name))

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str = "parquet",
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
        format : {"parquet", "csv"}
            Of the data file, or of both where there are two tables: ``release`` and ``sensitive``. A cluster writes
            Parquet; in PostgreSQL it means nothing.
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
        say = step or (lambda *told: None)
        return write_release(
            self, folder, format=format, table=table, force=force, say=say, inside=inside, like_input=shape is not None
        )

    def close(self) -> None:
        """Let go of what the store holds open: a transaction, a session that was made for it."""
        self.store.close()
