"""Classes against a count in plain Python, whatever the order, the container and the types."""

import collections
import datetime
import itertools
import math

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amongst.models import KAnonymity
from amongst.published.compatible import _all_pairs, _by_pattern, compatible_rows
from amongst.published.tally import MOST_KEYS, group, one_key
from amongst.verify import verify

relaxed = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

words = st.one_of(st.none(), st.sampled_from(["a", "A", " a", "a ", "25", "025", "", "é", "é", "*"]))


@st.composite
def tables(draw, cells=words, most_rows=30):
    n_rows, n_columns = draw(st.integers(1, most_rows)), draw(st.integers(1, 4))
    column = st.lists(cells, min_size=n_rows, max_size=n_rows)
    return {f"q{c}": draw(column) for c in range(n_columns)}


def sizes(table):
    """The oracle: how often every tuple occurs."""
    return sorted(collections.Counter(zip(*table.values(), strict=True)).values())


def found(verdict):
    pairs = zip(verdict.class_sizes, verdict.class_counts, strict=True)
    return sorted(size for size, count in pairs for _ in range(count))


def check(verdict, expected, k):
    assert found(verdict) == expected
    assert verdict.smallest == expected[0]
    assert verdict.n_classes == len(expected)
    assert verdict.n_unique_rows == expected.count(1)
    assert verdict.models[0].ok == (expected[0] >= k)
    assert verdict.n_rows == sum(expected)


@relaxed
@given(tables(), st.integers(1, 4))
def test_text_columns_in_memory(table, k):
    arrow = pa.table({name: pa.array(cells, pa.string()) for name, cells in table.items()})
    check(verify(arrow, None, KAnonymity(k), nulls="own value"), sizes(table), k)


@relaxed
@given(tables(), st.lists(st.integers(0, 30), max_size=4), st.integers(1, 3))
def test_any_chunks_and_any_dictionaries(table, cuts, k):
    n_rows = len(next(iter(table.values())))
    edges = [0, *sorted({min(cut, n_rows) for cut in cuts}), n_rows]

    def chunked(cells):
        # Every chunk has a dictionary of its own, with a repeated and an unused entry and a null.
        chunks = []
        for lo, hi in itertools.pairwise(edges):
            texts = [None, *dict.fromkeys(cells[lo:hi]), "unused", *dict.fromkeys(cells[lo:hi])]
            places = [texts.index(cell) if i % 2 else len(texts) - 1 - texts[::-1].index(cell)
                      for i, cell in enumerate(cells[lo:hi])]  # fmt: skip
            indices = pa.array([None if i % 3 and texts[p] is None else p for i, p in enumerate(places)], pa.int8())
            chunks.append(pa.DictionaryArray.from_arrays(indices, pa.array(texts, pa.string())))
        return pa.chunked_array(chunks)

    arrow = pa.table({name: chunked(cells) for name, cells in table.items()})
    check(verify(arrow, None, KAnonymity(k), nulls="own value"), sizes(table), k)


@relaxed
@given(tables(), st.sampled_from(["parquet", "csv", "tsv", "csv.gz", "feather", "arrow"]))
def test_every_kind_of_file(tmp_path, table, ending):
    arrow = pa.table({name: pa.array(cells, pa.string()) for name, cells in table.items()})
    path = tmp_path / f"published.{ending}"
    if ending == "parquet":
        pq.write_table(arrow, path, row_group_size=7)
    elif ending == "feather":
        pyarrow.feather.write_feather(arrow, path, chunksize=7)
    elif ending == "arrow":
        with pa.ipc.new_stream(path, arrow.schema) as writer:
            writer.write_table(arrow, max_chunksize=7)
    else:
        options = pa.csv.WriteOptions(delimiter="\t" if ending == "tsv" else ",")
        with pa.output_stream(str(path), compression="detect") as stream:
            pa.csv.write_csv(arrow, stream, options)
    check(verify(path, list(table), KAnonymity(2), nulls="own value"), sizes(table), 2)


