"""Full-domain methods where not even the distinct rows fit into memory: frequency sets in DuckDB, and rows recoded by
joining every value with its node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.node_ends import ends_of_node
from amongst.engines.counted import Request, StoredSource, no_rows, published_names, refuse_too_many, sizes_of_classes
from amongst.engines.duckdb.connect import watched
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.duckdb.frequency_sets import SqlFrequencySets
from amongst.engines.duckdb.generalize import star
from amongst.engines.store import CLASS, Publication, Say
from amongst.engines.work import Work
from amongst.errors import BadOption
from amongst.models import beyond_rows
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.search import find_node, group_by_levels
from amongst.partition.lattice import Levels
from amongst.partition.methods import find_method
from amongst.recode import Published
from amongst.recode.recode import decide
from amongst.recode.stream import class_table
from amongst.release.stored import StoredRelease
from amongst.schema.check_column import check_column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class LevelsRelease(StoredRelease):
    """A release whose classes alone are in memory: ``coded`` has a row for every class."""

    rows_by_code: Sequence[np.ndarray] = ()

    def counts_of_values(self, column: CodedColumn) -> np.ndarray:
        place = [own.name for own in self.coded.columns].index(column.name)
        return self.rows_by_code[place][: column.n_values].astype(np.int64)


def anonymize_levels(store: FileStore, request: Request, say: Say, work: Work) -> LevelsRelease:
    """Search the lattice in SQL, and decide what every class of the chosen node publishes.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito: Efficient Full-Domain K-Anonymity*, SIGMOD 2005, section 3: a star
        schema, frequency sets by GROUP BY and by rollup.
    Guarantees
        The node and the release of memory.
    """
    _refuse_other_models(request)
    state = store.state()
    say("count", 0, 0)
    with store.connection() as connection, watched(connection, "count", say):
        stored = store.schema()
        sets = star(connection, store.source, stored.names, request.schema, stored)
        say("group", 0, 0)
        asked, node, facts = find_node(
            find_method(request.method),
            sets,  # type: ignore[arg-type]
            request.models,
            progress=lambda done, total: say("group", done, total),
            **request.options,
        )
        codes, count = sets.scan(tuple(range(len(node))), node).fetched
        refuse_too_many(count, request)
        rows_by_code = sets.rows_by_code()
        facts |= {"tuples": sets.tuples.n_classes, "uniques": sets.n_alone()}
    coded = _classes(sets.table, sets.maps, node, codes, count)
    partition = group_by_levels(FrequencySets(coded), asked, node, {})
    partition = replace(partition, count=coded.count, facts={**facts})
    schema = _checked(request.schema, sets, stored)
    say("publish", 0, 0)
    told = decide(schema, coded, partition, request.form)
    publication = _publication(sets, node, codes, told.class_of_row, count, request, told, stored)
    shown = Published(
        no_rows(publication, stored), sizes_of_classes(told, coded), told.class_of_row, told.n_classes, {}
    )
    import pyarrow as pa

    source = StoredSource(pa.table({}), "pyarrow", store.name, store.digest(), store.notes, n_stored=len(stored.names))
    return LevelsRelease(
        source,
        schema,
        request.models,
        request.method,
        request.options,
        request.seed,
        request.form,
        coded,
        partition,
        shown,
        bound=False,
        store=store,
        publication=publication,
        state=state,
        work=work,
        rows_by_code=rows_by_code,
    )


def _classes(
    table: CodedTable, maps: list[list[np.ndarray]], node: Levels, codes: list[np.ndarray], count: np.ndarray
) -> CodedTable:
    """Every class of a node as a row that stands for its rows, with the first code of each of its nodes."""
    columns = [
        replace(column, codes=ends_of_node(of_level[level])[0][own].astype(column.codes.dtype))
        for column, of_level, level, own in zip(table.columns, maps, node, codes, strict=True)
    ]
    return CodedTable(columns, table.n_input, None, count=count.astype(np.uint32))


def _publication(
    sets: SqlFrequencySets,
    node: Levels,
    codes: list[np.ndarray],
    class_of_row: np.ndarray,
    count: np.ndarray,
    request: Request,
    told: Any,
    stored: pa.Schema,
) -> Publication:
    import pyarrow as pa

    kept = np.flatnonzero(class_of_row >= 0)
    names = request.schema.quasi
    tuples = pa.table({name: pa.array(own[kept]) for name, own in zip(names, codes, strict=True)})
    tuples = tuples.append_column(CLASS, pa.array(class_of_row[kept], pa.int32()))
    nodes = {
        name: pa.table({"value": values, "node": pa.array(maps[level][column.codes].astype(np.int64))})
        for name, values, maps, level, column in zip(
            names, sets.values, sets.maps, node, sets.table.columns, strict=True
        )
    }
    columns = published_names(told, request, stored)
    n_published = int(count[kept].sum())
    classes = class_table(told.columns)
    return Publication(names, tuples, classes, request.others, columns, n_published, node_of_value=nodes)


def _checked(schema: Schema, sets: SqlFrequencySets, stored: pa.Schema) -> Schema:
    """The schema with everything filled in that follows from the values."""
    import pyarrow as pa

    found = {}
    values = dict(zip(schema.quasi, sets.values, strict=True))
    for name, column in schema.items():
        if column.role in (None, "identifier"):
            found[name] = column
            continue
        kind = stored.field(name).type
        own = values[name].cast(kind) if name in values else pa.nulls(1, kind)
        found[name] = check_column(column, pa.chunked_array([own]))[0]
    return Schema(found)


def _refuse_other_models(request: Request) -> None:
    beyond = beyond_rows(request.models)
    loose = [name for name in request.schema.quasi if request.schema[name].nulls == "match anything"]
    problems = ["models: " + ", ".join(beyond)] if beyond else []
    problems += ["nulls that match anything: " + ", ".join(f"'{name}'" for name in loose)] if loose else []
    told = [name for name in request.schema.quasi if request.schema[name].statistic]
    problems += ["statistics of groups: " + ", ".join(f"'{name}'" for name in told)] if told else []
    problems += [f"target = {request.target!r}"] if request.target is not None else []
    if problems:
        raise BadOption(
            "The distinct rows of this table do not fit into the memory allowed, and SQL cannot search for this.",
            found=problems,
            fix="allow more memory, or ask for k-anonymity alone",
        )
