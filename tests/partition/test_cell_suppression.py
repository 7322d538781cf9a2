"""Cell suppression: a cell is itself or a star, a star only where its group differs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from cell_oracle import check_cells, least_loss
from lattice_oracle import Case, random_case
from node_oracle import check_partition, loss_of, published_nodes

import amongst as am
from amongst.partition.cells.cell_suppression import cell_suppression
from amongst.partition.full_domain.attribute_suppression import attribute_suppression
from amongst.partition.partition import Partition


def run(case: Case) -> Partition:
    return cell_suppression(case.coded, [am.KAnonymity(case.k)])


def test_a_star_only_where_a_group_differs() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        case = random_case(rng)
        partition = run(case)
        check_partition(case.coded, partition, case.k)
        check_cells(case.coded, published_nodes(case.coded, partition), partition.group_of_row.tolist(), flat=True)


def test_it_never_loses_more_than_attribute_suppression() -> None:
    rng = np.random.default_rng(1)
    better = 0
    for _ in range(300):
        case = random_case(rng)
        dropped = attribute_suppression(case.coded, [am.KAnonymity(case.k)])
        losses = loss_of(case.coded, run(case)), loss_of(case.coded, dropped)
        assert losses[0] <= losses[1] + 1e-9
        better += losses[0] < losses[1] - 1e-9
    assert better > 100


def test_it_comes_near_the_least_loss_of_any_grouping() -> None:
    rng = np.random.default_rng(2)
    found, least = [], []
    while len(found) < 150:
        case = random_case(rng, most_columns=3, most_rows=7)
        found.append(loss_of(case.coded, run(case)))
        least.append(least_loss(case.coded, case.k, flat=True))
        assert found[-1] >= least[-1] - 1e-9
    assert np.mean(np.isclose(found, least)) > 0.85
    assert np.mean(found) < 1.1 * np.mean(least)


def test_cells_are_as_they_were_or_stars() -> None:
    """Four people, two pairs that differ in one column each: one star a row, in the column that differs."""
    schema = am.Schema({name: am.Column(role="quasi") for name in ("town", "job", "sex")})
    rows = [("rome", "cook", "f"), ("rome", "cook", "m"), ("bern", "clerk", "f"), ("oslo", "clerk", "f")]
    table = pa.table({name: [row[c] for row in rows] for c, name in enumerate(("town", "job", "sex"))})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], "cell-suppression")
    published = sorted(zip(*(release.table[name].to_pylist() for name in ("town", "job", "sex")), strict=True))
    assert published == [("*", "clerk", "f")] * 2 + [("rome", "cook", "*")] * 2


def test_adult() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "cell-suppression")
    assert release.verdict.ok
    assert release.utility.n_suppressed == 0
    assert release.utility.gcp == pytest.approx(0.1563, abs=0.001)
    assert set(release.table["age"].to_pylist()) - {"*"} <= set(map(str, adult.table["age"].to_pylist()))
