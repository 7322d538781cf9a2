"""The boxes of a partition against counting the published rows."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.app import figures
from amongst.app.figures import partition as module
from amongst.app.figures.partition import loss_of_group


@pytest.fixture(scope="module")
def release() -> am.Release:
    adult = am.datasets.load("adult", part="train")
    table = adult.table.slice(0, 4000)
    return am.anonymize(table, adult.schema, [am.KAnonymity(10)], method="mondrian")


def test_boxes_are_the_different_pairs_of_published_ranges(release: am.Release) -> None:
    names = [column.name for column in release.coded.columns]
    published = release.table.to_pylist()
    for x, y in combinations(names, 2):
        view = figures.partition_view(release, x, y)
        assert view is not None
        assert (view["x"]["name"], view["y"]["name"]) == (x, y)
        naive = Counter((row[x], row[y]) for row in published)
        rows = sorted(int(box["rows"].replace(",", "")) for box in view["boxes"])
        # Different labels may cover the same leaves; boxes are at most as many, and hold all rows.
        assert sum(rows) == len(published)
        assert len(rows) <= len(naive)
        if x == "age" and release.schema[y].hierarchy is None:
            assert rows == sorted(naive.values())


def test_two_numeric_columns_tie_with_the_published_table() -> None:
    draw = np.random.default_rng(1)
    table = pa.table({"a": draw.integers(0, 50, 800), "b": draw.integers(0, 50, 800), "c": draw.integers(0, 3, 800)})
    schema = am.Schema({name: am.Column(role="quasi", kind="numeric") for name in "abc"})
    release = am.anonymize(table, schema, [am.KAnonymity(8)], method="mondrian")
    view = figures.partition_view(release, "a", "b")
    naive = Counter((row["a"], row["b"]) for row in release.table.to_pylist())
    told = {(_label(box["at"][:2]), _label(box["at"][2:])): int(box["rows"]) for box in view["boxes"]}
    assert told == dict(naive)


def _label(ends: list[float]) -> str:
    lo, hi = (int(end) for end in ends)
    return str(lo) if lo == hi else f"[{lo}-{hi}]"


def test_the_mean_loss_of_groups_is_gcp(release: am.Release) -> None:
    size = release.partition.size_of_group
    assert loss_of_group(release) @ size / size.sum() == pytest.approx(release.utility.gcp)


def test_a_window_keeps_what_meets_it(release: am.Release) -> None:
    whole = figures.partition_view(release, "age", "education")
    part = figures.partition_view(release, "age", "education", [30, 40, 0, 5])
    meets = [box for box in whole["boxes"] if box["at"][1] + 1 >= 30 and box["at"][0] <= 40 and box["at"][2] <= 5]
    assert {tuple(box["at"]) for box in part["boxes"]} == {tuple(box["at"]) for box in meets}
    assert 0 < len(part["boxes"]) < len(whole["boxes"])


def test_of_many_boxes_an_even_sample_is_sent(release: am.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BOXES", 20)
    view = figures.partition_view(release, "age", "occupation")
    assert len(view["boxes"]) == 20
    assert view["is_sample"]
    assert "even sample" in view["words"]


def test_rare_names_are_not_told() -> None:
    table = pa.table({"age": list(range(40)) * 5, "town": ["here"] * 197 + ["rareton", "rareton", "there"]})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "town": am.Column(role="quasi")})
    release = am.anonymize(table, schema, [am.KAnonymity(10)], method="mondrian")
    view = figures.partition_view(release, "age", "town")
    assert "rareton" not in json.dumps(view)
    assert "here" in view["y"]["labels"]


def test_one_column_makes_no_boxes() -> None:
    table = pa.table({"age": list(range(40))})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    assert figures.partition_view(am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")) is None


def test_times_are_drawn_in_days() -> None:
    draw = np.random.default_rng(2)
    days = np.datetime64("1990-01-01") + draw.integers(0, 9000, 500)
    times = {
        "seconds": pa.array(days.astype("datetime64[s]")),
        "nanoseconds": pa.array(days.astype("datetime64[ns]")),
        "days": pa.array(days.astype("datetime64[D]")),
    }
    table = pa.table({**times, "weight": draw.integers(0, 50, 500)})
    schema = am.Schema({name: am.Column(role="quasi") for name in table.column_names})
    release = am.anonymize(table, schema, [am.KAnonymity(20)], method="mondrian")
    views = [figures.partition_view(release, name, "weight") for name in times]
    assert [view["x"]["kind"] for view in views] == ["date"] * 3
    ends = [view["x"]["ends"] for view in views]
    assert ends[0] == ends[1] == ends[2]
    shown = [one for one in figures.result_view(release)["distributions"] if one["column"] in times]
    assert [one["labels"] for one in shown] == [shown[0]["labels"]] * 3
    assert shown[0]["labels"][0].startswith("19")
