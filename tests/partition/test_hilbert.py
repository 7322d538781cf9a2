"""Groups of neighbours on the Hilbert curve and around centres: sizes, boxes, loss, order of the input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tables import small_table

import amongst as am
from amongst.encode import CodedTable, encode, frequency_set
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption, Infeasible
from amongst.kernels.one_dimensional import sort_keys
from amongst.measure.ncp import gcp, ncp
from amongst.models import KAnonymity
from amongst.partition import METHODS, Partition
from amongst.partition.line import idistance as idistance_module
from amongst.partition.line.branching import leaf_places
from amongst.partition.line.curve import curve_keys, leading_places, places_of_codes
from amongst.partition.line.one_dimensional import BLOCK, best_runs
from amongst.partition.pricing import boxed, prices_of
from amongst.schema.check import check

NAMES = ("hilbert", "hilbert-fast", "idistance", "idistance-fast")
seeds = st.integers(0, 2**32 - 1)
by_name = pytest.mark.parametrize("name", NAMES)


def run(name: str, table: CodedTable, k: int, **options: Any) -> Partition:
    return METHODS[name].run(table, [KAnonymity(k)], **options)


def reordered(table: CodedTable, rows: np.ndarray) -> CodedTable:
    columns = [CodedColumn(**{**vars(column), "codes": column.codes[rows]}) for column in table.columns]
    return CodedTable(columns, table.n_input, table.kept_rows)


@by_name
@given(seed=seeds, k=st.integers(1, 12))
def test_groups_have_k_to_2k_less_1_rows_and_true_boxes(name: str, seed: int, k: int) -> None:
    table, _ = small_table(np.random.default_rng(seed))
    if k > table.n_rows:
        with pytest.raises(Infeasible):
            run(name, table, k)
        return
    partition = run(name, table, k)
    assert len(partition.group_of_row) == table.n_rows
    assert partition.size_of_group.min() >= k
    assert partition.size_of_group.max() < 2 * k
    again = boxed(table, partition.group_of_row)
    first = np.unique(partition.group_of_row, return_index=True)[1]
    np.testing.assert_array_equal(partition.lo, again.lo[again.group_of_row[first]])
    np.testing.assert_array_equal(partition.hi, again.hi[again.group_of_row[first]])


@by_name
@given(seed=seeds, k=st.integers(1, 6))
def test_the_order_of_the_input_does_not_matter(name: str, seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    table, _ = small_table(rng)
    if k > table.n_rows:
        return
    rows = rng.permutation(table.n_rows)
    one, other = run(name, table, k), run(name, reordered(table, rows), k)
    np.testing.assert_array_equal(one.lo, other.lo)
    np.testing.assert_array_equal(one.hi, other.hi)
    for c in range(table.n_qi):
        published = [one.lo[one.group_of_row, c][rows], other.lo[other.group_of_row, c]]
        by_tuple = [np.lexsort([own, *(codes[rows] for codes in table.codes)]) for own in published]
        np.testing.assert_array_equal(published[0][by_tuple[0]], published[1][by_tuple[1]])


@given(seed=seeds, k=st.integers(1, 8))
def test_the_exact_methods_lose_no_more_on_their_order_than_the_fast_ones(seed: int, k: int) -> None:
    table, _ = small_table(np.random.default_rng(seed))
    if k > table.n_rows:
        return
    prices = prices_of(table)
    for name in ("hilbert", "idistance"):
        exact, fast = (run(way, table, k) for way in (name, f"{name}-fast"))
        loss = [int(prices.of_boxes(*closed_boxes(table, own)) @ own.size_of_group) for own in (exact, fast)]
        assert loss[0] <= loss[1]


def closed_boxes(table: CodedTable, partition: Partition) -> tuple[np.ndarray, np.ndarray]:
    """Boxes with a null that matches anything counted like a value, as the prices count it."""
    shape = (partition.n_groups, table.n_qi)
    lo, hi = np.full(shape, 1 << 30), np.zeros(shape, dtype=np.int64)
    for c, codes in enumerate(table.codes):
        np.minimum.at(lo[:, c], partition.group_of_row, codes)
        np.maximum.at(hi[:, c], partition.group_of_row, codes)
    return lo, hi


def test_any_order_can_be_divided() -> None:
    """Five rows of every age: groups of five need no range."""
    age = np.repeat(np.arange(10), 5)
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    raw = pa.table({"age": age})
    table = encode(raw, check(schema, raw))
    tuples = frequency_set(table.codes)
    order = np.arange(10, dtype=np.uint32)
    partition = best_runs(table, tuples, order, 5, prices=prices_of(table))
    assert (partition.lo == partition.hi).all()
    by_extent = best_runs(table, tuples, order, 5, position=np.arange(10) * 100)
    np.testing.assert_array_equal(by_extent.group_of_row, partition.group_of_row)


@pytest.mark.parametrize("k", [2, 10, 50])
def test_less_loss_than_strict_mondrian_on_adult(k: int) -> None:
    adult = am.datasets.load("adult", part="train")
    schema = check(adult.schema, adult.table)
    table = encode(adult.table, schema)

    def loss(name: str, **options: Any) -> float:
        return gcp(ncp(table, schema, run(name, table, k, **options)))

    strict = loss("mondrian", cuts="ordered")
    assert loss("hilbert") < strict
    assert loss("idistance") < strict
    assert loss("hilbert") < loss("hilbert-fast")
    assert loss("idistance") < loss("idistance-fast")


def test_a_seed_gives_the_same_groups_and_another_other_ones() -> None:
    census = am.datasets.census(3000)
    table = encode(census.table, check(census.schema, census.table))
    first, again, other = (run("idistance", table, 5, centres=20, seed=seed).group_of_row for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("name", ["idistance", "idistance-fast"])
def test_the_seed_of_the_run_reaches_the_method(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds_seen: list[int] = []
    real = idistance_module.find_centres
    monkeypatch.setattr(idistance_module, "find_centres", lambda *args: seeds_seen.append(args[-1]) or real(*args))
    data = am.datasets.load("patients")
    am.anonymize(data.table, data.schema, [KAnonymity(2)], name, seed=7)
    am.largest_k(data.table, data.schema, 1.0, method=name, seed=8)
    assert seeds_seen[0] == 7
    assert set(seeds_seen[1:]) == {8}
    with pytest.raises(BadOption, match="seed"):
        METHODS[name].check_options({"seed": 3})


def test_no_centre_is_an_error() -> None:
    table, _ = small_table(np.random.default_rng(1))
    with pytest.raises(BadOption):
        run("idistance", table, 1, centres=0)


class StopHere(Exception):
    pass


@by_name
def test_a_run_can_be_watched_and_stopped(name: str) -> None:
    uniform = am.datasets.uniform(n_rows=3 * BLOCK, n_columns=2, cardinality=900)
    table = encode(uniform.table, check(uniform.schema, uniform.table))
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 2:
            raise StopHere

    with pytest.raises(StopHere):
        run(name, table, 3, progress=stop)
    assert BLOCK <= seen[0][0] < seen[1][0] < seen[1][1] == 3 * BLOCK


def test_every_node_of_a_tree_has_cells_of_its_own() -> None:
    start = np.array([[0, 1, 2, 3, 4, 5], [0, 0, 2, 2, 2, 5], [0, 0, 0, 0, 0, 0]], dtype=np.int32)
    place = leaf_places(start, np.array([1, 2, 30, 4, 5, 60]), 12)
    assert len(set(place.tolist())) == 6
    assert place[5] < 2048 <= place[:5].min()  # the most frequent node first, and alone
    assert place[2:5].max() < place[:2].min()


def test_leaves_that_the_bits_cannot_part_share_a_place() -> None:
    start = np.stack([np.arange(40), np.zeros(40)]).astype(np.int32)
    place = leaf_places(start, np.ones(40, dtype=np.int64), 3)
    assert place.max() == 7
    assert np.bincount(place).tolist() == [5] * 8


def test_tuples_that_share_a_place_are_ordered_by_their_codes() -> None:
    wide = am.datasets.uniform(n_rows=20_000, n_columns=1, cardinality=10_000)
    table = encode(wide.table, check(wide.schema, wide.table))
    tuples = frequency_set(table.codes)
    keys = curve_keys(tuples, places_of_codes(table, tuples, prices_of(table)))
    assert keys.shape[1] == 2
    codes = tuples.codes[0][sort_keys(keys)]
    assert (np.diff(codes.astype(int)) > 0).all()


def test_places_leave_room_for_the_sum_of_extents() -> None:
    words = np.array([0, 1 << 40, (1 << 64) - 1], dtype=np.uint64)
    for k in (1, 10, 100_000):
        places = leading_places(words, k)
        assert (np.diff(places) >= 0).all()
        assert places[-1] * 2 * k <= 1 << 61
    assert leading_places(words[:2], 10).tolist() == [0, 1 << 40]
