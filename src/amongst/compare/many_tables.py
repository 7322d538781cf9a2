"""Methods for many tables side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amongst.compare.candidate import asked_k, candidates
from amongst.compare.compare import Comparison, refuse_budget, side_by_side
from amongst.compare.run import Progress
from amongst.models import Model
from amongst.relations.methods import find_database_method
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database

if TYPE_CHECKING:
    from amongst.compare.candidate import Candidate

OF_TREES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("miracle", {}),
    ("miracle-x", {}),
    ("miracle-x", {"skeleton": "split"}),
    ("miracle-x", {"skeleton": "top-down"}),
    ("bitmap", {}),
)
"""What is compared where all is known of every table."""
OF_CODES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("codes", {}),
    ("codes", {"keep": 0.6}),
    ("codes", {"keep": 0.95}),
    ("codes", {"common": 0.9}),
)
"""The same where less is known of some."""


def usual_of(schema: DatabaseSchema) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The methods with options that are compared where none are named."""
    return OF_CODES if schema.bounded else OF_TREES


def compare_database(
    data: Any,
    schema: DatabaseSchema,
    models: Sequence[Model],
    methods: Sequence[str | tuple[str, Mapping[str, Any]]] | None = None,
    *,
    ks: Sequence[int] | None = None,
    budget: float | None = None,
    processes: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Run methods for many tables with many parameters side by side, and say which one to take.

    Parameters
    ----------
    data, schema, models
        As for ``am.anonymize_database``.
    methods, ks, budget, processes, seed, progress
        As for ``am.compare``. They are weighed by LM.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> found = am.compare_database(made.tables, made.schema, [am.KAnonymity(2)], ["miracle", "bitmap"], processes=1)
    >>> found.best.candidate.method, found.measure
    ('miracle', 'LM')
    """
    asked = usual_of(schema) if methods is None else methods
    made: list[Candidate] = candidates(asked, models, ks, find=find_database_method)
    refuse_budget(budget)
    stored = data if isinstance(data, Stored) else read_database(data)
    # Workers get the tables as pyarrow: what kind of frames came in plays no part for the figures.
    plain = Stored(stored.tables, stored.keys, "frames", stored.name)
    task = {"source": plain, "schema": schema, "workload": None, "form": "labels", "seed": seed}
    return side_by_side(
        made,
        task,
        title=stored.name,
        measure="LM",
        least_k=asked_k(models, ks),
        budget=budget,
        processes=processes,
        progress=progress,
        n_rows=sum(stored.tables[name].num_rows for name in schema if name in stored.tables),
        columns=list(schema),
    )
