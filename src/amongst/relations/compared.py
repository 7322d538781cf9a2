"""A release of many tables held against its original: how like it every table is, and how well questions are answered.

Every table is looked at with the columns of the tables that it hangs on, so that what belongs together is compared
together: the diagnoses of women, the wards of the old.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadOption
from amongst.query.fidelity import Fidelity, fidelity
from amongst.query.open_release import OpenRelease, open_original
from amongst.query.workload import Workload, answers_of
from amongst.query.workload_error import WorkloadError
from amongst.relations.questions import OpenTables, flat_table, open_table, open_tables
from amongst.relations.relation import DatabaseSchema
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def fidelity_database(
    published: Any,
    original: Mapping[str, pa.Table],
    schema: DatabaseSchema,
    *,
    levels: Sequence[int] = (1, 2),
    seed: int = 0,
) -> dict[str, Fidelity]:
    """How like its original every table of a release is, with the columns of the tables that it hangs on.

    Parameters
    ----------
    published : path or DatabaseRelease
    original : mapping of str to pyarrow.Table
        The tables that it was made of.
    schema : DatabaseSchema
        That of the job, with its hierarchies.
    levels, seed
        As for ``am.fidelity``.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    >>> found = am.fidelity_database(release, made.tables, made.schema)
    >>> {name: f"{one.marginals[0].distance:.2f}" for name, one in found.items() if one.marginals}
    {'courses': '0.15', 'books': '0.15'}
    """
    found = {}
    for name, release, table, rules in _pairs(published, original, schema):
        quasi = [column for column in rules.quasi if column in release.columns]
        asked = [level for level in levels if level <= len(quasi)]
        if quasi:
            found[name] = fidelity(release, table, rules, levels=asked or [1], seed=seed)
    return found


def workload_database(
    published: Any,
    original: Mapping[str, pa.Table],
    schema: DatabaseSchema,
    *,
    n: int = 1000,
    kind: str = "all",
    **options: Any,
) -> dict[str, WorkloadError]:
    """How far the answers about every table are from the truth, over random questions about it.

    Parameters
    ----------
    published, original, schema
        As for ``fidelity_database``.
    n, kind, options
        As for ``am.Workload.random``, of every table.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    >>> found = am.workload_database(release, made.tables, made.schema, n=50)
    >>> {name: len(one.truth) for name, one in found.items()}
    {'courses': 50, 'books': 50}
    """
    found = {}
    for name, release, table, rules in _pairs(published, original, schema):
        there = Schema({column: rule for column, rule in rules.items() if column in release.columns})
        if not there.quasi:
            continue
        work = Workload.random(table, there, n, kind, **options)
        estimate, lower, upper = answers_of(release, work.questions)
        if release.n_suppressed is None:  # it is not told how many rows were left out: nothing is known from above
            upper = np.full_like(upper, np.nan)
        truth = answers_of(open_original(table, there), work.questions)[0]
        found[name] = WorkloadError(
            words=work.words, weight=work.weight, truth=truth, estimate=estimate, lower=lower, upper=upper
        )
    return found


def _pairs(
    published: Any, original: Mapping[str, pa.Table], schema: DatabaseSchema
) -> Iterator[tuple[str, OpenRelease, pa.Table, Schema]]:
    """Every table that both have, published and as it was, each with the columns of the tables it hangs on."""
    opened = open_tables(published, schema)
    gone = [name for name in opened.schema if name not in original or name not in schema]
    if gone:
        found = f"not in the original: {', '.join(gone)}"
        raise BadOption("This is not the original of the release.", found=found, fix="name the job that it was made by")
    nothing = dict.fromkeys(schema, 0)
    whole = OpenTables(original, schema, {}, nothing, nothing, False)
    for name in opened.schema.in_order():
        release = open_table(opened, name)
        table, rules, _ = flat_table(whole, name)
        if table.num_rows:
            yield name, release, table, rules
