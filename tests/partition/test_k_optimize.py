"""K-Optimize against all sets of cuts there are, and against what it says about itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from cut_oracle import all_cuts, best_cost, classes_of
from hypothesis import given
from hypothesis import strategies as st
from small_tables import small_table

import amongst as am
from amongst.encode import CodedTable, encode
from amongst.errors import BadOption, Infeasible
from amongst.partition import METHODS, Partition
from amongst.partition.intervals.cut_groups import cost_of_intervals, publishing_sets
from amongst.partition.intervals.cut_search import Best, Budget, Problem, branch_and_bound
from amongst.partition.intervals.cut_table import cut_table
from amongst.partition.intervals.k_optimize import COSTS
from amongst.schema.check import check
from thorough import some

MOST_CUTS = 8
costs = pytest.mark.parametrize("cost", ["dm", "gcp"])
shares = pytest.mark.parametrize("suppression", [0.0, 0.1, 0.4, 1.0])


def run(table: CodedTable, k: int, **options: Any) -> Partition:
    return METHODS["k-optimize"].run(table, [am.KAnonymity(k)], **options)


def small_cases(seed: int, n: int) -> list[tuple[CodedTable, int]]:
    rng, found = np.random.default_rng(seed), []
    while len(found) < some(n):
        table, k = small_table(rng)[0], int(rng.choice([1, 2, 2, 3, 5]))
        if table.n_rows >= k and len(all_cuts(table)) <= MOST_CUTS:
            found.append((table, k))
    return found


def most_of(table: CodedTable, k: int, suppression: float) -> int:
    return min(int(suppression * table.n_rows + 1e-9), table.n_rows - k)


def near(cost: Any) -> Any:
    return pytest.approx(float(cost), rel=1e-7, abs=1e-7)


@costs
@shares
def test_no_set_of_cuts_costs_less(cost: str, suppression: float) -> None:
    """Every set of cuts of every table: 320 tables in all, or a third of them."""
    for table, k in small_cases(int(100 * suppression) + len(cost), 40):
        partition = run(table, k, cost=cost, suppression=suppression)
        most = most_of(table, k, suppression)
        assert partition.facts["optimal"]
        assert partition.facts["cost"] == near(best_cost(table, k, most, cost))
        assert partition.facts["lower_bound"] == partition.facts["cost"]
        check_groups(table, partition, k, most)


@costs
@shares
def test_the_search_alone_finds_it_from_the_worst_beginning(cost: str, suppression: float) -> None:
    """No descent before it, so that nothing hides what is pruned wrongly."""
    for table, k in small_cases(30 + int(100 * suppression) + len(cost), 100):
        most = most_of(table, k, suppression)
        assert searched_alone(table, k, most, cost) == near(best_cost(table, k, most, cost))


def searched_alone(table: CodedTable, k: int, most_suppressed: int, cost: str) -> float:
    cuts = cut_table(table, [np.unique(column.codes)[:-1] for column in table.columns])
    problem = Problem(cuts, COSTS[cost](table, cuts, k), k, most_suppressed, Budget(10**9))
    best = Best(np.zeros(cuts.n_cuts, dtype=bool), 2**62)
    assert branch_and_bound(problem, best) == best.total
    return problem.cost.shown(best.total)


def test_cuts_may_pay_although_they_lose_a_class() -> None:
    """Three classes of 80 rows become twelve of 20, and the fourth, of two rows, is lost.

    The last column would lose a row of every class: so the answer is not to make all cuts.
    """
    fine = [(y, z, v, w) for y, z in ((0, 0), (0, 1), (1, 0)) for v in (0, 1) for w in (0, 1)]
    big = [(*cell, int(i == 0)) for cell in fine for i in range(20)]
    table = coded(dict(zip("yzvwu", zip(*big, (1, 1, 0, 0, 0), (1, 1, 1, 1, 0), strict=True), strict=True)))
    assert searched_alone(table, 2, 100, "dm") == 12 * 400 + 2 * 242
    assert searched_alone(table, 2, 1, "dm") == 4 * 1600 + 2 * 441 + 2 * 400  # z is not cut then


def test_cuts_that_split_only_what_is_lost_may_tell_more_of_the_rest() -> None:
    """v and w go with y but for two rows: to lose those is worth it for GCP, and never for C_DM."""
    rows = [*[(0, 0, 0)] * 20, *[(1, 1, 1)] * 20, (2, 0, 0), (2, 1, 1)]
    last = [int(i == 0) for i in range(42)]
    columns = dict(zip("yvwu", (*zip(*rows, strict=True), last), strict=True))
    table = coded(columns, u=0.01)
    assert searched_alone(table, 2, 20, "gcp") == near((2 + 40 * 0.01 / 3.01) / 42)
    assert searched_alone(table, 2, 20, "dm") == 2 * 400 + 4


def check_groups(table: CodedTable, partition: Partition, k: int, most_suppressed: int) -> None:
    """Groups have k rows, are the cells of a grid, and say where they lie."""
    kept = partition.group_of_row >= 0
    assert int((~kept).sum()) <= most_suppressed
    assert partition.size_of_group.min() >= k
    assert partition.size_of_group.sum() == kept.sum()
    for c, column in enumerate(table.columns):
        codes, group = column.codes[kept].astype(np.int64), partition.group_of_row[kept]
        lo, hi = partition.lo[group, c].astype(np.int64), partition.hi[group, c].astype(np.int64)
        wild = codes == column.wildcard
        assert ((lo <= codes) & (codes <= hi) | wild).all()
        ends = {(int(a), int(b)) for a, b in zip(lo, hi, strict=True)}
        ordered = sorted(ends)
        assert all(one[1] < other[0] for one, other in pairwise(ordered))


@costs
@shares
def test_the_bound_holds_whatever_the_budget(cost: str, suppression: float) -> None:
    for table, k in small_cases(7 + int(100 * suppression) + len(cost), 25):
        best = float(best_cost(table, k, most_of(table, k, suppression), cost))
        greedy = cost_of_greedy(table, k, cost)
        for nodes in (0, 1, 2, 4, 8, 16, 64, 1000):
            facts = run(table, k, cost=cost, suppression=suppression, node_budget=nodes).facts
            assert facts["lower_bound"] <= best * (1 + 1e-12)
            assert best * (1 - 1e-7) - 1e-7 <= facts["cost"] <= greedy * (1 + 1e-7)
            assert facts["optimal"] == (facts["cost"] == facts["lower_bound"])
            assert not facts["optimal"] or facts["cost"] == near(best)
        assert facts["cost"] == near(best)  # with a thousand


def cost_of_greedy(table: CodedTable, k: int, cost: str) -> float:
    greedy = METHODS["single-dimensional"].run(table, [am.KAnonymity(k)])
    first_codes = [np.unique(greedy.lo[:, c]) for c in range(table.n_qi)]
    return cost_of_intervals(table, publishing_sets(table, greedy, first_codes), cost)


@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 8), cost=st.sampled_from(["dm", "gcp"]))
def test_what_it_says_holds_on_tables_that_hypothesis_finds(seed: int, k: int, cost: str) -> None:
    table, _ = small_table(np.random.default_rng(seed))
    if k > table.n_rows:
        with pytest.raises(Infeasible):
            run(table, k)
        return
    partition = run(table, k, cost=cost, node_budget=40)
    check_groups(table, partition, k, 0)
    assert partition.facts["cost"] == near(cost_of_intervals(table, partition, cost))
    assert partition.facts["lower_bound"] <= partition.facts["cost"]


@costs
def test_a_cut_that_changes_no_class_is_made(cost: str) -> None:
    """Ages and places go together: the place may be told wherever the age is."""
    table = coded({"age": [1, 1, 2, 2], "place": [5, 5, 9, 9]})
    partition = run(table, 2, cost=cost)
    assert partition.lo.tolist() == partition.hi.tolist() == [[0, 0], [1, 1]]
    for table, k in small_cases(3, 60):
        partition = run(table, k, cost=cost)
        made = tuple((c, int(hi)) for c in range(table.n_qi) for hi in np.unique(partition.hi[:, c]))
        for c, code in set(all_cuts(table)) - set(made):
            assert table.columns[c].wildcard >= 0 or len(classes_of(table, (*made, (c, code)))) > partition.n_groups


@pytest.mark.parametrize("suppression", [0.0, 0.2])
def test_the_release_measures_what_was_asked_for(suppression: float) -> None:
    """The cost is C_DM, or GCP, of what is published: ranges, and sets of categories."""
    rng = np.random.default_rng(11)
    regions = {"North": ["oslo", "york"], "South": {"Hot": ["rome", "nice"], "Mild": ["bern"]}}
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", kind="numeric", weight=2.0),
            "place": am.Column(role="quasi", hierarchy=am.Hierarchy.nested(regions)),
            "job": am.Column(role="quasi", kind="categorical", nulls="own value"),
        }
    )
    for _ in range(25):
        n = int(rng.integers(10, 60))
        places = rng.choice(["oslo", "york", "rome", "nice", "bern"], n)
        jobs = [None if job == "z" else str(job) for job in rng.choice(list("abcz"), n)]
        table = pa.table({"age": rng.integers(0, 9, n), "place": places, "job": pa.array(jobs, pa.string())})
        for cost, figure in (("dm", "c_dm"), ("gcp", "weighted_gcp")):
            release = am.anonymize(
                table,
                schema,
                [am.KAnonymity(3)],
                "k-optimize",
                cost=cost,
                suppression=suppression,
                node_budget=150,
            )
            assert getattr(release.utility, figure) == near(release.partition.facts["cost"])
            assert release.verdict.ok, release.verdict.words()


def test_a_value_is_published_the_same_wherever_it_occurs() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 2000)
    schema = am.Schema({name: adult.schema[name] for name in adult.schema.quasi})
    table = table.select(schema.quasi)
    release = am.anonymize(table, schema, [am.KAnonymity(5)], "k-optimize", cost="gcp", node_budget=300)
    for name in schema.quasi:
        labels = release.table[name].unique().to_pylist()
        named = [value for label in labels for value in label.strip("{}").split(",")]
        assert len(named) == len(set(named))
        assert "{" in "".join(labels) or len(labels) > 1 or labels == ["*"] or name == "age"


def coded(columns: dict[str, Sequence[Any]], **weights: float) -> CodedTable:
    table = pa.table({name: list(values) for name, values in columns.items()})
    rules = {name: am.Column(role="quasi", kind="numeric", weight=weights.get(name, 1.0)) for name in columns}
    return encode(table, check(am.Schema(rules), table))


def test_a_suppressed_row_costs_the_whole_table() -> None:
    """Six rows alike and one apart: apart it is too small, so together costs 49 and without it 36 + 7."""
    table = coded({"x": [1, 1, 1, 1, 1, 1, 2]})
    assert run(table, 2).facts["cost"] == 49
    allowed = run(table, 2, suppression=1)
    assert allowed.facts["cost"] == 43
    assert allowed.group_of_row.tolist() == [0, 0, 0, 0, 0, 0, -1]


def test_not_every_row_is_suppressed() -> None:
    table = coded({"x": [1, 2, 3, 4], "y": [4, 3, 2, 1]})
    assert (run(table, 4, suppression=1.0).group_of_row >= 0).all()


def test_a_column_with_many_values_is_cut_at_even_places() -> None:
    rng = np.random.default_rng(4)
    table = coded({"x": rng.integers(0, 5000, 4000).tolist(), "y": rng.integers(0, 3, 4000).tolist()})
    partition = run(table, 10, candidates=20, node_budget=50)
    assert partition.facts["every_cut"] is False
    assert partition.facts["candidates"] <= 2 * 20 + 3
    greedy = METHODS["single-dimensional"].run(table, [am.KAnonymity(10)])
    assert partition.facts["cost"] <= int(greedy.size_of_group @ greedy.size_of_group)
    assert int(partition.size_of_group @ partition.size_of_group) == partition.facts["cost"]
    assert run(table, 10, candidates=1000, node_budget=50).facts["every_cut"] is False
    assert run(coded({"x": list(range(900))}), 10, candidates=1000).facts["every_cut"] is True


@costs
def test_the_greedy_answer_is_given_where_its_cuts_are_too_many_to_look_at(cost: str) -> None:
    table = coded({"x": list(range(5000))})
    partition, greedy = run(table, 3, cost=cost), METHODS["single-dimensional"].run(table, [am.KAnonymity(3)])
    assert partition.group_of_row.tolist() == greedy.group_of_row.tolist()
    assert partition.facts["cost"] == near(cost_of_intervals(table, greedy, cost))
    assert partition.facts["lower_bound"] <= partition.facts["cost"]
    assert not partition.facts["optimal"]


def test_a_time_budget_ends_the_search() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "k-optimize", time_budget=0.2)
    facts = release.partition.facts
    assert not facts["optimal"]
    assert 0 < facts["lower_bound"] < facts["cost"]
    assert release.utility.smallest >= 10


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    rng = np.random.default_rng(2)
    table = coded({"x": rng.integers(0, 30, 300).tolist(), "y": rng.integers(0, 30, 300).tolist()})
    run(table, 3, node_budget=500, progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert seen == sorted(seen)
    assert all(done <= total == 500 for done, total in seen)


@pytest.mark.parametrize(
    "options",
    [
        {"cost": "beauty"},
        {"candidates": 0},
        {"candidates": 10**9},
        {"node_budget": -1},
        {"node_budget": 1.5},
        {"time_budget": -1.0},
        {"time_budget": "long"},
        {"suppression": 2.0},
    ],
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption) as caught:
        run(coded({"x": [1, 2]}), 1, **options)
    assert next(iter(options)) in str(caught.value)


def test_all_odd_options_are_told_at_once() -> None:
    with pytest.raises(BadOption) as caught:
        run(coded({"x": [1, 2]}), 1, cost="beauty", node_budget=-1)
    assert len(caught.value.found) == 2


@pytest.mark.parametrize("sigma", [0.1, 0.2, 0.4])
def test_mondrian_beats_the_best_single_dimensional_cuts_on_skewed_data(sigma: float) -> None:
    """Mondrian, section 6.2, figure 12: attributes of eight values, k = 10."""
    data = am.datasets.skewed(n_rows=3000, n_columns=4, cardinality=8, sigma=sigma)
    schema = am.Schema({name: data.schema[name] for name in data.schema.quasi})
    table = data.table.select(schema.quasi)
    greedy = am.anonymize(table, schema, [am.KAnonymity(10)], "mondrian").utility.c_dm
    single = am.anonymize(table, schema, [am.KAnonymity(10)], "k-optimize").partition.facts
    assert single["optimal"]
    assert greedy < single["cost"]


def test_the_cost_that_is_told_is_not_rounded() -> None:
    adult = am.datasets.load("adult")
    schema = adult.schema.with_columns(
        **{name: am.Column(role="keep") for name in adult.schema.quasi if name not in ("age", "education", "race")}
    )
    release = am.anonymize(adult.table.slice(0, 400), schema, [am.KAnonymity(10)], method="k-optimize", cost="gcp")
    facts = release.partition.facts
    assert facts["measure"] == "gcp"
    assert facts["cost"] == pytest.approx(release.utility.weighted_gcp, rel=1e-14)
    assert facts["lower_bound"] <= facts["cost"]


def test_drawn_beginnings_find_what_descents_from_the_greedy_cuts_miss() -> None:
    """Two columns of 50 values, as in figure 15 of the Mondrian paper: 18,280 before there were any."""
    data = am.datasets.skewed(n_rows=1000, n_columns=2, cardinality=50, mean=25, sigma=0.2, seed=1)
    facts = run(encode(data.table, check(data.schema, data.table)), 10, node_budget=4000).facts
    assert facts["cost"] <= 16_600
    assert facts["above_least"] == facts["cost"] / facts["lower_bound"] - 1


def test_suppression_never_costs_more() -> None:
    for seed in range(4):
        data = am.datasets.uniform(n_rows=300, n_columns=3, seed=seed)
        table = encode(data.table, check(data.schema, data.table))
        without, with_some = (run(table, 10, suppression=share, node_budget=60).facts["cost"] for share in (0.0, 1.0))
        assert with_some <= without


def test_as_printed_it_is_the_best_with_as_many_rows_suppressed_as_pay() -> None:
    for table, k in small_cases(77, 15):
        most = most_of(table, k, 1.0)
        assert run(table, k, rules="paper").facts["cost"] == near(best_cost(table, k, most, "dm"))
