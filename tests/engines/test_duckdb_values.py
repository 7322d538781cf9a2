"""Values that SQL, CSV or a type could change on the way; and what is left behind."""

from __future__ import annotations

import datetime as dt
import gzip
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.engines.duckdb.connection import Connection

QUASI = am.Column(role="quasi")
VALUES: dict[str, list[Any]] = {
    "quotes": ["it's", 'say "hi"', "';--", '"', "'", "it's"],
    "texts that look like numbers": ["1", "01", "1.0", "1e0", " 1", "1"],
    "texts that look like nulls": ["NULL", "null", "None", "NaN", "", "NULL"],
    "letters": ["Å", "Å", "ß", "ss", "SS", "Å"],  # two ways to write one letter, and letters that sort alike
    "zeros": [0.0, -0.0, 0.5, 1e300, 5e-324, 0.0],
    "large numbers": [2**53, 2**53 + 1, 2**62, -(2**63), 0, 2**53],
    "decimals": [Decimal("1.10"), Decimal("1.01"), Decimal("-3.00"), Decimal("0.00"), Decimal("9.99"), Decimal("1.10")],
    "flags": [True, False, None, True, False, None],
    "days": [dt.date(1900, 1, 1), dt.date(2024, 2, 29), None, dt.date(9999, 12, 31), dt.date(1, 1, 1), None],
    "moments": [dt.datetime(2024, 1, 1, 0, 0, 0, n) for n in (0, 1, 999_999, 5, 6, 0)],
}


def answers(data: Any, schema: am.Schema, k: int = 2, **options: Any) -> tuple[Any, ...]:
    found = am.generalizations(data, schema, [am.KAnonymity(k)], "bottom-up-search", suppression=0.7, **options)
    return list(found), found.heights, [found.sets.scan((0,), (0,)).rows_below(n) for n in (1, 2, 3, 9)]


@pytest.mark.parametrize("what", VALUES)
@pytest.mark.parametrize("rule", ["own value", "match anything", "suppress"])
def test_values_stay_what_they_are(what: str, rule: str, tmp_path: Path) -> None:
    table = pa.table({what: VALUES[what], "other": ["x", "y"] * 3})
    schema = am.Schema({what: am.Column(role="quasi", nulls=rule), "other": QUASI})
    pq.write_table(table, tmp_path / "t.parquet")
    assert answers(tmp_path / "t.parquet", schema, engine="duckdb") == answers(table, schema)


def test_dictionaries_and_enums(tmp_path: Path) -> None:
    table = pa.table({"a": pa.array(["x", "y", None, "x"]).dictionary_encode(), "b": ["p", "p", "q", "q"]})
    schema = am.Schema({"a": am.Column(role="quasi", nulls="own value"), "b": QUASI})
    pq.write_table(table, tmp_path / "t.parquet")
    assert answers(tmp_path / "t.parquet", schema, engine="duckdb") == answers(table, schema)
    with duckdb.connect() as connection:
        connection.execute("CREATE TYPE letter AS ENUM ('y', 'x')")
        connection.execute("CREATE TABLE t AS SELECT a::letter AS a, b FROM (VALUES ('x','p'),('y','p'),(NULL,'q'),('x','q')) v(a, b)")
        assert answers(connection.table("t"), schema, engine="duckdb") == answers(table, schema)


CELLS = {
    "semicolons": "a;b\nx;1\ny;1\nx;2\n",
    "quotes": 'a,b\n"x, y",1\n"say ""hi""",1\n"x, y",2\n',
    "an empty cell is missing, an empty text is not": 'a,b\n,1\n"",1\n"",2\n,2\n',
    "a line break in a cell": 'a,b\n"x\ny",1\n"x\ny",2\n',
    "windows": "a,b\r\nx,1\r\ny,2\r\n",
    "a mark at the beginning": "\ufeffa,b\nx,1\ny,2\n",
    "leading zeros": "a,b\n007,1\n7,1\n07,2\n",
    "two ways to write a number": "a,b\n1.5,1\n1.50,1\n2.5,2\n",
    "dates": "a,b\n2024-02-29,1\n2023-01-01,1\n2024-02-29,2\n",
    "one column": "a\nx\n\ny\nx\n",
    "names that differ in capitals": "a,A\nx,1\ny,1\nx,2\n",
    "no last line break": "a,b\nx,1\ny,2",
}


