"""The SQL of the report says what the verifier says."""

import math

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amongst.errors import BadInput, BadOption
from amongst.models import KAnonymity
from amongst.schema import Column, Schema
from amongst.verify import verify
from amongst.verify.sql import as_sql
from thorough import some

duckdb = pytest.importorskip("duckdb")
relaxed = settings(max_examples=some(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def agree(path, schema, k, **options):
    verdict = verify(path, schema, KAnonymity(k), **options)
    row = duckdb.sql(as_sql(schema, KAnonymity(k), path, **options)).fetchall()
    below = verdict_below(verdict, k)
    assert [row[0][:4], row[0][5]] == [
        (verdict.n_rows, verdict.n_classes, verdict.smallest, below),
        verdict.models[0].ok,
    ]
    return row[0], verdict


def verdict_below(verdict, k):
    pairs = zip(verdict.class_sizes, verdict.class_counts, strict=True)
    return sum(count for size, count in pairs if size < k)


words = st.sampled_from([None, "", "a", "A", "a ", "it's", 'x"y', "a,b", "NULL", "25", "025", "é"])
floats = st.sampled_from([None, 0.0, -0.0, 1.5, math.nan, math.inf])
NAMES = ["plain", 'quo"te', "semi;--", "Ünï", "a.b"]


@st.composite
def tables(draw):
    n = draw(st.integers(1, 15))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    return {name: draw(st.lists(words, min_size=n, max_size=n)) for name in names}


@relaxed
@given(tables(), st.integers(1, 3), st.booleans(), st.sampled_from(["csv", "parquet"]))
def test_random_tables(tmp_path, table, k, wild, ending):
    arrow = pa.table({name: pa.array(cells, pa.string()) for name, cells in table.items()})
    # DuckDB skips the empty lines that stand for missing cells in a file of one column.
    arrow = arrow.append_column("other", pa.array(["z"] * len(arrow)))
    path = tmp_path / f"it's [a] p.{ending}"
    pq.write_table(arrow, path) if ending == "parquet" else pa.csv.write_csv(arrow, path)
    agree(path, list(table), k, nulls="match anything" if wild else "own value")


@relaxed
@given(st.lists(st.tuples(floats, words), min_size=1, max_size=12), st.integers(1, 3), st.booleans())
def test_bounds_and_statistics(tmp_path, cells, k, wild):
    rule = "match anything" if wild else "own value"
    schema = Schema(
        {
            "age": Column(role="quasi", kind="numeric", nulls=rule, statistic=("mean",)),
            "job": Column(role="quasi", kind="categorical", nulls=rule),
        }
    )
    lower, jobs = [x for x, _ in cells], [job for _, job in cells]
    upper = [None if x is None else x + 1 for x in lower]
    mean = [x if i % 3 else None for i, x in enumerate(lower)]
    arrow = pa.table({"job": pa.array(jobs, pa.string())})
    for name, column in (("age_lower", lower), ("age_upper", upper), ("age_mean", mean)):
        arrow = arrow.append_column(name, pa.array(column, pa.float64()))
    # Statistics leave out what is not a number, and DuckDB believes them.
    pq.write_table(arrow, tmp_path / "p.parquet", write_statistics=False)
    agree(tmp_path / "p.parquet", schema, k)
    ends = [arrow.column("age_lower").combine_chunks(), arrow.column("age_upper").combine_chunks()]
    struct = pa.StructArray.from_arrays(ends, names=["lower", "upper"])
    arrow = arrow.drop_columns(["age_lower", "age_upper"]).append_column("age", struct)
    pq.write_table(arrow, tmp_path / "s.parquet", write_statistics=False)
    agree(tmp_path / "s.parquet", schema, k)


def test_figures_below_k(tmp_path):
    (tmp_path / "release.csv").write_text("a\tb\n".replace("\t", ";") + "x;1\nx;1\ny;1\n")
    row, _ = agree(tmp_path / "release.csv", ["a", "b"], 2)
    assert row == (3, 2, 1, 1, 1, False)
    text = as_sql(["a"], KAnonymity(2), tmp_path, name="release.csv")
    assert "read_csv('release.csv'" in text
    assert str(tmp_path) not in text


def test_empty_and_folder(tmp_path):
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), tmp_path / "release.parquet")
    row, _ = agree(tmp_path, ["a"], 2)
    assert row == (0, 0, 0, 0, 0, True)


def test_what_has_no_sql(tmp_path):
    pa.feather = pytest.importorskip("pyarrow.feather")
    pa.feather.write_feather(pa.table({"a": ["x"]}), tmp_path / "p.feather")
    with pytest.raises(BadInput):
        as_sql(["a"], KAnonymity(2), tmp_path / "p.feather")
    with pytest.raises(BadOption):
        as_sql(["a"], "k", tmp_path / "p.feather")
