"""The result as plain data: right, small, and silent about few people."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.app import figures
from amongst.app.figures.risk import _seen, band_starts, rows_by_band
from amongst.report.coarsen import coarsen


def people(n: int = 600, seed: int = 0) -> tuple[pa.Table, am.Schema]:
    """A table with numbers, dates, names, missing values, and a sensitive column."""
    draw = np.random.default_rng(seed)
    days = np.datetime64("1950-01-01") + draw.integers(0, 20_000, n)
    zips = draw.integers(100, 160, n).astype(str)
    table = pa.table(
        {
            "age": draw.integers(18, 90, n),
            "born": pa.array(days.astype("datetime64[D]")),
            "zip": pa.array([None if draw.random() < 0.02 else z for z in zips], pa.string()),
            "job": np.array(["nurse", "clerk", "pilot", "smith"])[draw.integers(0, 4, n)],
            "illness": np.array(["flu", "cold", "gout"])[draw.choice(3, n, p=[0.6, 0.39, 0.01])],
            "income": draw.lognormal(10, 1, n),
        }
    )
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([10, 30])),
            "born": am.Column(role="quasi", kind="date", hierarchy=am.Hierarchy.dates("year")),
            "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(3), nulls="own value"),
            "job": am.Column(role="quasi"),
            "illness": am.Column(role="sensitive"),
            "income": am.Column(role="sensitive"),
        }
    )
    return table, schema


METHODS = {
    "mondrian": {},
    "mondrian-relaxed": {},
    "hilbert": {},
    "incognito": {"suppression": 0.1},
    "datafly": {"suppression": 0.3},
    "full-subtree": {},
}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_a_view_that_can_be_sent(method: str) -> None:
    table, schema = people()
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method=method, **METHODS[method])
    view = figures.result_view(release)
    text = json.dumps(view, allow_nan=False)
    assert json.loads(text) == view
    assert len(text) < 1_000_000
    assert view["verdict"] == "holds"
    told = figures.gauges(release)
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["found"] <= 1 / 5
    assert {one["column"] for one in view["distributions"]} == {"age", "born", "zip", "job", "illness", "income"}


def test_two_tables_have_a_view_without_boxes_and_loss() -> None:
    data = am.datasets.load("patients")
    release = am.anonymize(data.table, data.schema, [am.LDiversity(2)], method="anatomy")
    view = figures.result_view(release)
    json.dumps(view, allow_nan=False)
    assert view["pair"]
    assert view["partition"] is None
    assert view["loss"] is None
    assert view["risk"] is None


def test_loss_is_that_of_the_release_with_the_most_first() -> None:
    table, schema = people()
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")
    columns = figures.result_view(release)["loss"]["columns"]
    assert {one["name"]: one["loss"] for one in columns} == pytest.approx(release.utility.ncp)
    assert [one["loss"] for one in columns] == sorted((one["loss"] for one in columns), reverse=True)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=60), st.integers(1, 60))
def test_bands_hold_every_row_once_and_one_begins_at_k(sizes: list[int], k: int) -> None:
    starts = band_starts(k)
    assert k in starts
    assert starts[0] == 1
    rows = rows_by_band(np.array(sizes), starts)
    naive = [
        sum(s for s in sizes if a <= s and (b is None or s < b))
        for a, b in zip(starts, [*starts[1:], None], strict=True)
    ]
    assert rows.tolist() == naive


def test_risk_before_is_counted_over_equal_rows() -> None:
    table, schema = people(3000)
    few = schema.with_columns(born=am.Column(role="identifier"), zip=am.Column(role="identifier"))
    release = am.anonymize(table, few, [am.KAnonymity(5)], method="mondrian")
    risk = figures.result_view(release)["risk"]
    crowd = Counter(zip(table["age"].to_pylist(), table["job"].to_pylist(), strict=True))
    exposed = sum(size for size in crowd.values() if size < 5)
    assert risk["exposed_before"] == (f"{exposed:,}" if exposed == 0 or exposed >= 5 else "fewer than 5")
    assert sum(risk["before"]) == pytest.approx(1)
    assert sum(risk["after"]) == pytest.approx(1)
    assert sum(a for a, below in zip(risk["after"], risk["below_k"], strict=True) if below) == 0
    assert risk["smallest_after"] >= 5


def test_few_exposed_rows_are_not_counted_out() -> None:
    # 100 rows of one kind, and two that stand alone: fewer than k.
    table = pa.table({"age": [30] * 100 + [31, 32], "job": ["a"] * 102})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "job": am.Column(role="quasi")})
    view = figures.result_view(am.anonymize(table, schema, [am.KAnonymity(10)], method="mondrian"))
    assert view["risk"]["exposed_before"] == view["risk"]["alone_before"] == "fewer than 10"
    assert view["risk"]["exposed_share"] == ""
    assert view["risk"]["mean_before"] is None
    risk = view["risk"]
    assert sum(b for b, below in zip(risk["before"], risk["below_k"], strict=True) if below) == 0


@pytest.mark.parametrize("k", [2, 10, 100])
def test_the_risk_of_a_table_whose_rows_are_all_unique_has_a_bar_before_and_bars_after(k: int) -> None:
    table = pa.table({"age": np.arange(2000), "pay": np.arange(2000)[::-1].copy()})
    schema = am.Schema({name: am.Column(role="quasi", kind="numeric") for name in table.column_names})
    risk = figures.result_view(am.anonymize(table, schema, [am.KAnonymity(k)], method="mondrian"))["risk"]
    assert risk["before"][0] == 1.0
    assert risk["after"][0] == 0.0
    assert len(risk["bands"]) == len(set(risk["bands"])) == len(band_starts(k))
    assert sum(a for a, below in zip(risk["after"], risk["below_k"], strict=True) if not below) == pytest.approx(1)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=80), st.integers(1, 30))
def test_no_bar_of_before_rests_on_fewer_rows_than_the_threshold(sizes: list[int], k: int) -> None:
    rows = rows_by_band(np.array(sizes), band_starts(k))
    seen = _seen(rows, k)
    assert all(own == 0 or own >= k for own in seen)
    assert (seen.sum() > 0) == (sum(sizes) >= k)
    assert not any(own for own, its in zip(seen, rows, strict=True) if its == 0)


def test_rows_whose_group_has_one_sensitive_value_are_told_before_they_are_published() -> None:
    table = pa.table({"age": [1] * 4 + [50] * 4 + [90] * 2, "ill": ["flu"] * 4 + ["flu", "hiv"] * 2 + ["flu"] * 2})
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "ill": am.Column(role="sensitive")})
    told = figures.gauges(am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian"))
    rows = Counter(
        zip(
            *(
                column.to_pylist()
                for column in am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian").arrow.columns
            ),
            strict=True,
        )
    )
    values: dict[str, set[str]] = {}
    for age, ill in rows:
        values.setdefault(age, set()).add(ill)
    alone = sum(n for (age, _), n in rows.items() if len(values[age]) == 1)
    assert alone > 0
    assert told["learned"] == pytest.approx(alone / 10)


@pytest.mark.parametrize("k", [3, 10, 40])
def test_no_cell_of_a_distribution_rests_on_fewer_rows_than_k(k: int) -> None:
    table, schema = people()
    release = am.anonymize(table, schema, [am.KAnonymity(k)], method="mondrian")
    for one in figures.result_view(release)["distributions"]:
        for shares in (one["before"], one["after"]):
            assert not shares or sum(shares) == pytest.approx(1)
        # 1 % of the rows have gout: 6 or so.
        if one["column"] == "illness" and k == 40:
            assert "gout" not in one["labels"]
        if one["edges"] is not None:
            assert len(one["edges"]) == len(one["labels"]) + 1
            assert one["edges"] == sorted(one["edges"])


def test_sensitive_distributions_count_what_was_suppressed() -> None:
    table, schema = people()
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="incognito", suppression=0.2)
    assert release.utility.n_suppressed > 0
    from amongst.app.figures.distributions import sensitive_distribution

    found = sensitive_distribution(release, "illness")
    published = Counter(release.arrow["illness"].to_pylist())
    assert dict(zip(found.labels or (), found.after.tolist(), strict=True)) == {
        name: float(published[name]) for name in found.labels or ()
    }
    assert dict(zip(found.labels or (), found.before.tolist(), strict=True)) == Counter(table["illness"].to_pylist())


def test_sizes_add_up_to_the_groups() -> None:
    table, schema = people()
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")
    sizes = figures.result_view(release)["sizes"]
    assert sum(sizes["groups"]) == release.utility.n_classes
    assert len(sizes["names"]) == len(sizes["groups"])


def test_sample_shows_rows_of_the_published_table_only() -> None:
    table, schema = people()
    release = am.anonymize(
        table, schema.with_columns(income=am.Column(role="identifier")), [am.KAnonymity(5)], method="mondrian"
    )
    view = figures.sample_view(release)
    rows = {tuple(None if v is None else str(v) for v in row.values()) for row in release.table.to_pylist()}
    assert [one["name"] for one in view["headings"]] == release.table.column_names
    assert len(view["rows"]) == 40
    assert {tuple(row) for row in view["rows"]} <= rows


def test_coarsened_cells_never_fall_below_the_threshold() -> None:
    # What the bands rest on: neighbours are put together until they are enough.
    cells = coarsen(np.array([3.0, 0.0, 50.0, 2.0]), 10, ordered=True)
    assert np.bincount(cells, weights=[3, 0, 50, 2]).min() >= 10
