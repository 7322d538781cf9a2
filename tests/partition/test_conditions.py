"""Conditions on groups: the compiled and the numpy judge against the models said in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from model_oracle import holds

import amongst as am
from amongst.kernels import holds as judge
from amongst.models import MODELS
from amongst.partition.conditions import conditions_of
from amongst.partition.requested import encode_for
from amongst.partition.value_conditions import CONDITIONS
from amongst.schema.check import check

TREE = am.Hierarchy.nested({"*": {"ab": ["a", "b"], "cde": ["c", "d", "e"]}})
PATH = {v: (v, node, "*") for node in ("ab", "cde") for v in node}


def models(rng: np.random.Generator) -> list[Any]:
    t = float(rng.choice([0.1, 0.2, 0.3, 0.5]))
    return [
        am.LDiversity(float(rng.choice([1.5, 2, 3]))),
        am.LDiversity(int(rng.integers(1, 4)), "distinct"),
        am.LDiversity(float(rng.choice([1.5, 2, 3])), "entropy"),
        am.LDiversity(int(rng.integers(1, 4)), ("recursive", float(rng.choice([0.5, 1, 2])))),
        am.AlphaK(float(rng.choice([0.3, 0.5, 0.7])), int(rng.integers(1, 4))),
        am.TCloseness(t, "equal"),
        am.TCloseness(t, "ordered"),
        am.TCloseness(t, "hierarchical"),
        am.BetaLikeness(float(rng.choice([0.5, 1, 2]))),
        am.BetaLikeness(float(rng.choice([0.5, 1, 2])), enhanced=True),
        am.DeltaDisclosure(float(rng.choice([0.3, 0.7, 1.5]))),
        am.DeltaDisclosure(float(rng.choice([0.7, 1.5])), absent="counted"),
    ]


def coded_table(values: list[Any], model: Any, **columns: Any) -> Any:
    hierarchy = TREE if isinstance(model, am.TCloseness) and model.distance == "hierarchical" else None
    quasi = {name: am.Column(role="quasi") for name in columns} or {"q": am.Column(role="quasi")}
    schema = am.Schema({"s": am.Column(role="sensitive", hierarchy=hierarchy), **quasi})
    table = pa.table({"s": values, **(columns or {"q": [0] * len(values)})})
    return encode_for(table, check(schema, table), [model])


@pytest.fixture(params=["compiled", "numpy"])
def kernels_in(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setattr(judge, "_conditions", None)
    elif judge._conditions is None:
        pytest.skip("no compiled kernels here")
    return request.param


@pytest.mark.parametrize("seed", range(6))
def test_every_model_as_defined(kernels_in: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(25):
        n = int(rng.integers(2, 40))
        values = rng.choice(list("abcde"), n, p=rng.dirichlet(np.ones(5))).tolist()
        group = rng.integers(0, 4, n)
        for model in models(rng):
            coded = coded_table(values, model)
            # Tree leaves that do not occur are values of the hierarchy, not of the table.
            found = judge.holds_by_class(conditions_of(coded, [model]), group.astype(np.int32), 4)
            for g in range(4):
                own = [v for v, at in zip(values, group, strict=True) if at == g]
                if own:
                    expected = holds(model, own, values, domain=sorted(set(values)), path_of=PATH)
                    assert found[g] == expected, (model, sorted(own), sorted(values))


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_added_up(kernels_in: str, seed: int) -> None:
    """Whole and broken weights, missing and negative ones; sums that are just reached."""
    rng = np.random.default_rng(seed)
    values = [None, -2.0, *rng.choice([0.1, 0.25, 1.0, 3.5], 38).tolist()]
    group = rng.integers(0, 4, len(values))
    sums = [math.fsum(max(v or 0.0, 0.0) for v, at in zip(values, group, strict=True) if at == g) for g in range(4)]
    for k in (sums[0], sums[1] + 0.01, sums[2] - 0.01):
        model = am.WeightedK(k, "s")
        found = judge.holds_by_class(conditions_of(coded_table(values, model), [model]), group.astype(np.int32), 4)
        assert found.tolist() == [one >= k * (1 - 1e-9) for one in sums]


def test_kernels_know_all_our_models_of_values() -> None:
    """One that they do not know is asked group by group, in Python: a large table is then out of reach."""
    told = [am.WeightedK(2.0, "s"), am.Proximity(2, 1.0, "s"), *models(np.random.default_rng(0))]
    assert {model.name for model in told} == {model.name for model in MODELS.values() if model.counts == "values"}
    assert all(model.condition in CONDITIONS for model in told)
    of_numbers = [model for model in told if getattr(model, "distance", None) != "hierarchical"]
    assert all(conditions_of(coded_table([1.0, 2.0, 3.0], model), [model]).compiled for model in of_numbers)


@pytest.mark.parametrize("seed", range(4))
def test_proximity_as_defined(kernels_in: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        values = rng.integers(0, 30, int(rng.integers(2, 30))).tolist()
        model = am.Proximity(float(rng.choice([1.5, 2, 3])), width=float(rng.choice([0, 1, 4, 10])))
        group = rng.integers(0, 3, len(values))
        found = judge.holds_by_class(conditions_of(coded_table(values, model), [model]), group.astype(np.int32), 3)
        for g in range(3):
            own = [v for v, at in zip(values, group, strict=True) if at == g]
            if own:
                assert found[g] == holds(model, own, values), (model, own)


def test_few_of_many_values_in_order(kernels_in: str) -> None:
    """Numbers with thousands of values take the way that skips those a group does not have."""
    rng = np.random.default_rng(3)
    values = rng.permutation(1500)[:1000].tolist()
    group = rng.integers(0, 50, len(values)).astype(np.int32)
    of_group = [[v for v, at in zip(values, group, strict=True) if at == g] for g in range(50)]
    domain = sorted(values)
    for t in (0.05, 0.08, 0.1):
        model = am.TCloseness(t, "ordered")
        found = judge.holds_by_class(conditions_of(coded_table(values, model), [model]), group, 50)
        assert found.tolist() == [holds(model, own, values, domain=domain) for own in of_group]
    assert 0 < found.sum() < 50


def test_a_null_is_a_value_of_its_own(kernels_in: str) -> None:
    model = am.LDiversity(2, "distinct")
    coded = coded_table(["a", None, None, "a", "a", None], model)
    found = judge.holds_by_class(conditions_of(coded, [model]), np.array([0, 0, 1, 1, 2, 2], np.int32), 3)
    assert found.tolist() == [True, True, True]
    model = am.TCloseness(0.5, "hierarchical")
    coded = coded_table(["a", None, "c", "b"], model)
    # The null is as far from everything as the two halves of the tree from each other.
    found = judge.holds_by_class(conditions_of(coded, [model]), np.array([0, 0, 1, 1], np.int32), 2)
    assert found.tolist() == [True, True]


def test_people_are_counted_once(kernels_in: str) -> None:
    schema = am.Schema(
        {
            "who": am.Column(role="identifier"),
            "q": am.Column(role="quasi"),
            "s": am.Column(role="sensitive"),
        }
    )
    table = pa.table({"who": [1, 1, 1, 2, 3, 4], "q": [0] * 6, "s": ["a", "a", "b", "a", "c", "d"]})
    checked = check(schema, table)

    def one_group(asked: list[Any], rows: list[int]) -> bool:
        coded = encode_for(table, checked, asked, "who")
        group = np.full(6, -1, dtype=np.int32)
        group[rows] = 0
        return bool(judge.holds_by_class(conditions_of(coded, asked), group, 1)[0])

    assert not one_group([am.KAnonymity(2)], [0, 1, 2])  # three rows of one person
    assert one_group([am.KAnonymity(2)], [0, 1, 2, 3])
    assert not one_group([am.LDiversity(2)], [0, 1, 3])  # both people have a
    assert not one_group([am.LDiversity(2)], [0, 2, 3])  # and still do
    assert one_group([am.LDiversity(2)], [0, 4])
    assert one_group([am.LDiversity(2, "entropy")], [0, 1, 4])  # the second a of person 1 does not count