floats = st.sampled_from([0.0, -0.0, 1.5, math.nan, math.inf, None, 1e-320])
cells_of_type = {
    "float64": (pa.float64(), floats),
    "float32": (pa.float32(), floats),
    "float16": (pa.float16(), floats.map(lambda x: None if x is None else np.float16(x))),
    "int8": (pa.int8(), st.one_of(st.none(), st.integers(-128, 127))),
    "uint64": (pa.uint64(), st.sampled_from([0, 1, 2**63, 2**64 - 1, None])),
    "int64": (pa.int64(), st.sampled_from([0, -1, 2**53, 2**53 + 1, -(2**63), None])),
    "bool": (pa.bool_(), st.sampled_from([True, False, None])),
    "date32": (pa.date32(), st.one_of(st.none(), st.dates())),
    "timestamp": (pa.timestamp("us"), st.one_of(st.none(), st.datetimes(datetime.datetime(1900, 1, 1)))),
    "decimal": (pa.decimal128(6, 2), st.one_of(st.none(), st.decimals(-99, 99, places=2))),
    "null": (pa.null(), st.none()),
    "large_string": (pa.large_string(), words),
    "string_view": (pa.string_view(), words),
    "dictionary of ints": (pa.dictionary(pa.int8(), pa.int64()), st.sampled_from([1, 2, None])),
}


def as_seen(cell):
    """Floats as the verifier's reader sees them: one zero, one not-a-number."""
    if isinstance(cell, float) and math.isnan(cell):
        return "not a number"
    return cell


@pytest.mark.parametrize("name", cells_of_type)
@relaxed
@given(data=st.data())
def test_every_type_of_column(name, data):
    of, cells = cells_of_type[name]
    column = data.draw(st.lists(cells, min_size=1, max_size=20))
    other = data.draw(st.lists(words, min_size=len(column), max_size=len(column)))
    half = len(column) // 2
    chunks = [pa.array(part, of) for part in (column[:half], column[half:])]
    arrow = pa.table({"x": pa.chunked_array(chunks, of), "y": pa.array(other, pa.string())})
    stored = [as_seen(cell) for cell in arrow.column("x").to_pylist()]
    check(verify(arrow, None, KAnonymity(2), nulls="own value"), sizes({"x": stored, "y": other}), 2)


@pytest.mark.parametrize("n_columns", [3, 12])
@pytest.mark.parametrize("spread", [3, 1000])
def test_large_tables_in_random_order(n_columns, spread):
    rng = np.random.default_rng(n_columns * spread)
    base = rng.integers(0, spread, (500, n_columns + 1))
    base[:, -1] %= 3
    rows = base[rng.integers(0, 500, 5000)]
    arrow = pa.table({f"q{c}": [f"v{x}" if c % 2 else None if x == 0 else f"{x}" for x in rows[:, c]]
                      for c in range(n_columns)})  # fmt: skip
    # A null is stored as 0 beneath its mask, and 0 is a value of its own.
    arrow = arrow.append_column("number", pa.array(rows[:, -1], mask=rows[:, -1] == 1))
    expected = sorted(collections.Counter(map(tuple, rows.tolist())).values())
    check(verify(arrow, None, KAnonymity(2), nulls="own value"), expected, 2)
    in_order = arrow.take(pa.array(np.lexsort(rows.T)))
    check(verify(in_order, None, KAnonymity(2), nulls="own value"), expected, 2)


def test_keys_that_do_not_fit_one_number():
    rng = np.random.default_rng(1)
    n_codes = 3_000_000
    assert n_codes**6 > MOST_KEYS
    base = rng.integers(0, n_codes, (400, 6))
    rows = base[rng.integers(0, 400, 2000)]
    key = one_key([rows[:, c] for c in range(6)], len(rows))
    expected = collections.Counter(map(tuple, rows.tolist()))
    assert (
        len(set(zip(key.tolist(), map(tuple, rows.tolist()), strict=True))) == len(expected) == len(set(key.tolist()))
    )
    first, size = group([rows[:, c] for c in range(6)], np.ones(len(rows), dtype=np.int64))
    assert {tuple(rows[i].tolist()): n for i, n in zip(first, size.tolist(), strict=True)} == expected


def test_keys_do_not_wrap_around():
    # Taken as one number of 96 bits cut to 64, the first column would vanish.
    most = 2**32 - 1
    codes = [np.array([0, 1, most]), np.array([most] * 3), np.array([most] * 3)]
    assert len(set(one_key(codes, 3).tolist())) == 3


def compatible_oracle(rows, wild):
    """Quadratic: rows fit when every key agrees or one of the two may be anything there."""

    def fit(a, b):
        return all(x == y or (w and (x is None or y is None)) for x, y, w in zip(a, b, wild, strict=True))

    return [sum(fit(a, b) for b in rows) for a in rows]


