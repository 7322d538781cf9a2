"""Attribute suppression against all sets of columns."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from lattice_oracle import random_case
from node_oracle import Node, check_partition, loss_of, loss_of_rows, recoded

import amongst as am
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption, Infeasible
from amongst.partition.full_domain.attribute_suppression import attribute_suppression


def kept_or_dropped(column: CodedColumn, dropped: bool) -> dict[int, Node]:
    codes = range(column.n_values + (column.null_code is not None))
    return {code: frozenset(codes) if dropped else frozenset({code}) for code in codes}


def test_no_set_of_columns_loses_less() -> None:
    rng = np.random.default_rng(0)
    for _ in range(400):
        case = random_case(rng)
        columns = case.coded.columns
        keep = [column.name for column in columns if rng.random() < 0.15]
        allowed = [(False,) if column.name in keep else (False, True) for column in columns]
        losses = []
        for dropped in product(*allowed):
            maps = [kept_or_dropped(column, drop) for column, drop in zip(columns, dropped, strict=True)]
            published = recoded(case.coded, maps, case.k, case.most_suppressed)
            losses += [loss_of_rows(case.coded, published)] if published is not None else []
        models, options = [am.KAnonymity(case.k)], {"suppression": case.suppression, "keep": keep}
        if not losses:
            with pytest.raises(Infeasible):
                attribute_suppression(case.coded, models, **options)
            continue
        partition = attribute_suppression(case.coded, models, **options)
        check_partition(case.coded, partition, case.k, case.most_suppressed)
        assert loss_of(case.coded, partition) == pytest.approx(min(losses), abs=1e-9)


def test_columns_are_as_they_were_or_gone() -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "attribute-suppression", suppression=0.05)
    kept = release.group_of_row >= 0
    for name in adult.schema.quasi:
        published = release.table[name].to_pylist()
        if set(published) != {"*"}:
            was = [str(value) for value in adult.table[name].to_numpy(zero_copy_only=False)[kept]]
            assert sorted(published) == sorted(was)
    assert release.utility.n_suppressed <= 0.05 * adult.table.num_rows
    assert 0 < sum(set(release.table[name].to_pylist()) == {"*"} for name in adult.schema.quasi) < 8


def test_a_root_with_one_child_is_a_star() -> None:
    """The lowest node with all values is named Europe; what is dropped is dropped all the same."""
    import pyarrow as pa

    rows = [["fr", "Europe"], ["de", "Europe"]]
    schema = am.Schema({"land": am.Column(role="quasi", hierarchy=am.Hierarchy.from_rows(rows))})
    table = pa.table({"land": ["fr", "de", "fr"]})
    for method in ("attribute-suppression", "cell-suppression"):
        assert set(am.anonymize(table, schema, [am.KAnonymity(2)], method).table["land"].to_pylist()) == {"*"}
    assert set(am.anonymize(table, schema, [am.KAnonymity(2)], "full-subtree").table["land"].to_pylist()) == {"Europe"}


def test_kept_columns_stay() -> None:
    adult = am.datasets.load("adult")
    models = [am.KAnonymity(10)]
    release = am.anonymize(adult.table, adult.schema, models, "attribute-suppression", keep=["occupation"])
    assert "*" not in release.table["occupation"].to_pylist()


@pytest.mark.parametrize("keep", ["age", [1], ["no such column"]])
def test_columns_to_keep_that_are_none(keep: Any) -> None:
    adult = am.datasets.load("adult")
    with pytest.raises(BadOption):
        am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], "attribute-suppression", keep=keep)
