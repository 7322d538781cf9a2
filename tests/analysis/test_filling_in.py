"""The pieces of filling in, against naive versions: what is drawn has the distribution that it should have."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import amongst as am
from amongst.analysis import design as of_design
from amongst.analysis.coarse import Coarse, coarse_table
from amongst.analysis.covariates import Bins, features, of_names, on_a_line
from amongst.analysis.design import Design
from amongst.analysis.ends import ends_of
from amongst.analysis.formula import read_formula
from amongst.analysis.move import move
from amongst.analysis.rubin import combine
from amongst.query.ask import open_any
from paid_people import SCHEMA, people

pytest.importorskip("formulaic")


@pytest.mark.parametrize(("n_in_class", "names", "lo", "hi"), [(3, None, 0, 2), (2, None, 0, 2), (3, "abc", 0, 0)])
def test_classes_are_drawn_as_all_that_hold_their_ends(n_in_class: int, names: str | None, lo: int, hi: int) -> None:
    """Many equal classes at once, against the list of all ways to fill one in."""
    n_classes = 3000
    pieces = [0.0, 1.0, 2.0] if names else [float(lo)]
    ends = pieces if names else [float(hi)]
    column = Coarse(
        name="x",
        names=list(names) if names else None,
        first=np.array([0, len(pieces)]),
        lo=np.array(pieces),
        hi=np.array(ends),
        whole=True,
        label_of_row=np.zeros(n_classes * n_in_class, dtype=np.int64),
        tight=np.array([True]),
    )
    log_weight = np.array([[0.0, 1.0, -0.5], [0.5, 0.0, 0.7], [-1.0, 0.3, 0.2]])[:n_in_class]
    needed = {0.0, 1.0, 2.0} if names else {0.0, 2.0}
    chance = {
        way: np.exp(sum(log_weight[i, int(v)] for i, v in enumerate(way)))
        for way in product([0.0, 1.0, 2.0], repeat=n_in_class)
        if needed <= set(way)
    }
    rng = np.random.default_rng(0)
    rows = np.arange(n_classes * n_in_class)
    held = ends_of(column, rows // n_in_class)
    assert held is not None
    value = column.draw(rows, rng)
    held.begin(value, rng)

    def weigh(some: np.ndarray, tried: np.ndarray) -> np.ndarray:
        return log_weight[some % n_in_class, tried.astype(np.int64)]

    for _ in range(25):
        move(column, value, rows, held, weigh, rng)
    ways, n = np.unique(value.reshape(n_classes, n_in_class), axis=0, return_counts=True)
    found = {tuple(way): count / n_classes for way, count in zip(ways.tolist(), n.tolist(), strict=True)}
    total = sum(chance.values())
    assert set(found) <= set(chance)
    for way, weight in chance.items():
        assert found.get(way, 0.0) == pytest.approx(weight / total, abs=0.04)


@pytest.mark.parametrize(
    "formula",
    [
        "pay ~ age + sex + town",
        "pay ~ age * sex",
        "pay ~ town:sex + log(age)",
        "pay ~ poly(age, 2) + C(town, Treatment('b'))",
        "log(pay + 10) ~ 0 + town + age:town + I(age > 40)",
        "pay ~ C(age > 40):town",
    ],
)
def test_what_is_looked_up_is_what_the_library_works_out(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_any(people(50), SCHEMA)
    read = read_formula(formula, opened.columns)
    table = coarse_table(opened, read.columns)
    values = {name: column.draw(np.arange(50), np.random.default_rng(0)) for name, column in table.columns.items()}
    fast = Design(read, table.columns, values)
    monkeypatch.setattr(of_design, "MOST_LOOKED_UP", -1)
    slow = Design(read, table.columns, values)
    np.testing.assert_allclose(fast.matrix(values), slow.matrix(values), atol=1e-12)
    beta = np.arange(len(fast.names)) + 1.0
    np.testing.assert_allclose(fast.linear(values, beta), slow.matrix(values) @ beta, atol=1e-9)
    for name in read.predictors:
        np.testing.assert_allclose(fast.linear(values, beta, name), slow.linear(values, beta, name), atol=1e-9)


def test_predictors_are_filled_in_as_often_as_they_occur() -> None:
    rng = np.random.default_rng(2)
    other = rng.normal(size=4000)
    town = (rng.random(4000) < 1 / (1 + np.exp(-1 - other))).astype(float)
    known = of_names(town, features({"t": town, "o": other}, {"t": 2}, "t"), 2, rng)
    share = np.exp(known.score) / np.exp(known.score).sum(axis=1, keepdims=True)
    assert share[:, 1].mean() == pytest.approx(town.mean(), abs=0.03)
    assert np.corrcoef(share[:, 1], 1 / (1 + np.exp(-1 - other)))[0, 1] > 0.97
    age = np.exp(0.5 * other + rng.normal(size=4000))  # far from normal
    line = on_a_line(age, features({"a": age, "o": other}, {}, "a"), Bins.of(age, age, age, False), rng)
    grid = np.linspace(0.01, age.max(), 4000)
    density = np.exp(line.log_density(grid[:, None] + np.zeros(4000)[None, :]))
    density /= density.sum(axis=0)
    below = density.mean(axis=1)[grid < np.median(age)].sum()
    assert below == pytest.approx(0.5, abs=0.08)


def test_rubins_rules_are_those_of_the_book() -> None:
    found = combine([np.array([1.0]), np.array([2.0]), np.array([6.0])], [np.array([2.0])] * 3, 50)
    between = np.var([1, 2, 6], ddof=1)
    total = 2 + 4 / 3 * between
    assert found.estimate[0] == 3
    assert found.error[0] == pytest.approx(np.sqrt(total))
    share = 4 / 3 * between / total
    old, observed = 2 / share**2, 51 / 53 * 50 * (1 - share)
    assert found.missing[0] == pytest.approx(share)
    assert found.free[0] == pytest.approx(old * observed / (old + observed))


def test_the_same_seed_gives_the_same_figures_and_another_one_others() -> None:
    release = am.anonymize(people(60), SCHEMA, [am.KAnonymity(5)], method="mondrian")
    found = [am.regression(release, "pay ~ age", n_tables=2, seed=seed).to_dict() for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
