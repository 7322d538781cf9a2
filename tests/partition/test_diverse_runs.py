"""Hilbert and iDistance with l-diversity: what holds, whatever the order of the input; what is asked and what not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tables import small_table

import amongst as am
from amongst.encode import CodedTable
from amongst.encode.coded import CodedColumn
from amongst.errors import Infeasible
from amongst.measure.ncp import gcp, ncp
from amongst.models import AlphaK, KAnonymity, LDiversity, TCloseness
from amongst.partition import METHODS, Partition
from amongst.partition.line.diverse_runs import diversity_asked
from amongst.partition.pricing import boxed
from amongst.partition.requested import encode_for
from amongst.schema.check import check

NAMES = ("hilbert", "hilbert-fast", "idistance", "idistance-fast")
seeds = st.integers(0, 2**32 - 1)
by_name = pytest.mark.parametrize("name", NAMES)


def sensitive(codes: Any, name: str = "illness") -> CodedColumn:
    codes = np.asarray(codes, dtype=np.uint8)
    values = pa.array([f"v{i}" for i in range(int(codes.max(initial=0)) + 1)])
    return CodedColumn(name, "categorical", codes, values, None, 0.0, 0.0, None)


def diverse_table(rng: np.random.Generator) -> tuple[CodedTable, int]:
    """A small table with a sensitive column, and the largest l that it allows."""
    table, _ = small_table(rng, nulls=("none", "own value"))
    m = int(rng.integers(1, 8))
    codes = rng.choice(m, table.n_rows, p=rng.dirichlet(np.full(m, rng.choice([1.0, 20.0]))))
    column = sensitive(codes)
    return replace(table, sensitive={"illness": column}), int(table.n_rows // np.bincount(codes).max())


def reordered(table: CodedTable, rows: np.ndarray) -> CodedTable:
    columns = [replace(column, codes=column.codes[rows]) for column in table.columns]
    own = {name: replace(column, codes=column.codes[rows]) for name, column in table.sensitive.items()}
    return replace(table, columns=columns, sensitive=own)


def most_in_groups(table: CodedTable, partition: Partition) -> np.ndarray:
    counts = np.zeros((partition.n_groups, table.sensitive["illness"].n_codes), dtype=np.int64)
    np.add.at(counts, (partition.group_of_row, table.sensitive["illness"].codes), 1)
    return counts.max(axis=1)


@by_name
@given(seed=seeds, k=st.integers(1, 6))
def test_every_table_that_allows_l_gets_diverse_groups_with_true_boxes(name: str, seed: int, k: int) -> None:
    table, largest = diverse_table(np.random.default_rng(seed))
    for l in range(2, largest + 1):  # noqa: E741
        partition = METHODS[name].run(table, [LDiversity(l), KAnonymity(min(k, table.n_rows))])
        most, size = most_in_groups(table, partition), partition.size_of_group
        assert (most * l <= size).all()
        assert size.min() >= min(k, table.n_rows)
        if k <= l:
            assert (most == 1).all()
        again = boxed(table, partition.group_of_row)
        first = np.unique(partition.group_of_row, return_index=True)[1]
        np.testing.assert_array_equal(partition.lo, again.lo[again.group_of_row[first]])
        np.testing.assert_array_equal(partition.hi, again.hi[again.group_of_row[first]])
    with pytest.raises(Infeasible) as refused:
        METHODS[name].run(table, [LDiversity(largest + 1)])
    facts = refused.value.facts
    assert facts.get("largest_l", facts.get("largest_k")) == largest


@by_name
@given(seed=seeds)
def test_the_order_of_the_input_does_not_matter(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, largest = diverse_table(rng)
    rows = rng.permutation(table.n_rows)
    if largest < 2:
        return
    l = int(rng.integers(2, largest + 1))  # noqa: E741
    tables = [table, reordered(table, rows)]
    published = []
    for own in tables:
        partition = METHODS[name].run(own, [LDiversity(l)])
        boxes = np.hstack([partition.lo, partition.hi])[partition.group_of_row]
        rows_published = np.column_stack([*own.codes, own.sensitive["illness"].codes, boxes])
        published.append(sorted(map(tuple, rows_published.tolist())))
    assert published[0] == published[1]


def two_sensitive(table: CodedTable) -> CodedTable:
    return replace(table, sensitive=table.sensitive | {"other": replace(table.sensitive["illness"], name="other")})


def test_what_the_heuristic_serves() -> None:
    rng = np.random.default_rng(5)
    table, _ = small_table(rng, nulls=("none",))
    table = replace(table, sensitive={"illness": sensitive(np.arange(table.n_rows) % 5)})
    for models, asked in (
        ([LDiversity(3)], (3, 3)),
        ([LDiversity(3), KAnonymity(2)], (3, 3)),
        ([LDiversity(3), KAnonymity(7)], (3, 7)),
        ([AlphaK(1 / 3, 2)], (3, 3)),
        ([AlphaK(0.4, 6)], (3, 6)),
        ([LDiversity(2.5)], (3, 3)),
        ([LDiversity(2), LDiversity(3, column="illness")], (3, 3)),
    ):
        found = diversity_asked(table, models)
        assert found is not None
        assert (found.l, found.k) == asked
    for models in (
        [KAnonymity(3)],
        [LDiversity(1), KAnonymity(3)],
        [LDiversity(2, "distinct")],
        [LDiversity(2), TCloseness(0.9)],
    ):
        assert diversity_asked(table, models) is None
    assert diversity_asked(two_sensitive(table), [LDiversity(2)]) is None
    assert diversity_asked(two_sensitive(table), [LDiversity(2, column="other")]) is not None
    people = replace(table, unit=np.arange(table.n_rows, dtype=np.uint32) // 2)
    assert diversity_asked(people, [LDiversity(2)]) is None


def test_an_l_between_two_numbers_that_groups_of_different_values_cannot_reach() -> None:
    table, _ = small_table(np.random.default_rng(1), nulls=("none",))
    n = table.n_rows
    codes = (np.arange(n) * 5 // (2 * n)).astype(np.uint8)  # two fifths, two fifths, a fifth
    table = replace(table, sensitive={"illness": sensitive(codes)})
    share = np.bincount(codes).max() / n
    assert share > 1 / 3
    assert diversity_asked(table, [AlphaK(float(share), 2)]) is None


@pytest.fixture(scope="module")
def census() -> tuple[am.Schema, CodedTable]:
    data = am.datasets.census(20_000)
    schema = check(data.schema, data.table)
    return schema, encode_for(data.table, schema, [LDiversity(5, column="occupation")], None)


@pytest.mark.parametrize("l", [3, 5, 8])
def test_figure_16_hilbert_loses_less_than_idistance_and_mondrian(
    census: tuple[am.Schema, CodedTable],
    l: int,  # noqa: E741
) -> None:
    schema, table = census
    models = [LDiversity(l, column="occupation")]
    loss = {name: gcp(ncp(table, schema, METHODS[name].run(table, models))) for name in (*NAMES, "mondrian")}
    assert loss["hilbert"] < loss["idistance"] < loss["mondrian"]
    assert loss["hilbert"] < loss["hilbert-fast"]


def test_k_above_l_loses_less_than_l_diverse_mondrian(census: tuple[am.Schema, CodedTable]) -> None:
    schema, table = census
    models = [LDiversity(3, column="occupation"), KAnonymity(10)]
    loss = {name: gcp(ncp(table, schema, METHODS[name].run(table, models))) for name in ("hilbert", "mondrian")}
    assert loss["hilbert"] < loss["mondrian"]


@by_name
def test_the_release_holds_what_was_asked(name: str) -> None:
    patients = am.datasets.census(2_000)
    models = [LDiversity(4, column="occupation")]
    release = am.anonymize(patients.table, patients.schema, models, method=name)
    assert release.partition.size_of_group.min() >= 4
    codes = patients.table["occupation"].combine_chunks().indices.to_numpy()
    counts = np.zeros((release.partition.n_groups, 50), dtype=int)
    np.add.at(counts, (release.partition.group_of_row, codes), 1)
    assert (counts.max(axis=1) * 4 <= release.partition.size_of_group).all()
