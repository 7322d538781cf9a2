"""Fidelity against cells counted one by one, and correlations against numpy."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_query_answers import points, small_release

import amongst as am
from amongst.query.association import association
from flow_tables import random_table


def naive_divergence(release: am.Release, names: tuple[str, ...]) -> float:
    """The sum of P log(P / Q), with every published row spread over all points of its box."""
    cells = [*names, "pay"]
    rows = release.source.table.to_pylist()
    before = Counter(tuple(row[name] for name in cells) for row in rows)
    after: dict[tuple[object, ...], float] = Counter()
    for row in release.table.to_pylist():
        box = points(row)
        for point in box:
            after[tuple(point[name] for name in cells)] += 1 / len(box)
    n = len(rows)
    return sum(count / n * math.log(count / after[cell]) for cell, count in before.items())


@given(st.integers(0, 2**32 - 1))
def test_the_cube_is_that_of_counting_every_point(seed: int) -> None:
    release = small_release(np.random.default_rng(seed))
    found = release.fidelity(levels=(1, 2, 3))
    for level in found.cube:
        group_bys = list(combinations(["x", "y", "city"], level.level))
        naive = [naive_divergence(release, names) for names in group_bys]
        assert level.n_group_bys == level.n_measured == len(group_bys)
        assert level.mean == pytest.approx(np.mean(naive), abs=1e-9)
        assert level.largest == pytest.approx(max(naive), abs=1e-9)
        assert level.worst in group_bys


def test_what_is_published_as_it_is_diverges_by_nothing() -> None:
    table = pa.table({"x": [1, 1, 2, 2], "y": ["a", "a", "b", "b"], "s": ["u", "v", "u", "u"]})
    roles = {"x": am.Column(role="quasi"), "y": am.Column(role="quasi"), "s": am.Column(role="sensitive")}
    found = am.anonymize(table, am.Schema(roles), [am.KAnonymity(2)], method="mondrian").fidelity()
    assert [level.mean for level in found.cube] == pytest.approx([0, 0])
    assert [one.distance for one in found.marginals] == pytest.approx([0, 0])
    assert all(one.before == pytest.approx(one.after) for one in found.associations)


@given(st.integers(0, 2**32 - 1))
def test_divergences_are_finite_whatever_the_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = random_table(rng, linked=False)
    method = str(rng.choice(["mondrian", "cell-suppression", "incognito", "hilbert"]))
    try:
        release = am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method)
    except am.errors.AmongstError:
        return
    found = release.fidelity(levels=(1,))
    assert all(0 <= level.mean < math.inf for level in found.cube)
    assert all(0 <= one.distance <= 1 + 1e-9 for one in found.marginals)
    assert all(sum(one.before) == pytest.approx(1) for one in found.marginals)
    assert all(-1 - 1e-9 <= one.after <= 1 + 1e-9 for one in found.associations)


def test_associations_are_those_of_numpy() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 6, 400), rng.integers(0, 4, 400)
    y = np.where(rng.random(400) < 0.5, x % 4, y)
    table = np.zeros((6, 4))
    np.add.at(table, (x, y), 1 / 400)
    assert association(table, np.arange(6.0), np.arange(4.0)) == ("pearson", pytest.approx(np.corrcoef(x, y)[0, 1]))
    between = sum((x == v).sum() * (y[x == v].mean() - y.mean()) ** 2 for v in range(6))
    assert association(table, None, np.arange(4.0))[1] == pytest.approx(math.sqrt(between / (400 * y.var())))  # type: ignore[index]
    assert association(np.diag([0.2, 0.3, 0.5]), None, None) == ("cramers v", pytest.approx(1))
    assert association(np.array([[0.25, 0.75]]), None, None) is None


def test_many_group_bys_are_drawn_by_lot() -> None:
    release = small_release(np.random.default_rng(2))
    found = release.fidelity(levels=(2,), most_group_bys=2)
    assert (found.cube[0].n_group_bys, found.cube[0].n_measured) == (3, 2)
    with pytest.raises(am.errors.BadOption):
        release.fidelity(levels=(4,))
