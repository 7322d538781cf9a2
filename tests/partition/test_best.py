"""`best` is the best: never above another method, never worse with more effort, the same on any number of threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.kernels.holds import holds_by_class
from amongst.kernels.search import _search, pool_search
from amongst.manifest import Manifest
from amongst.partition.clusters import best as starting
from amongst.partition.conditions import conditions_of
from amongst.partition.methods import METHODS
from amongst.partition.pricing import prices_of
from amongst.partition.published_price import published_loss, published_prices
from amongst.partition.requested import encode_for
from amongst.partition.usual_method import LITTLE
from amongst.schema.check import check

LOCAL = sorted(
    name
    for name, method in METHODS.items()
    if method.family in ("mondrian", "clusters", "line", "cells") and method.publishes == "one table" and name != "best"
)
needs_kernels = pytest.mark.skipif(_search is None, reason="the search is compiled")


def random_table(seed: int, n: int = 60, *, wild: bool = False) -> tuple[pa.Table, am.Schema]:
    """Every way to publish, weights, and nulls under a rule."""
    rng = np.random.default_rng(seed)
    centre = rng.integers(0, 3, n)
    numbers = rng.integers(0, 12, n) + 6 * centre
    words = np.array(list("abcdefgh"))[np.clip(rng.poisson(1.5, n) + 2 * centre, 0, 7)]
    missing = rng.random(n) < 0.1
    table = pa.table(
        {
            "range": numbers,
            "node": np.clip(numbers + rng.integers(-2, 3, n), 0, 31),
            "grid": rng.integers(0, 40, n),
            "set": words,
            "tree": pa.array(rng.permutation(words), mask=missing),
            "s": rng.choice(list("xyz"), n, p=[0.5, 0.3, 0.2]),
            "who": rng.integers(0, n // 2, n),
        }
    )
    tree = am.Hierarchy.nested({"*": {"low": list("abcd"), "high": list("efgh")}})
    quasi: dict[str, Any] = {
        "range": am.Column(role="quasi", weight=float(rng.integers(1, 4))),
        "node": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([4, 8, 16]), publish="ancestor"),
        "grid": am.Column(role="quasi", grid=5),
        "set": am.Column(role="quasi", publish="set"),
        "tree": am.Column(role="quasi", hierarchy=tree, nulls="match anything" if wild else "own value"),
    }
    kept = [name for name in quasi if rng.random() < 0.7] or ["range"]
    others = {name: am.Column(role="identifier") for name in quasi if name not in kept}
    columns = {name: quasi.get(name) for name in kept} | others
    columns |= {"s": am.Column(role="sensitive"), "who": am.Column(role="identifier")}
    return table, am.Schema({name: columns[name] for name in table.column_names})


MODELS = [
    [am.KAnonymity(3)],
    [am.KAnonymity(2), am.LDiversity(2, "distinct", column="s")],
    [am.KAnonymity(4), am.TCloseness(0.4, column="s")],
]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("models", MODELS, ids=["k", "l", "t"])
def test_no_other_method_loses_less(models: list[Any], seed: int) -> None:
    table, schema = random_table(seed, wild=seed % 2 == 1 and len(models) == 1)
    schema = check(schema, table)
    coded = encode_for(table, schema, models, unit="who" if seed == 4 else None)
    found = METHODS["best"].run(coded, models)
    loss = published_loss(coded, found)
    asked = 0
    for name in LOCAL:
        try:
            other = METHODS[name].run(coded, models)
        except am.errors.AmongstError:
            continue
        assert loss <= published_loss(coded, other) + 1e-9, name
        asked += 1
    assert asked >= 5


@needs_kernels
@pytest.mark.parametrize("large", [False, True], ids=["all-starts", "fast-starts"])
@pytest.mark.parametrize("options", [{}, LITTLE], ids=["best", "default"])
def test_no_method_of_any_family_loses_less(
    options: dict[str, Any], large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large tables are small ones with the limits of large ones: then most methods are no starts."""
    if large:
        for limit in ("ALL_METHODS", "ALL_OF_FEW", "MENDED"):
            monkeypatch.setattr(starting, limit, 0)
    others = [one for one in METHODS.values() if one.publishes == "one table" and one.name != "best"]
    asked = 0
    for seed, models in enumerate([*MODELS, [am.KAnonymity(5), am.LDiversity(1.5, column="s")]]):
        table, schema = random_table(40 + seed, 300)
        schema = check(schema, table)
        coded = encode_for(table, schema, models, unit="who" if seed == 1 else None)
        loss = published_loss(coded, METHODS["best"].run(coded, models, **options))
        for method in others:
            try:
                other = method.run(coded, models)
            except am.errors.AmongstError:
                continue
            assert loss <= published_loss(coded, other) + 1e-9, method.name
            asked += 1
    assert asked >= 60


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_it_counts_in_is_that_of_the_release(seed: int) -> None:
    table, schema = random_table(seed)
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="best")
    assert release.partition.facts["loss"] == pytest.approx(release.utility.weighted_gcp, abs=2e-6)


