"""The node with the least loss, against every node measured row by row; and the release's own figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from lattice_oracle import Case, Node, counts, random_case, safe_nodes
from random_table import random_table

import amongst as am
from amongst.choices import MEASURES
from amongst.encode import encode
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption, Infeasible
from amongst.measure import measure as measure_release
from amongst.measure.at_levels import BOUNDED, LevelLoss
from amongst.measure.loss_metric import loss_metric
from amongst.partition.full_domain.choose import choose_node, loss_of_node
from amongst.partition.full_domain.full_domain_optimum import best_first
from amongst.partition.full_domain.generalizations import Generalizations
from amongst.partition.full_domain.incognito import METHOD as INCOGNITO
from amongst.partition.full_domain.search import group_by_levels, search_lattice
from amongst.recode import plan_recoding, recode
from amongst.request import Request
from amongst.schema.check import check
from amongst.verify import verify


def losses_of(found: Generalizations, measure: str) -> np.ndarray:
    """The loss of every generalization found, by one measure."""
    losses = LevelLoss(found.sets, measure)
    return np.array([loss_of_node(found, losses, node) for node in found])


def cell_loss(case: Case, measure: str, c: int, level: int, value: int) -> float:
    """What one cell loses at a level: the definitions, for one value."""
    column, names = case.coded.columns[c], case.names[c]
    together = [other for other in range(len(names[0])) if names[level][other] == names[level][value]]
    if measure == "precision":
        return level / max(len(names) - 1, 1)
    if measure == "height":
        return float(level)
    if measure == "entropy":
        n = {other: sum(row[c] == other for row in case.rows) for other in together}
        return math.log2(sum(n.values()) / n[value])
    return certainty_loss(column, measure, together, value)


def certainty_loss(column: CodedColumn, measure: str, together: list[int], value: int) -> float:
    """NCP or LM of a node, given the values it holds."""
    if value == column.wildcard:
        return 0.0
    together = [other for other in together if other != column.wildcard]
    if len(together) == 1:
        return 0.0
    if column.position is not None:
        if column.own_null in together:
            return 1.0
        places = [column.position[other] for other in together]
        return min((max(places) - min(places)) / column.span, 1.0) if column.span > 0 else 0.0
    n_leaves = column.n_values + (column.own_null >= 0)
    return (len(together) - 1) / (n_leaves - 1) if measure == "lm" else len(together) / n_leaves


def node_loss(case: Case, measure: str, node: Node) -> float:
    """The loss of a whole release, row by row; rows in classes of fewer than k are suppressed."""
    classes, n = counts(case, node), len(case.rows)
    size = {row: classes[tuple(case.names[c][level][row[c]] for c, level in enumerate(node))] for row in case.rows}
    kept = {row for row in size if size[row] >= case.k}
    if measure == "dm":
        return float(sum(size[row] if row in kept else n for row in case.rows))
    if measure == "c_avg":
        large = [n_rows for n_rows in classes.values() if n_rows >= case.k]
        return sum(large) / len(large)
    weights = [column.weight for column in case.coded.columns]
    if measure == "entropy":
        weights = [1.0] * len(weights)
    scale = len(weights) if measure == "height" else 1
    total = 0.0
    for row in case.rows:
        for c, level in enumerate(node):
            gone = row not in kept and measure != "height"
            top = len(case.names[c]) - 1
            loss = cell_loss(case, measure, c, top if gone else level, row[c])
            total += weights[c] / sum(weights) * scale * (1.0 if gone and measure != "entropy" else loss)
    return total / n


def search(case: Case) -> Generalizations:
    return search_lattice(INCOGNITO, case.coded, [am.KAnonymity(case.k)], case.suppression, case.limits)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_chosen_node_has_the_least_loss(measure: str) -> None:
    rng = np.random.default_rng(sum(map(ord, measure)))
    n_suppressing = 0
    for number in range(60):
        case = random_case(rng, most_columns=3, most_rows=16)
        found = search(case)
        if len(found) == 0:
            continue
        loss = {node: node_loss(case, measure, node) for node in safe_nodes(case)}
        assert losses_of(found, measure) == pytest.approx([loss[node] for node in found], abs=1e-12), number
        least = min(loss.values())
        # Of nodes with the same loss the lowest goes first, then the lower levels of the first columns.
        tied = [node for node in loss if loss[node] <= least + 1e-9]
        assert choose_node(found, measure) == min(tied, key=lambda node: (sum(node), node)), number
        n_suppressing += any(n < case.k for n in counts(case, choose_node(found, measure)).values())
    assert n_suppressing > 0


@pytest.mark.parametrize("measure", [name for name in MEASURES if name not in ("dm", "c_avg")])
def test_a_bound_is_never_above_the_loss(measure: str) -> None:
    rng = np.random.default_rng(11)
    for _ in range(60):
        case = random_case(rng)
        found = search(case)
        losses = LevelLoss(found.sets, measure)
        bounds = losses.bounds(found.nodes)
        assert [losses.bound(node) for node in found] == pytest.approx(bounds.tolist(), abs=1e-12)
        assert (bounds <= losses_of(found, measure) + 1e-12).all()


@pytest.mark.parametrize("measure", BOUNDED)
def test_best_first_finds_what_choosing_among_all_would(measure: str) -> None:
    """Without finding all of them, and with the same rule for ties."""
    rng = np.random.default_rng(21)
    for number in range(150):
        case = random_case(rng)
        found = search(case)
        node, n_searched = best_first(found.sets, found.ask, LevelLoss(found.sets, measure))
        assert node == (choose_node(found, measure) if len(found) else None), number
        assert n_searched <= found.ask.lattice.n_nodes


def test_weights_decide_what_is_kept() -> None:
    data = am.datasets.load("incognito-patients")
    chosen = {}
    for heavy in ("Birthdate", "Sex", "Zipcode"):
        schema = {
            name: am.Column(column.role, column.kind, column.hierarchy, weight=10.0 if name == heavy else 1.0)
            for name, column in data.schema.items()
        }
        release = am.anonymize(data.table, am.Schema(schema), [am.KAnonymity(2)], method="incognito")
        chosen[heavy] = tuple(release.partition.level_of_column)
    assert chosen == {"Birthdate": (0, 1, 2), "Sex": (1, 0, 2), "Zipcode": (1, 1, 0)}


@pytest.mark.parametrize("seed", range(6))
def test_losses_are_those_that_the_release_has(seed: int) -> None:
    """Every generalization that holds is published, proved and measured; its levels foretell the figures."""
    rng = np.random.default_rng(300 + seed)
    for number in range(20):
        table, schema = random_table(rng)
        schema = check(schema, table)
        k = int(rng.integers(1, 5))
        models = [am.KAnonymity(k)]
        coded = encode(table, schema)
        if coded.n_rows < k:
            continue
        found = search_lattice(INCOGNITO, coded, models, float(rng.choice([0.0, 0.2, 1.0])))
        of = {name: losses_of(found, name) for name in ("gcp", "lm", "dm", "c_avg")}
        weights = np.array([column.weight for column in coded.columns])
        splits = any(column.wildcard >= 0 for column in coded.columns)
        for i, node in enumerate(found):
            where = f"seed {seed}, case {number}, node {node}"
            partition = group_by_levels(found.sets, found.ask, node, {})
            request = Request(schema=schema, models=models)
            published = recode(table, coded, plan_recoding(coded, partition, request, table.schema))
            assert verify(published.table, schema, models).ok, where
            utility = measure_release(coded, schema, partition, published.size_of_class, models)
            lm = np.array(list(loss_metric(coded, schema, partition).values()))
            assert of["gcp"][i] == pytest.approx(utility.weighted_gcp, abs=1e-12), where
            assert of["lm"][i] == pytest.approx(lm @ weights / weights.sum(), abs=1e-12), where
            if not splits:  # rows with a null that matches anything are classes of their own in these figures
                assert of["dm"][i] == utility.c_dm, where
                assert of["c_avg"][i] / k == pytest.approx(utility.c_avg), where


@pytest.mark.parametrize("measure", MEASURES)
def test_a_release_without_rows_is_never_chosen(measure: str) -> None:
    """All rows may be suppressed, and the lowest node would do that."""
    data = am.datasets.load("incognito-patients")
    release = am.anonymize(
        data.table, data.schema, [am.KAnonymity(3)], method="incognito", suppression=1.0, choose=measure
    )
    assert release.utility.n_published >= 3


def test_an_unknown_measure_is_an_error_with_the_list() -> None:
    data = am.datasets.load("incognito-patients")
    with pytest.raises(BadOption) as error:
        am.anonymize(data.table, data.schema, [am.KAnonymity(2)], method="samarati", choose="gpc")
    assert "did you mean 'gcp'?" in error.value.fix
    assert all(name in error.value.fix for name in MEASURES)


def test_no_class_is_large_enough() -> None:
    data = am.datasets.load("incognito-patients")
    with pytest.raises(Infeasible) as error:
        am.anonymize(
            data.table,
            data.schema,
            [am.KAnonymity(3)],
            method="incognito",
            suppression=1.0,
            limits={"Birthdate": 0, "Sex": 0, "Zipcode": 0},
        )
    assert error.value.facts["largest_k"] == 1
