"""The certified bound is never above what the best of all groupings loses, suppressed rows counted in full."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.encode import encode
from amongst.encode.coded import CodedTable
from amongst.kernels.search import _search
from amongst.partition.certified import least_loss
from amongst.partition.methods import METHODS
from amongst.partition.pays import Pays
from amongst.partition.pricing import boxed
from amongst.partition.published_price import published_loss, published_prices
from amongst.schema.check import check

pytestmark = pytest.mark.skipif(_search is None, reason="the bound is compiled")
N = 7


def coded_table(seed: int) -> CodedTable:
    """Few rows and values, every way to publish, weights and nulls."""
    rng = np.random.default_rng(seed)
    words = rng.choice(list("abcd"), N)
    table = pa.table(
        {
            "a": rng.integers(0, 20, N),
            "b": rng.integers(0, 9, N) ** 2,
            "node": rng.integers(0, 16, N),
            "grid": rng.integers(0, 30, N),
            "set": words,
            "tree": pa.array(rng.choice(list("abcd"), N), mask=rng.random(N) < 0.2),
        }
    )
    tree = am.Hierarchy.nested({"*": {"low": list("ab"), "high": list("cd")}})
    columns = {
        "a": am.Column(role="quasi", weight=float(rng.integers(1, 4))),
        "b": am.Column(role="quasi"),
        "node": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([4, 8]), publish="ancestor"),
        "grid": am.Column(role="quasi", grid=5),
        "set": am.Column(role="quasi", publish="set"),
        "tree": am.Column(role="quasi", hierarchy=tree, nulls="match anything" if seed % 5 == 0 else "own value"),
    }
    left_out = rng.choice(list(columns), 3, replace=False)
    columns |= {name: am.Column(role="identifier") for name in left_out}
    return encode(table, check(am.Schema(columns), table))


def least_of_all(
    table: CodedTable, k: int, *, suppress: bool, values: np.ndarray | None = None, most: float = 1.0
) -> float:
    """The least loss of all groupings, by looking at every subset of the rows; ``most``: a value in a group."""
    cost = {}
    for size in range(k, N + 1):
        for rows in itertools.combinations(range(N), size):
            if values is not None and np.unique(values[list(rows)], return_counts=True)[1].max() > most * size:
                continue
            group = np.full(N, -1, dtype=np.int32)
            group[list(rows)] = 0
            cost[sum(1 << row for row in rows)] = published_loss(table, boxed(table, group)) - (N - size) / N
    least = [0.0] + [np.inf] * (2**N - 1)
    for rows in range(1, 2**N):
        lowest = rows & -rows
        if suppress:
            least[rows] = least[rows ^ lowest] + 1 / N
        part = rows
        while part:
            if part & lowest and part in cost:
                least[rows] = min(least[rows], cost[part] + least[rows ^ part])
            part = (part - 1) & rows
    return least[-1]


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_is_never_above_the_best_of_all_groupings(seed: int) -> None:
    table, k = coded_table(seed), 2 + seed % 2
    best = METHODS["best"].run(table, [am.KAnonymity(k)])
    mondrian = METHODS["mondrian"].run(table, [am.KAnonymity(k)])
    least = least_of_all(table, k, suppress=True)
    assert least <= least_of_all(table, k, suppress=False) <= published_loss(table, best) + 1e-9
    for start in (best, mondrian):
        bounds = [least_loss(table, start, k, rounds=rounds).least for rounds in (1, 4)]
        assert bounds[0] <= bounds[1] <= least + 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_under_l_diversity_is_never_above_the_best_of_all_diverse_groupings(seed: int) -> None:
    table, values = coded_table(seed), np.array([0, 1, 0, 1, 2, 2, seed % 3])
    least = least_of_all(table, 2, suppress=True, values=values, most=0.5)
    assert least >= least_of_all(table, 2, suppress=True)
    assert least < 1
    rows = [0, 1, 0, 0, 0, 1, 1] if seed % 2 else [0] * N  # some grouping that is diverse
    diverse = boxed(table, np.array(rows, dtype=np.int32))
    for start in (diverse, METHODS["best"].run(table, [am.KAnonymity(2)])):
        assert least_loss(table, start, 2).least <= least + 1e-6


def test_the_bound_is_near_the_best_of_all_groupings() -> None:
    near = []
    for seed in range(1, 7):
        table = coded_table(seed)
        best = METHODS["best"].run(table, [am.KAnonymity(2)])
        least = least_of_all(table, 2, suppress=True)
        if least > 0 and all(column.wildcard < 0 for column in table.columns):
            near.append(least_loss(table, best, 2).least / least)
    assert np.mean(near) > 0.7


def test_it_says_how_far_a_release_is_from_the_least() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table[:400], adult.schema, [am.KAnonymity(5)], method="gain-split", bound=True)
    found = release.least_loss()
    assert 0 < found.least <= found.loss
    assert found.loss == pytest.approx(release.utility.weighted_gcp)
    assert f"at most {np.ceil(found.gap * 1000) / 10:.1f} % above the least" in found.words()


def test_the_inside_report_tells_it_and_the_public_one_does_not(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table[:200], adult.schema, [am.KAnonymity(5)], method="gain-split")
    release.write(tmp_path / "out")
    words = "above the least any grouping with k = 5 can lose"
    assert words in (tmp_path / "out.inside" / "report.html").read_text(encoding="utf-8")
    assert words not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_what_a_method_publishes_for_less_than_the_schema_says_is_not_held_against_it() -> None:
    """Sets of its own beside a tree, nodes beside a grid: as the schema says, more would be lost."""
    tree = am.Hierarchy.nested({"*": {f"n{i}": [f"v{8 * i + j}" for j in range(8)] for i in range(2)}})
    by_set = {"x": [f"v{i}" for i in (0, 0, 0, 7, 8, 8, 8, 15)]}  # {v0, v7}: 2 of 16; the node above: 8 of 16
    by_node = {"x": [1, 1, 1, 2, 2, 2, 14, 14, 14, 27, 27, 27, 30]}
    grid = am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([4, 8]), grid=10)
    asked = [(by_set, am.Column(role="quasi", hierarchy=tree), "k-optimize"), (by_node, grid, "cell-generalization")]
    for values, rule, method in asked:
        table = pa.table(values)
        coded = encode(table, check(am.Schema({"x": rule}), table))
        found = METHODS[method].run(coded, [am.KAnonymity(2)])
        assert 0 < published_loss(coded, found) < 0.2
        assert least_loss(coded, found, 2).least == 0


def test_sets_of_very_many_values_count_as_nothing() -> None:
    n = 4200
    leaves = {f"n{i}": [f"v{100 * i + j}" for j in range(100)] for i in range(n // 100)}
    table = pa.table({"set": [f"v{i}" for i in range(n)]})
    rule = am.Column(role="quasi", hierarchy=am.Hierarchy.nested({"*": leaves}), publish="set")
    coded = encode(table, check(am.Schema({"set": rule}), table))
    pairs = boxed(coded, np.arange(n, dtype=np.int32) // 2)
    assert published_loss(coded, pairs) == pytest.approx(2 / n)
    assert least_loss(coded, pairs, 2).least <= 2 / n
    far = boxed(coded, np.arange(n, dtype=np.int32) % (n // 2))  # as dear, with nothing in common below the root
    assert published_loss(coded, far) == pytest.approx(2 / n)
    assert least_loss(coded, far, 2).least <= 2 / n


@pytest.mark.parametrize("seed", range(4))
def test_no_group_of_rows_is_overpaid_also_where_windows_of_some_widths_stand_for_all(seed: int) -> None:
    """Numbers of many values: boxes of pairs and of random rows, and the k best paid rows in each."""
    rng, n, k = np.random.default_rng(seed), 90, 4
    table = pa.table({name: np.round(rng.normal(size=n) * 100).astype(int) for name in "abc"})
    coded = encode(table, check(am.Schema(dict.fromkeys("abc", am.Column(role="quasi"))), table))
    found = METHODS["gain-split"].run(coded, [am.KAnonymity(k)])
    prices, codes = published_prices(coded)
    assert min(price.n for price in prices) > 40
    pays = Pays(coded, prices, codes, k)
    for _ in range(3):
        assert pays.rise(found, 10**9)
        assert pays.fair is not None
        rows = np.stack(codes).astype(np.int64)
        for _ in range(4000):
            chosen = rng.choice(n, rng.integers(2, 5), replace=False)
            lo, hi = rows[:, chosen].min(axis=1), rows[:, chosen].max(axis=1)
            inside = ((rows >= lo[:, None]) & (rows <= hi[:, None])).all(axis=0)
            if inside.sum() >= k:
                price = sum(int(one.of(lo[c : c + 1], hi[c : c + 1])[0]) for c, one in enumerate(prices))
                assert np.sort(pays.fair[inside])[-k:].mean() <= price + 1e-3
    assert 0.4 < pays.sum / (published_loss(coded, found) * n * sum(price.full for price in prices)) < 1
