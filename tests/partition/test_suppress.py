"""Leaving rows out of groups: only where it pays with every row charged in full, and never more than allowed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.encode import CodedTable
from amongst.errors import BadOption
from amongst.kernels.search import is_compiled
from amongst.partition.methods import METHODS
from amongst.partition.outliers import far_rows
from amongst.partition.pricing import boxed, prices_of
from amongst.partition.published_price import published_loss
from amongst.partition.requested import encode_for
from amongst.schema.check import check

GROUPS = METHODS.names(lambda method: method.suppresses)
TAKES_MORE = [name for name in GROUPS if METHODS[name].takes != "k"]
ASKED: dict[str, list[Any]] = {
    "k": [am.KAnonymity(4)],
    "l": [am.KAnonymity(2), am.LDiversity(2, sense="frequency")],
    "t": [am.KAnonymity(3), am.TCloseness(0.45)],
    "beta": [am.KAnonymity(3), am.BetaLikeness(2.5)],
}


THOROUGH = ("gain-split", "hilbert")
"""One that keeps equal rows together and one that divides them: under every model. The others under k and one more."""


def cases() -> list[tuple[str, str]]:
    more = list(ASKED)[1:]
    found = [(method, "k") for method in GROUPS]
    for place, method in enumerate(TAKES_MORE):
        found += [(method, asked) for asked in (more if method in THOROUGH else [more[place % len(more)]])]
    return found


def with_a_tail(seed: int, n: int = 70, *, wild: bool = False) -> tuple[pa.Table, am.Schema]:
    """Rows near each other and some far off; every way to publish, weights and nulls."""
    rng = np.random.default_rng(seed)
    far = rng.random(n) < 0.08
    number = np.where(far, rng.integers(60, 100, n), rng.integers(20, 30, n))
    words = np.array(list("abcdefgh"))[np.where(far, rng.integers(0, 8, n), rng.integers(0, 2, n))]
    table = pa.table(
        {
            "range": number,
            "node": np.where(far, 40, 3) + rng.integers(0, 3, n),
            "grid": np.where(far, 90, 12) + rng.integers(0, 9, n),
            "set": words,
            "tree": pa.array(rng.permutation(words), mask=rng.random(n) < 0.1),
            "s": rng.choice(list("xyz"), n, p=[0.36, 0.34, 0.3]),
            "who": rng.integers(0, n // 2, n),
        }
    )
    tree = am.Hierarchy.nested({"*": {"low": list("abcd"), "high": list("efgh")}})
    columns = {
        "range": am.Column(role="quasi", weight=float(rng.integers(1, 4))),
        "node": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([4, 8, 16]), publish="ancestor"),
        "grid": am.Column(role="quasi", grid=5),
        "set": am.Column(role="quasi", publish="set"),
        "tree": am.Column(role="quasi", hierarchy=tree, nulls="match anything" if wild else "own value"),
    }
    gone = rng.permutation(list(columns))[: int(rng.integers(0, 4))]
    columns |= {name: am.Column(role="identifier") for name in gone}
    columns |= {"s": am.Column(role="sensitive"), "who": am.Column(role="identifier")}
    return table, am.Schema(columns)


def made(table: pa.Table, schema: am.Schema, models: list[Any], method: str, **more: Any) -> am.Release:
    effort: dict[str, Any] = {"effort": 0.05} if method == "best" else {}
    return am.anonymize(table, schema, models, method=method, **effort, **more)


@pytest.mark.parametrize(("method", "asked"), cases())
def test_it_holds_within_the_budget_and_never_loses_more(method: str, asked: str) -> None:
    n_left_out = 0
    for seed in range(4 if method in THOROUGH or asked == "k" else 2):
        table, schema = with_a_tail(seed, wild=asked == "k" and seed % 2 == 1)
        plain = made(table, schema, ASKED[asked], method)
        for budget in (1, 0.1):
            release = made(table, schema, ASKED[asked], method, suppression=budget)
            group = release.partition.group_of_row
            assert release.verdict.ok
            assert release.utility.n_suppressed == int((group < 0).sum()) <= (1 if budget == 1 else 7)
            assert published_loss(release.coded, release.partition) <= published_loss(plain.coded, plain.partition)
            n_left_out += release.utility.n_suppressed
            if METHODS[method].recoding == "global":
                assert equal_rows_share_a_group(release.coded, group)
    assert n_left_out > 0 or asked != "k"


def equal_rows_share_a_group(coded: CodedTable, group: np.ndarray) -> bool:
    found: dict[tuple[int, ...], int] = {}
    rows = zip(*[codes.tolist() for codes in coded.codes], strict=True)
    return all(found.setdefault(row, one) == one for row, one in zip(rows, group.tolist(), strict=True))


@pytest.mark.parametrize("method", GROUPS)
def test_the_order_of_the_rows_does_not_matter(method: str) -> None:
    n_left_out, asked = 0, ASKED["l" if method in TAKES_MORE else "k"]
    for seed in (1, 2):
        table, schema = with_a_tail(seed, 60)
        first = made(table, schema, asked, method, suppression=0.1)
        moved = table.take(np.random.default_rng(seed).permutation(table.num_rows))
        assert made(moved, schema, asked, method, suppression=0.1).arrow.equals(first.arrow)
        n_left_out += first.utility.n_suppressed
    assert n_left_out


@pytest.mark.parametrize("method", GROUPS)
def test_one_row_far_off_is_left_out_and_charged_in_full(method: str) -> None:
    table = pa.table({"age": [*[20] * 20, 99]})
    assert am.anonymize(table, quasi="age", k=20, method=method).utility.gcp == 1
    release = am.anonymize(table, quasi="age", k=20, method=method, suppression=1)
    assert release.utility.gcp == pytest.approx(1 / 21)
    assert release.arrow.column("age").unique().to_pylist() == ["20"]
    assert am.anonymize(table, quasi="age", k=20, method=method, suppression=0.04).utility.n_suppressed == 0  # of 21


def test_a_range_is_charged_by_its_width_and_a_row_left_out_in_full() -> None:
    table = pa.table({"age": [*[20, 21, 22, 23] * 5, 99]})
    release = am.anonymize(table, quasi="age", k=20, method="mondrian-relaxed", suppression=1)
    assert release.utility.gcp == pytest.approx((20 * 3 / 79 + 1) / 21)  # each in the range 20..23 of 20..99, and one
    assert release.arrow.column("age").unique().to_pylist() == ["[20-23]"]


@pytest.mark.skipif(not is_compiled(), reason="the search is compiled")
@pytest.mark.parametrize("seed", range(6))
def test_more_effort_never_loses_more_where_rows_are_left_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = pa.table({"a": np.append(rng.integers(0, 40, 57), [400, 410, 900]), "b": rng.integers(0, 9, 60) ** 2})
    coded = encode_for(table, check(am.Schema(dict.fromkeys("ab", am.Column(role="quasi"))), table), [am.KAnonymity(6)])
    losses = [
        published_loss(coded, METHODS["best"].run(coded, [am.KAnonymity(6)], suppression=3, effort=effort))
        for effort in (0.05, 0.3, 1, 3)
    ]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < published_loss(coded, METHODS["best"].run(coded, [am.KAnonymity(6)]))


def test_columns_that_are_recoded_the_same_everywhere_still_are() -> None:
    table, _ = with_a_tail(1, 60)
    for method, options in (("single-dimensional", {}), ("unrestricted", {"into": "sets"})):
        told = {"quasi": ["range", "grid"], "k": 4, "rest": "drop", "method": method, "suppression": 0.1, **options}
        release = am.anonymize(table, **told)
        assert release.utility.n_suppressed
        coded, group = release.coded, release.partition.group_of_row
        for c, codes in enumerate(coded.codes):
            lo, hi = release.partition.lo[group[group >= 0], c], release.partition.hi[group[group >= 0], c]
            shown = {*zip(codes[group >= 0].tolist(), lo.tolist(), hi.tolist(), strict=True)}
            assert len(shown) == len({code for code, *_ in shown})


def test_every_method_says_whether_rows_may_be_left_out() -> None:
    without = METHODS.names(lambda method: "suppression" not in method.options)
    assert all(METHODS[name].keeps_all or METHODS[name].publishes == "two tables" for name in without)
    with pytest.raises(BadOption, match="regions"):
        am.anonymize(pa.table({"age": [*[20] * 20, 99]}), quasi="age", k=20, method="regions", suppression=1)


@pytest.mark.parametrize("method", TAKES_MORE)
def test_people_are_still_enough(method: str) -> None:
    table, schema = with_a_tail(2)
    plain = made(table, schema, ASKED["k"], method, unit="who")
    release = made(table, schema, ASKED["k"], method, unit="who", suppression=0.15)
    assert release.verdict.ok
    assert release.utility.n_suppressed <= 10
    assert published_loss(release.coded, release.partition) <= published_loss(plain.coded, plain.partition)


def test_far_rows_win_what_trying_every_end_of_every_group_wins() -> None:
    table, schema = with_a_tail(5, 40)
    schema = check(schema, table)
    coded = encode_for(table, schema, ASKED["k"])
    groups = boxed(coded, np.arange(40) % 3)
    prices = prices_of(coded)
    full = sum(price.full for price in prices.columns)
    codes = np.stack([column.astype(np.int64) for column in coded.codes], axis=1)
    far = far_rows(coded, groups, 40, 5, together=False)
    for g in range(3):
        rows = codes[groups.group_of_row == g]
        middle = np.sort(rows, axis=0)[(len(rows) - 1) // 2]
        off = [int(prices.of_boxes(*ends(np.stack([row, middle])))[0]) for row in rows]
        order = sorted(range(len(rows)), key=lambda i: (off[i], *rows[i]))
        losses = [
            j * int(prices.of_boxes(*ends(rows[order[:j]]))[0]) + (len(rows) - j) * full
            for j in range(5, len(rows) + 1)
        ]
        kept = rows[~far[groups.group_of_row == g]]
        assert (len(kept) - 5) == max(i for i, loss in enumerate(losses) if loss == min(losses))
    assert far.any()
    assert not far_rows(coded, groups, 0, 5, together=False).any()


def ends(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return rows.min(axis=0)[None, :], rows.max(axis=0)[None, :]


def test_how_many_were_left_out_is_told_rounded(tmp_path: Path) -> None:
    table = pa.table({"age": [*[20, 21, 22, 23] * 5, 99]})
    release = am.anonymize(table, quasi="age", k=5, suppression=2, method="gain-split")
    assert release.utility.n_suppressed == 1
    release.write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["output"]["suppressed"] == {"least": 1, "most": 4}
    assert told["method"]["options"] == {"suppression": 2}


@pytest.mark.parametrize("wrong", [-1, 1.5, 22, "few", True])
def test_what_is_no_share_and_no_number_of_rows_is_refused(wrong: Any) -> None:
    table = pa.table({"age": [*[20, 21, 22, 23] * 5, 99]})
    with pytest.raises(BadOption, match="suppression"):
        am.anonymize(table, quasi="age", k=5, suppression=wrong, method="mondrian")


def test_elsewhere_than_in_memory_the_same_rows_are_left_out(tmp_path: Path) -> None:
    table = pa.table({"age": [*[20, 21, 22, 23] * 5, 99]})
    pq.write_table(table, tmp_path / "ages.parquet")
    asked: dict[str, Any] = {"quasi": "age", "k": 5, "suppression": 0.1}
    for method in ("mondrian", "best"):
        release = am.anonymize(tmp_path / "ages.parquet", **asked, method=method, engine="duckdb")
        release.write(tmp_path / method)
        published = pq.read_table(tmp_path / method / "release.parquet")
        assert published.num_rows == 20
        assert published["age"].to_pylist() == am.anonymize(table, **asked, method=method).table["age"].to_pylist()
