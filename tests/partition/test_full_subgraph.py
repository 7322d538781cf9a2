"""Full-subgraph recoding: its definition over the whole space, nothing left to split, and its loss."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import Case, random_case
from node_oracle import Node, check_partition, loss_of, nodes_of, published_nodes, rows_of

import amongst as am
from amongst.encode.coded import CodedColumn
from amongst.partition.partition import Partition
from amongst.partition.trees.full_subgraph import full_subgraph
from amongst.partition.trees.full_subtree import full_subtree


def run(case: Case, **options: Any) -> Partition:
    return full_subgraph(case.coded, [am.KAnonymity(case.k)], suppression=case.suppression, **options)


def has_wildcard(case: Case) -> bool:
    return any(column.wildcard >= 0 for column in case.coded.columns)


def test_what_is_published_stands_for_everything_below_it() -> None:
    """The definition: no combination of values, occurring or not, is below two published vectors."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        case = random_case(rng, most_columns=3)
        partition = run(case)
        check_partition(case.coded, partition, case.k, case.most_suppressed)
        if has_wildcard(case):
            continue
        groups = published_nodes(case.coded, partition)
        rows = list(zip(rows_of(case.coded), partition.group_of_row, strict=True))
        kept, gone = {row for row, group in rows if group >= 0}, {row for row, group in rows if group < 0}
        for vector in product(*(range(len(max(nodes_of(column), key=len))) for column in case.coded.columns)):
            above = sum(all(code in node for code, node in zip(vector, nodes, strict=True)) for nodes in groups)
            assert above <= 1
            assert above == 1 or vector not in kept
            assert above == 0 or vector not in gone


def children_of(column: CodedColumn, node: Node) -> set[Node]:
    inside = {other for other in nodes_of(column) if other < node}
    return {one for one in inside if not any(one < other for other in inside)}


def test_no_region_can_be_split_any_more() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        case = random_case(rng)
        if has_wildcard(case):
            continue
        partition = run(case)
        rows, group_of_row = rows_of(case.coded), partition.group_of_row.tolist()
        for group, nodes in enumerate(published_nodes(case.coded, partition)):
            own = [row for row, its in zip(rows, group_of_row, strict=True) if its == group]
            for c, column in enumerate(case.coded.columns):
                parts = [sum(row[c] in child for row in own) for child in children_of(column, nodes[c])]
                parts = [size for size in parts if size]
                assert not parts or (len(parts) > 1 and min(parts) < case.k)


def test_it_never_loses_more_than_full_subtree() -> None:
    rng = np.random.default_rng(2)
    better = 0
    for _ in range(300):
        case = random_case(rng)
        subtree = full_subtree(case.coded, [am.KAnonymity(case.k)], suppression=case.suppression)
        losses = loss_of(case.coded, run(case)), loss_of(case.coded, subtree)
        assert losses[0] <= losses[1] + 1e-9
        better += losses[0] < losses[1] - 1e-9
    assert better > 30


def test_sex_and_zipcode_of_figure_13() -> None:
    """Women are many enough for their zipcodes; men are not, and theirs are masked."""
    schema = am.Schema(
        {
            "sex": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
            "zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5)),
        }
    )
    rows = [("Female", "53715")] * 2 + [("Female", "53710")] * 2 + [("Male", "53715"), ("Male", "53710")]
    table = pa.table({"sex": [sex for sex, _ in rows], "zip": [zipcode for _, zipcode in rows]})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], "full-subgraph")
    published = sorted(zip(release.table["sex"].to_pylist(), release.table["zip"].to_pylist(), strict=True))
    assert published == [("Female", "53710")] * 2 + [("Female", "53715")] * 2 + [("Male", "5371*")] * 2
    subtree = am.anonymize(table, schema, [am.KAnonymity(2)], "full-subtree")
    assert release.utility.gcp < subtree.utility.gcp


def test_a_rare_value_blocks_unless_its_rows_may_go() -> None:
    schema = am.Schema({"job": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())})
    table = pa.table({"job": ["clerk"] * 10 + ["nurse"] * 10 + ["king"]})
    models = [am.KAnonymity(5)]
    release = am.anonymize(table, schema, models, "full-subgraph")
    assert set(release.table["job"].to_pylist()) == {"*"}
    release = am.anonymize(table, schema, models, "full-subgraph", suppression=1)
    assert set(release.table["job"].to_pylist()) == {"clerk", "nurse"}
    assert release.utility.n_suppressed == 1


def test_adult() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "full-subgraph")
    assert release.verdict.ok
    assert release.utility.gcp == pytest.approx(0.1295, abs=0.002)
