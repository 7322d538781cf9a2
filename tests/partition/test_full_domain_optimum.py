"""Branch and bound: the same node as choosing from the complete answer."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from lattice_oracle import random_case

import amongst as am
from amongst.encode import encode
from amongst.errors import Infeasible
from amongst.measure.at_levels import BOUNDED, LevelLoss
from amongst.partition import METHODS
from amongst.partition.full_domain.choose import choose_node, comparable
from amongst.partition.full_domain.full_domain_optimum import best_first
from amongst.partition.full_domain.search import search_lattice
from amongst.schema.check import check


@pytest.mark.parametrize("measure", BOUNDED)
@pytest.mark.parametrize("seed", range(4))
def test_the_node_is_the_best_of_all_that_hold(measure: str, seed: int) -> None:
    rng = np.random.default_rng([seed, BOUNDED.index(measure)])
    n_found = 0
    for _ in range(100):
        case = random_case(rng)
        models = [am.KAnonymity(case.k)]
        found = search_lattice(METHODS["bottom-up-search"], case.coded, models, case.suppression, case.limits)
        sets = case.sets()
        node, n_searched = best_first(sets, case.ask(sets), LevelLoss(sets, measure))
        assert node == (choose_node(found, measure) if len(found) else None)
        assert n_searched <= found.ask.lattice.n_nodes
        n_found += node is not None
    assert n_found > 50


@pytest.mark.parametrize("measure", BOUNDED)
def test_it_is_the_best_by_looking_at_every_node(measure: str) -> None:
    rng = np.random.default_rng(77)
    for _ in range(60):
        case = random_case(rng)
        sets = case.sets()
        asked, losses, columns = case.ask(sets), LevelLoss(sets, measure), tuple(range(len(case.names)))
        keys = []
        for node in product(*(range(size) for size in asked.lattice.shape)):
            counted = sets.scan(columns, node)
            if asked.holds(counted):
                keys.append((float(comparable(losses.of(counted, asked.k))), sum(node), node))
        assert best_first(sets, asked, losses)[0] == (min(keys)[2] if keys else None)


@pytest.mark.parametrize("measure", BOUNDED)
def test_the_bounds_are_never_above_the_losses(measure: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        case = random_case(rng)
        sets = case.sets()
        losses, columns = LevelLoss(sets, measure), tuple(range(len(case.names)))
        nodes = np.array(list(product(*(range(size) for size in sets.lattice.shape))))
        counted = [sets.scan(columns, tuple(node)) for node in nodes.tolist()]
        loss = np.array([losses.of(one, case.k) for one in counted])
        added = np.array([losses.added_by_suppression(one, case.k) for one in counted])
        assert losses.bounds(nodes).tolist() == [losses.bound(node) for node in nodes.tolist()]
        assert (losses.bounds(nodes) <= loss).all()
        for node, own in zip(nodes, added, strict=True):
            assert (added[(nodes <= node).all(axis=1)] >= own - 1e-12).all()  # more is lost by suppression below


def test_equal_losses_go_to_the_lower_height_then_to_the_lower_levels() -> None:
    rows = {"a": ["x", "y"] * 4, "b": ["x", "y"] * 4, "c": ["x", "x", "y", "y"] * 2}
    column = am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.flat())
    import pyarrow as pa

    table = pa.table(rows)
    coded = encode(table, check(am.Schema(dict.fromkeys(rows, column)), table))
    for k, levels in ((2, [0, 0, 0]), (3, [0, 0, 1]), (5, [1, 1, 1])):
        assert METHODS["incognito"].run(coded, [am.KAnonymity(k)]).level_of_column.tolist() == levels


@pytest.mark.parametrize("suppression", [0.0, 0.05, 1.0])
def test_it_looks_at_few_nodes_of_adult(suppression: float) -> None:
    adult = am.datasets.load("adult", part="train")
    coded = encode(adult.table, check(adult.schema, adult.table))
    best = METHODS["full-domain-optimum"].run(coded, [am.KAnonymity(5)], suppression=suppression)
    assert best.facts["searched"] < 500
    if suppression == 0.05:
        searched = METHODS["incognito-superroots"].run(coded, [am.KAnonymity(5)], suppression=suppression)
        assert searched.facts["searched"] > 500
        assert searched.level_of_column.tolist() == best.level_of_column.tolist()


@pytest.mark.parametrize("name", ["incognito", "incognito-superroots", "incognito-cube", "bottom-up-search"])
def test_a_method_that_names_a_search_runs_it_and_the_optimum_publishes_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    patients = am.datasets.load("incognito-patients")
    models = [am.KAnonymity(2)]
    found = am.generalizations(patients.table, patients.schema, models, method=name)
    optimum = am.anonymize(patients.table, patients.schema, models, method="full-domain-optimum")
    assert optimum.method == "full-domain-optimum"

    def never(*_: object, **__: object) -> None:
        raise AssertionError("another search ran")

    monkeypatch.setattr("amongst.partition.full_domain.full_domain_optimum.best_first", never)
    release = am.anonymize(patients.table, patients.schema, models, method=name)
    assert release.partition.facts["searched"] == found.n_searched
    assert release.partition.facts["holding"] == len(found)
    assert release.method == name
    assert release.arrow.equals(optimum.arrow)


def test_a_measure_without_a_bound_is_refused_with_the_method_that_takes_it() -> None:
    patients = am.datasets.load("incognito-patients")
    with pytest.raises(am.errors.BadOption) as error:
        am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="full-domain-optimum", choose="dm")
    assert "incognito" in str(error.value)


def test_what_cannot_be_reached_is_said() -> None:
    adult = am.datasets.load("adult", part="train")
    coded = encode(adult.table, check(adult.schema, adult.table))
    with pytest.raises(Infeasible) as error:
        METHODS["incognito"].run(coded, [am.KAnonymity(5)], limits={"age": 0, "occupation": 0})
    assert error.value.facts["largest_k"] < 5


def test_progress_ends_with_every_node_decided() -> None:
    case = random_case(np.random.default_rng(1))
    sets, told = case.sets(), []
    best_first(sets, case.ask(sets), LevelLoss(sets, "gcp"), progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
