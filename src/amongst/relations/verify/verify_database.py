"""Does a published database hold what was asked? From the published tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.published.finding import Finding
from amongst.relations.closeness import as_closeness
from amongst.relations.diversity import Diversity, database_models, is_of_persons, words_of
from amongst.relations.km_anonymity import asks_codes, codes_asked
from amongst.relations.persons_with import PERSONS_WITH, told_persons
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.relations.stores import read_database
from amongst.relations.verify.codes_shared import codes_shared, number_codes
from amongst.relations.verify.correct import correct
from amongst.relations.verify.diversity_reached import ROUNDING, closeness_reached, diversity_reached
from amongst.relations.verify.keys_hold import keys_hold
from amongst.relations.verify.loose_links import loose_links
from amongst.relations.verify.neutral import Neutral, neutral
from amongst.relations.verify.one_column_keys import with_one_column_keys
from amongst.relations.verify.other_persons_hold import other_persons_hold
from amongst.relations.verify.prevalence_told import prevalence_told, prevalence_true
from amongst.relations.verify.signatures import sign
from amongst.relations.verify.values_apart import are_apart, named_apart, verify_values_apart
from amongst.sql_text import quoted
from amongst.verify.verdict import Reached, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

SMALL = 50_000
"""So few rows are quicker done by one thread."""


def verify_database(
    published: Any,
    schema: DatabaseSchema,
    models: Sequence[Any],
    *,
    namespace: str | None = None,
    original: Mapping[str, pa.Table] | None = None,
    input_row: Mapping[str, np.ndarray] | None = None,
) -> Verdict:
    """Check published tables (MultiRelational k-Anonymity, definitions 9 and 10).

    Persons are in one group when their whole trees of rows are published alike: whatever view somebody takes, all of
    a group are in it or none (theorem 1). Every group must have k persons, and every kind of row with sensitive
    values k rows (requirements 1 and 2); keys must hold. With the original tables, and which row stands for which,
    also requirement 3: nothing that is published is untrue. Where sensitive values stand in tables of their own, see
    ``values_apart.verify_values_apart``; where a table tells how many persons have a code, ``prevalence_told``.

    Parameters
    ----------
    published : path, address or mapping
        A folder, a DuckDB or SQLite file, a postgresql:// address, or tables by name.
    schema : DatabaseSchema
    models : sequence
        ``KAnonymity`` and ``Diversity``.
    namespace : str, optional
        The schema inside a DuckDB or PostgreSQL database.
    original, input_row : mapping, optional
        The original tables, and for every published row the original one.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> am.verify_database(made.tables, made.schema, [am.KAnonymity(2)]).ok
    False
    """
    import duckdb

    k, _ = database_models(models)
    stored = read_database(
        published, tables=[*schema, *schema.others, *named_apart(schema), PERSONS_WITH], namespace=namespace
    )
    schema = stored.schema_with_keys(schema).complete().as_known()
    if are_apart(stored.tables, schema):
        return verify_values_apart(stored.tables, schema, models, original=original, input_row=input_row)
    tables = _only(stored.tables, schema)
    if stored.kind == "fhir":  # what no resource of the type says has a column all the same
        tables = {name: _said(table, schema[name]) for name, table in tables.items()}
    rows = {name: table.num_rows for name, table in tables.items()}
    findings = _columns(tables, schema)
    if findings:
        return Verdict.of_tables(findings, [], {}, n_persons=0, rows=rows)
    narrow, tables = with_one_column_keys(schema, tables)
    small = sum(table.num_rows for table in tables.values()) < SMALL
    plain = neutral(tables, narrow)
    with duckdb.connect(config={"threads": 1} if small else {}) as database:
        for name, incoming in plain.tables.items():
            database.register("incoming", incoming)
            database.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM incoming")
            database.unregister("incoming")
        sign(database, plain.schema)
        findings = keys_hold(database, plain)
        sizes = dict(database.execute(_group_sizes_sql(plain.schema)).fetchall())
        number_codes(database, plain)
        m = max((model.m for model in models if asks_codes(model)), default=0)
        reached = [_reached(database, plain, model, sizes, m) for model in models]
        findings += _small_kinds(database, plain, k)
        findings += loose_links(database, plain)
        found, promised = other_persons_hold(stored.tables, schema, k)
        findings, reached = findings + found, reached + promised
        told, about = told_persons(stored), codes_asked(models)
        counted = PERSONS_WITH in stored.tables and PERSONS_WITH not in schema
        if counted and about is not None:
            findings += prevalence_told(database, plain, told, about.k)
    findings += [one.too_little() for one in reached if not one.ok]
    findings += _unused(tables | {name: stored.tables[name] for name in schema.others if name in stored.tables})
    compared = original is not None and input_row is not None
    if original is not None and input_row is not None:
        narrow_original = with_one_column_keys(schema, original)[1]
        findings += correct(tables, narrow_original, input_row, narrow)
        if counted and told is not None:
            findings += prevalence_true(told, narrow_original, narrow, np.asarray(input_row[narrow.person]))
    n_persons = sum(size * n for size, n in sizes.items())
    return Verdict.of_tables(findings, reached, sizes, n_persons=n_persons, rows=rows, compared=compared)


def _only(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> dict[str, pa.Table]:
    return {name: tables[name] for name in schema if name in tables}


def _said(table: pa.Table, relation: Relation) -> pa.Table:
    """The table without columns that were not to be published and hold nothing."""
    due = {*relation.keys, *relation.schema.published}
    return table.select([c for c in table.column_names if c in due or table.column(c).null_count < table.num_rows])


def _columns(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> list[Finding]:
    """Tables and columns that are missing, or that should not be there."""
    findings = []
    for name, relation in schema.items():
        if name not in tables:
            findings.append(Finding("missing-table", f"The table '{name}' is not there.", fix="publish all tables"))
            continue
        due = {*relation.keys, *relation.schema.published}
        extra = [column for column in tables[name].column_names if column not in due]
        gone = sorted(due - set(tables[name].column_names))
        if extra:
            fix = "leave them out: nobody has said what they tell of people"
            findings.append(
                Finding(
                    "extra-column", f"Table '{name}' has columns that were not to be published.", ", ".join(extra), fix
                )
            )
        if gone:
            findings.append(
                Finding("missing-column", f"Table '{name}' lacks columns.", ", ".join(gone), "publish them")
            )
    return findings


def _unused(tables: Mapping[str, pa.Table]) -> list[Finding]:
    """Values in stored dictionaries that no row has: those of suppressed rows, or the values before recoding."""
    findings = []
    for name, table in tables.items():
        for column in table.column_names:
            n_unused = _n_unused(table.column(column))
            if n_unused:
                what = f"The stored dictionary of '{column}' in '{name}' holds values that no row has."
                fix = "drop unused categories before writing"
                findings.append(Finding("unused-values", what, f"{n_unused:,} such values", fix))
    return findings


def _n_unused(column: pa.ChunkedArray) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type) or not column.num_chunks:
        return 0
    chunks = column.unify_dictionaries().chunks
    used = pc.unique(pa.chunked_array([chunk.indices for chunk in chunks])).drop_null()
    return max(len(chunk.dictionary) for chunk in chunks) - len(used)


def _group_sizes_sql(schema: DatabaseSchema) -> str:
    groups = f"SELECT count(*) AS size FROM {quoted('kind ' + schema.person)} GROUP BY grp"
    return f"SELECT size, count(*) FROM ({groups}) GROUP BY size ORDER BY size"


def _small_kinds(database: Any, published: Neutral, k: int) -> list[Finding]:
    """Requirement 1: whoever asks for sensitive values gets none, or k of them."""
    findings = []
    for name, relation in published.schema.items():
        if not relation.schema.sensitive or not relation.in_trees:
            continue
        kinds = f"SELECT count(*) AS n FROM {quoted('kind ' + name)} GROUP BY kind"
        (small,) = database.execute(f"SELECT count(*) FROM ({kinds}) WHERE n < {int(k)}").fetchone()
        if small:
            told = published.called[name]
            what = f"In '{told}' some rows with sensitive values can be told from all but fewer than {k} others."
            findings.append(Finding("few-rows", what, f"{small:,} kinds of rows", "do not publish it"))
    return findings


def _reached(database: Any, published: Neutral, model: Any, sizes: Mapping[int, int], m: int) -> Reached:
    (words,) = words_of([model], published.schema.bounded)
    if asks_codes(model):
        least = min(codes_shared(database, model.m), float(min(sizes, default=0)))
        return Reached(model.name, model.k, least, least >= model.k, words)
    if is_of_persons(model):
        smallest = min(sizes, default=0)
        return Reached(model.name, model.k, smallest, smallest >= model.k, words)
    close = as_closeness(model)
    if close is not None:
        farthest = closeness_reached(database, published, close, m)
        return Reached(close.name, close.t, farthest, farthest <= close.t + ROUNDING, words)
    asked: Diversity = database_models([model])[1][0]
    least, ok = diversity_reached(database, published, asked, m)
    return Reached(asked.name, asked.l, least, ok, words)
