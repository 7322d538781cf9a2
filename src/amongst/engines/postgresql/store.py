"""A table of PostgreSQL: counted there, published there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from amongst.engines.counted import CLASS, COUNT, FIRST, LAST, PERSON
from amongst.engines.gaps import COUNTED_HERE, Gap
from amongst.engines.parts.group_rows import beyond_parts
from amongst.engines.postgresql import sql
from amongst.engines.postgresql.connection import Connection, plain_columns
from amongst.engines.postgresql.counted import Counted
from amongst.engines.postgresql.failures import told
from amongst.engines.postgresql.in_parts import (
    encode_entries,
    group_entries,
    look_at_entries,
    needed,
    plan_entries,
)
from amongst.engines.postgresql.names import table_name, too_long
from amongst.engines.postgresql.pieces import changed, map_of_tuples, named, pieces, whole
from amongst.engines.postgresql.published import WrittenTable
from amongst.engines.postgresql.target import Target
from amongst.engines.postgresql.types import StoredColumn, refuse_no_dates, refuse_unknown_types
from amongst.engines.sql_type import sql_type
from amongst.engines.store import Counts, Grouping, Place, Say, Store, Written
from amongst.engines.work import Work
from amongst.errors import BadInput, BadOption, BadOutput
from amongst.recode.plan import RecodingPlan
from amongst.request import Request

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedTable
    from amongst.published.source import Source as PublishedSource

MOST_DISTINCT = 0.2


class PostgresqlStore(Store):
    """A table or view of a PostgreSQL database, in one transaction from the first look to the commit.

    Nothing leaves the server but the frequency set and, for the verifier, the counts of what is published;
    where people are counted the published rows.

    Parameters
    ----------
    address : str
        ``postgresql://user@host/database``.
    table : str
        ``schema.table``.
    memory : str
        How much memory a statement may take in the server before it uses temporary files (``work_mem``).

    Attributes
    ----------
    keep_counts : bool
        Whether frequency sets stay in the server too, so that rows can be joined with them.
    in_order : bool
        Whether those come sorted: for methods whose outcome depends on the order of rows.
    part_rows : int or None
        How many rows are grouped at a time where counts do not fit into memory; a number here says that they do not.
    """

    engine = "postgresql"
    gaps: ClassVar[Mapping[str, Gap]] = {
        **COUNTED_HERE,
        "structs": Gap("never", "columns of a table are plain; `bounds` tells the same"),
        "reads": Gap("never", "columns have types there: give them theirs in a view"),
        "limits": Gap("not yet", "coarsen the columns in a view"),
        "resume": Gap("never", "the run is one transaction, of which a crash leaves nothing"),
        "formats": Gap("never", "the release is a table beside the old one"),
        "shape": Gap("never", "the release is a table beside the old one"),
    }

    def __init__(self, address: str, table: str, *, memory: str, work: str | os.PathLike[str] | None = None) -> None:
        asked = table_name(table)
        self.connection = Connection(address, memory)
        try:
            self.number, self.table = self.connection.look_up(asked)
            with told("read", str(asked)):
                [(self.namespace,)] = self.connection.rows("SELECT current_schema()::text")
                self.connection.settle()
                self.columns = self.connection.columns(self.number)
        except BaseException:
            self.connection.close()
            raise
        self.name, self._n_counts = str(self.table), 0
        self.keep_counts, self.in_order = True, False
        self._counted: list[Counted] = []
        self.part_rows: int | None = None
        self.work = work
        self._place: Work | None = None
        self._written: WrittenTable | None = None
        self._people: np.ndarray | None = None
        self._target: Target | None = None
        self._refuse_own_names()

    def schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema([(column.name, column.arrow()) for column in self.columns])

    def count(self, columns: Sequence[str], say: Say, exact: Sequence[str] = ()) -> pa.Table:
        import pyarrow as pa

        say("count", 0, 0)
        counted = self.counted(columns, exact)
        own, name = counted.columns, counted.name
        with told("count", self.name):
            fetched = self.connection.fetch(sql.entries(name, own) if name else sql.counts(self.table, own, exact))
        fetched = _by_number(fetched) if name else fetched
        cells = plain_columns(fetched.select([f"g{i}" for i in range(len(own))]), own)
        refuse_no_dates(own, cells)
        table = pa.table([*cells, fetched.column("n")], names=[*columns, COUNT])
        self._counted = [*(one for one in self._counted if one is not counted), replace(counted, table=table)]
        return table

    def counted(self, columns: Sequence[str], exact: Sequence[str] = ()) -> Counted:
        """The frequency set of some columns in the server, where it is kept there; it is counted once."""
        own, exact = self._columns(columns), tuple(exact)
        if not self.keep_counts:
            return Counted("", own, exact)
        for one in self._counted:
            if one.name and (one.names, one.exact) == (list(columns), exact):
                return one
        self._n_counts += 1
        name = f"amongst_counted_{self._n_counts}"
        with told("count", self.name):
            n_entries = self.connection.execute(sql.kept_counts(name, self.table, own, self.in_order, exact))
        self._counted.append(Counted(name, own, exact, n_entries))
        return self._counted[-1]

    def look(self, request: Request, say: Say) -> Counts:
        """The distinct rows; or where memory cannot hold them, and the method goes on without, their values."""
        if self.whole or request.unit is not None or beyond_parts(request):
            return super().look(request, say)
        say("count", 0, 0)
        self.keep_counts = True
        counted = self.counted(request.counted)
        if self.part_rows is None and needed(self, counted, request) <= self.room:
            return super().look(request, say)
        self._place = Work(self.work)
        return look_at_entries(self, counted, request, self._place.folder)

    def encode(self, counts: Counts, request: Request, say: Say) -> Any:
        if counts.more is None:
            return super().encode(counts, request, say)
        return encode_entries(counts.more, request, self.part_rows)

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        if counts.more is None:
            return super().group(coded, counts, request, say, report_loss)
        return group_entries(coded, request, lambda done, total: say("group", done, total))

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        if counts.more is None:
            return super().plan(grouping, counts, request)
        return plan_entries(grouping, counts, request)

    def state(self) -> str:
        """Of the catalogue and of the statistics of changes; inside one run the transaction sees no change at all."""
        with told("read", self.name):
            [facts] = self.connection.rows(
                "SELECT c.oid::text, c.relfilenode::text, s.n_tup_ins::text, s.n_tup_upd::text, s.n_tup_del::text "
                "FROM pg_class c LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid WHERE c.oid = $1::oid",
                self.number,
            )
        return "/".join("" if fact is None else fact for fact in facts)

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        """Write the release into a new table: from the counts of all published columns, or every row joined with what
        its tuple publishes.

        Nobody sees it before ``commit``. With ``place.force`` a release of the same name is replaced.
        """
        _refuse_names(plan)
        self._target = self.refuse_target(place.table, force=place.force)
        few = plan.found_by is not None and not plan.divided
        with told("write", str(self._target.name), writing=True):
            n = self._write_counts(plan) if few else self._write_rows(plan, lambda step, done, total: say(step))
        if n != plan.n_published:
            raise changed(f"{n:,} rows to publish instead of {plan.n_published:,}")
        self._written = WrittenTable(self.connection, self._target.staged, few=few)
        self._people = self._written.persons(sql.WHOSE) if _tells_people(plan) else None

    def _write_counts(self, plan: RecodingPlan) -> int:
        assert self._target is not None
        others = [
            StoredColumn(one.name, "int8", -1, "int8") if one.name in plan.anew else one
            for one in self._columns(plan.others)
        ]
        self.connection.ingest(sql.PIECES, pieces(plan))
        cells = {column.name: column.restored(f"x.g{i}") for i, column in enumerate(others)}
        return self.connection.execute(sql.from_counts(self._target.staged, others, _shown(plan, cells, "x")))

    def _write_rows(self, plan: RecodingPlan, say: Say) -> int:
        import pyarrow as pa

        assert self._target is not None
        others = self._columns(plan.others)
        by_parts = plan.found_by
        counted = self._kept_counts(plan.quasi, say) if by_parts is None else by_parts.counted
        classes = named(plan.classes, "c")
        number = pa.array(np.arange(classes.num_rows, dtype=np.int32))
        self.connection.ingest(sql.CLASSES, classes.append_column("id", number))
        self.connection.ingest(sql.MAP, map_of_tuples(plan, counted.table) if by_parts is None else by_parts.map(plan))
        shown = _shown(plan, {column.name: column.published("t") for column in others}, "c")
        nullable = counted.nullable if by_parts is None else by_parts.nullable
        keys = [
            (i, column, column.name in nullable)
            for i, column in enumerate(counted.columns)
            if column.name in plan.quasi
        ]
        asked: dict[str, Any] = {"name": counted.name, "keys": keys, "others": others, "shown": shown}
        if not _tells_people(plan):
            return self.connection.execute(
                sql.from_rows(self._target.staged, self.table, **asked, divided=plan.divided)
            )
        self.connection.execute(f"DROP TABLE IF EXISTS {sql.WHOSE}")
        self.connection.execute(sql.whose_rows(self.table, **asked, divided=plan.divided))
        return self.connection.execute(sql.from_whose_rows(self._target.staged, others, plan.columns))

    def person_of_row(self, coded: CodedTable, plan: RecodingPlan) -> np.ndarray | None:
        """In the order of all that is published: rows of a table have no place, and rows that tie there are alike."""
        if coded.unit is not None:
            self._proved_later()
        return self._people

    def refuse_target(self, target: str, *, force: bool = False) -> Target:
        """Raise where a release of this name could not be written; else where it goes."""
        asked = table_name(target)
        with told("write", str(asked), writing=True):
            return Target.find(self.connection, asked, self.namespace, self.table, force=force)

    def published(self, place: Place) -> tuple[PublishedSource, ...]:
        return (self._proved_later().source(),)

    def written(self, place: Place) -> Written:
        """Its name, and a digest of its rows; stated in ``docs/postgresql.md``."""
        return Written(table={"name": self.target_name, "rows_sha256": self._proved_later().digest()})

    def refuse_output(self, format: str, form: str, table: str) -> None:
        if not table:
            raise BadOption(
                "The release of a table in PostgreSQL is a table there.",
                found="no name for it",
                fix="name it with --out-table (table=)",
            )
        if format != self.format:
            raise BadOption(
                "The release of a table in PostgreSQL is a table there.",
                found=f"format = {format!r}",
                fix="leave the format out; COPY writes the table to a file",
            )

    def refuse_changed(self, state: str) -> None:
        """Nothing to refuse: the transaction sees the table as it was counted."""

    def writing(self) -> PostgresqlStore:
        return self

    def commit(self, place: Place, note: str) -> None:
        """Let the release appear under its name, with a comment that says what it is."""
        assert self._target is not None
        with told("replace" if self._target.replaces else "write", str(self._target.name), writing=True):
            self._target.settle(note)
            self.connection.commit()

    def close(self) -> None:
        """Undo what was not committed, and leave."""
        self.connection.close()
        if self._place is not None:
            self._place.close()

    def __enter__(self) -> PostgresqlStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def target_name(self) -> str:
        """The table that the release becomes."""
        assert self._target is not None
        return str(self._target.name)

    def refuse_types(self, columns: Sequence[str]) -> None:
        """Raise for columns of types that are neither counted nor sorted."""
        self._columns(columns)

    def about_rows(self) -> int | None:
        """How many rows there are by the server's statistics; None where it has none."""
        with told("read", self.name):
            [(n,)] = self.connection.rows("SELECT reltuples::float8 FROM pg_class WHERE oid = $1::oid", self.number)
        return None if n < 0 or (n == 0 and not self._counted) else int(n)

    def few(self, columns: Sequence[str]) -> bool:
        """Whether rows are likely to repeat in these columns, so that counting them all is worth it.

        By the server's statistics: a column that has another value in most rows settles it. A table without
        statistics is taken for one that repeats, but for columns of floating point. Values that are read inexactly
        cannot be written from counts.
        """
        with told("read", self.name):
            found = self.connection.rows(
                "SELECT s.attname::text, s.n_distinct::float8, c.reltuples::float8 FROM pg_stats s "
                "JOIN pg_class c ON c.oid = $1::oid WHERE s.schemaname = $2 AND s.tablename = $3",
                self.number,
                *(self.table.namespace, self.table.name),
            )
        share = {name: -n if n < 0 else n / max(rows, 1.0) for name, n, rows in found}
        own = self._columns(columns)
        return all(one.exact for one in own) and all(
            share.get(one.name, float(one.base in ("float4", "float8"))) <= MOST_DISTINCT for one in own
        )

    def _proved_later(self) -> WrittenTable:
        if self._written is None:
            raise BadOutput("Nothing was written yet.", found="no release", fix="publish one first")
        return self._written

    def _columns(self, names: Sequence[str]) -> list[StoredColumn]:
        by_name = {column.name: column for column in self.columns}
        own = [by_name[name] for name in names]
        refuse_unknown_types(own)
        return own

    def _refuse_own_names(self) -> None:
        clash = [name for name in (COUNT, CLASS, FIRST, LAST, PERSON) if any(name == one.name for one in self.columns)]
        if clash:
            self.close()
            found = f"a column named '{clash[0]}'"
            raise BadInput("A column has a name that amongst uses itself.", found=found, fix="rename it in a view")

    def _kept_counts(self, quasi: Sequence[str], say: Say) -> Counted:
        """A frequency set that is still in the server; counted now where there is none, as after a restart."""
        for counted in reversed(self._counted):
            if counted.name and counted.table is not None and set(quasi) <= set(counted.names):
                return counted
        self.keep_counts = True
        self.count(quasi, say)
        return self._counted[-1]


def _by_number(fetched: pa.Table) -> pa.Table:
    """The entries in the order of their numbers, in which the server need not hand them out."""
    import pyarrow as pa

    number = whole(fetched.column("id"))
    if np.array_equal(number, np.arange(len(number))):
        return fetched
    return fetched.take(pa.array(np.argsort(number)))


def _tells_people(plan: RecodingPlan) -> bool:
    return plan.tuples is not None and PERSON in plan.tuples.column_names


def _refuse_names(plan: RecodingPlan) -> None:
    long = [name for name in plan.columns if too_long(name)]
    if long:
        raise BadOutput(
            "Names of published columns are too long for PostgreSQL, which would cut them off.",
            found=f"{len(long)} columns, such as '{long[0]}'",
            fix='give the column a shorter name in a view, or use form = "labels"',
        )


def _shown(plan: RecodingPlan, others: dict[str, str], row: str) -> list[tuple[str, str]]:
    """SQL and name of every published column."""
    place = {name: i for i, name in enumerate(plan.classes.column_names)}
    kinds = {field.name: sql_type(field.type, "postgresql") for field in plan.classes.schema}
    return [(f"{row}.c{place[name]}::{kinds[name]}" if name in place else others[name], name) for name in plan.columns]
