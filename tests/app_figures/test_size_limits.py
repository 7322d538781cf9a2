"""A large table gives a view as small as a small one does."""

from __future__ import annotations

import json
import time

import amongst as am
from amongst.app import figures


def test_a_million_rows() -> None:
    made = am.datasets.load("adult-like", n_rows=1_000_000)
    release = am.anonymize(made.table, made.schema, [am.KAnonymity(10)], method="mondrian")
    start = time.perf_counter()
    view = figures.result_view(release)
    assert time.perf_counter() - start < 30
    assert len(json.dumps(view, allow_nan=False)) < 800_000
    assert len(view["partition"]["boxes"]) <= 2000
    start = time.perf_counter()
    answer = figures.query_view(release, made.table, "SELECT education, COUNT(*), AVG(age) GROUP BY education")
    assert time.perf_counter() - start < 20
    assert len(json.dumps(answer)) < 100_000


def test_many_columns_and_many_values() -> None:
    made = am.datasets.load("wide", n_rows=2000)
    release = am.anonymize(made.table, made.schema, [am.KAnonymity(5)], method="mondrian")
    assert len(json.dumps(figures.result_view(release), allow_nan=False)) < 1_500_000
