"""The flow for many tables is that of one: a request, a store and an account of their own, and the same steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from amongst.anonymize import release_of
from amongst.relations.other_persons import as_released
from amongst.relations.relation import DatabaseSchema
from amongst.relations.release import DatabaseRelease, ManyTables
from amongst.relations.store import DatabaseRequest, TablesStore
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database

if TYPE_CHECKING:
    from amongst.harden.harden import Harden


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
    harden: Harden | None = None,
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
    harden : Harden, optional
        What no attack may achieve: the release is attacked and made anew until that holds; see ``am.Harden``.
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
    request = DatabaseRequest(schema=schema, models=models, method=method, options=options, seed=seed)
    say = progress or (lambda step, done, total: None)
    say("read", 0, 0)
    stored = data if isinstance(data, Stored) else read_database(data, namespace=namespace, nulls=nulls)  # tables, keys

    def publish(asked: Any) -> DatabaseRelease:
        seen = as_released(
            stored, schema, asked.threshold, seed
        )  # a repair may ask for more persons alike, of any kind
        return cast("DatabaseRelease", release_of(TablesStore(seen), asked, say, account=ManyTables()))

    if harden is None:
        return publish(request)
    from amongst.relations.harden import MANY_TABLES

    return cast("DatabaseRelease", harden.make_of(MANY_TABLES, request, publish)[0])
