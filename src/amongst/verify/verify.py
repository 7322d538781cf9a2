"""From a published table alone: does it hold what was asked of it?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from amongst.errors import BadOption
from amongst.models import Model, smallest_group
from amongst.published.finding import Finding
from amongst.schema.schema import Schema
from amongst.verify.verdict import Verdict


def verify(
    published: Any,
    schema: Schema | Sequence[str] | None,
    models: Sequence[Model] | Model,
    *,
    nulls: str | Mapping[str, str] | None = None,
    units: Any = None,
) -> Verdict:
    """Check a published table, whoever made it, without anything but the table itself.

    Parameters
    ----------
    published : path, pyarrow, pandas or polars table
        A CSV, TSV, Parquet or Arrow file (``.csv.gz`` too), a folder of Parquet files whose name ends in
        ``.parquet``, a release folder, or a table.
    schema : Schema, sequence of str, or None
        The schema of the release. For files of other tools the names of the quasi-identifiers; None
        takes every column for one.
    models : privacy model, or sequence of them
    nulls : str or mapping, optional
        A rule for nulls that goes before the schema's, for all quasi-identifiers or by name.
    units : array or list, optional
        The person of every published row, in the order of the rows: people are counted then, not rows. A table
        cannot say this itself, since who the rows belong to is not published.

    Returns
    -------
    Verdict
        Of a table that fails too: what is wrong is in ``findings``.

    Raises
    ------
    BadInput
        When it cannot be read: no such file, rows of unequal length, no UTF-8 ...
    BadOption
        For a model that there is no proof for.

    Notes
    -----
    Rows are one class when all columns that stand for quasi-identifiers are equal: labels, bounds,
    statistics. Equal means the same text or the same number, nothing is trimmed or folded: what a
    reader can tell apart is apart. The cells of a CSV file are text. Of floats the two zeros are equal;
    what is not a number follows the rule for nulls. Sensitive texts that differ only in case, blanks, width or signs
    that nobody sees are one value.

    Where a column has the role "household", rows are one class when all rows of their households are alike too: the set
    of members counts as one more quasi-identifier, and each such set must be that of k households.

    A missing sensitive value is a value of its own, and so is what is not a number: the last in order, and as far
    as can be from all others in a hierarchy. Where people are counted, shares of l-diversity by frequency and of
    (alpha, k) are shares of the people; all other models see every person once for every value of theirs.
    Rounding may take a share or a count up to 1e-9 beyond its bound, no further.

    Of a release folder the files are held against the digests in its manifest too: one that was changed, has no digest
    or does not belong there is a finding. The manifest is believed in nothing else.

    Cost: one pass over the columns of the quasi-identifiers; for a sorted file little more than reading.

    Examples
    --------
    >>> import amongst as am
    >>> import pyarrow as pa
    >>> table = pa.table({"age": ["[20-29]"] * 3, "disease": ["flu", "cold", "flu"]})
    >>> verdict = am.verify(table, ["age"], [am.KAnonymity(3)])
    >>> verdict.ok, verdict.n_classes, verdict.smallest
    (True, 1, 3)
    """
    # What needs pyarrow is imported here, so that importing the package stays cheap.
    from amongst.published.layout import lay_out
    from amongst.published.open_published import open_published
    from amongst.verify.checks.joined_cells import joined_cells
    from amongst.verify.checks.labels import check_labels
    from amongst.verify.checks.leaks import check_leaks
    from amongst.verify.checks.nulls import check_nulls
    from amongst.verify.evidence import gather
    from amongst.verify.households import by_households
    from amongst.verify.loss import loss_of_columns
    from amongst.verify.pair.pair import pair_in, verify_pair
    from amongst.verify.proofs import nothing_asked, provable, prove
    from amongst.verify.sensitive import spelling_notes

    pair = pair_in(published)
    if pair is not None:
        if units is not None:
            raise BadOption(
                "People cannot be counted in two tables.", found="units for a pair of tables", fix="leave units out"
            )
        return _with_files(verify_pair(*pair, schema, models), published)
    models = provable(models)
    source = open_published(published)
    sensitive = [model.column for model in models if model.column is not None]
    layout = lay_out(source, schema, nulls, sensitive)  # the columns of every quasi-identifier
    known, judged = source, layout
    wrong: list[Finding] = []
    household = None if layout.foreign else layout.schema.household
    if household is not None:
        known, judged, wrong = by_households(source, layout, household, smallest_group(models))
    evidence = gather(known, judged, models, units)  # rows that cannot be told apart, and their sensitive values
    evidence = replace(evidence, layout=layout)
    classes, readings = evidence.classes, evidence.readings
    reached, findings = prove(models, evidence)
    findings = [*layout.findings, *_nothing(classes.n_rows), *joined_cells(source, layout), *wrong, *findings]
    spelled = {name: histogram.values.n_joined for name, histogram in evidence.histograms.items()}
    notes = [*nothing_asked(models), *layout.notes, *spelling_notes(spelled)]
    threshold = smallest_group(models)
    for more_findings, more_notes in (
        check_nulls(layout, classes, threshold),
        check_labels(layout, readings, classes.tally.size, threshold),
        check_leaks(source, layout, classes),
    ):
        findings += more_findings
        notes += more_notes
    sizes, counts = classes.distribution()
    verdict = Verdict(
        ok=not findings,
        findings=findings,
        notes=notes,
        models=reached,
        columns=layout.columns,
        n_rows=classes.n_rows,
        n_classes=classes.n_classes,
        smallest=classes.smallest,
        n_unique_rows=classes.below(2)[1],
        class_sizes=sizes,
        class_counts=counts,
        loss=loss_of_columns(layout, readings, classes.tally.size),
        rows_of_class=classes.rows_of_class(),
    )
    return _with_files(verdict, published)


def _with_files(verdict: Verdict, published: Any) -> Verdict:
    """The verdict with what there is to say about the files of a release folder, where it is one."""
    from amongst.published.open_published import is_data
    from amongst.verify.checks.folder_files import check_files

    path = isinstance(published, (str, os.PathLike))
    if not path or not os.path.isdir(published) or is_data(Path(published)):
        return verdict
    findings, notes = check_files(Path(published))
    findings, notes = [*verdict.findings, *findings], [*verdict.notes, *notes]
    return replace(verdict, ok=not findings, findings=findings, notes=notes)


def _nothing(n_rows: int) -> list[Finding]:
    if n_rows:
        return []
    what = "Nothing is published: the table has no rows."
    return [Finding("nothing-published", what, "0 rows", "ask for less, so that some rows can be published")]
