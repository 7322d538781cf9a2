"""Anatomy's groups: every value once, whenever that can be; and nothing about the order of the input."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.encode import encode
from amongst.errors import BadOption, Infeasible
from amongst.partition.anatomy.anatomy import anatomy
from amongst.partition.anatomy.eligible_parts import eligible_parts
from amongst.partition.lots import Lots
from amongst.schema.check import check
from anatomy_tables import SCHEMA, eligible_table

orders = pytest.mark.parametrize("order", ["random", "near"])


def groups_of(table: pa.Table, l: int, **options: object) -> tuple[np.ndarray, list[object], dict[str, object]]:  # noqa: E741
    coded = encode(table, check(SCHEMA, table), ["disease"])
    partition = anatomy(coded, [am.LDiversity(l)], **options)  # type: ignore[arg-type]
    return partition.group_of_row, table["disease"].to_pylist(), partition.facts


@orders
@given(seed=st.integers(0, 2**32 - 1), l=st.integers(2, 7), tight=st.booleans())
def test_every_row_is_in_a_group_of_l_or_more_with_every_value_once(order: str, seed: int, l: int, tight: bool) -> None:  # noqa: E741
    table = eligible_table(np.random.default_rng(seed), l, tight=tight)
    group, values, facts = groups_of(table, l, order=order)
    sizes = np.bincount(group)
    assert len(group) == table.num_rows
    assert group.min() == 0
    assert sizes.min() >= l
    assert max(Counter(zip(group.tolist(), values, strict=True)).values()) == 1
    numbers = facts["number_of_group"]
    assert sorted(numbers) == list(range(len(sizes)))  # type: ignore[call-overload]
    if order == "random":
        assert len(sizes) == table.num_rows // l  # there cannot be more
        assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("sense", ["frequency", "distinct", "entropy"])
def test_every_sense_holds_in_every_group(sense: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        table = eligible_table(rng, 3)
        release = am.anonymize(table, SCHEMA, [am.LDiversity(3, sense)], method="anatomy")
        assert release.verdict.ok
        assert release.verdict.models[0].reached >= 3


def test_a_broken_l_is_rounded_up() -> None:
    table = eligible_table(np.random.default_rng(1), 3, tight=True)
    group, _, _ = groups_of(table, 2.5)  # type: ignore[arg-type]
    assert np.bincount(group).min() == 3


@given(seed=st.integers(0, 2**32 - 1), l=st.integers(2, 5), n_values=st.integers(2, 30))
def test_parts_are_eligible_and_cannot_be_cut_where_cuts_are_tried(seed: int, l: int, n_values: int) -> None:  # noqa: E741
    rng = np.random.default_rng(seed)
    values = rng.integers(0, n_values, int(rng.integers(l, 200)))
    if np.bincount(values).max() * l > len(values):
        return
    first = eligible_parts(values, n_values, l)
    ends = [*first[1:].tolist(), len(values)]
    assert first[0] == 0
    for start, end in zip(first.tolist(), ends, strict=True):
        assert max(Counter(values[start:end].tolist()).values()) * l <= end - start
        half = start + round((end - start) / 2)
        sides = [values[start:half].tolist(), values[half:end].tolist()]
        assert not all(len(side) >= l and max(Counter(side).values()) * l <= len(side) for side in sides)


def test_parts_are_the_same_counted_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from amongst.partition.anatomy import eligible_parts as module

    values = np.random.default_rng(5).integers(0, 20, 3000)
    whole = eligible_parts(values, 20, 3)
    assert len(whole) > 100
    monkeypatch.setattr(module, "MOST_CELLS", 100)
    assert np.array_equal(eligible_parts(values, 20, 3), whole)


def test_near_groups_are_narrower() -> None:
    from amongst.measure.ncp import gcp, ncp

    census = am.datasets.census(n_rows=5000)
    schema = census.schema.with_columns(**{"salary-class": am.Column(role="identifier")})
    extents = {}
    for order in ("random", "near"):
        release = am.anonymize(census.table, schema, [am.LDiversity(3)], method="anatomy", order=order)
        extents[order] = gcp(ncp(release.coded, release.schema, release.partition))
    assert extents["near"] < extents["random"] / 4


@orders
def test_the_seed_and_who_has_what_decide_the_lots(order: str) -> None:
    table = eligible_table(np.random.default_rng(8), 2, most_rows=200)
    same = [groups_of(table, 2, order=order, seed=1)[0] for _ in range(2)]
    assert np.array_equal(*same)
    assert not np.array_equal(same[0], groups_of(table, 2, order=order, seed=2)[0])


def test_lots_cannot_be_drawn_without_the_table() -> None:
    quasi, sensitive = np.arange(50), np.arange(50) % 5
    other = sensitive.copy()
    other[[0, 1]] = other[[1, 0]]
    drawn = Lots(0, [quasi, sensitive]).draw("rows", 50)
    assert not np.isin(drawn, Lots(0, [quasi, other]).draw("rows", 50)).any()
    assert not np.isin(drawn, Lots(0, [quasi, sensitive]).draw("groups", 50)).any()
    assert sorted(Lots(3, [quasi]).permutation("x", 9)) == list(range(9))


def test_who_meets_whom_is_even() -> None:
    """Over many seeds each of two rows with one value is with a third row equally often."""
    table = pa.table({"age": [20, 30, 40, 50], "disease": ["a", "a", "b", "c"]})
    schema = am.Schema({"age": am.Column(role="quasi"), "disease": am.Column(role="sensitive")})
    coded = encode(table, check(schema, table), ["disease"])
    met = 0
    for seed in range(400):
        group = anatomy(coded, [am.LDiversity(2)], seed=seed).group_of_row
        assert group[0] != group[1]
        met += int(group[0] == group[2])
    assert 150 < met < 250


@pytest.mark.parametrize(
    ("counts", "l", "best", "rank"), [([6, 2, 2], 2, 1, 1), ([4, 3], 2, 1, 1), ([5, 5], 3, 2, 2), ([4], 2, 1, 1)]
)
def test_a_value_that_is_too_frequent_is_named_by_rank(counts: list[int], l: int, best: int, rank: int) -> None:  # noqa: E741
    values = [f"secret-{i}" for i, n in enumerate(counts) for _ in range(n)]
    table = pa.table({"age": list(range(len(values))), "disease": values})
    schema = am.Schema({"age": am.Column(role="quasi"), "disease": am.Column(role="sensitive")})
    with pytest.raises(Infeasible) as caught:
        am.anonymize(table, schema, [am.LDiversity(l)], method="anatomy")
    assert caught.value.facts["largest_l"] == best
    assert caught.value.facts["rank"] == 1
    assert "secret" not in str(caught.value)
    assert "rank 1" in str(caught.value)
    assert (f"rank {rank}" in str(caught.value)) is True
    if best > 1:
        assert f"use l <= {best}" in str(caught.value)
        assert am.anonymize(table, schema, [am.LDiversity(best)], method="anatomy").verdict.ok


def test_what_it_refuses() -> None:
    table = eligible_table(np.random.default_rng(2), 3)
    ask = {"method": "anatomy"}
    for models in ([am.KAnonymity(3)], [am.LDiversity(3), am.KAnonymity(2)], [am.TCloseness(0.2)]):
        with pytest.raises(BadOption, match="quasi-identifiers as they are"):
            am.anonymize(table, SCHEMA, models, **ask)
    with pytest.raises(BadOption, match="every sense"):
        am.anonymize(table, SCHEMA, [am.LDiversity(3, ("recursive", 2.0))], **ask)
    with pytest.raises(BadOption, match="l = 1"):
        am.anonymize(table, SCHEMA, [am.LDiversity(1)], **ask)
    with pytest.raises(BadOption, match="no order 'far'"):
        am.anonymize(table, SCHEMA, [am.LDiversity(3)], **ask, order="far")
    with pytest.raises(BadOption, match="not known: cuts"):
        am.anonymize(table, SCHEMA, [am.LDiversity(3)], **ask, cuts="ordered")
    with pytest.raises(BadOption, match="no ranges"):
        am.anonymize(table, SCHEMA, [am.LDiversity(3)], **ask, form="bounds")
    with pytest.raises(BadOption, match="rows, not people"):
        am.anonymize(table, SCHEMA, [am.LDiversity(3)], **ask, unit="name")
    with pytest.raises(BadOption, match="'age' is not sensitive"):
        am.anonymize(table, SCHEMA, [am.LDiversity(3, column="age")], **ask)
    two = SCHEMA.with_columns(note=am.Column(role="sensitive"))
    for column in (None, "disease"):
        with pytest.raises(BadOption, match="exactly one sensitive column"):
            am.anonymize(table, two, [am.LDiversity(2, column=column)], **ask)
    none = SCHEMA.with_columns(disease=am.Column(role="keep"))
    with pytest.raises(BadOption, match="exactly one sensitive column"):
        am.anonymize(table, none, [am.LDiversity(2)], **ask)


def test_it_is_among_the_methods() -> None:
    found = {method["name"]: method for method in am.methods()}["anatomy"]
    assert found["recoding"] == "none"
    assert found["options"] == {"order": "random", "seed": 0}
    with pytest.raises(BadOption, match="did you mean 'anatomy'"):
        am.anonymize(pa.table({"a": [1]}), SCHEMA, [am.LDiversity(2)], method="anatomi")
