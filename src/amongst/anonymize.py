"""The whole flow on one screen: open, count, encode, group, plan; a release then publishes, verifies and reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.engines import choose_engine, open_store
from amongst.errors import BadOption
from amongst.models import KAnonymity, Model
from amongst.partition.methods import find_method
from amongst.partition.usual_method import usual_method
from amongst.release import Release
from amongst.request import Request
from amongst.schema.doubts import warn_of
from amongst.schema.named_roles import names_of_frame, with_named_roles, with_rest
from amongst.schema.schema import Schema, as_schema

if TYPE_CHECKING:
    from amongst.choices import Form, MethodName, Rest
    from amongst.engines.store import Say, Store
    from amongst.query.workload import Workload
    from amongst.read import Source
    from amongst.release.account import Account


def anonymize(
    data: Any,
    schema: Schema | Mapping[str, Any] | None = None,
    models: Sequence[Model] | Model | None = None,
    method: MethodName | str | None = None,
    *,
    quasi: str | Sequence[str] | None = None,
    sensitive: str | Sequence[str] | None = None,
    identifier: str | Sequence[str] | None = None,
    keep: str | Sequence[str] | None = None,
    weight: str | None = None,
    household: str | None = None,
    rest: Rest | None = None,
    k: int | None = None,
    form: Form | str = "labels",
    seed: int = 0,
    unit: str | None = None,
    target: str | None = None,
    workload: Workload | None = None,
    progress: Callable[[str, int, int], None] | bool | None = None,
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
    reads: Any = None,
    harden: Any = None,
    formulas: str | Sequence[str] = (),
    **options: Any,
) -> Release:
    """Anonymize a table.

    Parameters
    ----------
    data : path, pandas, polars or pyarrow table; address of a database; Spark DataFrame
        It is not changed.
    schema : Schema, or dict of column name to role or Column, optional
        A role for every column; or say it with the lists below, or with both.
    models : sequence of privacy models, optional
        Such as ``[am.KAnonymity(10)]``; all of them hold in the release.
    method : str, optional
        One of ``am.methods()``. Left out, ``best`` with ``effort=0.1, starts="few"``: about as long as the rest;
        ``hilbert`` for large tables whose rows mostly come more than once; ``mondrian`` for rows that are not in
        memory, with ``target``, ``workload`` or ``harden``, with options that only it takes, and where nothing is
        compiled.
    quasi, sensitive, identifier, keep : name or sequence of names, optional
        Columns with these roles; they go before those of the schema. A method with an option ``keep`` takes that.
    weight : str, optional
        The column that tells how many people of the population a row stands for.
    household : str, optional
        The column that tells who lives together; it is numbered anew, and nobody is found through the other members.
    rest : {"drop", "keep"}, optional
        What becomes of columns without a role. Left out, they are an error that lists them.
    k : int, optional
        Asks for ``am.KAnonymity(k)``, besides the models.
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
    progress : callable or True, optional
        Told (step, done, total) now and then; True says the steps on standard error.
    report_loss : callable, optional
        Told the loss so far (weighted GCP) while it falls, by a method that starts with some grouping and makes it
        better (``best``).
    bound : bool, optional
        Whether reports tell the GCP that no grouping can go below (see ``am.lower_bound``). Left out, they do where
        that takes no time worth speaking of: up to some 5,000 distinct combinations of quasi-identifiers.
    engine : {"memory", "duckdb", "postgresql", "spark"}, optional
        Where rows are counted and recoded. Left out, it follows from the data: an address ``postgresql://...`` and a
        Spark DataFrame stay where they are, a file with a limit of ``memory`` goes through DuckDB, all else is read
        into memory. Rows of other engines are never in memory.
    memory : str or int, optional
        The most memory to take, such as "4GB"; what does not fit goes to disk.
    work : path, optional
        Where temporary files go; left out, the system's folder for them.
    resume : bool
        Keep what was counted until the release is written, and go on from there after a crash.
    table : str, optional
        The table of a database; of a workbook the sheet.
    session : SparkSession, optional
        The session of Spark to use; left out, one is made.
    nulls, separator, encoding, header : optional
        How a text file is read: cells that mean missing besides the empty one, what stands between cells, the
        encoding if it is not UTF-8, and whether the first line has names. What is left out is found out.
    reads : mapping of column to form, or "found", optional
        How columns of text are read, of a file or a frame: ``{"birth": "dd.MM.yyyy", "cost": "1.234,56"}``; "found"
        takes the forms that their cells show without doubt.
    harden : Harden, optional
        What no attack may achieve, such as ``am.Harden(membership=0.02)``: the release is attacked and made anew until
        that holds, with other models, hierarchies and method where that is needed; see ``am.Harden``.
    formulas : str or sequence of str, optional
        Models that readers will fit, such as ``"cost ~ age + sex"``: ``release.analyses`` and the inside report set
        coefficients before and after side by side. They do not steer the search.
    **options
        Passed to the method.

    Returns
    -------
    Release
        Its rows come out sorted by what they publish: their order says nothing about that of the input.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients").table
    >>> am.anonymize(patients, quasi=["Age", "Sex", "Zipcode"], sensitive="Disease", k=2).verdict.ok
    True
    >>> adult = am.datasets.load("adult")
    >>> release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], method="mondrian")
    >>> release.utility.smallest >= 10
    True
    """
    named = {"quasi": quasi, "sensitive": sensitive, "identifier": identifier, "keep": keep, "weight": weight}
    named["household"] = household
    chosen = choose_engine(data, engine, memory)
    guided = target is not None or workload is not None
    named_method = method is not None
    method, options = usual_method(method, options, engine=chosen, guided=guided, hardened=harden is not None)
    if keep is not None and "keep" in find_method(method).options:  # columns that the method must not drop
        options["keep"] = named.pop("keep")
    in_lists = rest is not None or any(one is not None for one in named.values())
    known = with_named_roles(schema, named) if in_lists or schema is None else as_schema(schema)
    names = names_of_frame(data) if in_lists else None
    if names is not None:
        known = with_rest(known, names, rest)
    request = Request(
        schema=known,
        models=_asked(models, k),
        method=method,
        options=options,
        form=form,
        seed=seed,
        unit=unit,
        target=target,
        workload=workload,
        bound=bound,
        formulas=formulas,
        rest=rest if in_lists and names is None else None,
        named=named_method,
    )
    heard = said_aloud() if progress is True else progress or None
    refuse_uncallable(progress=heard, report_loss=report_loss)
    if harden is not None and not hasattr(harden, "make"):
        found = f"harden of type {type(harden).__name__}"
        raise BadOption("This is no hardening.", found=found, fix="give am.Harden(), with what is to be promised")
    say = heard or (lambda step, done, total: None)
    reading: dict[str, Any] = {"nulls": nulls, "separator": separator, "encoding": encoding, "header": header}
    reading |= {"reads": reads, **({"table": table} if chosen == "memory" else {})}
    settings = {"memory": memory, "work": work, "resume": resume, "table": table, "session": session}
    store = open_store(chosen, data, request, say, reading=reading, **settings)
    if in_lists and names is None:
        request = replace(request, schema=with_rest(known, store.schema().names, rest))
    if request.formulas:
        from amongst.analysis.own_models import refuse_unfit

        refuse_unfit(request, store)

    def publish(asked: Request, rows: Source | None = None) -> Release:
        if rows is not None:
            again = open_store("memory", rows, asked, say, reading={})
        else:
            again = store if asked is request and store.in_memory else there(asked)
        return release_of(again, asked, say, report_loss)

    def there(asked: Request) -> Store:
        return open_store(chosen, data, asked, say, reading=reading, **settings)

    release = release_of(store, request, say, report_loss) if harden is None else harden.make(request, store, publish)
    warn_of(release.doubts)
    return release


def release_of(
    store: Store,
    request: Request,
    say: Say,
    report_loss: Callable[[float], None] | None = None,
    account: Account | None = None,
) -> Release:
    """The whole flow, wherever the rows live: count, encode, group, decide what every group publishes."""
    try:
        store, coarse = store.with_limits(request.schema)  # what may not be published finer is coarse from here on
        request = request if coarse is request.schema else replace(request, schema=coarse)
        state = store.state()
        counts = store.look(request, say)  # distinct rows and how many there are of each, or the rows themselves
        request = store.checked(counts, request)  # a kind and a way to publish for every quasi-identifier
        say("encode", 0, 0)
        coded = store.encode(counts, request, say)  # ordered codes, one array a column
        request = request.of_size(coded)
        say("group", 0, 0)
        groups = store.group(coded, counts, request, say, report_loss)
        say("publish", 0, 0)
        plan = store.plan(groups, counts, request)  # what every class publishes, sorted by what it shows
        return Release(
            request=request,
            store=store,
            source=store.known(counts, groups),
            coded=groups.coded,
            partition=groups.partition,
            plan=plan,
            account=account,
            rows_of_code=groups.rows_of_code,
            state=state,
        )
    except BaseException:
        store.close()
        raise


def _asked(models: Sequence[Model] | Model | None, k: int | None) -> list[Model]:
    """The models that were given, with k-anonymity where k was."""
    if models is None and k is None:
        raise BadOption(
            "It is not said what the release must hold.",
            found="neither k nor models",
            fix="say k=10, or give privacy models",
        )
    given: list[Any] = [] if models is None else list(models) if isinstance(models, (list, tuple)) else [models]
    return given if k is None else [KAnonymity(k), *given]


def said_aloud() -> Callable[[str, int, int], None]:
    """Tells every step on standard error, on one line."""
    import sys

    last = ""

    def say(step: str, done: int, total: int) -> None:
        nonlocal last
        told = f"{step} {done / total:.0%}" if total else step
        if told != last:
            print(f"\ramongst: {told:<40}", end="\n" if step == "publish" else "", file=sys.stderr, flush=True)
            last = told

    return say


def refuse_uncallable(**given: Any) -> None:
    """Raise for what should be called and cannot be."""
    wrong = [name for name, one in given.items() if one is not None and not callable(one)]
    if wrong:
        raise BadOption(
            "Something that is called on the way cannot be called.",
            found=[f"{name} is of type {type(given[name]).__name__}" for name in wrong],
            fix="give a function, such as progress=lambda step, done, total: print(step), or leave it out",
        )
