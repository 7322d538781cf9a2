"""A release: the published table with its proof and its figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import NotVerified
from amongst.measure import Utility, measure
from amongst.measure.utility import cm_of
from amongst.models import Model, smallest_group
from amongst.own_files import inside_beside
from amongst.partition.partition import Partition
from amongst.read.source import Source
from amongst.recode import Published
from amongst.release.data_file import refuse_unknown_format, write_data
from amongst.release.documents import write_documents, write_people
from amongst.release.manifest import manifest
from amongst.schema.schema import Schema
from amongst.staging import staged_pair

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.measure.sensitive import SensitiveFigures
    from amongst.partition.lower_bound import LowerBound
    from amongst.query.answer import Answers
    from amongst.query.fidelity import Fidelity
    from amongst.query.workload import Workload
    from amongst.query.workload_error import WorkloadError
    from amongst.relations.verify import DatabaseVerdict
    from amongst.report import Story
    from amongst.verify import Verdict


@dataclass(frozen=True, eq=False)
class Release(Brief):
    """What ``anonymize`` gives.

    Attributes
    ----------
    table
        The published table, in the kind of frame that came in. It is verified before it is handed out.
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

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> release.verdict.ok
    True
    """

    source: Source
    schema: Schema
    models: Sequence[Model]
    method: str
    options: dict[str, Any]
    seed: int
    form: str
    coded: CodedTable
    partition: Partition
    published: Published
    unit: str | None = None
    bound: bool | None = None
    target: str | None = None
    workload: Workload | None = None

    @property
    def told_options(self) -> dict[str, Any]:
        """The options of the method as reports tell them, with the target and in words the workload."""
        words = None if self.workload is None else self.workload.words or f"{len(self.workload.questions):,} questions"
        guides = {"target": self.target, "workload": words}
        return {**self.options, **{name: guide for name, guide in guides.items() if guide is not None}}

    @property
    def arrow(self) -> pa.Table:
        """The published table as pyarrow, text columns dictionary-encoded, not yet verified."""
        return self.published.table

    @property
    def shown(self) -> pa.Table:
        """The published table as it is handed out: what is published as it is, is written as it was read."""
        return self.source.as_read(self.arrow, [name for name in self.schema if self.schema[name].role != "quasi"])

    @property
    def threshold(self) -> int:
        """Counts of people below this are not shown."""
        return smallest_group(self.models)

    @cached_property
    def verdict(self) -> Verdict:
        from amongst.verify import verify

        return verify(self.arrow, self.schema, self.models, units=self.person_of_row)

    @cached_property
    def person_of_row(self) -> np.ndarray | None:
        """The person of every published row, numbered; None where rows are counted. Never written."""
        return None if self.coded.unit is None else self.coded.unit[self.published.row_at]

    @cached_property
    def table(self) -> Any:
        refuse_unproved(self.verdict)
        return self.source.native(plain_text(self.shown, self.source.table))

    @cached_property
    def utility(self) -> Utility:
        target, sizes = self.coded.target, self.published.size_of_class
        cm = None if target is None else cm_of(self.coded, self.published, target)
        return measure(self.coded, self.schema, self.partition, sizes, self.models, cm)

    @cached_property
    def sensitive(self) -> dict[str, SensitiveFigures]:
        from amongst.release.sensitive import sensitive_figures

        return sensitive_figures(self)

    @cached_property
    def group_of_row(self) -> np.ndarray:
        if self.coded.kept_rows is None:
            return self.partition.group_of_row
        groups = np.full(self.coded.n_input, -1, dtype=self.partition.group_of_row.dtype)
        groups[self.coded.kept_rows] = self.partition.group_of_row
        return groups

    def counts_of_values(self, column: CodedColumn) -> np.ndarray:
        """How many rows have every value of a quasi-identifier."""
        count = np.bincount(column.codes, weights=self.coded.count, minlength=column.n_values)
        return count[: column.n_values].astype(np.int64)

    def lower_bound(self, **options: Any) -> LowerBound:
        """The GCP that no release of this table with this k can go below; see ``amongst.lower_bound``."""
        from amongst.partition.lower_bound import bound_of

        by_set = [
            self.partition.sets_of(c) is not None
            or (self.schema[column.name].publish == "set" and not self.partition.publishes_nodes)
            for c, column in enumerate(self.coded.columns)
        ]
        return bound_of(self.coded, self.threshold, by_set, **options)

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

        wanted = is_cheap(self.coded) if self.bound is None else self.bound
        return self.lower_bound() if wanted and self.coded.n_rows >= self.threshold > 1 else None

    def brief(self) -> str:
        sizes, models = self.published.size_of_class, ", ".join(model.name for model in self.models)
        return f"{sizes.sum():,} rows published in {len(sizes):,} classes by {self.method} for {models}"

    def __getstate__(self) -> dict[str, Any]:
        """A pickle may go where the original must not: it holds what is published, and figures."""
        from amongst.release.left_out import without_rows

        return without_rows(self)

    def __copy__(self) -> Release:
        return self  # nothing in it changes, and a copy by way of a pickle would lose its rows

    def __deepcopy__(self, known: dict[int, Any]) -> Release:
        return self

    def story(self, **details: Any) -> Story:
        """What a report tells of this release."""
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
        force: bool = False,
        step: Callable[..., None] | None = None,
        inside: str | os.PathLike[str] | None = None,
    ) -> Verdict:
        """Write the release folder: the data, ``manifest.json`` and ``report.html``; and what stays inside.

        The data file is read back and verified before the folder appears under its name; a release that
        fails is not left on disk. Figures in the folder can be computed from the published table alone. What needs
        the original goes to a second folder that its owner alone can read, which is written first.

        Parameters
        ----------
        folder : path
            Where the release goes. It must not exist, or be empty.
        format : {"parquet", "csv"}
        force : bool
            Replace a release that is there already.
        step : callable, optional
            Told the name of every step; where rows are not in memory also how much of it is done, and of how much.
        inside : path, optional
            Where the full manifest and report go, and the person of every row where people are counted; left out,
            ``<folder>.inside`` beside the folder.
        """
        from amongst.read.file import file_digest
        from amongst.verify import verify

        refuse_unknown_format(format, self.form)
        say = step or (lambda *told: None)
        with staged_pair(*both_folders(folder, inside), force=force) as (staging, hidden):
            say("write")
            data = self.write_rows(staging, format, say)
            say("verify")
            verdict = verify(data, self.schema, self.models, units=self.person_of_row)
            refuse_unproved(verdict)
            say("report")
            digest = file_digest(data)
            story = self.story(verdict=verdict, data=data, digest=digest)
            facts = manifest(self, {data.name: digest}, verdict)
            write_documents(staging, hidden, story, facts, verdict)
            write_people(hidden, self.person_of_row)
        return verdict

    def write_rows(self, folder: Path, format: str, say: Callable[..., None]) -> Path:
        """Write the data file of the release into a folder; it is not verified yet."""
        return write_data(self.shown, folder, format)


def both_folders(folder: str | os.PathLike[str], inside: str | os.PathLike[str] | None) -> tuple[Path, Path]:
    """Where a release goes, and where its inside."""
    target = Path(os.path.abspath(folder))
    return target, inside_beside(target) if inside is None else Path(inside)


def refuse_unproved(verdict: Verdict | DatabaseVerdict) -> None:
    """Raise where the verifier found that a release does not hold what was asked."""
    if verdict.ok:
        return
    raise NotVerified(
        "The release does not hold what was asked, and is not handed out.",
        found=[finding.what for finding in verdict.findings],
        fix="this is a defect in amongst: please report it with the method and options you used",
    )


def plain_text(published: pa.Table, original: pa.Table) -> pa.Table:
    """The table with dictionary-encoded text as plain text, but for columns that came in as categories."""
    import pyarrow as pa

    def plain(name: str) -> pa.ChunkedArray:
        column = published.column(name)
        came_so = name in original.column_names and pa.types.is_dictionary(original.schema.field(name).type)
        if pa.types.is_dictionary(column.type) and not came_so:
            return column.cast(column.type.value_type)
        return column

    return pa.table({name: plain(name) for name in published.column_names})
