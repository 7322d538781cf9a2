"""Cells under k on every few columns: an oracle of lists, an intruder with m columns, what it costs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption, Infeasible

METHODS = ("cell-suppression", "cell-generalization")


def wide(rng: np.random.Generator, n: int, d: int, nulls: bool = False) -> tuple[pa.Table, am.Schema]:
    """Numbers, categories with and without a hierarchy and flags, some of them related."""
    hidden = rng.normal(size=n)
    cells: dict[str, Any] = {}
    columns: dict[str, am.Column] = {}
    tree = am.Hierarchy.nested({"left": {"p": list("ab"), "q": list("cd")}, "right": list("efg")})
    rule = "own value" if nulls else None
    for j in range(d):
        name = f"c{j}"
        if j % 4 == 0:
            cells[name] = np.where(hidden + rng.normal(size=n) > rng.uniform(0, 2), "yes", "no").tolist()
            columns[name] = am.Column(role="quasi", kind="categorical", nulls=rule)
        elif j % 4 == 1:
            cells[name] = np.round(40 + 9 * (hidden + rng.normal(size=n))).astype(int).tolist()
            columns[name] = am.Column(role="quasi", kind="numeric", nulls=rule)
        else:
            cells[name] = rng.choice(list("abcdefg"), n, p=rng.dirichlet(np.ones(7))).tolist()
            columns[name] = am.Column(role="quasi", hierarchy=tree if j % 4 == 2 else None, nulls=rule)
        if nulls:
            cells[name] = [None if rng.random() < 0.1 else cell for cell in cells[name]]
    return pa.table(cells), am.Schema(columns)


def fewest_alike(rows: list[tuple], m: int) -> int:
    """The least number of rows that are alike in some m columns."""
    counts = [Counter(tuple(row[c] for c in chosen) for row in rows) for chosen in combinations(range(len(rows[0])), m)]
    return min(min(one.values()) for one in counts)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_every_few_published_cells_are_shared_by_k_rows(method: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, schema = wide(rng, int(rng.integers(40, 200)), 6, nulls=seed % 2 == 1)
    k, m = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    release = am.anonymize(table, schema, [am.KOfSubsets(k, m)], method=method)
    assert release.verdict.ok, release.verdict.words()
    rows = [tuple(row.values()) for row in release.arrow.to_pylist()]
    assert len(rows) == table.num_rows
    assert fewest_alike(rows, m) == release.verdict.models[0].reached >= k
    if method == "cell-suppression":
        for name in table.column_names:
            assert set(release.arrow.column(name).to_pylist()) <= {*map(_text, table.column(name).to_pylist()), "*"}


def _text(cell: Any) -> Any:
    return None if cell is None else str(cell)


def test_an_intruder_with_any_m_columns_finds_k_rows_and_with_all_of_them_does_not() -> None:
    table, schema = wide(np.random.default_rng(5), 300, 8)
    release = am.anonymize(table, schema, [am.KOfSubsets(4, 2)], method="cell-generalization")
    known = [*[list(chosen) for chosen in combinations(table.column_names, 2)][::5], table.column_names]
    found = [
        am.attack(
            release.arrow.select(names), am.Schema({name: schema[name] for name in names}),
            original=table.select(names), attacks=["re-identification"], k=4,
        )["re-identification"].outcome
        for names in known
    ]  # fmt: skip
    assert set(found[:-1]) == {"does not succeed"}
    assert found[-1] == "succeeds"


def test_equal_rows_publish_the_same_and_the_order_of_the_input_has_no_say() -> None:
    table, schema = wide(np.random.default_rng(6), 150, 5)
    table = pa.concat_tables([table, table])
    mixed = table.take(np.random.default_rng(0).permutation(300))
    asked = [am.KOfSubsets(5, 2)]
    one = am.anonymize(table, schema, asked, method="cell-generalization")
    other = am.anonymize(mixed, schema, asked, method="cell-generalization")
    assert one.arrow.equals(other.arrow)
    assert (one.group_of_row[:150] == one.group_of_row[150:]).all()


@pytest.mark.parametrize("seed", range(3))
def test_small_tables_come_near_the_fewest_stars_there_can_be(seed: int) -> None:
    """All ways to put stars into a table of 6 rows and 2 columns."""
    rng = np.random.default_rng(seed)
    rows = [tuple(row) for row in rng.choice(list("xyz"), (6, 2), p=(0.6, 0.3, 0.1)).tolist()]
    fewest = 12
    for stars in product((False, True), repeat=12):
        told = [tuple("*" if stars[2 * i + c] else cell for c, cell in enumerate(row)) for i, row in enumerate(rows)]
        if sum(stars) < fewest and fewest_alike(told, 1) >= 2:
            fewest = sum(stars)
    table = pa.table({"a": [a for a, _ in rows], "b": [b for _, b in rows]})
    schema = am.Schema({name: am.Column(role="quasi", kind="categorical") for name in "ab"})
    release = am.anonymize(table, schema, [am.KOfSubsets(2, 1)], method="cell-suppression")
    found = sum(cell == "*" for row in release.arrow.to_pylist() for cell in row.values())
    assert fewest <= found <= fewest + 2


def test_it_loses_far_less_than_k_anonymity_that_publishes_nodes_too() -> None:
    table, schema = wide(np.random.default_rng(8), 500, 16)
    few = am.anonymize(table, schema, [am.KOfSubsets(3, 2)], method="cell-generalization").utility.gcp
    everything = am.anonymize(table, schema, [am.KAnonymity(3)], method="full-subtree").utility.gcp
    assert few < 0.6 * everything


def test_more_columns_or_more_rows_asked_never_lose_less() -> None:
    table, schema = wide(np.random.default_rng(9), 200, 6)
    lost = {
        (k, m): am.anonymize(table, schema, [am.KOfSubsets(k, m)], method="cell-generalization").utility.gcp
        for k in (2, 8)
        for m in (1, 3)
    }
    assert lost[2, 1] < lost[2, 3] < lost[8, 3]
    assert lost[2, 1] < lost[8, 1]


def test_k_of_all_columns_beside_it_is_held_as_well() -> None:
    table, schema = wide(np.random.default_rng(10), 120, 4)
    release = am.anonymize(table, schema, [am.KAnonymity(2), am.KOfSubsets(4, 2)], method="cell-suppression")
    assert release.verdict.ok
    assert [one.reached >= asked for one, asked in zip(release.verdict.models, (2, 4), strict=True)] == [True, True]


def test_several_of_them_hold_together() -> None:
    table, schema = wide(np.random.default_rng(11), 200, 5)
    asked = [am.KOfSubsets(9, 1), am.KOfSubsets(3, 3)]
    assert am.anonymize(table, schema, asked, method="cell-generalization").verdict.ok


def test_what_cannot_be_is_refused_with_a_reason() -> None:
    table, schema = wide(np.random.default_rng(12), 40, 40)
    with pytest.raises(BadOption, match="too many choices") as refused:
        am.anonymize(table, schema, [am.KOfSubsets(3, 6)], method="cell-suppression")
    assert "3,838,380 choices of m = 6 of 40 columns" in str(refused.value)
    with pytest.raises(Infeasible):
        am.anonymize(table, schema, [am.KOfSubsets(41, 2)], method="cell-suppression")


def test_a_folder_of_it_is_proved_from_outside(tmp_path: Any) -> None:
    table, schema = wide(np.random.default_rng(13), 150, 5)
    release = am.anonymize(table, schema, [am.KOfSubsets(4, 2)], method="cell-generalization")
    assert release.write(tmp_path / "out").ok
    assert am.verify(tmp_path / "out", schema, [am.KOfSubsets(4, 2)]).ok
    assert not am.verify(tmp_path / "out", schema, [am.KAnonymity(4)]).ok


def test_numbers_without_a_hierarchy_are_told_as_ranges_that_are_attained() -> None:
    rng = np.random.default_rng(3)
    table = pa.table({f"n{j}": np.round(50 + 9 * rng.normal(size=400), 1) for j in range(4)})
    schema = am.Schema({name: am.Column(role="quasi", nulls="own value") for name in table.column_names})
    release = am.anonymize(table, schema, [am.KOfSubsets(4, m=2)], method="cell-generalization")
    assert release.verdict.ok
    assert release.utility.gcp < 0.5
    for name in table.column_names:
        labels = set(release.arrow.column(name).to_pylist())
        values = set(table.column(name).to_pylist())
        ends = [tuple(map(float, label[1:-1].split("-"))) for label in labels if "-" in label]
        assert len(ends) > 3
        assert all(end in values for pair in ends for end in pair)


@pytest.mark.parametrize("seed", range(3))
def test_best_takes_cells_or_groups_whichever_lose_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, schema = wide(rng, 500 if seed else 30, 8, nulls=seed == 2)
    asked = [am.KOfSubsets(3, m=2)]
    best = am.anonymize(table, schema, asked, method="best")
    assert best.verdict.ok
    others = [am.anonymize(table, schema, asked, method=name) for name in ("cell-generalization", "gain-split")]
    assert best.utility.weighted_gcp <= min(other.utility.weighted_gcp for other in others) + 1e-9
    if not best.partition.size_of_group.min() >= 3:
        assert best.least_loss().least == 0  # no groups of k rows: their bound says nothing of it


def test_on_forty_columns_of_all_kinds_far_less_is_lost_than_under_k_anonymity() -> None:
    table, schema = wide(np.random.default_rng(1), 3000, 40)
    few, all_columns = (am.anonymize(table, schema, [asked]) for asked in (am.KOfSubsets(5, m=2), am.KAnonymity(5)))
    assert few.verdict.ok
    assert few.utility.gcp < 0.5 * all_columns.utility.gcp
