"""The divergence of the data cube from groups is that of the release."""

from __future__ import annotations

import math

import pytest

import amongst as am
from benchmarks.papers.cube import cube_divergence
from benchmarks.papers.made import Case, Way, make, some_columns

QUASI = ["gender", "marital-status", "race", "work-class"]


@pytest.fixture(scope="module")
def case() -> Case:
    data = am.datasets.census(1500)
    return Case(data.table, some_columns(data.schema, QUASI, ["occupation"]), [am.LDiversity(4, column="occupation")])


@pytest.mark.parametrize("method", ["hilbert", "mondrian", "anatomy"])
@pytest.mark.parametrize("level", [1, 2])
def test_as_the_fidelity_of_the_release(case, method, level):
    release = make(case, Way(method)).release
    exact = method == "anatomy"
    ours = cube_divergence(release.coded, release.schema, release.partition, "occupation", level, exact)
    [theirs] = release.fidelity(levels=[level], sensitive="occupation").cube
    assert ours > 0
    assert math.isclose(ours, theirs.mean, rel_tol=1e-9)
