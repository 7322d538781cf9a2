"""Weights on nodes: what a node costs, held against a sum over names; and that loss, search and proof follow it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadHierarchy, BadSchema
from amongst.partition.pricing import prices_of
from amongst.schema import node_weights
from amongst.verify.loss import published_loss

PLACES = {"Europe": {"South": ["Rome", "Athens"], "North": ["Oslo"]}, "Asia": ["Hanoi", "Seoul", "Tokyo"]}
LEAVES = ["Rome", "Athens", "Oslo", "Hanoi", "Seoul", "Tokyo"]
BELOW = {"South": LEAVES[:2], "North": LEAVES[2:3], "Europe": LEAVES[:3], "Asia": LEAVES[3:], "*": LEAVES}
CHEAP = {"Europe": 0.5, "South": 0.4, "Seoul": 4}


def cost(name: str, weights: dict[str, float]) -> float:
    """What saying a node costs, from names alone."""
    below = BELOW.get(name, [name])
    if len(below) == 1:
        return 0.0
    size = sum(weights.get(leaf, 1.0) for leaf in below) / sum(weights.get(leaf, 1.0) for leaf in LEAVES)
    return size * weights.get(name, 1.0)


def schema_of(weights: dict[str, float]) -> am.Schema:
    tree = am.Hierarchy.nested(PLACES)
    return am.Schema(
        {
            "place": am.Column(role="quasi", hierarchy=tree.weighted(weights) if weights else tree),
            "age": am.Column(role="quasi"),
        }
    )


@pytest.mark.parametrize("weights", [CHEAP, {"Rome": 3, "Oslo": 0.5}, {"Asia": 0.1}])
def test_a_node_costs_what_its_names_say(weights: dict[str, float]) -> None:
    tree = am.Hierarchy.nested(PLACES).weighted(weights).tree(["Rome"], "categorical")
    for level, labels in enumerate(tree.labels):
        for first, name in labels.items():
            assert tree.cost[level, first] == pytest.approx(cost(name, weights))  # type: ignore[index]


@pytest.mark.parametrize("method", ["bottom-up", "hilbert", "best", "incognito", "full-subtree", "mondrian"])
@pytest.mark.parametrize("nulls", [False, True])
def test_loss_is_that_of_the_published_names(method: str, nulls: bool) -> None:
    rng = np.random.default_rng(3)
    places = rng.choice(LEAVES, 60).tolist()
    places = [None if nulls and i % 20 == 0 else place for i, place in enumerate(places)]
    table = pa.table({"place": pa.array(places, pa.string()), "age": rng.integers(0, 30, 60)})
    schema = schema_of(CHEAP)
    if nulls:  # a seventh leaf, that counts as much as the others do on average
        schema = am.Schema({**schema, "place": replace(schema["place"], nulls="own value")})
    release = am.anonymize(table, schema, [am.KAnonymity(4)], method)
    shown = release.arrow["place"].to_pylist()
    paid = [0.0 if name is None else cost(name, CHEAP) * (6 / 7 if nulls and name != "*" else 1) for name in shown]
    assert release.utility.ncp["place"] == pytest.approx(np.mean(paid))
    if not nulls:
        assert published_loss(release.arrow, schema)["place"] == pytest.approx(release.utility.ncp["place"])
    assert release.verdict.ok


@pytest.mark.parametrize("method", ["bottom-up", "hilbert", "best", "top-down"])
def test_the_search_takes_what_is_cheap(method: str) -> None:
    """Two ages in two cities: rows share a city where saying Europe costs a half, and an age where it costs a tenth."""
    places = ["Rome", "Oslo", "Rome", "Oslo", "Hanoi", "Hanoi"]
    table = pa.table({"place": places, "age": [10, 10, 20, 20, 50, 50]})
    shown = {}
    for name, weights in {"plain": {}, "cheap": {"Europe": 0.2, "South": 0.2}}.items():
        release = am.anonymize(table, schema_of(weights), [am.KAnonymity(2)], method)
        shown[name] = sorted(set(release.arrow["place"].to_pylist()))
    assert shown["plain"] == ["Hanoi", "Oslo", "Rome"]
    if method != "hilbert":  # the curve does not look at prices
        assert shown["cheap"] == ["Europe", "Hanoi"]


def test_prices_of_kernels_are_the_same_in_whole_numbers() -> None:
    from amongst.encode import encode

    table = pa.table({"place": LEAVES, "age": [1, 2, 3, 4, 5, 6]})
    price = prices_of(encode(table, schema_of(CHEAP))).columns[0]
    assert price.table is not None
    assert price.of(np.array([0]), np.array([1]))[0] == int(cost("South", CHEAP) * price.full)
    assert price.of(np.array([0]), np.array([5]))[0] == price.full


def test_a_job_file_says_them_and_a_manifest_does_not_name_them() -> None:
    tree = am.Hierarchy.nested(PLACES).weighted(CHEAP)
    assert am.Hierarchy.from_dict(tree.to_dict()) == tree
    assert am.Hierarchy.from_dict({"nested": PLACES}) != tree
    told = repr(tree.public_dict())
    assert "'weights': 3" in told
    assert not any(name in told for name in CHEAP)
    assert tree.describe().endswith("with weights on 3 nodes")


@pytest.mark.parametrize(
    ("weights", "what"),
    [
        ({"Atlantis": 2}, "1 of 1 weights name no node"),
        ({"*": 0.5}, "the root"),
        ({"South": 9}, "cost more than the one above"),
        ({"Europe": 0.1}, "cost more than the one above"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights: dict[str, float], what: str) -> None:
    with pytest.raises(BadHierarchy) as caught:
        am.Hierarchy.nested(PLACES).weighted(weights).tree(["Rome"], "categorical")
    assert what in str(caught.value)


def test_what_has_no_weights_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    odd: Any
    for odd in ({"Rome": -1}, {"Rome": float("nan")}, {"Rome": True}, ["Rome"]):
        with pytest.raises(BadHierarchy):
            am.Hierarchy.nested(PLACES).weighted(odd)
    with pytest.raises(BadHierarchy, match="width"):
        am.Hierarchy.intervals([5, 10]).weighted({"[20-24]": 2}).tree([21, 23], "numeric")
    monkeypatch.setattr(node_weights, "MOST_WEIGHTED", 5)
    with pytest.raises(BadHierarchy, match="at most 5"):
        am.Hierarchy.nested(PLACES).weighted(CHEAP).tree(["Rome"], "categorical")
    tables = {"people": pa.table({"id": [1, 2], "place": ["Rome", "Oslo"]})}
    many = am.DatabaseSchema({"people": am.Relation({"place": schema_of(CHEAP)["place"]}, key="id")})
    with pytest.raises(BadSchema, match="single tables"):
        am.anonymize_database(tables, many, [am.KAnonymity(2)])
