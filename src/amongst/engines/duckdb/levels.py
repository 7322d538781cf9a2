"""Full-domain methods where not even the distinct rows fit into memory: frequency sets in DuckDB, and rows recoded by
joining every value with its node."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.node_ends import ends_of_node
from amongst.engines.counted import CLASS, Columns, refuse_too_many
from amongst.engines.duckdb.connect import watched
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.duckdb.generalize import star
from amongst.engines.store import Counts, Grouping, Say
from amongst.errors import BadOption
from amongst.models import beyond_rows
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.search import find_node, group_by_levels
from amongst.partition.lattice import Levels
from amongst.recode import RecodingPlan, plan_recoding
from amongst.request import Request


@dataclass(frozen=True, eq=False)
class LevelsStore(FileStore):
    """A file whose classes alone come to memory: the lattice is searched in SQL, and every class is a row.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito: Efficient Full-Domain K-Anonymity*, SIGMOD 2005, section 3: a star
        schema, frequency sets by GROUP BY and by rollup.
    Guarantees
        The node and the release of memory.
    """

    def look(self, request: Request, say: Say) -> Counts:
        """The distinct values of every column, and the frequency set of all of them, which stays in DuckDB."""
        import pyarrow as pa

        _refuse_other_models(request)
        say("count", 0, 0)
        fields = self.schema()
        opened = contextlib.ExitStack()
        try:
            connection = opened.enter_context(self.connection())
            opened.enter_context(watched(connection, "count", say))
            sets = star(connection, self.source, fields.names, request.schema, fields)
        except BaseException:
            opened.close()
            raise
        values = {
            name: pa.chunked_array([own.cast(fields.field(name).type)])
            for name, own in zip(request.schema.quasi, sets.values, strict=True)
        }
        return Counts(table=pa.table({}), columns=Columns(fields, values), fields=fields, more=(sets, opened))

    def encode(self, counts: Counts, request: Request, say: Say) -> Any:
        """The columns are encoded value by value as they are counted."""
        return counts.more

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        """The node that the search finds, and its classes."""
        sets, opened = coded
        with opened:
            asked, node, facts = find_node(
                request.chosen,
                sets,
                request.models,
                progress=lambda done, total: say("group", done, total),
                **request.options,
            )
            found = sets.scan(tuple(range(len(node))), node)
            codes, count = found.fetched
            refuse_too_many(count, request)
            rows_of_code = sets.rows_by_code()
            left_out = sets.rows_below_by_code(found, request.threshold)
            stays = [np.asarray(own > gone) for own, gone in zip(rows_of_code, left_out, strict=True)]
            facts |= {"tuples": sets.tuples.n_classes, "uniques": sets.n_alone()}
        classes = _classes(sets.table, sets.maps, node, codes, count)
        partition = group_by_levels(FrequencySets(classes), asked, node, {})
        partition = replace(partition, count=classes.count, facts={**facts})
        return Grouping(coded=classes, partition=partition, rows_of_code=rows_of_code, more=(sets, node, codes, stays))

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        """Rows find their class by the nodes of their values."""
        import pyarrow as pa

        sets, node, codes, stays = grouping.more
        coded = self.settled(replace(grouping, rows_of_code=stays), request)
        plan = plan_recoding(coded, grouping.partition, request, counts.fields, stays)
        kept = np.flatnonzero(plan.class_of_row >= 0)
        names = request.schema.quasi
        tuples = pa.table({name: pa.array(own[kept]) for name, own in zip(names, codes, strict=True)})
        tuples = tuples.append_column(CLASS, pa.array(plan.class_of_row[kept], pa.int32()))
        nodes = {
            name: pa.table({"value": values, "node": pa.array(maps[level][column.codes].astype(np.int64))})
            for name, values, maps, level, column in zip(
                names, sets.values, sets.maps, node, sets.table.columns, strict=True
            )
        }
        return replace(plan, quasi=names, tuples=tuples, node_of_value=nodes)


def _classes(
    table: CodedTable, maps: list[list[np.ndarray]], node: Levels, codes: list[np.ndarray], count: np.ndarray
) -> CodedTable:
    """Every class of a node as a row that stands for its rows, with the first code of each of its nodes."""
    columns = [
        replace(column, codes=ends_of_node(of_level[level])[0][own].astype(column.codes.dtype))
        for column, of_level, level, own in zip(table.columns, maps, node, codes, strict=True)
    ]
    return CodedTable(columns, table.n_input, None, count=count.astype(np.uint32))


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
