"""Utility against a recomputation from the published table; the papers' examples."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_measure import Naive

import amongst as am
from amongst.encode import encode
from amongst.measure import measure
from amongst.measure.ncp import ncp_of_group
from amongst.partition import Partition
from amongst.schema.check import check
from flow_tables import random_table
from test_flow_properties import release_of

METHODS = ("mondrian", "mondrian-relaxed", "single-dimensional")


def compare(seed: int, method: str) -> None:
    made = random_table(np.random.default_rng(seed))
    release = release_of(made, method)
    if release is None:
        return
    utility, naive = release.utility, Naive(made, release)
    assert utility.n_suppressed == made.table.num_rows - release.table.num_rows
    assert utility.c_dm == naive.c_dm()
    assert utility.c_avg == pytest.approx(naive.c_avg())
    assert utility.n_classes == len(naive.classes)
    assert (utility.smallest, utility.largest) == (min(naive.classes.values()), max(naive.classes.values()))
    assert utility.uniques_before == naive.uniques_before()
    assert utility.uniques_after == naive.uniques_after()
    wanted = {name: naive.ncp(name) for name in release.schema.quasi}
    assert utility.ncp == pytest.approx(wanted, abs=1e-6), {name: release.schema[name] for name in wanted}
    assert utility.gcp == pytest.approx(sum(wanted.values()) / len(wanted), abs=1e-6)
    assert utility.lm == pytest.approx(naive.lm(), abs=1e-6)
    weights = {name: made.schema[name].weight for name in wanted}
    weighted = sum(weights[name] * loss for name, loss in wanted.items()) / sum(weights.values())
    assert utility.weighted_gcp == pytest.approx(weighted, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_measures_of_many_releases(method: str) -> None:
    for seed in range(100):
        compare(seed, method)


@given(seed=st.integers(0, 2**32 - 1), method=st.sampled_from(METHODS))
def test_measures_of_releases_that_hypothesis_finds(seed: int, method: str) -> None:
    compare(seed, method)


COUNTRIES = {"America": ["US", "Canada"], "Europe": ["Italy", "France", "Spain"]}


def ncp_of(tree: dict[str, list[str]], *values: str) -> float:
    """NCP of one group with these values, in a table that has every country."""
    everything = [leaf for leaves in tree.values() for leaf in leaves]
    table = pa.table({"country": everything})
    rule = am.Column(role="quasi", hierarchy=am.Hierarchy.nested(tree))
    (column,) = encode(table, check(am.Schema({"country": rule}), table)).columns
    codes = [column.values.to_pylist().index(value) for value in values]
    return float(ncp_of_group(column, np.array([min(codes)]), np.array([max(codes)]))[0])


@pytest.mark.known_answer(
    "fast",
    "figure 11",
    what="NCP in the tree of five countries",
    answer="{Italy, France}: 3/5; {US, Spain}: 1; one country: 0",
)
def test_fast_anonymization_figure_11_ncp_of_countries() -> None:
    assert ncp_of(COUNTRIES, "Italy", "France") == 3 / 5
    assert ncp_of(COUNTRIES, "US", "Spain") == 1
    assert ncp_of(COUNTRIES, "Italy") == 0
    assert ncp_of(COUNTRIES, "US", "Canada") == 2 / 5
    for pair in combinations(COUNTRIES["Europe"], 2):
        assert ncp_of(COUNTRIES, *pair) == 3 / 5


@pytest.mark.known_answer(
    "utility",
    "example 1, figure 2",
    what="uncertainty of two groupings of six points",
    answer="190 for {a, b}, {c, d}, {e, f}; 150 for {a, b, c}, {d, e, f}",
)
def test_utility_based_example_1_a_3_anonymization_that_loses_less() -> None:
    """Six points; the uncertainty of a group is its width plus its height, for every point.

    Groups {a,b},{c,d},{e,f} lose 190, groups {a,b,c},{d,e,f} lose 150, with the better C_DM and C_AVG on the
    side of the first.
    """
    points = {"a": (10, 70), "b": (20, 60), "c": (20, 50), "d": (50, 20), "e": (50, 10), "f": (60, 15)}
    table = pa.table({axis: [point[i] for point in points.values()] for i, axis in enumerate("xy")})
    schema = check(am.Schema({axis: am.Column(role="quasi") for axis in "xy"}), table)
    coded = encode(table, schema)
    spans = [column.span for column in coded.columns]

    def loss(groups: list[str], k: int) -> tuple[float, Any]:
        of_row = [next(i for i, group in enumerate(groups) if name in group) for name in points]
        group_of_row = np.array(of_row, dtype=np.int32)
        own = [[codes[group_of_row == g] for codes in coded.codes] for g in range(len(groups))]
        lo = np.array([[codes.min() for codes in columns] for columns in own], dtype=np.uint32)
        hi = np.array([[codes.max() for codes in columns] for columns in own], dtype=np.uint32)
        partition = Partition(group_of_row, lo, hi)
        utility = measure(coded, schema, partition, partition.size_of_group, [am.KAnonymity(k)])
        assert utility.gcp == pytest.approx((utility.ncp["x"] + utility.ncp["y"]) / 2)
        return sum(6 * utility.ncp[axis] * span for axis, span in zip("xy", spans, strict=True)), utility

    two, utility_2 = loss(["ab", "cd", "ef"], 2)
    three, utility_3 = loss(["abc", "def"], 3)
    assert (two, three) == (pytest.approx(190), pytest.approx(150))
    assert (utility_2.c_dm, utility_3.c_dm) == (12, 18)
    assert utility_2.c_dm < utility_3.c_dm
    assert (utility_2.c_avg, utility_3.c_avg) == (1, 1)


def test_a_suppressed_row_loses_everything() -> None:
    table = pa.table({"age": [1, 1, 2, 2], "zip": [None, 5, 5, 5]})
    schema = am.Schema({"age": am.Column(role="quasi"), "zip": am.Column(role="quasi", nulls="suppress")})
    utility = am.anonymize(table, schema, [am.KAnonymity(1)], method="mondrian").utility
    assert utility.ncp == {"age": 0.25, "zip": 0.25}
    assert (utility.n_published, utility.n_suppressed) == (3, 1)
    assert utility.c_dm == 1 + 4 + 1 * 4


def test_discernibility_of_groups_too_large_for_32_bits() -> None:
    from amongst.measure.discernibility import discernibility

    assert discernibility(np.array([3_000_000_000, 1]), 2, 10) == 9 * 10**18 + 1 + 20
