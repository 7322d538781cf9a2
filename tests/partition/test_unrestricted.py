"""Unrestricted single-dimension recoding: what always holds, and what no single value could do better."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import Case, random_case
from node_oracle import loss_of, loss_of_cell, nodes_of, published_nodes, rows_of

import amongst as am
from amongst.encode import CodedTable
from amongst.errors import BadOption, Infeasible
from amongst.partition import METHODS, Partition
from amongst.partition.trees import set_search, unrestricted
from flow_tables import random_table
from test_flow_properties import check_cells, check_counts, check_groups, release_of

Recoding = list[dict[int, Any]]
"""For every column what each of its codes is published as."""


def run(table: CodedTable, k: int, **options: Any) -> Partition:
    return METHODS["unrestricted"].run(table, [am.KAnonymity(k)], **options)


def cases(seed: int, n: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [random_case(rng, most_columns=3) for _ in range(n)]


def recoding_of(table: CodedTable, partition: Partition) -> Recoding:
    """What is published for every code: a node, or a set; always the same."""
    recoding: Recoding = [{} for _ in table.columns]
    groups = published_nodes(table, partition) if partition.nodes else None
    for row, group in zip(rows_of(table), partition.group_of_row.tolist(), strict=True):
        for c, code in enumerate(row):
            sets = partition.sets_of(c)
            shown = groups[group][c] if groups is not None else members(sets, int(partition.lo[group, c]))
            assert recoding[c].setdefault(code, shown) == shown
    return recoding


def members(set_of_code: np.ndarray | None, code: int) -> frozenset[int]:
    assert set_of_code is not None
    return frozenset(np.flatnonzero(set_of_code == set_of_code[code]).tolist())


def sizes(table: CodedTable, recoding: Recoding) -> list[int]:
    return list(
        Counter(tuple(own[code] for own, code in zip(recoding, row, strict=True)) for row in rows_of(table)).values()
    )


def test_every_value_becomes_itself_or_a_node_above_it() -> None:
    for case in cases(1, 150):
        partition = run(case.coded, case.k)
        recoding = recoding_of(case.coded, partition)
        for column, own in zip(case.coded.columns, recoding, strict=True):
            for code, node in own.items():
                assert code in node or code == column.wildcard
                assert node in nodes_of(column) or node | {column.wildcard} in nodes_of(column)
        assert partition.size_of_group.min() >= case.k
        assert min(sizes(case.coded, recoding)) >= case.k


def test_no_value_alone_could_be_told_more_precisely() -> None:
    for case in cases(2, 120):
        recoding = recoding_of(case.coded, run(case.coded, case.k))
        for c, column in enumerate(case.coded.columns):
            for code, node in recoding[c].items():
                if code == column.wildcard:
                    continue
                now = loss_of_cell(column, node, code)
                for lower in nodes_of(column):
                    if code in lower and loss_of_cell(column, lower, code) < now - 1e-9:
                        changed = [*recoding[:c], {**recoding[c], code: lower}, *recoding[c + 1 :]]
                        assert min(sizes(case.coded, changed)) < case.k


def test_it_loses_no_more_than_full_subtree_recoding() -> None:
    for case in cases(3, 100):
        tree = METHODS["full-subtree"].run(case.coded, [am.KAnonymity(case.k)], steps=500)
        assert loss_of(case.coded, run(case.coded, case.k)) <= loss_of(case.coded, tree) + 1e-9


def test_sets_are_disjoint_and_no_value_alone_could_go_elsewhere() -> None:
    for case in cases(4, 120):
        partition = run(case.coded, case.k, into="sets")
        recoding = recoding_of(case.coded, partition)
        assert min(sizes(case.coded, recoding)) >= case.k
        for c, column in enumerate(case.coded.columns):
            shown = {frozenset(one) for one in recoding[c].values()}
            assert all(one == other or not one & other for one in shown for other in shown)
            assert frozenset().union(*shown) == set(column.codes.tolist())
            check_moves(case, recoding, c)


def check_moves(case: Case, recoding: Recoding, c: int) -> None:
    """Putting one value into any other set, or alone, makes a class too small or loses as much."""
    column, shown = case.coded.columns[c], set(recoding[c].values())
    now = loss_of_sets(case.coded, c, recoding[c])
    for code, own in recoding[c].items():
        if len(own) == 1:
            continue
        for to in [frozenset(), *(shown - {own})]:
            changed = {other: _moved(place, code, own, to) for other, place in recoding[c].items()}
            changed[code] = to | {code}
            if loss_of_sets(case.coded, c, changed) < now - 1e-6:
                assert min(sizes(case.coded, [*recoding[:c], changed, *recoding[c + 1 :]])) < case.k, column.name


def _moved(place: frozenset[int], code: int, own: frozenset[int], to: frozenset[int]) -> frozenset[int]:
    """The place of another value after one code went from its set to another."""
    return place - {code} if place == own else place | {code} if place == to else place


def loss_of_sets(table: CodedTable, c: int, recoding: dict[int, frozenset[int]]) -> float:
    column, total = table.columns[c], 0.0
    told = {code for code in column.codes.tolist() if code != column.wildcard}
    for code in column.codes.tolist():
        own = recoding[code] & told
        if code != column.wildcard and len(own) > 1:
            total += 1.0 if own == told or column.own_null in own else len(own) / column.n_codes
    return total


@pytest.mark.parametrize("form", ["labels", "bounds", "structs"])
def test_releases_of_sets_hold(form: str) -> None:
    rng = np.random.default_rng(len(form))
    for _ in range(30):
        made = random_table(rng)
        release = release_of(made, "unrestricted", form, into="sets")
        if release is not None:
            check_counts(made, release)
            check_groups(release)
            check_cells(made, release)
            assert release.verdict.ok, release.verdict.words()


def table_of_races() -> tuple[pa.Table, am.Schema]:
    races = ["White"] * 10 + ["Black", "Other", "Asian"]
    schema = am.Schema({"race": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())})
    return pa.table({"race": races}), schema


def test_common_values_stay_while_rare_ones_go_up() -> None:
    """The footnote of section 5.1.1: one value is published as the root, its sibling as itself."""
    table, schema = table_of_races()
    release = am.anonymize(table, schema, [am.KAnonymity(3)], "unrestricted")
    assert Counter(release.table["race"].to_pylist()) == {"White": 10, "*": 3}
    whole = am.anonymize(table, schema, [am.KAnonymity(3)], "full-subtree")
    assert set(whole.table["race"].to_pylist()) == {"*"}


def test_rare_values_become_a_set() -> None:
    table, schema = table_of_races()
    release = am.anonymize(table, schema, [am.KAnonymity(3)], "unrestricted", into="sets")
    assert Counter(release.table["race"].to_pylist()) == {"White": 10, "{Asian,Black,Other}": 3}
    assert release.utility.ncp["race"] == pytest.approx(3 * 3 / 4 / 13)


def test_values_that_are_no_neighbours_share_a_set() -> None:
    """Ages 1 and 9 are rare, those between are not."""
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    table = pa.table({"age": [1, 5, 5, 6, 6, 7, 7, 9]})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], "unrestricted", into="sets")
    assert set(release.table["age"].to_pylist()) == {"{1,9}", "5", "6", "7"}


def test_a_column_with_many_values_is_taken_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrestricted, "MOST_VALUES", 6)
    monkeypatch.setattr(set_search, "PAIRS_AT_ONCE", 10)
    for case in cases(5, 80):
        for into in ("nodes", "sets"):
            partition = run(case.coded, case.k, into=into)
            assert min(sizes(case.coded, recoding_of(case.coded, partition))) >= case.k


def test_sets_of_too_many_values_are_refused() -> None:
    table = pa.table({"x": list(range(2000))})
    schema = am.Schema({"x": am.Column(role="quasi", kind="numeric")})
    with pytest.raises(BadOption, match="sets"):
        am.anonymize(table, schema, [am.KAnonymity(2)], "unrestricted", into="sets")
    assert set(am.anonymize(table, schema, [am.KAnonymity(2)], "unrestricted").table["x"].to_pylist()) == {"*"}


def test_what_cannot_be() -> None:
    table, schema = table_of_races()
    with pytest.raises(BadOption, match="into"):
        am.anonymize(table, schema, [am.KAnonymity(3)], "unrestricted", into="bags")
    with pytest.raises(Infeasible):
        am.anonymize(table, schema, [am.KAnonymity(14)], "unrestricted")


def test_adult() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "unrestricted")
    assert release.utility.gcp < 0.5  # the best full-subtree recoding loses 0.585
    assert release.verdict.ok
