"""From published tables alone: does an anatomization of many tables hold what was asked of it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from amongst.published.finding import Finding
from amongst.relations.diversity import Diversity, database_models, is_of_persons, words_of
from amongst.relations.relation import DatabaseSchema
from amongst.relations.verify.correct import correct
from amongst.relations.verify.diversity_reached import enough, least_of
from amongst.relations.verify.keys_hold import keys_hold
from amongst.relations.verify.loose_links import loose_links
from amongst.relations.verify.neutral import Neutral, neutral, one_spelling
from amongst.relations.verify.one_column_keys import with_one_column_keys
from amongst.relations.verify.signatures import sign
from amongst.schema.column import Column
from amongst.schema.schema import Schema
from amongst.sql_text import quoted
from amongst.verify.verdict import Reached, Verdict

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

FEW_CLASSES = 10
"""With fewer classes a column may have their values by chance."""


def named_apart(schema: DatabaseSchema) -> dict[str, tuple[str, str]]:
    """What tables of values would be called, with the table and the sensitive column that each is of."""
    return {f"{name}_{column}": (name, column) for name, one in schema.items() for column in one.schema.sensitive}


def are_apart(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> bool:
    """Whether sensitive values are published in tables of their own."""
    named = named_apart(schema)
    return any(
        apart in tables and name in tables and column not in tables[name].column_names
        for apart, (name, column) in named.items()
        if apart not in schema
    )


@dataclass(frozen=True)
class Apart:
    """One table of values: of which column, and how it is linked.

    Attributes
    ----------
    told : str
        What the table is called.
    table, column : str
        The table that its values are of, and the sensitive column.
    link, count : str
        The column of classes, in both tables, and that of how many rows have a value.
    """

    told: str
    table: str
    column: str
    link: str
    count: str


def verify_values_apart(
    tables: Mapping[str, pa.Table],
    schema: DatabaseSchema,
    models: Sequence[Any],
    *,
    original: Mapping[str, pa.Table] | None = None,
    input_row: Mapping[str, np.ndarray] | None = None,
) -> Verdict:
    """Check tables whose sensitive values stand in others, bound to classes of rows (section 5.1 of the paper).

    Checked are: no sensitive column, nor a copy of one, is beside the quasi-identifiers; one column and no other links
    a table with its values; every class is in both, and its counts add up to its rows; keys hold; in every class the
    models hold. A person may have several rows in a class, and the most that may have a value are as many as rows
    have it: persons are counted so. In the verdict a group is a class.
    """
    import duckdb

    rows = {name: table.num_rows for name, table in tables.items()}
    found, findings = _linked(tables, schema)
    if findings:
        return Verdict.of_tables(findings, [], {}, n_persons=0, rows=rows)
    beside = _beside(schema, found)
    narrow, held = with_one_column_keys(beside, {name: tables[name] for name in schema})
    plain = neutral(held, narrow)
    sizes: dict[int, int] = {}
    least: dict[int, float] = {}
    with duckdb.connect(config={"threads": 1}) as database:
        for name, incoming in plain.tables.items():
            _take(database, name, incoming)
        for i, one in enumerate(found):
            values = tables[one.told].select([one.link, one.column, one.count])
            _take(database, f"apart {i}", one_spelling(values, [one.column]))
        sign(database, plain.schema)
        findings += [*keys_hold(database, plain), *loose_links(database, plain)]
        n_persons = plain.tables[plain.schema.person].num_rows
        for i, one in enumerate(found):
            _count(database, plain, one, f"apart {i}")
            findings += _disagree(database, one) + _copies(database, plain, one)
            own = database.execute("SELECT n_people, count(*) FROM classes GROUP BY n_people").fetchall()
            sizes = {size: sizes.get(size, 0) + dict(own).get(size, 0) for size in sorted({*sizes, *dict(own)})}
            for m, model in enumerate(models):
                if not is_of_persons(model):
                    asked: Diversity = database_models([model])[1][0]
                    if asked.concerns(one.table, one.column):
                        least[m] = min(least.get(m, float("inf")), _reached(database, asked))
    reached = [_of_model(model, least.get(m)) for m, model in enumerate(models)]
    findings += [one.too_little() for one in reached if not one.ok]
    compared = original is not None and input_row is not None
    if original is not None and input_row is not None:
        bare = {one.table: tables[one.table].drop_columns([one.link]) for one in found}
        held = with_one_column_keys(_beside(schema, ()), {**{name: tables[name] for name in schema}, **bare})[1]
        narrow, before = with_one_column_keys(_beside(schema, ()), original)
        findings += correct(held, before, input_row, narrow)
        findings += [text for one in found for text in _untrue(one, tables, original, input_row)]
    return Verdict.of_tables(findings, reached, sizes, n_persons=n_persons, rows=rows, compared=compared)


def _linked(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> tuple[list[Apart], list[Finding]]:
    """The tables of values with their links, and what is wrong with the columns of all tables."""
    found, findings = [], []
    named = named_apart(schema)
    for name, relation in schema.items():
        due = [*relation.keys, *(c for c in relation.schema.published if c not in relation.schema.sensitive)]
        if name not in tables:
            findings.append(Finding("missing-table", f"The table '{name}' is not there.", fix="publish all tables"))
            continue
        extra = [column for column in tables[name].column_names if column not in due]
        gone = sorted(set(due) - set(tables[name].column_names))
        if gone:
            findings.append(
                Finding("missing-column", f"Table '{name}' lacks columns.", ", ".join(gone), "publish them")
            )
        wanted = 1 if relation.schema.sensitive else 0
        if len(extra) != wanted or any(column in relation.schema for column in extra):
            what = f"Table '{name}' must have one column of classes beside its own, and no other."
            shown = ", ".join(extra) or "none"
            findings.append(Finding("extra-column", what, shown, "leave out what nobody decided about"))
            continue
        for told, (table, column) in named.items():
            if table != name:
                continue
            columns = list(tables[told].column_names) if told in tables else []
            rest = [one for one in columns if one not in (*extra, column)]
            if not {*extra, column} <= set(columns) or len(rest) != 1 or rest[0] in tables[name].column_names:
                what = f"The table '{told}' must have the class, the value and the number of rows."
                findings.append(Finding("values", what, ", ".join(columns) or "no such table", "publish it so"))
                continue
            found.append(Apart(told, name, column, extra[0], rest[0]))
    return found, findings


def _beside(schema: DatabaseSchema, found: Sequence[Apart]) -> DatabaseSchema:
    """The schema of what is published beside the keys: columns as they are, and classes."""
    link_of = {one.table: one.link for one in found}
    relations = {}
    for name, relation in schema.items():
        rules = {
            column: Column(role="identifier" if rule.role in ("sensitive", "identifier") else "keep")
            for column, rule in relation.schema.items()
        }
        rules |= {link_of[name]: Column(role="keep")} if name in link_of else {}
        relations[name] = replace(relation, columns=Schema(rules))
    return schema.of(relations)


def _take(database: Any, name: str, table: pa.Table) -> None:
    database.register("incoming", table)
    database.execute(f"CREATE OR REPLACE TABLE {quoted(name)} AS SELECT * FROM incoming")
    database.unregister("incoming")


def _count(database: Any, plain: Neutral, one: Apart, values: str) -> None:
    """Make ``classes`` (class, rows, persons) from the table, and ``spread`` (class, value, rows) from its values."""
    name = next(new for new, old in plain.called.items() if old == one.table)
    link = next(new for (table, new), old in plain.column_called.items() if table == name and old == one.link)
    database.execute(
        f"CREATE OR REPLACE TEMP TABLE classes AS SELECT CAST(t.{quoted(link)} AS VARCHAR) AS kind, "
        f"count(*) AS n_rows, count(DISTINCT n.person) AS n_people FROM {quoted(name)} t "
        f"JOIN {quoted('kind ' + name)} n ON n.rid = t.rowid GROUP BY ALL"
    )
    database.execute(
        f"CREATE OR REPLACE TEMP TABLE spread AS SELECT CAST(v.{quoted(one.link)} AS VARCHAR) AS kind, "
        f"v.{quoted(one.column)} AS value, sum(coalesce(TRY_CAST(v.{quoted(one.count)} AS BIGINT), 0)) AS n_rows, "
        f"min(coalesce(TRY_CAST(v.{quoted(one.count)} AS BIGINT), 0)) AS fewest, any_value(c.n_people) AS size "
        f"FROM {quoted(values)} v LEFT JOIN classes c ON c.kind = CAST(v.{quoted(one.link)} AS VARCHAR) GROUP BY ALL"
    )


def _disagree(database: Any, one: Apart) -> list[Finding]:
    """Where a table and its values are not of one release."""
    (wrong,) = database.execute(
        "SELECT count(*) FROM classes c FULL JOIN "
        "(SELECT kind, sum(n_rows) AS n_rows, min(fewest) AS fewest FROM spread GROUP BY kind) v ON v.kind = c.kind "
        "WHERE c.kind IS NULL OR v.kind IS NULL OR c.n_rows <> v.n_rows OR v.fewest < 1"
    ).fetchone()
    if not wrong:
        return []
    what = f"Classes of '{one.table}' and of '{one.told}' do not agree."
    return [Finding("count", what, f"{wrong:,} classes", "publish all tables of one run, with counts above 0")]


def _copies(database: Any, plain: Neutral, one: Apart) -> list[Finding]:
    """Columns that have, in every class, just the values that the table of values says."""
    (n_classes,) = database.execute("SELECT count(*) FROM classes").fetchone()
    if n_classes < FEW_CLASSES:
        return []
    name = next(new for new, old in plain.called.items() if old == one.table)
    own = {old: new for (table, new), old in plain.column_called.items() if table == name}
    said = "SELECT kind, CAST(value AS VARCHAR) AS value, n_rows FROM spread"
    same = []
    for column in plain.schema[name].schema.published:
        if column != own[one.link]:
            shown = (
                f"SELECT CAST({quoted(own[one.link])} AS VARCHAR) AS kind, CAST({quoted(column)} AS VARCHAR) AS value, "
                f"count(*) AS n_rows FROM {quoted(name)} GROUP BY ALL"
            )
            (differ,) = database.execute(f"SELECT count(*) FROM ({shown} EXCEPT {said})").fetchone()
            same += [] if differ else [plain.column_called[name, column]]
    if not same:
        return []
    what = f"Table '{one.table}' has a column that says what '{one.column}' says."
    return [Finding("copy", what, ", ".join(same), "publish it without")]


def _reached(database: Any, asked: Diversity) -> float:
    """The least diversity of a class; a value may be that of as many persons as rows have it."""
    ways = {"rows": "sum(n_rows)", "persons": "least(sum(n_rows), any_value(size))"}
    wholes = ways.values() if asked.count == "both" else [ways[asked.count]]
    return min(least_of(database, "n_rows", whole, asked) for whole in wholes)


def _of_model(model: Any, least: float | None) -> Reached:
    words = words_of([model], apart=True)[0]
    if is_of_persons(model):  # every row is published as it was: nobody hides
        return Reached(model.name, model.k, 1, model.k <= 1, words)
    asked: Diversity = database_models([model])[1][0]
    return Reached(asked.name, asked.l, least or 0.0, least is not None and enough(least, asked), words)


def _untrue(
    one: Apart,
    tables: Mapping[str, pa.Table],
    original: Mapping[str, pa.Table],
    input_row: Mapping[str, np.ndarray],
) -> list[Finding]:
    """Whether the values of every class are those that its rows had."""
    import pyarrow as pa

    made, values = tables[one.table], tables[one.told]
    true = original[one.table].column(one.column).take(pa.array(input_row[one.table]))
    true = true.cast(true.type.value_type) if pa.types.is_dictionary(true.type) else true
    was = pa.table({"class": made[one.link].cast(pa.int64()), "value": true}).group_by(["class", "value"])
    counted = was.aggregate([([], "count_all")]).to_pylist()
    before = {(row["class"], repr(row["value"])): row["count_all"] for row in counted}
    now = zip(*(values[name].to_pylist() for name in (one.link, one.column, one.count)), strict=True)
    if before == {(kind, repr(value)): times for kind, value, times in now}:
        return []
    what = f"Table '{one.told}': it says something of a class that is not so."
    return [Finding("not-true", what, fix="this is a defect in amongst: please report it")]