@pytest.mark.parametrize("what", CELLS)
def test_a_csv_file_is_read_as_in_memory(what: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(CELLS[what], encoding="utf-8", newline="")
    names = CELLS[what].removeprefix("\ufeff").splitlines()[0].replace(";", ",").split(",")
    schema = am.Schema(dict.fromkeys(names, am.Column(role="quasi", nulls="own value")))
    expected = answers(path, schema, 1)
    assert answers(path, schema, 1, engine="duckdb") == expected
    packed = tmp_path / "t.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert answers(packed, schema, 1, engine="duckdb") == expected


BROKEN = {
    "ragged.csv": (b"a,b\nsecret,1,2\nsecret\n", am.errors.BadInput),
    "latin.csv": b"a,b\nsecr\xe9t,1\n",
    "text.parquet": b"secret",
    "empty.csv": b"",
    "header.csv": b"a,b\n",
    "twice.csv": b"a,a\nsecret,1\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_told_without_their_cells(name: str, tmp_path: Path) -> None:
    content = BROKEN[name]
    (tmp_path / name).write_bytes(content[0] if isinstance(content, tuple) else content)
    schema = am.Schema({"a": QUASI, "b": QUASI})
    with pytest.raises(am.errors.BadInput) as error:
        am.generalizations(tmp_path / name, schema, [am.KAnonymity(2)], engine="duckdb")
    told = str(error.value) + str(error.value.__cause__) + str(error.value.to_dict())
    assert "secr" not in told
    assert error.value.__suppress_context__ or error.value.__context__ is None


def test_missing_values_without_a_rule_are_counted_in_rows(tmp_path: Path) -> None:
    table = pa.table({"a": [None, None, 1, 2], "b": ["x"] * 4})
    pq.write_table(table, tmp_path / "t.parquet")
    schema = am.Schema({"a": QUASI, "b": QUASI})
    with pytest.raises(am.errors.BadSchema) as error:
        am.generalizations(tmp_path / "t.parquet", schema, [am.KAnonymity(2)], engine="duckdb")
    assert error.value.facts["problems"][0]["count"] == 2


def test_every_row_may_be_left_out_by_the_null_rules(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [None, "x"], "b": ["y", None]}), tmp_path / "t.parquet")
    column = am.Column(role="quasi", nulls="suppress")
    with pytest.raises(am.errors.Infeasible):
        am.generalizations(tmp_path / "t.parquet", am.Schema({"a": column, "b": column}), [am.KAnonymity(1)], engine="duckdb")


def test_values_that_occur_in_suppressed_rows_only(tmp_path: Path) -> None:
    table = pa.table({"a": ["p", "q", "r", "s", "t"], "b": ["x", None, "x", None, "x"]})
    pq.write_table(table, tmp_path / "t.parquet")
    columns = {
        "a": am.Column(role="quasi", hierarchy=am.Hierarchy.fanout(2)),
        "b": am.Column(role="quasi", nulls="suppress"),
    }
    assert answers(tmp_path / "t.parquet", am.Schema(columns), 1, engine="duckdb") == answers(table, am.Schema(columns), 1)


def test_the_memory_limit_is_set_and_nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    connection = Connection("t", "250MB")
    [(limit, folder)] = connection.rows("SELECT current_setting('memory_limit'), current_setting('temp_directory')")
    assert limit == "238.4 MiB"
    assert os.path.isdir(folder)
    connection.rows("CREATE TEMP TABLE big AS SELECT range AS a, hash(range) AS b FROM range(24_000_000)")  # 384 MB
    assert connection.rows("SELECT count(DISTINCT b) > 0, sum(a) FROM big") == [(True, 287_999_988_000_000)]
    del connection
    assert not os.path.exists(folder)
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_said(tmp_path: Path) -> None:
    data = am.datasets.adult_like(n_rows=20_000)
    pq.write_table(data.table, tmp_path / "t.parquet")
    with pytest.raises(am.errors.BadOption, match="more memory"):
        am.generalizations(tmp_path / "t.parquet", data.schema, [am.KAnonymity(2)], engine="duckdb", memory_limit="1MB")


def test_unneeded_tables_are_dropped(tmp_path: Path) -> None:
    data = am.datasets.load("incognito-patients")
    pq.write_table(data.table, tmp_path / "t.parquet")
    found = am.generalizations(tmp_path / "t.parquet", data.schema, [am.KAnonymity(2)], engine="duckdb")
    found.sets.scan((0,), (1,))
    found.sets.scan((0,), (1,))
    tables = found.sets.connection.rows("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'frequency%'")
    assert tables[0][0] <= 3
