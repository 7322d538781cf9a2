"""The whole flow on one screen: read, schema, encode, partition, recode; then verify, measure, report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amongst.engines import anonymize_elsewhere, choose_engine
from amongst.errors import BadOption
from amongst.models import Model
from amongst.partition import find_method
from amongst.partition.guided import guided, refuse_guides
from amongst.partition.requested import encode_for
from amongst.partition.row_order import group_in_order
from amongst.read import Source, read
from amongst.recode import recode, refuse_unknown_form
from amongst.release import Release
from amongst.schema.check import check
from amongst.schema.doubts import doubts, warn_of
from amongst.schema.schema import Schema, as_schema

if TYPE_CHECKING:
    from amongst.encode import CodedTable
    from amongst.partition.partition import Partition
    from amongst.query.workload import Workload


def anonymize(
    data: Any,
    schema: Schema | Mapping[str, Any],
    models: Sequence[Model],
    method: str = "mondrian",
    *,
    form: str = "labels",
    seed: int = 0,
    unit: str | None = None,
    target: str | None = None,
    workload: Workload | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    report_loss: Callable[[float], None] | None = None,
    bound: bool | None = None,
    engine: str | None = None,
    memory: str | int | None = None,
    work: str | os.PathLike[str] | None = None,
    resume: bool = False,
    table: str | None = None,
    session: Any = None,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    **options: Any,
) -> Release:
    """Anonymize a table.

    Parameters
    ----------
    data : path, pandas, polars or pyarrow table; address of a database; Spark DataFrame
        It is not changed.
    schema : Schema, or dict of column name to role or Column
        A role for every column.
    models : sequence of privacy models
        Such as ``[am.KAnonymity(10)]``; all of them hold in the release.
    method : str
        One of ``am.methods()``.
    form : {"labels", "bounds", "structs"}
        Ranges as text, as two columns with lower and upper bound, or as one struct column.
    seed : int
        For methods that draw lots; recorded in the manifest.
    unit : str, optional
        The identifier column that tells people apart, such as ``"patient_id"``: people are counted, not rows.
    target : str, optional
        The sensitive or kept column that readers will want to predict: ``mondrian`` cuts where it tells most about
        it, other methods keep the columns that do. Combine it with a model of sensitive values where it is one.
    workload : Workload, optional
        Questions that readers will ask: groups are made such that these are answered well.
    progress : callable, optional
        Told (step, done, total) now and then.
    report_loss : callable, optional
        Told the loss so far (weighted GCP) while it falls, by a method that starts with some grouping and makes it
        better (``best``).
    bound : bool, optional
        Whether reports tell the GCP that no grouping can go below (see ``am.lower_bound``). Left out, they do where
        that takes no time worth speaking of: up to some 5,000 distinct combinations of quasi-identifiers.
    engine : {"memory", "duckdb", "postgresql", "spark"}, optional
        Where rows are counted and recoded. Left out, it follows from the data: an address ``postgresql://...`` and a
        Spark DataFrame stay where they are, a file with a limit of ``memory`` goes through DuckDB, all else is read
        into memory. What other engines give is a ``StoredRelease``: its rows are never in memory.
    memory : str or int, optional
        The most memory to take, such as "4GB"; what does not fit goes to disk.
    work : path, optional
        Where temporary files go; left out, the system's folder for them.
    resume : bool
        Keep what was counted until the release is written, and go on from there after a crash.
    table : str, optional
        The table of a database.
    session : SparkSession, optional
        The session of Spark to use; left out, one is made.
    nulls, separator, encoding, header : optional
        How a text file is read: cells that mean missing besides the empty one, what stands between cells, the
        encoding if it is not UTF-8, and whether the first line has names. What is left out is found out.
    **options
        Passed to the method.

    Returns
    -------
    Release

    Examples
    --------
    >>> import amongst as am
    >>> adult = am.datasets.load("adult")
    >>> release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], method="mondrian")
    >>> release.utility.smallest >= 10
    True
    """
    models, schema = _some_models(models), as_schema(schema)
    refuse_uncallable(progress=progress, report_loss=report_loss)
    reading: dict[str, Any] = {"nulls": nulls, "separator": separator, "encoding": encoding, "header": header}
    chosen = find_method(method)
    chosen.check_options(options)
    refuse_unknown_form(form)
    say = progress or (lambda step, done, total: None)
    engine = choose_engine(data, engine, memory)
    if engine != "memory":
        from amongst.engines.counted import request

        asked = request(schema, models, method, options, form, seed, target, bound, unit=unit, workload=workload)
        settings = {"memory": memory, "work": work, "resume": resume, "table": table, "session": session}
        settings |= reading
        stored = anonymize_elsewhere(engine, data, asked, say, **settings)
        warn_of(doubts(stored.source.table, asked.schema, counted=True))
        return stored

    say("read", 0, 0)
    source = data if isinstance(data, Source) else read(data, **reading)  # columns
    if chosen.publishes == "two tables":
        from amongst.release.anatomy import anatomize

        refuse_guides(method, target, workload)
        warn_of(doubts(source.table, schema))
        return anatomize(source, schema, models, options, form=form, seed=seed, unit=unit, say=say)
    schema = check(schema, source.table, form=form)  # a kind and a way to publish for every quasi-identifier
    say("encode", 0, 0)
    coded = encode_for(source.table, schema, models, unit, target)  # ordered codes, one array a column
    say("group", 0, 0)
    told: dict[str, Any] = {"report_loss": report_loss} if chosen.reports_loss else {}
    if chosen.draws_lots:
        told["seed"] = seed
    guide = guided(coded, schema, chosen, workload)  # the same codes; weights and widths as target and workload want
    told["progress"] = lambda done, total: say("group", done, total)

    def run(rows: CodedTable) -> Partition:
        return chosen.run(rows, models, **told, **options)

    divides = chosen.recoding == "local"  # equal rows: which of them goes where must not follow from the input's order
    partition = group_in_order(run, guide, source.table, schema, unit) if divides else run(guide)
    say("publish", 0, 0)
    published = recode(source.table, schema, coded, partition, form)  # the table, sorted by what it shows
    made = (source, schema, models, method, options, seed, form, coded, partition, published, unit, bound)
    warn_of(doubts(source.table, schema))
    return Release(*made, target, workload)


def refuse_uncallable(**given: Any) -> None:
    """Raise for what should be called and cannot be."""
    wrong = [name for name, one in given.items() if one is not None and not callable(one)]
    if wrong:
        raise BadOption(
            "Something that is called on the way cannot be called.",
            found=[f"{name} is of type {type(given[name]).__name__}" for name in wrong],
            fix="give a function, such as progress=lambda step, done, total: print(step), or leave it out",
        )


def _some_models(models: Sequence[Model]) -> list[Model]:
    models = list(models) if isinstance(models, (list, tuple)) else [models]  # type: ignore[list-item]
    wrong = [model for model in models if isinstance(model, type) or not hasattr(model, "words")]
    if wrong or not models:
        found = f"{len(wrong)} of {len(models)} are none" if wrong else "0 given"
        raise BadOption("A privacy model is needed.", found=found, fix="give a list such as [am.KAnonymity(10)]")
    return models
