"""All full-domain generalizations that hold, for users who want to choose themselves."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from amongst.errors import BadOption
from amongst.models import Model
from amongst.partition.bottom_up_search import bottom_up_search
from amongst.partition.datafly import datafly
from amongst.partition.full_domain import search_lattice
from amongst.partition.full_domain_optimum import full_domain_optimum
from amongst.partition.generalizations import Generalizations
from amongst.partition.incognito import incognito
from amongst.partition.incognito_cube import incognito_cube
from amongst.partition.incognito_superroots import incognito_superroots
from amongst.partition.requested import encode_for
from amongst.partition.samarati import samarati
from amongst.read import Source, read
from amongst.schema.check import check
from amongst.schema.schema import Schema

SEARCHES = {
    "incognito": incognito,
    "incognito-superroots": incognito_superroots,
    "incognito-cube": incognito_cube,
    "full-domain-optimum": full_domain_optimum,
    "samarati": samarati,
    "bottom-up-search": bottom_up_search,
    "datafly": datafly,
}

ENGINES = ("memory", "duckdb")


def generalizations(
    data: Any,
    schema: Schema,
    models: Sequence[Model],
    method: str = "incognito",
    *,
    suppression: float = 0.0,
    limits: Mapping[str, int] | None = None,
    unit: str | None = None,
    engine: str = "memory",
    memory_limit: str | None = None,
    **options: Any,
) -> Generalizations:
    """All full-domain generalizations of a table that satisfy the models.

    Parameters
    ----------
    data, schema, models
        As for ``anonymize``.
    method : str
        A search over the lattice: incognito and its kin give all that hold, samarati those of least height,
        full-domain-optimum the best, datafly one.
    suppression : float or int
        Rows that may be left out: a share (0.05) or a whole number of rows.
    limits : dict of str to int, optional
        The highest level that a column may have: ``{"sex": 0, "age": 2}`` keeps sex intact.
    unit : str, optional
        The identifier column that tells people apart: people are counted, not rows.
    engine : {"memory", "duckdb"}
        Where the rows are counted. "duckdb" takes a Parquet or CSV file and does not read its rows into memory.
    memory_limit : str, optional
        For DuckDB, such as "4GB"; beyond it DuckDB goes to disk.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> found = am.generalizations(patients.table, patients.schema, [am.KAnonymity(2)], limits={"Sex": 0})
    >>> all(levels[found.columns.index("Sex")] == 0 for levels in found)
    True
    """
    refuse_unknown_search(method)
    refuse_unknown_options(method, options)
    if engine not in ENGINES:
        raise BadOption(
            f"There is no engine {engine!r}.", found=f"engine = {engine!r}", fix="use one of: " + ", ".join(ENGINES)
        )
    if engine == "duckdb":
        from amongst.engines import duckdb

        search = SEARCHES[method]
        return duckdb.generalize(
            data, schema, models, search, suppression, limits, unit=unit, memory_limit=memory_limit, **options
        )
    source = data if isinstance(data, Source) else read(data)
    schema = check(schema, source.table)
    coded = encode_for(source.table, schema, models, unit)
    return search_lattice(SEARCHES[method], coded, models, suppression, limits, **options)


def refuse_unknown_search(method: str) -> None:
    """Raise for a method that does not search the lattice."""
    if method not in SEARCHES:
        raise BadOption(
            f"The method {method!r} does not search the lattice.",
            found=f"method = {method!r}",
            fix="use one of: " + ", ".join(SEARCHES),
        )


def refuse_unknown_options(method: str, options: Mapping[str, Any]) -> None:
    """Raise for an option that the search does not take."""
    known = [name for name in inspect.signature(SEARCHES[method]).parameters if name not in ("sets", "ask")]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise BadOption(
            f"The search {method!r} does not take every option given.",
            found="not known: " + ", ".join(unknown),
            fix="options it takes: " + ", ".join(["suppression", "limits", *known]),
        )
