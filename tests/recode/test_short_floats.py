"""Numbers of 32 bits read as the digits that tell them from their neighbours, in every label and on every side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

NUMBERS = pa.array([5.14, 5.14, 24.1, 24.1, 0.1, 0.1, 1e-7, 1e-7, 3.3e12, 3.3e12, -2.7, -2.7], pa.float32())
PEOPLE = pa.table({"x": NUMBERS, "s": list("wxyz") * 3})
HIERARCHIES = [None, am.Hierarchy.flat(), am.Hierarchy.fanout(2)]


def schema_with(hierarchy: am.Hierarchy | None) -> am.Schema:
    return am.Schema({"x": am.Column(role="quasi", hierarchy=hierarchy), "s": am.Column(role="sensitive")})


@pytest.mark.parametrize("hierarchy", HIERARCHIES)
@pytest.mark.parametrize("form", ["labels", "bounds", "structs"])
@pytest.mark.parametrize("k", [2, 4])
def test_a_release_holds_against_a_population_of_the_same_numbers(hierarchy: Any, form: str, k: int) -> None:
    if hierarchy is not None and form != "labels":
        pytest.skip("nodes are labels")
    population = PEOPLE.select(["x"])
    for models in ([am.KMap(k, population)], [am.KAnonymity(k), am.DeltaPresence(0, 1, population)]):
        release = am.anonymize(PEOPLE, schema_with(hierarchy), models, form=form, method="mondrian")
        assert release.verdict.ok, [model.reached for model in release.verdict.models]


@pytest.mark.parametrize("hierarchy", HIERARCHIES)
def test_labels_have_the_digits_that_read_back_as_the_same_number(hierarchy: Any) -> None:
    release = am.anonymize(PEOPLE, schema_with(hierarchy), [am.KAnonymity(2)], method="mondrian")
    labels = set(release.arrow["x"].to_pylist())
    assert {"5.14", "24.1", "-2.7"} <= labels
    assert {np.float32(label) for label in labels} == set(NUMBERS.to_numpy())
