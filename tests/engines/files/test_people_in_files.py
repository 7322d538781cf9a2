"""People counted in files that stay on disk: as in memory, proved from what was written, and the same on every run."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import AmongstError, Infeasible
from amongst.own_files import PEOPLE, inside_beside
from typed_commands import typed

K = 4


def visits(n: int = 400, n_people: int = 150, seed: int = 3) -> pa.Table:
    """Visits of people, of whom some have many and some one; a few cells are missing."""
    draw = np.random.default_rng(seed)
    who = draw.integers(0, n_people, n)
    age, sex = draw.integers(20, 60, n_people), draw.choice(["f", "m"], n_people)
    zips = [None if draw.random() < 0.03 else f"{10_000 + i}" for i in draw.integers(0, 8, n)]
    return pa.table(
        {
            "person": [f"p{one}" for one in who],
            "age": age[who],
            "sex": sex[who],
            "zip": zips,
            "ill": draw.choice(list("abcd"), n),
            "note": draw.integers(0, 5, n),
        }
    )


def schema(nulls: str = "own value", note: str = "keep") -> am.Schema:
    return am.Schema(
        {
            "person": am.Column(role="identifier"),
            "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 10, 20])),
            "sex": am.Column(role="quasi"),
            "zip": am.Column(role="quasi", nulls=nulls, hierarchy=am.Hierarchy.digits(5)),
            "ill": am.Column(role="sensitive"),
            "note": am.Column(role=note),
        }
    )


MODELS: dict[str, list[Any]] = {"k": [am.KAnonymity(K)], "k and l": [am.KAnonymity(K), am.LDiversity(2, "distinct")]}


def written(folder: Path, table: pa.Table, ending: str = "parquet", **asked: Any) -> tuple[am.Release, pa.Table, Any]:
    """The release of a file on disk, its rows as published, and the person of each from the inside folder."""
    path = folder / f"in.{ending}"
    (pq.write_table if ending == "parquet" else pa_csv.write_csv)(table, path)
    release = am.anonymize(path, unit="person", memory="4GB", **asked)
    assert release.store.engine == "duckdb"
    assert release.write(folder / "out", force=True).ok
    people = pq.read_table(inside_beside(folder / "out") / PEOPLE).column(0)
    return release, pq.read_table(folder / "out" / "release.parquet"), people.to_pylist()


@pytest.mark.parametrize("models", MODELS)
@pytest.mark.parametrize("nulls", ["own value", "suppress"])
@pytest.mark.parametrize("method", ["mondrian", "full-domain-optimum"])
def test_the_rows_of_memory(method: str, nulls: str, models: str, tmp_path: Path) -> None:
    table, asked = visits(), {"schema": schema(nulls), "models": MODELS[models], "method": method}
    expected = am.anonymize(table, unit="person", **asked)
    for ending in ("parquet", "csv"):
        release, rows, _ = written(tmp_path, table, ending, **asked)
        assert rows.to_pylist() == expected.arrow.to_pylist()
        assert release.utility.gcp == pytest.approx(expected.utility.gcp, abs=1e-12)


@pytest.mark.parametrize("method", ["best", "hilbert", "mondrian", "gain-split"])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_class_has_k_people_counted_by_hand(method: str, seed: int, tmp_path: Path) -> None:
    """Whose rows they are is told right: everybody has as many rows, with as many illnesses, as in the input."""
    table = visits(seed=seed)
    _, rows, people = written(tmp_path, table, schema=schema(), models=MODELS["k and l"], method=method)
    of_class, own, known = defaultdict(set), defaultdict(list), defaultdict(list)
    for row, who in zip(rows.to_pylist(), people, strict=True):
        of_class[row["age"], row["sex"], row["zip"]].add(who)
        own[who].append((row["ill"], row["note"]))
    assert min(map(len, of_class.values())) >= K
    for row in table.to_pylist():
        known[row["person"]].append((row["ill"], row["note"]))
    assert sorted(map(sorted, own.values())) == sorted(map(sorted, known.values()))


def test_the_same_bytes_whatever_the_order_of_the_input(tmp_path: Path) -> None:
    table, found = visits(), []
    for place, rows in enumerate([table, table.take(np.random.default_rng(0).permutation(table.num_rows))]):
        folder = tmp_path / str(place)
        folder.mkdir()
        written(folder, rows, schema=schema(), models=MODELS["k"], method="best")
        found.append([(folder / "out" / name).read_bytes() for name in ("release.parquet", "report.html")])
    assert found[0] == found[1]


def test_one_person_with_many_rows_is_no_crowd(tmp_path: Path) -> None:
    """Where rows were counted this would pass: k rows, all of one person."""
    table = pa.table({"person": ["a"] * 9 + ["b"], "age": [30] * 9 + [31]})
    asked: dict[str, Any] = {"quasi": ["age"], "identifier": ["person"], "method": "mondrian"}
    with pytest.raises(Infeasible):
        written(tmp_path, table, k=3, **asked)
    assert set(written(tmp_path, table, k=2, **asked)[1]["age"].to_pylist()) == {"[30-31]"}


def test_it_is_verified_again_by_people(tmp_path: Path) -> None:
    release, rows, people = written(tmp_path, visits(), schema=schema(), models=MODELS["k"], method="mondrian")
    data = tmp_path / "out" / "release.parquet"
    assert am.verify(data, release.schema, release.models, units=people).ok
    assert not am.verify(data, release.schema, release.models, units=["one"] * rows.num_rows).ok
    ended = typed(["verify", "out"], tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "people: out.inside/people.parquet" in ended.stdout


def test_what_does_not_fit_is_refused_with_what_would(tmp_path: Path) -> None:
    pq.write_table(visits(200_000, 90_000), tmp_path / "in.parquet")
    with pytest.raises(AmongstError) as refused:
        am.anonymize(tmp_path / "in.parquet", schema(), MODELS["k"], "mondrian", unit="person", memory="300MB")
    assert "memory" in str(refused.value).lower()