@relaxed
@given(tables(st.sampled_from([None, "a", "b", "c"]), 25), st.data())
def test_nulls_that_match_anything(table, data):
    wild = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    rules = {name: "match anything" if w else "own value" for name, w in zip(table, wild, strict=True)}
    rows = list(zip(*table.values(), strict=True))
    counts = compatible_oracle(rows, wild)
    arrow = pa.table({name: pa.array(cells, pa.string()) for name, cells in table.items()})
    verdict = verify(arrow, list(table), KAnonymity(3), nulls=rules)
    assert found(verdict) == sorted(dict(zip(rows, counts, strict=True)).values())
    assert verdict.smallest == min(counts)
    assert verdict.n_unique_rows == counts.count(1)
    assert verdict.models[0].ok == (min(counts) >= 3)


def test_fitting_is_not_transitive():
    # The third row fits the first two, which do not fit each other: counts, not classes.
    rows = [
        ("1", "1", "2"),
        ("1", "2", "2"),
        ("1", None, "2"),
        ("2", "1", "1"),
        ("2", None, "3"),
        ("3", "3", "3"),
    ]
    arrow = pa.table({name: [row[c] for row in rows] for c, name in enumerate(("a", "b", "c"))})
    verdict = verify(arrow, ["a", "b", "c"], KAnonymity(2), nulls="match anything")
    assert found(verdict) == sorted(compatible_oracle(rows, [True] * 3)) == [1, 1, 1, 2, 2, 3]
    assert verify(arrow, ["a", "b", "c"], KAnonymity(2), nulls="own value").smallest == 1


@relaxed
@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_both_ways_to_count_compatible_rows_agree(n_rows, n_keys, seed):
    rng = np.random.default_rng(seed)
    distinct = np.unique(rng.integers(0, 4, (n_rows, n_keys)), axis=0)
    n_rows, codes = len(distinct), list(distinct.T)
    wild = [(code == 3) & (rng.random() < 0.7) for code in codes]
    size = rng.integers(1, 9, n_rows)
    pairs = _all_pairs(codes, wild, size)
    patterns, of_row = np.unique(np.stack(wild, axis=1), axis=0, return_inverse=True)
    by_pattern = _by_pattern(codes, list(range(n_keys)), patterns, of_row.reshape(-1), size)
    assert pairs.tolist() == by_pattern.tolist() == compatible_rows(codes, wild, size).tolist()


def test_a_statistic_matches_anything_only_beside_a_missing_label():
    from amongst.schema import Column, Schema

    schema = Schema({"age": Column(role="quasi", kind="numeric", nulls="match anything", statistic=("mean",))})
    beside = pa.table({"age": ["[1-2]", None], "age_mean": [1.5, None]})
    assert verify(beside, schema, KAnonymity(2)).ok
    alone = pa.table({"age": ["[1-2]", "[1-2]"], "age_mean": [1.5, None]})
    assert verify(alone, schema, KAnonymity(2)).smallest == 1
    told = pa.table({"age": ["[1-2]", None], "age_mean": [1.5, 3.0]})
    assert verify(told, schema, KAnonymity(2)).smallest == 1


def test_not_a_number_follows_the_rule_for_nulls():
    arrow = pa.table({"x": [1.0, math.nan, None, 1.0]})
    assert verify(arrow, ["x"], KAnonymity(1), nulls="own value").n_classes == 3
    assert verify(arrow, ["x"], KAnonymity(4), nulls="match anything").smallest == 4
    verdict = verify(arrow, ["x"], KAnonymity(1), nulls="suppress")
    assert [finding.found for finding in verdict.findings] == ["2 rows with a missing cell"]


def test_all_bit_patterns_of_not_a_number_are_one_value():
    bits = np.array([0x7FF8000000000000, 0x7FF8000000000001, 0xFFF8000000000002], dtype=np.uint64)
    floats = np.append(bits.view(np.float64), [0.0, -0.0])
    plain = pa.table({"x": pa.array(floats)})
    indices = pa.array(range(5), pa.int8())
    stored = pa.table({"x": pa.DictionaryArray.from_arrays(indices, pa.array(floats))})
    for arrow in (plain, stored):
        verdict = verify(arrow, ["x"], KAnonymity(1), nulls="own value")
        assert (verdict.class_sizes, verdict.class_counts) == ([2, 3], [1, 1])


def test_half_missing_bounds_match_nothing_else():
    from amongst.schema import Column, Schema

    schema = Schema({"age": Column(role="quasi", kind="numeric", nulls="match anything")})
    whole = pa.table({"age_lower": [1, None], "age_upper": [2, None]})
    assert verify(whole, schema, KAnonymity(2)).ok
    half = pa.table({"age_lower": [1, None], "age_upper": [2, 2]})
    assert verify(half, schema, KAnonymity(2)).smallest == 1
