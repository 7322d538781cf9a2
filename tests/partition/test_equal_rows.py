"""What a method promises of equal rows and of the order of the input, for every method and kind of model."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import AmongstError
from amongst.partition.methods import METHODS

SCHEMA = am.Schema(
    {
        "id": am.Column(role="identifier"),
        "a": am.Column(role="quasi"),
        "b": am.Column(role="quasi"),
        "s": am.Column(role="sensitive"),
    }
)
EVERYBODY = pa.table({"a": [0, 1, 2, 3] * 12, "b": list("xyzx") * 12})
MODELS = {
    "k": [am.KAnonymity(3)],
    "distinct": [am.LDiversity(2, "distinct")],
    "frequency": [am.KAnonymity(3), am.LDiversity(1.5)],
    "t": [am.KAnonymity(2), am.TCloseness(0.4)],
    "beta": [am.BetaLikeness(1.0)],
    "delta": [am.KAnonymity(2), am.DeltaDisclosure(1.5)],
    "k-map": [am.KAnonymity(2), am.KMap(6, EVERYBODY)],
    "presence": [am.KAnonymity(2), am.DeltaPresence(0.0, 0.9, EVERYBODY)],
}


def some_rows(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    a, b, s = rng.integers(0, 4, 24), rng.choice(list("xyz"), 24), rng.choice(list("pqr"), 24)
    return pa.table({"id": [f"p{i // 2}" for i in range(24)], "a": a, "b": b, "s": s})


@pytest.mark.parametrize("asked", MODELS)
@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.recoding == "global"])
@pytest.mark.parametrize("unit", [None, "id"])
def test_equal_rows_stay_together_and_their_order_does_not_matter(name: str, asked: str, unit: str | None) -> None:
    table, lots = some_rows(1), np.random.default_rng(2)
    said = set()
    for _ in range(3):
        try:
            release = am.anonymize(table, SCHEMA, MODELS[asked], method=name, unit=unit)
            published = release.table
        except am.errors.NotVerified:
            raise
        except AmongstError:
            return  # it does not take this model, and says so
        groups: dict[tuple[object, object], set[int]] = {}
        for a, b, group in zip(table["a"].to_pylist(), table["b"].to_pylist(), release.group_of_row, strict=True):
            groups.setdefault((a, b), set()).add(int(group))
        assert all(len(own) == 1 for own in groups.values())
        said.add(str(published.to_pylist()))
        table = table.take(pa.array(lots.permutation(table.num_rows)))
    assert len(said) == 1


def test_the_people_who_fit_a_set_are_those_with_one_of_its_values() -> None:
    people = pa.table({"town": ["a", "c", "b", "b", "d", "d"], "s": list("uvwxyz")})
    everybody = pa.table({"town": ["a", "c"] + ["b"] * 5 + ["d"] * 5})
    schema = am.Schema({"town": am.Column(role="quasi"), "s": am.Column(role="sensitive")})
    for model in (am.KMap(4, everybody), am.DeltaPresence(0, 0.5, everybody)):
        for name, method in METHODS.items():
            if method.takes not in ("k", "l"):
                release = am.anonymize(people, schema, [am.KAnonymity(2), model], method=name)
                assert release.verdict.ok, name


def test_presence_counts_people_where_people_are_counted() -> None:
    rows = pa.table({"id": ["A"] * 3 + ["B"] * 3, "a": [1] * 6, "b": ["x"] * 6, "s": list("uvwxyz")})
    town = pa.table({"a": [1] * 6, "b": ["x"] * 6})
    for name in ("mondrian", "best", "hilbert"):
        holds = [am.KAnonymity(2), am.DeltaPresence(0.0, 0.5, town)]
        assert am.anonymize(rows, SCHEMA, holds, method=name, unit="id").verdict.ok
        fails = [am.KAnonymity(2), am.DeltaPresence(0.9, 1.0, town)]
        with pytest.raises(am.errors.Infeasible):
            am.anonymize(rows, SCHEMA, fails, method=name, unit="id")


def test_people_outside_every_group_are_told_with_the_method_that_covers_them() -> None:
    people = pa.table({"a": [10, 12, 14, 16], "s": list("wxyz")})
    town = pa.table({"a": [10, 12, 14, 16, 5, 40]})
    flat = am.Column(role="quasi", hierarchy=am.Hierarchy.flat())
    schema = am.Schema({"a": flat, "s": am.Column(role="sensitive")})
    models = [am.KAnonymity(2), am.DeltaPresence(0.1, 1.0, town)]
    with pytest.raises(am.errors.Infeasible, match="full-domain-optimum"):
        am.anonymize(people, schema, models, method="mondrian")
    assert am.anonymize(people, schema, models, method="full-domain-optimum").verdict.ok
