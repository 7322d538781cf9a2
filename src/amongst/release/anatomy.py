"""A release of two tables that only a group number links."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from amongst.encode import encode
from amongst.errors import BadOption, BadSchema
from amongst.measure import Utility
from amongst.measure.average_class import average_class
from amongst.measure.discernibility import discernibility
from amongst.measure.uniques import uniques
from amongst.models import Model
from amongst.partition.anatomy import anatomy, rows_of_group
from amongst.partition.requested import sensitive_columns
from amongst.read import Source
from amongst.recode.two_tables import PublishedPair, input_order, two_tables
from amongst.release.data_file import refuse_unknown_format, write_data
from amongst.release.documents import write_documents
from amongst.release.manifest import manifest
from amongst.release.release import Release, both_folders, plain_text, refuse_unproved
from amongst.schema.check import check
from amongst.schema.schema import Schema
from amongst.staging import staged_pair

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.report import Story
    from amongst.verify import Verdict


class AnatomyRelease(Release):
    """What ``anonymize`` gives with ``method="anatomy"``.

    Attributes
    ----------
    table
        The group number, the quasi-identifiers as they are, and the kept columns.
    sensitive_table
        The group number, the sensitive value, and how many rows of the group have it.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.LDiversity(2)], method="anatomy")
    >>> release.table.column_names, release.sensitive_table.column_names
    (['group', 'Age', 'Sex', 'Zipcode'], ['group', 'Disease', 'count'])
    """

    published: PublishedPair

    @property
    def sensitive_arrow(self) -> pa.Table:
        """The table of sensitive values as pyarrow, not yet verified."""
        return self.published.sensitive

    @cached_property
    def sensitive_table(self) -> Any:
        refuse_unproved(self.verdict)
        return self.source.native(self.source.as_read(self.sensitive_arrow, self.schema.sensitive))

    @cached_property
    def table(self) -> Any:
        refuse_unproved(self.verdict)
        return self.source.native(plain_text(self.source.as_read(self.arrow, self.schema), self.source.table))

    @cached_property
    def verdict(self) -> Verdict:
        from amongst.verify.pair import verify_pair

        return verify_pair(self.arrow, self.sensitive_arrow, self.schema, self.models)

    @cached_property
    def utility(self) -> Utility:
        """The quasi-identifiers lose nothing; sizes are those of the groups that sensitive values are shared in."""
        sizes = self.published.size_of_class
        n_published = int(sizes.sum())
        n_suppressed = self.coded.n_input - n_published
        alone = uniques(self.coded, self.partition)
        return Utility(
            gcp=0.0,
            weighted_gcp=0.0,
            ncp=dict.fromkeys(self.schema.quasi, 0.0),
            lm=0.0,
            c_dm=discernibility(sizes, n_suppressed, self.coded.n_input),
            c_avg=average_class(sizes, self.threshold),
            n_classes=len(sizes),
            smallest=int(sizes.min()),
            largest=int(sizes.max()),
            n_published=n_published,
            n_suppressed=n_suppressed,
            uniques_before=alone,
            uniques_after=alone,
        )

    def lower_bound(self, **options: Any) -> Any:
        raise BadOption(
            "Anatomy generalizes nothing, so there is no least loss to compare with.",
            found='method = "anatomy"',
            fix="use lower_bound with a method that generalizes",
        )

    @property
    def reported_bound(self) -> None:
        """There is no least loss where nothing is generalized."""
        return None

    def story(self, **details: Any) -> Story:
        from amongst.release.anatomy_story import tell_anatomy

        return tell_anatomy(self, **details)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str = "parquet",
        force: bool = False,
        step: Callable[[str], None] | None = None,
        inside: str | os.PathLike[str] | None = None,
    ) -> Verdict:
        """Write the release folder: both tables, ``manifest.json`` and ``report.html``; and what stays inside.

        ``release.parquet`` has the quasi-identifiers, ``sensitive.parquet`` the sensitive values (or ``.csv``).
        Both are read back and verified before the folder appears under its name. Parameters as for ``Release``.
        """
        from amongst.read.file import file_digest
        from amongst.report.anatomy_page import render_anatomy
        from amongst.verify.pair import verify_pair

        refuse_unknown_format(format, self.form)
        say = step or (lambda name: None)
        with staged_pair(*both_folders(folder, inside), force=force) as (staging, hidden):
            say("write")
            quasi = write_data(self.source.as_read(self.arrow, self.schema), staging, format)
            second = self.source.as_read(self.sensitive_arrow, self.schema.sensitive)
            sensitive = write_data(second, staging, format, "sensitive")
            say("verify")
            verdict = verify_pair(quasi, sensitive, self.schema, self.models)
            refuse_unproved(verdict)
            say("report")
            digests = {path.name: file_digest(path) for path in (quasi, sensitive)}
            story, facts = (
                self.story(verdict=verdict, files=(quasi, sensitive), digests=digests),
                self._manifest(digests, verdict),
            )
            write_documents(staging, hidden, story, facts, verdict, render_anatomy)
        return verdict

    def _manifest(self, digests: dict[str, str], verdict: Verdict) -> dict[str, Any]:
        facts = manifest(self, digests, verdict)
        utility, sizes = facts["utility"], ("n_classes", "smallest", "largest", "n_published", "n_suppressed")
        facts["utility"] = {name: utility[name] for name in sizes}
        facts["output"] |= {
            "form": "anatomy",
            "link": self.published.link,
            "sensitive_columns": self.sensitive_arrow.column_names,
        }
        return facts


def anatomize(
    source: Source,
    schema: Schema,
    models: Sequence[Model],
    options: dict[str, Any],
    *,
    form: str,
    seed: int,
    unit: str | None,
    say: Callable[[str, int, int], None],
) -> AnatomyRelease:
    """The flow of ``anonymize`` for two tables."""
    rows_of_group(models)  # refuse early what cannot be held
    schema = check(schema, source.table, form="labels")
    _refuse_unfit(schema, form, unit)
    _refuse_copies(source.table, schema)
    say("encode", 0, 0)
    sensitive_columns(schema, models)  # raises where a model names a column that is not sensitive
    coded = encode(source.table, schema, schema.sensitive)
    row_at = input_order(source.table, schema, coded)
    say("group", 0, 0)
    partition = anatomy(coded, models, seed=seed, row_at=row_at, **options)
    say("publish", 0, 0)
    published = two_tables(source.table, schema, coded, partition)
    return AnatomyRelease(source, schema, models, "anatomy", options, seed, form, coded, partition, published)


def _refuse_unfit(schema: Schema, form: str, unit: str | None) -> None:
    if len(schema.sensitive) != 1:
        raise BadOption(
            "Anatomy needs exactly one sensitive column: rows of a group differ in it, and may be alike in another.",
            found="sensitive: " + (", ".join(f"'{name}'" for name in schema.sensitive) or "none"),
            fix='give one column role="sensitive", and drop others with role="identifier"',
        )
    if form != "labels":
        raise BadOption(
            "Anatomy publishes no ranges, so they have no form.", found=f"form = {form!r}", fix='use form="labels"'
        )
    if unit is not None:
        raise BadOption(
            "Anatomy counts rows, not people: several rows of one person would tell more than one group allows.",
            found=f"unit = {unit!r}",
            fix="make one row a person, and leave unit out",
        )


def _refuse_copies(table: pa.Table, schema: Schema) -> None:
    """Raise where a column that is published as it is says what the sensitive column says."""
    plain = plain_text(table, table.slice(0, 0).select([]))
    sensitive = plain.column(schema.sensitive[0])
    shown = [name for name in schema.published if name not in schema.sensitive]
    same = [name for name in shown if plain.column(name).equals(sensitive)]
    if same:
        raise BadSchema(
            "A column that would be published as it is has the same value as the sensitive one in every row.",
            found=", ".join(f"'{name}'" for name in same),
            fix='drop it with role="identifier"',
        )
