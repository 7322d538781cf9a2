"""All full-domain generalizations that hold, for users who want to choose themselves."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from amongst.errors import BadOption, refuse_unknown_word
from amongst.models import Model
from amongst.partition.full_domain.generalizations import Generalizations
from amongst.partition.full_domain.search import search_lattice
from amongst.partition.method import Method
from amongst.partition.methods import METHODS
from amongst.partition.requested import encode_for
from amongst.read import Source, read
from amongst.schema.check import check
from amongst.schema.schema import Schema

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
    search = find_search(method)
    refuse_unknown_options(search, options)
    refuse_unknown_word(f"There is no engine {engine!r}.", "engine", engine, ENGINES)
    if engine == "duckdb":
        from amongst.engines import duckdb

        return duckdb.generalize(
            data, schema, models, search, suppression, limits, unit=unit, memory_limit=memory_limit, **options
        )
    source = data if isinstance(data, Source) else read(data)
    schema = check(schema, source.table)
    coded = encode_for(source.table, schema, models, unit)
    return search_lattice(search, coded, models, suppression, limits, **options)


def searches() -> tuple[str, ...]:
    """The methods that search the lattice."""
    return METHODS.names(lambda method: method.search)


def find_search(name: str) -> Method:
    """The method of this name that searches the lattice, or an error that lists those that do."""
    if name in METHODS and METHODS[name].search is not None:
        return METHODS[name]
    raise BadOption(
        f"The method {name!r} does not search the lattice.",
        found=f"method = {name!r}",
        fix="use one of: " + ", ".join(searches()),
    )


def refuse_unknown_options(method: Method, options: Mapping[str, Any]) -> None:
    """Raise for an option that the search does not take."""
    known = [name for name in inspect.signature(method.search or method.run).parameters if name not in ("sets", "ask")]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise BadOption(
            f"The search {method.name!r} does not take every option given.",
            found="not known: " + ", ".join(unknown),
            fix="options it takes: " + ", ".join(["suppression", "limits", *known]),
        )
