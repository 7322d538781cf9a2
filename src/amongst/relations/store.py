"""Many tables that were read, as a store: the verbs of one table for all of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.store import Counts, Grouping, Place, Say, Store, Written
from amongst.errors import BadOption
from amongst.models import Model
from amongst.partition.methods import Method
from amongst.read.file import file_digest
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest, build_forest
from amongst.relations.loose_keys import refuse_loose_keys
from amongst.relations.methods import find_database_method
from amongst.relations.publish import PublishedTables, publish
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.relations.stores import FORMATS
from amongst.request import Request

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False, kw_only=True)
class DatabaseRequest(Request):
    """What is asked of many tables: the schema is that of all of them, the method one for many tables."""

    schema: DatabaseSchema  # type: ignore[assignment]

    def __post_init__(self) -> None:
        database_models(self.models)
        object.__setattr__(self, "models", list(self.models))
        self.chosen.check_options(self.options)

    @property
    def chosen(self) -> Method:
        return find_database_method(self.method)

    @property
    def threshold(self) -> int:
        return database_models(self.models)[0]


@dataclass(frozen=True, eq=False)
class TablesStore(Store):
    """Tables in memory that hang on one of persons."""

    read: Stored
    engine: str = "memory"
    in_memory: bool = True

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.read.name

    @property
    def format(self) -> str:  # type: ignore[override]
        return self.read.kind if self.read.kind in FORMATS else "parquet"

    def with_limits(self, schema: Any) -> tuple[Store, Any]:
        return self, schema

    def state(self) -> str:
        return ""

    def look(self, request: Request, say: Say) -> Counts:
        """The tables themselves: rows are told apart by all that hangs on them."""
        return Counts(table=self.read.tables, columns=None, fields=None)

    def checked(self, counts: Counts, request: Request) -> Request:
        """With a snowflake for its schema, and a kind and a way to publish for every quasi-identifier."""
        return replace(request, schema=check_tables(request.schema, self.read))  # type: ignore[arg-type]

    def encode(self, counts: Counts, request: Request, say: Say) -> Forest:
        """Flat arrays: codes, and where every row's children are."""
        schema: Any = request.schema
        parents = check_keys(schema, self.read)  # the parent of every row
        refuse_loose_keys(schema, self.read, parents)  # no other column leads from row to row
        return build_forest(schema, self.read, parents, request.seed or 0)

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        models: list[Model] = list(request.models)
        grouped: Any = request.chosen.run(
            coded, models, progress=lambda done, total: say("group", done, total), **request.options
        )
        return Grouping(coded=coded, partition=grouped)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> Any:
        """The tables, with random keys."""
        forest: Any = grouping.coded
        grouped: Any = grouping.partition
        return publish(forest, self.read, grouped, request.seed or 0)

    def known(self, counts: Counts, grouping: Grouping) -> Any:
        return self.read

    def shown(self, plan: PublishedTables, schema: DatabaseSchema) -> dict[str, pa.Table]:
        """The published tables as they are handed out: what is published as it is, is written as it was read."""
        return {name: self.read.as_read(name, table, schema[name].schema) for name, table in plan.tables.items()}

    def frames(self, plan: PublishedTables, schema: DatabaseSchema) -> dict[str, Any]:
        """The same as frames of the kind that came in."""
        plain = plain_tables(self.shown(plan, schema))
        return {name: self.read.native.get(name, _same)(table) for name, table in plain.items()}

    def refuse_output(self, format: str, form: str, table: str) -> None:
        if format not in FORMATS:
            fix = "use one of: " + ", ".join(FORMATS)
            raise BadOption(f"Tables cannot be written as {format!r}.", found=f"format = {format!r}", fix=fix)
        if table:
            fix = "use release.write_postgresql(address, namespace)"
            raise BadOption("Many tables are not written as one.", found=f"table = {table!r}", fix=fix)

    def refuse_shape(self, format: str) -> None:
        fix = "leave shape out"
        raise BadOption("Many tables have no shape of their input.", found="shape = 'input'", fix=fix)

    def publish(self, plan: Any, place: Place, say: Callable[..., None]) -> None:
        from amongst.relations.stores.duckdb_file import write_duckdb
        from amongst.relations.stores.folder import write_folder
        from amongst.relations.stores.sqlite_file import write_sqlite

        if place.format in ("csv", "parquet"):
            write_folder(self.shown(plan, place.schema), place.folder, place.format)
        else:
            write = write_duckdb if place.format == "duckdb" else write_sqlite
            write(plain_tables(plan.tables), place.schema, place.file())

    def published(self, place: Place) -> tuple[Path, ...]:
        return (place.folder if place.format in ("csv", "parquet") else place.file(),)

    def written(self, place: Place) -> Written:
        files = tuple(sorted(place.folder.iterdir()))
        return Written(files=files, sha256={path.name: file_digest(path) for path in files})


def plain_tables(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables with dictionary-encoded columns as plain ones."""
    import pyarrow as pa

    def plain(table: pa.Table) -> pa.Table:
        kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
        kinds = [pa.float32() if pa.types.is_float16(kind) else kind for kind in kinds]  # databases have no halves
        return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))

    return {name: plain(table) for name, table in tables.items()}


def _same(table: Any) -> Any:
    return table
