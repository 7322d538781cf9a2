"""Regions: they cover the whole space once, follow no row, and hold what is asked."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import Case, random_case
from node_oracle import nodes_of, published_nodes

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.partition.partition import Partition
from amongst.partition.trees.regions import regions


def run(case: Case, **options: Any) -> Partition:
    return regions(case.coded, [am.KAnonymity(case.k)], **options)


def cases(seed: int, n: int = 120) -> list[Case]:
    rng = np.random.default_rng(seed)
    drawn = (random_case(rng, most_columns=3) for _ in range(n))
    return [case for case in drawn if not any(column.wildcard >= 0 for column in case.coded.columns)]


def test_every_combination_of_values_lies_in_exactly_one_region() -> None:
    for case in cases(0):
        partition = run(case)
        assert partition.size_of_group.min() >= case.k
        groups = published_nodes(case.coded, partition)
        for vector in product(*(range(len(max(nodes_of(column), key=len))) for column in case.coded.columns)):
            above = sum(all(code in node for code, node in zip(vector, nodes, strict=True)) for nodes in groups)
            assert above == 1


def test_no_region_can_be_split_into_children_that_all_hold() -> None:
    for case in cases(1):
        partition = run(case)
        codes = np.stack([column.codes for column in case.coded.columns], axis=1)
        for g, nodes in enumerate(published_nodes(case.coded, partition)):
            inside = codes[partition.group_of_row == g]
            for c, column in enumerate(case.coded.columns):
                below = [other for other in nodes_of(column) if other < nodes[c]]
                children = [one for one in below if not any(one < other for other in below)]
                sizes = [int(np.isin(inside[:, c], list(child)).sum()) for child in children]
                assert not children or min(sizes) < case.k


def test_where_rows_lie_within_a_region_changes_nothing() -> None:
    """What is published follows from counts in nodes: rows may move within their leaves' regions."""
    table = {"zip": ["11"] * 4 + ["12"] * 4 + ["21"] * 4 + ["22"] * 1}
    moved = {"zip": ["11"] * 4 + ["12"] * 4 + ["21"] * 1 + ["22"] * 4}
    rules = {"zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(2))}
    shown = [am.anonymize(pa.table(one), rules, [am.KAnonymity(3)], method="regions").table for one in (table, moved)]
    assert shown[0].equals(shown[1])
    assert sorted(set(shown[0]["zip"].to_pylist())) == ["11", "12", "2*"]


def test_models_of_values_and_people_hold() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 3000)
    release = am.anonymize(table, adult.schema, [am.KAnonymity(5), am.LDiversity(2, "distinct")], method="regions")
    assert release.verdict.ok
    assert release.partition.n_groups > 10
    people = table.append_column("who", pa.array(np.arange(3000) // 2))
    rules = am.Schema({**adult.schema, "who": am.Column(role="identifier")})
    assert am.anonymize(people, rules, [am.KAnonymity(5)], method="regions", unit="who").verdict.ok


def test_least_and_lots() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 3000)

    def made(**options: Any) -> am.Release:
        return am.anonymize(table, adult.schema, models, method="regions", **options)

    models: list[Any] = [am.KAnonymity(5)]
    assert made(drawn=0.9, seed=1).table.equals(made(drawn=0.9, seed=2).table)  # no values are looked at
    models.append(am.LDiversity(2, "distinct"))
    assert made(least=60).partition.size_of_group.min() >= 60
    drawn = [made(drawn=0.9, seed=seed).partition.n_groups for seed in range(4)]
    assert len(set(drawn)) > 1
    assert made(drawn=0.9, seed=1).table.equals(made(drawn=0.9, seed=1).table)
    with pytest.raises(BadOption, match="whole number of rows"):
        made(least=-1)
    with pytest.raises(Infeasible, match="3001-anonymity"):
        made(least=3001)


def test_nobody_lies_beside_the_regions_where_values_are_missing() -> None:
    """Parts of a range or of the calendar that nobody is in are parts all the same: they keep the others together."""
    ages = [1, 1, 3, 3, 6, 6, 8, 8, 9, 9]  # nobody is 4 or 5, so 4 to 7 is no two parts
    days = [f"2020-{month:02d}-03" for month in (1, 1, 2, 2, 3, 3, 7, 7, 8, 8)]
    table = pa.table({"age": ages, "day": pa.array(days).cast(pa.date32())})
    rules = {
        "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([2, 4, 8])),
        "day": am.Column(role="quasi", hierarchy=am.Hierarchy.dates("month", "quarter")),
    }
    for name in rules:
        one = am.Schema({name: rules[name]})
        shown = am.anonymize(table.select([name]), one, [am.KAnonymity(2)], method="regions").table[name].to_pylist()
        expected = {
            "age": {"[0-1]", "[2-3]", "[4-7]", "[8-15]"},  # nobody is 10 or older
            "day": {"*"},  # nobody came in the second quarter
        }[name]
        assert set(shown) == expected
