"""The SQL of the star schema, read as text and run as it is."""

from __future__ import annotations

import duckdb
import pytest

from amongst.engines.duckdb import sql

NAMES = ("select", 'a"b', '"', "", "two words", "o'clock", "x; DROP TABLE t", "a\nb", "ünïcode", "%s", "{0}", "--", "/*")


@pytest.mark.parametrize("name", NAMES)
def test_a_quoted_name_is_that_name(name: str) -> None:
    if name:
        assert duckdb.sql(f"SELECT 1 AS {sql.quoted(name)}").columns == [name]
    assert duckdb.sql(f"SELECT {sql.text(name)}").fetchall() == [(name,)]


def test_quoting_as_text() -> None:
    assert sql.quoted('a"b') == '"a""b"'
    assert sql.quoted("select") == '"select"'
    assert sql.text("o'clock") == "'o''clock'"


def test_sources() -> None:
    assert sql.parquet_source("o'clock.parquet") == "read_parquet('o''clock.parquet')"
    csv = sql.csv_source("a'b.csv", ["x'y", "z"], ";")
    assert csv.startswith("read_csv('a''b.csv', auto_detect = false, header = true, delim = ';'")
    assert csv.endswith("columns = {'x''y': 'VARCHAR', 'z': 'VARCHAR'})")
    assert sql.csv_source("a.csv", ["x"], ",").endswith('WHERE "x" IS NOT NULL)')


def test_the_fact_table_is_joined_with_every_dimension_and_counted() -> None:
    assert sql.base_table("f1", "facts", ['to"wn', "select"], ["select"]) == (
        "CREATE TEMP TABLE f1 AS\n"
        "  SELECT d0.l0 AS c0, d1.l0 AS c1, count(*) AS n\n"
        "  FROM facts f\n"
        '  JOIN dimension_0 d0 ON f."to""wn" IS NOT DISTINCT FROM d0.value\n'
        '  JOIN dimension_1 d1 ON f."select" IS NOT DISTINCT FROM d1.value\n'
        '  WHERE f."select" IS NOT NULL\n'
        "  GROUP BY ALL"
    )
    weighted = sql.base_table("f1", "facts", ["a"], [], weight='n"')
    assert 'sum(f."n""")::BIGINT AS n' in weighted
    assert "WHERE" not in weighted


def test_a_rollup_joins_what_changes_and_leaves_the_rest() -> None:
    assert sql.rolled_up("f2", "f1", {0: (0, 2), 3: (1, 1)}) == (
        "CREATE TEMP TABLE f2 AS\n"
        "  SELECT m0.after AS c0, s.c3 AS c3, sum(n)::BIGINT AS n\n"
        "  FROM f1 s\n"
        "  JOIN (SELECT DISTINCT l0 AS before, l2 AS after FROM dimension_0) m0 ON s.c0 = m0.before\n"
        "  GROUP BY ALL"
    )


def test_distinct_values_tell_which_rows_count() -> None:
    query = sql.distinct_values("t", "a", ['b"'])
    assert query.startswith('SELECT "a" AS value, count(*) AS n_rows, coalesce(count(*) FILTER (WHERE "b""" IS NOT NULL), 0)')
    with duckdb.connect() as connection:
        connection.execute("""CREATE TABLE t AS FROM (VALUES (1, 1), (1, NULL), (2, NULL), (NULL, 3)) v(a, 'b"')""".replace("'b\"'", '"b"""'))
        found = {value: rest for value, *rest in connection.execute(query).fetchall()}
    assert found == {1: [2, 1], 2: [1, 0], None: [1, 1]}


def test_queries_of_a_frequency_set() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE f AS FROM (VALUES (0, 0, 5), (0, 1, 2), (1, 1, 1), (2, 1, 1)) v(c0, c1, n)")

        def ask(query: str) -> list[tuple[int, ...]]:
            return sorted(connection.execute(query).fetchall())

        assert ask(sql.rows_below("f", 2)) == [(2,)]
        assert ask(sql.rows_below("f", 1)) == [(0,)]
        assert ask(sql.rows_below_by_node("f", 0, 3)) == [(0, 2), (1, 1), (2, 1)]
        assert ask(sql.kept_classes("f", 2)) == [(2, 29)]
        assert ask(sql.kept_classes("f", 9)) == [(0, 0)]
        assert ask(sql.n_values("f", 0)) == [(3,)]
        connection.execute("CREATE TABLE dimension_0 AS FROM (VALUES (0, 0), (1, 1), (2, 1)) v(l0, l1)")
        connection.execute(sql.rolled_up("up", "f", {0: (0, 1), 1: (0, 0)}))
        assert ask("FROM up") == [(0, 0, 5), (0, 1, 2), (1, 1, 2)]
        assert ask(sql.rows_below_by_code("up", "f", {0: (0, 1), 1: (0, 0)}, 0, 3)) == [(0, 2), (1, 1), (2, 1)]
