"""The whole flow for many tables on one screen: read, check, build trees, group, publish; then verify and measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.diversity import database_models
from amongst.relations.forest import build_forest
from amongst.relations.loose_keys import refuse_loose_keys
from amongst.relations.methods import find_database_method
from amongst.relations.publish import publish
from amongst.relations.relation import DatabaseSchema
from amongst.relations.release import DatabaseRelease
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database


def anonymize_database(
    data: Any,
    schema: DatabaseSchema,
    models: Sequence[Any],
    method: str = "miracle",
    *,
    namespace: str | None = None,
    nulls: Sequence[str] = (),
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
    **options: Any,
) -> DatabaseRelease:
    """Anonymize tables that belong together: one of persons, the others hanging on it.

    Parameters
    ----------
    data : path, address or mapping
        A folder of CSV or Parquet files, a DuckDB or SQLite file, a postgresql:// address, or frames by the names of
        their tables. Nothing of it is changed.
    schema : DatabaseSchema
        Keys and references (where the database does not state them), and a role for every other column.
    models : sequence of privacy models
        ``am.KAnonymity``, counted in persons, and ``am.Diversity``.
    method : str
        One of ``am.database_methods()``.
    namespace : str, optional
        The schema inside a DuckDB or PostgreSQL database.
    nulls : sequence of str
        Cell texts of CSV files that mean missing, besides the empty cell.
    seed : int
        For the order of the persons and the random keys; recorded in the manifest.
    progress : callable, optional
        Told (step, done, total) now and then.
    **options
        Passed to the method.

    Returns
    -------
    DatabaseRelease

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    >>> release.verdict.ok, release.utility.groups
    (True, 2)
    """
    database_models(models)
    chosen = find_database_method(method)
    chosen.check_options(options)
    say = progress or (lambda step, done, total: None)

    say("read", 0, 0)
    stored = data if isinstance(data, Stored) else read_database(data, namespace=namespace, nulls=nulls)  # tables, keys
    schema = check_tables(schema, stored)  # a snowflake, with a kind and a way to publish for every quasi-identifier
    parents = check_keys(schema, stored)  # the parent of every row
    refuse_loose_keys(schema, stored, parents)  # no other column leads from row to row
    say("encode", 0, 0)
    forest = build_forest(schema, stored, parents, seed)  # flat arrays: codes, and where every row's children are
    say("group", 0, 0)
    grouped = chosen.run(forest, models, progress=lambda done, total: say("group", done, total), **options)
    say("publish", 0, 0)
    published = publish(forest, stored, grouped, seed)  # the tables, with random keys
    return DatabaseRelease(
        stored=stored,
        schema=schema,
        models=list(models),
        method=method,
        options=options,
        seed=seed,
        forest=forest,
        grouped=grouped,
        published=published,
    )
