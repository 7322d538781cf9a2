"""Weights: k and loss counted in people of the population, by hand and from the written file."""

from __future__ import annotations

import csv
import pickle
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption, Infeasible

RNG = np.random.default_rng(4)
N = 200
TABLE = pa.table(
    {
        "age": RNG.integers(20, 70, N),
        "zip": RNG.integers(100, 130, N),
        "w": RNG.gamma(2, 50, N).round(1),
        "ill": RNG.choice(["a", "b", "c"], N),
    }
)
SCHEMA = am.Schema({"age": "quasi", "zip": "quasi", "w": "weight", "ill": "sensitive"})


@pytest.mark.parametrize("method", ["mondrian", "best", "hilbert"])
def test_every_class_stands_for_k_people(tmp_path: Path, method: str) -> None:
    release = am.anonymize(TABLE, SCHEMA, [am.KAnonymity(2), am.WeightedK(1200)], method=method)
    release.write(tmp_path / "out", format="csv")
    people: dict[tuple[str, str], float] = defaultdict(float)
    with (tmp_path / "out" / "release.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            people[row["age"], row["zip"]] += float(row["w"])
    assert min(people.values()) >= 1200
    verdict = am.verify(tmp_path / "out", release.schema, release.models)
    assert verdict.ok
    assert verdict.models[1].reached == pytest.approx(min(people.values()))
    assert not am.verify(tmp_path / "out", release.schema, am.WeightedK(min(people.values()) * 1.01)).ok
    assert release.population is not None
    assert release.population.smallest == pytest.approx(min(people.values()))


def test_loss_counts_every_row_as_often_as_it_stands_for() -> None:
    """A row with weight 3 is three rows: the same figures as of a table that has it three times."""
    weight = RNG.integers(1, 5, N)
    table = TABLE.set_column(2, "w", pa.array(weight))
    release = am.anonymize(table, SCHEMA, k=5, method="mondrian")
    found = release.population
    assert found is not None
    age, zip = (table.column(name).to_numpy() for name in ("age", "zip"))
    group = release.group_of_row
    loss = []
    for values in (age, zip):
        low, high = (np.array([end(values[group == g]) for g in range(group.max() + 1)]) for end in (np.min, np.max))
        loss.append(((high - low) / (values.max() - values.min()))[np.repeat(group, weight)].mean())
    assert found.gcp == pytest.approx(np.mean(loss))
    assert found.people == weight.sum()
    assert pickle.loads(pickle.dumps(release)).population == found
    assert am.anonymize(table, {**SCHEMA, "w": am.Column(role="keep")}, k=5, method="mondrian").population is None


def test_what_cannot_be_reached_names_what_can() -> None:
    with pytest.raises(Infeasible, match="No grouping can reach") as caught:
        am.anonymize(TABLE, SCHEMA, am.WeightedK(10**9), method="mondrian")
    best = float(caught.value.fix.rsplit(" ", 1)[1])
    assert best == pytest.approx(sum(TABLE["w"].to_pylist()), rel=1e-4)


@pytest.mark.parametrize("method", ["mondrian", "best", "incognito"])
def test_a_column_of_texts_is_refused_without_showing_one(method: str) -> None:
    with pytest.raises(BadOption, match="cannot speak of the column 'ill'") as refused:
        am.anonymize(TABLE, SCHEMA, am.WeightedK(2, column="ill"), method=method)
    assert "categorical" in str(refused.value)
