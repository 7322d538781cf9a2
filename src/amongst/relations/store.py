"""Many tables that were read, as a store: the verbs of one table for all of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.store import Counts, Grouping, Place, Say, Store, Written
from amongst.errors import BadOption, refuse_unknown_word
from amongst.models import Model
from amongst.partition.methods import Method
from amongst.read.file import file_digest
from amongst.relations.check_keys import check_keys, linked_rows
from amongst.relations.check_lookups import refuse_telling_lookups
from amongst.relations.check_tables import check_tables
from amongst.relations.diversity import database_models, is_of_persons
from amongst.relations.forest import Forest, build_forest
from amongst.relations.loose_keys import refuse_loose_keys
from amongst.relations.methods import find_database_method
from amongst.relations.persons_with import PERSONS_WITH
from amongst.relations.prevalence import persons_with
from amongst.relations.publish import PublishedTables, publish
from amongst.relations.relation import DatabaseSchema
from amongst.relations.staying import as_those_who_stay_have
from amongst.relations.stored import Stored
from amongst.relations.stores import FORMATS
from amongst.relations.values_apart import as_it_is, publish_values_apart, values_tables
from amongst.relations.wide_keys import narrowed, widened
from amongst.relations.withheld import withhold
from amongst.request import Request
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False, kw_only=True)
class DatabaseRequest(Request):
    """What is asked of many tables: the schema is that of all of them, the method one for many tables."""

    schema: DatabaseSchema  # type: ignore[assignment]

    def __post_init__(self) -> None:
        database_models(self.models)
        if self.schema.bounded and self.method == "miracle":  # rows of which less is known need not be paired
            object.__setattr__(self, "method", "codes")
        object.__setattr__(self, "models", list(self.models))
        self.chosen.check_options(self.options)
        if self.schema.others and self.chosen.values_apart:
            found, fix = f"others = {', '.join(self.schema.others)}", "use another method"
            raise BadOption("An anatomization is not proved for other kinds of persons.", found=found, fix=fix)

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
        schema: Any = request.schema
        known: Any = check_tables(schema.as_known(), self.read)
        return replace(request, schema=known)

    def encode(self, counts: Counts, request: Request, say: Say) -> Forest:
        """Flat arrays: codes, and where every row's children are."""
        schema, read = self._narrow(request)
        refuse_telling_lookups(schema, read)
        parents = check_keys(schema, read)  # the parent of every row
        refuse_loose_keys(schema, read, parents)  # no other column leads from row to row
        return build_forest(schema, read, parents, request.seed or 0)

    def _narrow(self, request: Request) -> tuple[DatabaseSchema, Stored]:
        """Schema and tables with keys of one column each."""
        whole: Any = request.schema
        schema, tables = narrowed(whole, self.read.tables)
        return schema, replace(self.read, tables=tables)

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        models: list[Model] = list(request.models)
        grouped: Any = request.chosen.run(
            coded, models, progress=lambda done, total: say("group", done, total), **request.options
        )
        kept: Any = withhold(coded, grouped, models, self._narrow(request)[1])
        return Grouping(coded=coded, partition=kept)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> Any:
        """The tables, with random keys, and what is looked up beside them."""
        forest: Any = grouping.coded
        grouped: Any = grouping.partition
        schema, read = self._narrow(request)
        whole: Any = request.schema
        beside = {name: self.read.tables[name] for name in (*whole.lookups, *whole.others)}
        if request.chosen.values_apart:
            plan = publish_values_apart(forest, read, grouped, request.seed or 0)
            beside |= {name: plan.tables[name] for name in values_tables(schema)}
        else:
            spread = not all(is_of_persons(model) for model in request.models)
            plan = publish(forest, read, grouped, request.seed or 0, linked_rows(schema, read), spread=spread)
        if grouped.counted:
            named = as_those_who_stay_have(forest, read, grouped)
            beside[PERSONS_WITH] = persons_with(*named, read, grouped.counted)

        def type_of(table: str, column: str) -> pa.DataType:
            return self.read.type_in(table, column, plan.input_row[table])

        return plan.with_tables(widened(plan.tables, whole, self.read.tables, type_of) | beside)

    def known(self, counts: Counts, grouping: Grouping) -> Any:
        return self.read

    def shown(self, plan: PublishedTables, schema: DatabaseSchema) -> dict[str, pa.Table]:
        """The published tables as they are handed out: what is published as it is, is written as it was read."""
        apart = {name: one for name, one in values_tables(schema).items() if name not in schema and name in plan.tables}
        known = as_it_is(schema) if apart else schema
        rules = {name: relation.schema for name, relation in known.items()}
        rules |= {name: _as_it_is(plan.tables[name]) for name in plan.tables if name not in schema}
        source = {name: apart.get(name, (name, ""))[0] for name in plan.tables}  # whose texts it has
        return {name: self.read.as_read(source[name], table, rules[name]) for name, table in plan.tables.items()}

    def frames(self, plan: PublishedTables, schema: DatabaseSchema) -> dict[str, Any]:
        """The same as frames of the kind that came in."""
        plain = plain_tables(self.shown(plan, schema))
        return {name: self.read.native.get(name, _same)(table) for name, table in plain.items()}

    def refuse_output(self, format: str, form: str, table: str) -> None:
        refuse_unknown_word(f"Tables cannot be written as {format!r}.", "format", format, FORMATS)
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
        elif place.format == "fhir":
            from amongst.relations.fhir.write_resources import write_resources

            tables = {name: one for name, one in plan.tables.items() if name != PERSONS_WITH}  # no resource is like it
            write_resources(plain_tables(tables), place.schema, place.folder)
        else:
            write = write_duckdb if place.format == "duckdb" else write_sqlite
            write(plain_tables(plan.tables), place.schema, place.file())

    def published(self, place: Place) -> tuple[Path, ...]:
        return (place.file() if place.format in ("duckdb", "sqlite") else place.folder,)

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


def _as_it_is(table: pa.Table) -> Schema:
    return Schema({name: Column(role="keep") for name in table.column_names})


def _same(table: Any) -> Any:
    return table
