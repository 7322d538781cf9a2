"""Cell generalization: as much as a group needs, and never more loss than with full domains."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from cell_oracle import check_cells, least_loss
from lattice_oracle import Case, random_case
from node_oracle import check_partition, loss_of, published_nodes, rows_of

import amongst as am
from amongst.partition.cells import cell_cover
from amongst.partition.cells.cell_generalization import cell_generalization
from amongst.partition.full_domain.incognito import METHOD as INCOGNITO
from amongst.partition.full_domain.search import full_domain
from amongst.partition.partition import Partition


def run(case: Case) -> Partition:
    return cell_generalization(case.coded, [am.KAnonymity(case.k)])


def test_groups_publish_what_their_rows_need_and_equal_rows_stay_together() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        case = random_case(rng)
        partition = run(case)
        check_partition(case.coded, partition, case.k)
        check_cells(case.coded, published_nodes(case.coded, partition), partition.group_of_row.tolist(), flat=False)
        groups: dict[tuple[int, ...], int] = {}
        for row, group in zip(rows_of(case.coded), partition.group_of_row.tolist(), strict=True):
            assert groups.setdefault(row, group) == group


def test_it_never_loses_more_than_the_best_full_domain_generalization() -> None:
    rng = np.random.default_rng(1)
    better = 0
    for _ in range(300):
        case = random_case(rng)
        general = full_domain(INCOGNITO)(case.coded, [am.KAnonymity(case.k)])
        losses = loss_of(case.coded, run(case)), loss_of(case.coded, general)
        assert losses[0] <= losses[1] + 1e-9
        better += losses[0] < losses[1] - 1e-9
    assert better > 100


def test_it_comes_near_the_least_loss_of_any_grouping() -> None:
    """All groupings of seven rows; the greedy answer may lose more, but not much on the whole."""
    rng = np.random.default_rng(2)
    found, least = [], []
    while len(found) < 150:
        case = random_case(rng, most_columns=3, most_rows=7)
        found.append(loss_of(case.coded, run(case)))
        least.append(least_loss(case.coded, case.k, flat=False))
        assert found[-1] >= least[-1] - 1e-9
    assert np.mean(np.isclose(found, least)) > 0.85
    assert np.mean(found) < 1.1 * np.mean(least)


def test_a_lattice_that_is_too_large_to_sort_is_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    monkeypatch.setattr(cell_cover, "MOST_SORTED", 4)
    monkeypatch.setattr(cell_cover, "LEAST_NODES", 4)
    monkeypatch.setattr(cell_cover, "MOST_NODES", 8)
    for _ in range(100):
        case = random_case(rng)
        partition = run(case)
        check_partition(case.coded, partition, case.k)
        assert np.array_equal(run(case).group_of_row, partition.group_of_row)


def test_a_cell_is_generalized_in_one_group_and_not_in_another() -> None:
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 10])),
            "sex": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
        }
    )
    rows = [(21, "f"), (21, "f"), (21, "m"), (23, "m"), (41, "f"), (41, "m")]
    table = pa.table({"age": [age for age, _ in rows], "sex": [sex for _, sex in rows]})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], "cell-generalization")
    published = sorted(zip(release.table["age"].to_pylist(), release.table["sex"].to_pylist(), strict=True))
    assert published == [("21", "f")] * 2 + [("41", "*")] * 2 + [("[20-24]", "m")] * 2


def test_adult() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "cell-generalization")
    assert release.verdict.ok
    assert release.utility.n_suppressed == 0
    assert release.utility.gcp == pytest.approx(0.0735, abs=0.001)
