"""Full-subtree recoding against all recodings there are, and against the best full-domain generalization."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lattice_oracle import Case, random_case
from node_oracle import (
    all_recodings,
    check_partition,
    loss_of,
    loss_of_rows,
    n_recodings,
    nodes_of,
    published_nodes,
    recoded,
    rows_of,
)

import amongst as am
from amongst.errors import BadOption
from amongst.partition.full_domain.incognito import METHOD as INCOGNITO
from amongst.partition.full_domain.search import full_domain
from amongst.partition.trees.full_subtree import full_subtree

MOST = 1500


def run(case: Case, **options: Any) -> Any:
    return full_subtree(case.coded, [am.KAnonymity(case.k)], suppression=case.suppression, **options)


def cases(seed: int, n: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    drawn = (random_case(rng, most_columns=3) for _ in range(20 * n))
    chosen = [case for case in drawn if n_recodings(case.coded) <= MOST][:n]
    assert len(chosen) == n
    return chosen


def test_no_recoding_loses_less() -> None:
    """Every recoding of every table, cut by cut."""
    for case in cases(0, 120):
        partition = run(case)
        check_partition(case.coded, partition, case.k, case.most_suppressed)
        published = (recoded(case.coded, cuts, case.k, case.most_suppressed) for cuts in all_recodings(case.coded))
        best = min(loss_of_rows(case.coded, nodes) for nodes in published if nodes is not None)
        assert partition.facts["optimal"]
        assert loss_of(case.coded, partition) == pytest.approx(best, abs=1e-9)
        assert partition.facts["bound"] == pytest.approx(best, abs=1e-9)
        if case.suppression == 0:
            check_minimal(case, partition)


def test_a_value_is_published_as_one_node_with_everything_below_it() -> None:
    """The definition: where any value is mapped to a node, all values below that node are."""
    for case in cases(1, 150):
        partition = run(case)
        groups = published_nodes(case.coded, partition)
        for c, column in enumerate(case.coded.columns):
            node_of_code = {}
            for row, group in zip(rows_of(case.coded), partition.group_of_row.tolist(), strict=True):
                if group >= 0 and row[c] != column.wildcard:
                    assert node_of_code.setdefault(row[c], groups[group][c]) == groups[group][c]
            shown = set(node_of_code.values())
            assert all(one == other or not one & other for one in shown for other in shown)


def test_without_steps_it_is_minimal_and_no_worse_than_full_domain() -> None:
    rng = np.random.default_rng(2)
    for _ in range(150):
        case = random_case(rng)
        partition = run(case, steps=0)
        check_partition(case.coded, partition, case.k, case.most_suppressed)
        assert partition.facts["bound"] <= loss_of(case.coded, partition) + 1e-9
        general = full_domain(INCOGNITO)(case.coded, [am.KAnonymity(case.k)], suppression=case.suppression)
        assert loss_of(case.coded, partition) <= loss_of(case.coded, general) + 1e-9
        if case.suppression == 0:
            check_minimal(case, partition)


def check_minimal(case: Case, partition: Any) -> None:
    """Replacing any one published node by its children leaves some class with fewer than k rows."""
    groups, rows = published_nodes(case.coded, partition), rows_of(case.coded)
    for c, column in enumerate(case.coded.columns):
        for node in {nodes[c] for nodes in groups if len(nodes[c]) > 1}:
            inside = {other for other in nodes_of(column) if other < node}
            children = {one for one in inside if not any(one < other for other in inside)}
            sizes: dict[Any, int] = {}
            for row, group in zip(rows, partition.group_of_row.tolist(), strict=True):
                child = next((child for child in children if row[c] in child), None)
                key = (group, child if groups[group][c] == node and row[c] != column.wildcard else None)
                sizes[key] = sizes.get(key, 0) + 1
            touched = [size for (group, child), size in sizes.items() if groups[group][c] == node]
            assert min(touched) < case.k


def test_branches_may_have_different_depths() -> None:
    """Zipcodes of figure 2 (b): one branch is common enough to be told in full."""
    tree = am.Hierarchy.digits(5)
    schema = am.Schema({"zip": am.Column(role="quasi", kind="categorical", hierarchy=tree)})
    import pyarrow as pa

    table = pa.table({"zip": ["53715"] * 4 + ["53710"] * 4 + ["53706", "53706", "53703", "53703", "53703"]})
    release = am.anonymize(table, schema, [am.KAnonymity(3)], "full-subtree")
    assert set(release.table["zip"].to_pylist()) == {"53715", "53710", "5370*"}
    general = am.anonymize(table, schema, [am.KAnonymity(3)], "incognito")
    assert set(general.table["zip"].to_pylist()) == {"5371*", "5370*"}


def test_numbers_are_published_as_nodes() -> None:
    import pyarrow as pa

    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 10]))})
    table = pa.table({"age": [21, 22, 23, 25, 26, 31, 31, 31]})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], "full-subtree")
    assert sorted(set(release.table["age"].to_pylist())) == ["31", "[20-24]", "[25-29]"]


@pytest.mark.parametrize("steps", [-1, 1.5, True, "many"])
def test_steps_that_are_no_number(steps: Any) -> None:
    patients = am.datasets.load("patients")
    with pytest.raises(BadOption, match="steps"):
        am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], "full-subtree", steps=steps)


def test_adult() -> None:
    """The best recoding there is of the bundled table, proven so."""
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "full-subtree")
    assert release.partition.facts["optimal"]
    assert release.utility.gcp == pytest.approx(0.58528, abs=1e-5)