@needs_kernels
@pytest.mark.parametrize("models", MODELS, ids=["k", "l", "t"])
def test_more_effort_never_loses_more(models: list[Any]) -> None:
    table, schema = random_table(8, 200)
    schema = check(schema, table)
    coded = encode_for(table, schema, models)
    losses = [published_loss(coded, METHODS["best"].run(coded, models, effort=effort)) for effort in (0.1, 1, 4)]
    assert losses == sorted(losses, reverse=True)


@needs_kernels
def test_a_start_that_mostly_fails_is_mended_on_small_tables_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mending is dear there, and the search from a split that holds loses less by then."""
    rng = np.random.default_rng(5)
    ages = rng.integers(0, 60, 900)
    table = pa.table({"a": ages, "b": rng.integers(0, 9, 900), "s": (ages // 10 + rng.integers(0, 3, 900)).astype(str)})
    schema = check(
        am.Schema({"a": am.Column(role="quasi"), "b": am.Column(role="quasi"), "s": am.Column(role="sensitive")}), table
    )
    models = [am.KAnonymity(3), am.TCloseness(0.3, column="s")]
    coded = encode_for(table, schema, models)
    monkeypatch.setattr(starting, "ALL_METHODS", 0)
    both = METHODS["best"].run(coded, models)
    monkeypatch.setattr(starting, "MENDED", 0)
    monkeypatch.setattr(starting, "mend", lambda *_: pytest.fail("it was mended"))
    alone = METHODS["best"].run(coded, models)
    assert holds_by_class(conditions_of(coded, models), alone.group_of_row, alone.n_groups).all()
    split = METHODS["gain-split"].run(coded, models)
    assert published_loss(coded, alone) < 0.9 * published_loss(coded, split)
    assert published_loss(coded, alone) <= 1.1 * published_loss(coded, both)


@needs_kernels
def test_steps_repeat_what_seconds_have_made() -> None:
    table, schema = random_table(3, 300)
    schema = check(schema, table)
    coded = encode_for(table, schema, [am.KAnonymity(4)])
    timed = METHODS["best"].run(coded, [am.KAnonymity(4)], seconds=0.1)
    again = METHODS["best"].run(coded, [am.KAnonymity(4)], steps=timed.facts["steps"])
    assert np.array_equal(timed.group_of_row, again.group_of_row)


@needs_kernels
@pytest.mark.parametrize("suppression", [0, 0.05])
def test_the_manifest_repeats_what_seconds_have_made(tmp_path: Path, suppression: float) -> None:
    table, schema = random_table(3, 300)
    more: dict[str, Any] = {"suppression": suppression} if suppression else {}
    am.anonymize(table, schema, [am.KAnonymity(4)], "best", seconds=0.1, **more).write(tmp_path / "timed")
    inside, public = (Manifest.read(tmp_path / name) for name in ("timed.inside", "timed"))
    assert public["method"] == {"name": "best", "options": {"seconds": 0.1, **more}}  # its rounds may follow from rows
    assert inside.options == {"seconds": 0.1, "steps": inside["method"]["repeats"]["steps"], **more}
    again = am.anonymize(table, schema, inside.models, inside.method, seed=inside.seed, **inside.options)
    again.write(tmp_path / "again")
    data = list(public["output"]["sha256"])
    assert data
    assert all((tmp_path / "timed" / one).read_bytes() == (tmp_path / "again" / one).read_bytes() for one in data)
    assert "repeats" not in Manifest.read(tmp_path / "again.inside")["method"]


@needs_kernels
@pytest.mark.parametrize("models", MODELS, ids=["k", "l", "t"])
def test_any_number_of_threads_gives_the_same_groups(models: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    table, schema = random_table(4, 600)
    schema = check(schema, table)
    coded = encode_for(table, schema, models)
    start = METHODS["gain-split"].run(coded, models)
    conditions = conditions_of(coded, models)
    made = []
    for n in (1, 2, 5):
        monkeypatch.setenv("AMONGST_THREADS", str(n))
        group, done, _, _ = pool_search(
            *published_prices(coded), conditions.k, start.group_of_row, rounds=70, conditions=conditions
        )
        assert done == 70
        made.append(group)
    assert np.array_equal(made[0], made[1])
    assert np.array_equal(made[0], made[2])
    assert not np.array_equal(made[0], start.group_of_row)


@needs_kernels
def test_the_kernel_counts_what_numpy_counts() -> None:
    """The loss that the kernel tells for groups that it cannot change is the published loss, to its rounding."""
    for seed in range(6):
        table, schema = random_table(seed)
        schema = check(schema, table)
        coded = encode_for(table, schema, [am.KAnonymity(2)])
        start = METHODS["mondrian"].run(coded, [am.KAnonymity(5)])
        prices, codes = published_prices(coded)
        columns = tuple(price.arrays(own) for price, own in zip(prices, codes, strict=True))
        group = start.group_of_row.astype(np.int32)
        _, _, loss = _search.search(columns, 2, None, group, 0, 0, -1, -1.0, 1, None, None)
        scale = coded.n_rows * sum(price.full for price in prices)
        assert loss / scale == pytest.approx(published_loss(coded, start), abs=1e-5)


def test_what_is_no_number_of_seconds_or_steps_is_refused() -> None:
    table, schema = random_table(0)
    for wrong in ({"seconds": 0}, {"seconds": "x"}, {"steps": -1}, {"steps": 1.5}):
        with pytest.raises(am.errors.BadOption):
            am.anonymize(table, schema, [am.KAnonymity(3)], method="best", **wrong)


def test_a_tree_costs_no_more_than_the_leaves_that_occur() -> None:
    rows = [[f"{leaf:03d}", f"{leaf:03d}"[:2] + "*", f"{leaf:03d}"[:1] + "**", "*"] for leaf in range(1000)]
    table = pa.table({"zip": [f"{leaf:03d}" for leaf in (1, 2, 3, 501, 502, 999)]})
    tree = am.Hierarchy.from_rows(rows)
    schema = check(am.Schema({"zip": am.Column(role="quasi", hierarchy=tree)}), table)
    coded = encode_for(table, schema, [am.KAnonymity(2)])
    assert len(prices_of(coded).stretches) == 6 + 3 + 3  # leaves, tens and hundreds
    prices, codes = published_prices(coded)
    assert (prices[0].n, codes[0].max()) == (6, 5)
    shares = prices[0].of(np.array([0, 0, 3]), np.array([2, 5, 4])) / prices[0].full
    assert shares == pytest.approx([0.01, 1.0, 0.01], abs=1e-5)
