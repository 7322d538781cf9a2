"""Questions to two tables that only a group number links: the truth within bounds that count whole groups."""

from __future__ import annotations

import tempfile
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am

WHERES: list[tuple[str, Any]] = [
    ("s = 2", lambda r: r["s"] == 2),
    ("x < 4 AND s <> 1", lambda r: r["x"] < 4 and r["s"] != 1),
    ("x < 4 OR s >= 3", lambda r: r["x"] < 4 or r["s"] >= 3),
    ("NOT (x = 2 AND s IN (0, 1))", lambda r: not (r["x"] == 2 and r["s"] in (0, 1))),
    ("(x < 3 AND s < 2) OR (x >= 3 AND s > 3)", lambda r: (r["x"] < 3 and r["s"] < 2) or (r["x"] >= 3 and r["s"] > 3)),
    ("x > 5", lambda r: r["x"] > 5),
]
SCHEMA = am.Schema({"x": am.Column(role="quasi"), "s": am.Column(role="sensitive")})


def random_anatomy(seed: int, n: int = 24) -> am.Release | None:
    rng = np.random.default_rng(seed)
    table = pa.table({"x": rng.integers(0, 8, n), "s": rng.integers(0, 6, n)})
    try:
        return am.anonymize(table, SCHEMA, [am.LDiversity(2)], method="anatomy", seed=seed)
    except am.errors.Infeasible:
        return None


@given(st.integers(0, 2**32 - 1), st.sampled_from(WHERES))
def test_the_truth_lies_within_the_bounds(seed: int, asked: tuple[str, Any]) -> None:
    release = random_anatomy(seed)
    if release is None:
        return
    where, truth = asked
    rows = [row for row in release.source.table.to_pylist() if truth(row)]
    count, total, least = release.query(f"SELECT COUNT(*), SUM(s), MIN(x) WHERE {where}").lines[0]
    assert count.lower <= len(rows) <= count.upper
    if rows:
        assert total.lower <= sum(row["s"] for row in rows) <= total.upper
        assert least.lower <= min(row["x"] for row in rows) <= least.upper


@given(st.integers(0, 2**32 - 1), st.sampled_from(WHERES))
def test_counts_are_those_of_trying_every_assignment(seed: int, asked: tuple[str, Any]) -> None:
    """In every group every way to give its values to its rows: the mean, the least and the most that match."""
    release = random_anatomy(seed, 12)
    if release is None:
        return
    where, truth = asked
    values: dict[int, list[int]] = {}
    for entry in release.sensitive_table.to_pylist():
        values.setdefault(entry["group"], []).extend([entry["s"]] * entry["count"])
    expected, lower, upper = 0.0, 0, 0
    for group, given_values in values.items():
        xs = [row["x"] for row in release.table.to_pylist() if row["group"] == group]
        ways = [
            sum(truth({"x": x, "s": s}) for x, s in zip(xs, way, strict=True))
            for way in set(permutations(given_values))
        ]
        expected += float(np.mean(ways))
        lower += min(ways)
        upper += max(ways)
    answer = release.query(f"SELECT COUNT(*) WHERE {where}")
    assert answer.estimate == pytest.approx(expected)
    assert answer.lower <= lower <= upper <= answer.upper
    if (
        " AND " not in where or " OR " not in where
    ):  # one condition on the row beside one on the value: as tight as can be
        assert (answer.lower, answer.upper) == (lower, upper)


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_the_folder_alone_is_enough(format: str) -> None:
    release = random_anatomy(3)
    assert release is not None
    with tempfile.TemporaryDirectory() as folder:
        release.write(Path(folder) / "out", format=format)
        for where, _ in WHERES:
            sql = f"SELECT COUNT(*), AVG(s) WHERE {where}"
            assert am.query(Path(folder) / "out", sql).lines == release.query(sql).lines
        assert am.query(Path(folder) / "out", "SELECT SUM(s)").exact
    assert set(release.query("SELECT COUNT(*) GROUP BY s").keys) == {(s,) for s in range(6)}


def test_workloads_and_fidelity_know_two_tables() -> None:
    release = random_anatomy(4, 60)
    assert release is not None
    work = am.Workload.random(release.source.table, release.schema, kind="equality", columns=["x", "s"])
    error = release.workload_error(work)
    assert error.mean_absolute == 0
    assert error.exact == 1
    found = release.fidelity(levels=(1,))
    assert found.marginals[0].distance == pytest.approx(0)
    assert 0 < found.cube[0].mean < 2
