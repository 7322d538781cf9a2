"""Types that are handled, and those that are refused by name; names that need quotes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from postgresql_tables import fetched, nothing, rows, run

import amongst as am
from amongst.engines.counted import CLASS, COUNT, FIRST, LAST, FromCounts
from amongst.engines.postgresql import PostgresqlStore
from amongst.engines.store import Place
from amongst.errors import BadInput, BadOutput, BadSchema
from amongst.recode.plan import RecodingPlan
from amongst.recode.published import PublishedColumn

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")

TYPES = {
    "small": ("smallint", "i % 3"),
    "middle": ("integer", "i % 4"),
    "big": ("bigint", "9007199254740993 + i % 2"),
    "free": ("numeric", "(i % 3) / 4.0"),
    "money like": ("numeric(8, 2)", "(i % 5) / 4.0"),
    "whole": ("numeric(12)", "i % 2"),
    "single": ("real", "CASE i % 4 WHEN 0 THEN 'NaN'::float4 WHEN 1 THEN -0.0 WHEN 2 THEN 0.0 ELSE 1.5 END"),
    "double": ("double precision", "(i % 3) * 1e300"),
    'te"xt': ("text", "(ARRAY['b', 'A', 'ä', '', E'tab\\t\\\\', 'it''s', 'quote\"'])[1 + i % 7]"),
    "limited": ("varchar(5)", "(ARRAY['x', 'y '])[1 + i % 2]"),
    "padded": ("char(6)", "(ARRAY['x', 'yz'])[1 + i % 2]"),
    "day": ("date", "DATE '1969-12-31' + i % 3"),
    "moment": ("timestamp", "TIMESTAMP '2020-02-29 23:59:59.123456' + (i % 2) * INTERVAL '1 year'"),
    "instant": ("timestamptz", "TIMESTAMPTZ '2020-02-29 23:59:59+05' + (i % 2) * INTERVAL '1 hour'"),
    "yes": ("boolean", "i % 2 = 0"),
    "mood": ("types.mood", "(ARRAY['zest', 'awe'])[1 + i % 2]::types.mood"),
    "über": ("types.positive", "1 + i % 2"),
    "nothing": ("text", "NULL"),
}
ODD = {
    "who": ("uuid", "gen_random_uuid()"),
    "json": ("jsonb", "'{}'"),
    "list": ("integer[]", "ARRAY[i]"),
    "span": ("interval", "i * INTERVAL '1 day'"),
}


@pytest.fixture(scope="session")
def typed(postgresql: str) -> str:
    columns = ", ".join(
        f"CASE WHEN i % 11 = {n} THEN NULL ELSE {value} END::{kind} AS " + '"' + name.replace('"', '""') + '"'
        for n, (name, (kind, value)) in enumerate({**TYPES, **ODD}.items())
    )
    run(
        postgresql,
        "CREATE SCHEMA types",
        "CREATE TYPE types.mood AS ENUM ('zest', 'awe')",
        "CREATE DOMAIN types.positive AS integer CHECK (VALUE > 0)",
        f"CREATE TABLE types.people AS SELECT {columns} FROM generate_series(1, 300) i ORDER BY hashint4(i)",
    )
    return postgresql


def cells(address: str, names: list[str]) -> list[tuple[Any, ...]]:
    """What is in the table, by another road: as the server writes it."""
    asked = ", ".join('"' + name.replace('"', '""') + '"::text' for name in names)
    return rows(address, f"SELECT {asked} FROM types.people")


def told(value: Any) -> Any:
    """A value as one that can be compared: the two zeros are one, and what is not a number is."""
    return "nan" if isinstance(value, float) and np.isnan(value) else value + 0 if isinstance(value, float) else value


@pytest.mark.parametrize("name", list(TYPES))
def test_one_column_is_counted(typed: str, name: str) -> None:
    column = '"' + name.replace('"', '""') + '"'
    with PostgresqlStore(typed, "types.people", memory="64MB") as store:
        counted = store.count([name], nothing)
        assert counted.schema.field(name).type in (
            store.schema().field(name).type,
            pa.dictionary(pa.int32(), pa.string()),
        )
    found = dict(zip(map(told, counted.column(name).to_pylist()), counted.column(COUNT).to_pylist(), strict=True))
    server = dict(rows(typed, f"SELECT {column}::text, count(*) FROM types.people GROUP BY {column}"))
    assert len(found) == counted.num_rows == len(server)
    assert sorted(found.values()) == sorted(server.values())
    assert found.get(None) == server.get(None)
    if store.schema().field(name).type == pa.string():
        assert found == {
            key if key is None else key.rstrip() if name == "padded" else key: n for key, n in server.items()
        }


def test_all_columns_are_counted_together(typed: str) -> None:
    with PostgresqlStore(typed, "types.people", memory="64MB") as store:
        counted = store.count(list(TYPES), nothing)
    expected = Counter(cells(typed, [name for name in TYPES if name != "single"]))
    assert sum(counted.column(COUNT).to_pylist()) == 300
    assert counted.num_rows >= len(expected)


@pytest.mark.parametrize("from_rows", [False, True])
def test_published_as_they_are(typed: str, from_rows: bool) -> None:
    """All columns but one stay, of the same type and value; from counts all but numbers without a stated size."""
    names = [name for name in TYPES if from_rows or name != "free"]
    others = [name for name in names if name != "middle"]
    with PostgresqlStore(typed, "types.people", memory="64MB") as store:
        store.keep_counts = from_rows
        counted = store.count(["middle"] if from_rows else names, nothing)
        class_of_row = np.array([-1 if one is None else one // 2 for one in counted["middle"].to_pylist()], np.int32)
        count = counted[COUNT].to_numpy()
        tuples = pa.table({"middle": pa.array([0, 1, 2, 3], pa.int32()), CLASS: pa.array([0, 0, 1, 1], pa.int32())})
        known = FromCounts(table=counted, kept=np.arange(counted.num_rows), count=count)
        plan = RecodingPlan(
            made={"middle": [PublishedColumn("middle", pa.array(["[0-1]", "[2-3]"]), np.arange(2))]},
            class_of_row=class_of_row,
            n_classes=2,
            count=count,
            others=others,
            columns=names,
            quasi=["middle"],
            tuples=tuples,
            found_by=None if from_rows else known,
        )
        place = Place(folder=Path(), table="types.released")
        store.publish(plan, place, nothing)
        assert len(store.written(place).table["rows_sha256"]) == 64
        kinds = dict(
            store.connection.rows(
                "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute "
                "WHERE attrelid = 'types.released'::regclass AND attnum > 0"
            )
        )
        asked = ", ".join(f'"{name}"'.replace('te"xt', 'te""xt') + "::text" for name in others)
        after = store.connection.rows(f"SELECT {asked} FROM types.released")
        before = store.connection.rows(f"SELECT {asked} FROM types.people WHERE middle IS NOT NULL")
    expected = {name: TYPES[name][0] for name in names} | {"middle": "text"}
    short = {"varchar(5)": "character varying(5)", "char(6)": "character(6)", "numeric(12)": "numeric(12,0)"}
    short |= {"numeric(8, 2)": "numeric(8,2)", "timestamp": "timestamp without time zone"}
    short |= {"timestamptz": "timestamp with time zone"}
    assert kinds == {name: short.get(kind, kind) for name, kind in expected.items()}

    def zero(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple("0" if cell == "-0" else cell for cell in row)

    assert Counter(map(zero, after)) == Counter(map(zero, before))


def test_types_that_are_not_handled_are_named(typed: str) -> None:
    with PostgresqlStore(typed, "types.people", memory="64MB") as store, pytest.raises(BadInput) as caught:
        store.count(["middle", *ODD], nothing)
    assert caught.value.found == ["'who' is uuid", "'json' is jsonb", "'list' is integer[]", "'span' is interval"]


def test_types_that_are_not_handled_do_not_matter_where_they_are_dropped(typed: str, tmp_path: Path) -> None:
    roles = dict.fromkeys({**TYPES, **ODD}, "identifier") | {"small": "quasi", "mood": "sensitive"}
    columns = {
        name: am.Column(role=role, nulls="own value" if role == "quasi" else None) for name, role in roles.items()
    }
    release: Any = am.anonymize(typed, am.Schema(columns), [am.KAnonymity(5)], table="types.people", method="mondrian")
    release.write(tmp_path / "out", table="types.dropped")
    assert fetched(typed, "SELECT * FROM types.dropped").column_names == ["small", "mood"]
    run(typed, "DROP TABLE types.dropped")


@pytest.mark.parametrize("kind", ["date", "timestamp", "timestamptz"])
def test_dates_without_end(typed: str, kind: str) -> None:
    run(typed, "DROP TABLE IF EXISTS types.endless", f"CREATE TABLE types.endless AS SELECT 'infinity'::{kind} AS day")
    with PostgresqlStore(typed, "types.endless", memory="64MB") as store, pytest.raises(BadInput, match="dates"):
        store.count(["day"], nothing)


def test_texts_that_only_a_collation_takes_for_equal(typed: str) -> None:
    try:
        run(typed, "CREATE COLLATION types.loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    except Exception as error:
        pytest.skip(f"no such collation here: {type(error).__name__}")
    run(
        typed,
        "CREATE TABLE types.loose AS SELECT (ARRAY['a', 'A'])[1 + i % 2] COLLATE types.loose AS word "
        "FROM generate_series(1, 10) i",
    )
    with PostgresqlStore(typed, "types.loose", memory="64MB") as store:
        counted = store.count(["word"], nothing)
    assert sorted(zip(counted["word"].to_pylist(), counted[COUNT].to_pylist(), strict=True)) == [("A", 5), ("a", 5)]


QUOTED = {
    "schema": 'the "ward"; drop',
    "table": "Größe.of % people's",
    "out": "日" * 21,
}


def test_names_that_need_quotes(postgresql: str, tmp_path: Path) -> None:
    schema, table = (QUOTED[name].replace('"', '""') for name in ("schema", "table"))
    run(
        postgresql,
        f'CREATE SCHEMA "{schema}"',
        f'CREATE TABLE "{schema}"."{table}" ("select" integer, "a""b" text, "{"x" * 63}" text)',
        f'INSERT INTO "{schema}"."{table}" SELECT i % 10, i % 3, i % 2 FROM generate_series(1, 100) i',
    )
    roles = am.Schema(
        {"select": am.Column(role="quasi"), 'a"b': am.Column(role="sensitive"), "x" * 63: am.Column(role="keep")}
    )
    release: Any = am.anonymize(postgresql, roles, [am.KAnonymity(5)], table=f'"{schema}"."{table}"', method="mondrian")
    assert release.write(tmp_path / "out", table=f'"{schema}".{QUOTED["out"]}').ok
    assert fetched(postgresql, f'SELECT * FROM "{schema}"."{QUOTED["out"]}"').column_names == [
        "select",
        'a"b',
        "x" * 63,
    ]


def test_a_published_name_that_would_be_cut_off(postgresql: str, tmp_path: Path) -> None:
    name = "y" * 60
    run(
        postgresql,
        "DROP TABLE IF EXISTS long",
        f"CREATE TABLE long AS SELECT i % 9 AS {name} FROM generate_series(1, 99) i",
    )
    schema = am.Schema({name: am.Column(role="quasi")})
    release: Any = am.anonymize(postgresql, schema, [am.KAnonymity(20)], table="long", form="bounds", method="mondrian")
    with pytest.raises(BadOutput, match="too long"):
        release.write(tmp_path / "out", table="long_out")


@pytest.mark.parametrize("own", [COUNT, CLASS, FIRST, LAST])
def test_names_of_our_own(postgresql: str, own: str) -> None:
    run(postgresql, "DROP TABLE IF EXISTS clash", f'CREATE TABLE clash AS SELECT 1 AS "{own}"')
    with pytest.raises(BadInput, match="name"):
        am.anonymize(
            postgresql, am.Schema({own: am.Column(role="quasi")}), [am.KAnonymity(2)], table="clash", method="mondrian"
        )


def test_columns_named_as_ours_are_inside(postgresql: str, tmp_path: Path) -> None:
    run(
        postgresql,
        "DROP TABLE IF EXISTS inside, inside_out",
        "CREATE TABLE inside AS SELECT i % 10 AS id, i % 2 AS class, i % 3 AS g0, i % 2 AS n, i % 5 AS c0 "
        "FROM generate_series(1, 200) i",
    )
    roles = {"id": "quasi", "class": "quasi", "g0": "sensitive", "n": "keep", "c0": "keep"}
    schema = am.Schema({name: am.Column(role=role) for name, role in roles.items()})
    for method in ("mondrian", "hilbert"):
        release: Any = am.anonymize(postgresql, schema, [am.KAnonymity(5)], method, table="inside")
        assert release.write(tmp_path / method, table="inside_out").ok
        assert rows(postgresql, "SELECT sum(g0), sum(n), sum(c0) FROM inside_out") == rows(
            postgresql, "SELECT sum(g0), sum(n), sum(c0) FROM inside"
        )
        run(postgresql, "DROP TABLE inside_out")


def test_views_and_partitioned_tables_can_be_read(postgresql: str, tmp_path: Path) -> None:
    run(
        postgresql,
        "CREATE TABLE parted (age integer, ill text) PARTITION BY RANGE (age)",
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (50)",
        "CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (50) TO (100)",
        "INSERT INTO parted SELECT i % 100, i % 3 FROM generate_series(1, 500) i",
        "CREATE VIEW seen AS SELECT age / 2 AS age, ill FROM parted",
    )
    schema = am.Schema({"age": am.Column(role="quasi"), "ill": am.Column(role="sensitive")})
    for table in ("parted", "seen"):
        release: Any = am.anonymize(postgresql, schema, [am.KAnonymity(5)], table=table, method="mondrian")
        assert release.write(tmp_path / table, table=f"{table}_out").n_rows == 500


def test_a_table_without_rows(postgresql: str) -> None:
    run(postgresql, "DROP TABLE IF EXISTS nobody", "CREATE TABLE nobody (age integer)")
    with pytest.raises(BadInput, match="rows"):
        am.anonymize(
            postgresql,
            am.Schema({"age": am.Column(role="quasi")}),
            [am.KAnonymity(2)],
            table="nobody",
            method="mondrian",
        )


def test_columns_without_a_role(typed: str) -> None:
    with pytest.raises(BadSchema):
        am.anonymize(
            typed,
            am.Schema({"small": am.Column(role="quasi")}),
            [am.KAnonymity(2)],
            table="types.people",
            method="mondrian",
        )


@pytest.mark.parametrize("column", ["zero", "short"])
def test_both_zeros_of_a_kept_column_are_published(postgresql: str, column: str, tmp_path: Path) -> None:
    zero = "CASE i % 3 WHEN 0 THEN '-0' WHEN 1 THEN '0' ELSE '1.5' END"
    cells = f"i % 5 AS age, ({zero})::float8 AS zero, ({zero})::float4 AS short"
    run(postgresql, f"CREATE TABLE public.{column}s AS SELECT {cells} FROM generate_series(1, 60) i")
    roles = {"age": "quasi", "zero": "identifier", "short": "identifier", column: "keep"}
    release = am.anonymize(
        postgresql, am.Schema(roles), [am.KAnonymity(5)], table=f"public.{column}s", method="mondrian"
    )
    release.write(tmp_path / "out", table=f"public.{column}s_out")
    found = Counter(rows(postgresql, f"SELECT {column}::text FROM public.{column}s_out"))
    assert found == Counter({("-0",): 20, ("0",): 20, ("1.5",): 20})
