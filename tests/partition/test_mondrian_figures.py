"""The Mondrian paper's own examples, by figure. Columns in the order Zipcode, Age, Sex, where ties matter."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from naive import Plain, divided

import amongst as am
from amongst.encode import CodedTable, encode
from amongst.partition import METHODS, Partition
from amongst.schema.check import check

PATIENTS = pa.table(
    {
        "Zipcode": [53711, 53712, 53711, 53710, 53712, 53711],
        "Age": [25, 25, 26, 27, 27, 28],
        "Sex": ["Male", "Female", "Male", "Male", "Female", "Male"],
        "Disease": ["Flu", "Hepatitis", "Brochitis", "Broken Arm", "AIDS", "Hang Nail"],
    }
)


def patients(quasi: list[str], method: str, k: int, **options: Any) -> am.Release:
    columns = {name: am.Column(role="quasi" if name in quasi else "keep") for name in PATIENTS.column_names}
    columns["Disease"] = am.Column(role="sensitive")
    if "Age" in quasi:
        columns["Age"] = am.Column(role="quasi", statistic="mean")
    return am.anonymize(PATIENTS, am.Schema(columns), [am.KAnonymity(k)], method, **options)


def groups(release: am.Release) -> list[list[int]]:
    """The rows of every group, numbered from 1 as in the paper."""
    rows: dict[int, list[int]] = {}
    for row, group in enumerate(release.group_of_row.tolist(), start=1):
        rows.setdefault(group, []).append(row)
    return sorted(rows.values())


def published(release: am.Release, *names: str) -> dict[str, tuple[Any, ...]]:
    """What is published beside every disease: in Patients they name the rows."""
    return {row["Disease"]: tuple(row[name] for name in names) for row in release.table.to_pylist()}


@pytest.mark.known_answer(
    "mondrian", "figure 3", what="groups of Patients, multidimensional, k = 2", answer="{1, 3}, {2, 5}, {4, 6}"
)
def test_figure_3_groups_of_the_multidimensional_anonymization() -> None:
    assert groups(patients(["Zipcode", "Age", "Sex"], "mondrian", 2)) == [[1, 3], [2, 5], [4, 6]]


@pytest.mark.known_answer(
    "mondrian",
    "figure 8",
    what="ranges and means of Age in Patients",
    answer="[25-26] with mean 25.5, [27-28] with 27.5, [25-27] with 26.0",
)
def test_figure_8_ranges_and_means_of_the_multidimensional_anonymization() -> None:
    release = patients(["Zipcode", "Age", "Sex"], "mondrian", 2)
    assert published(release, "Age", "Age_mean", "Sex", "Zipcode") == {
        "Flu": ("[25-26]", 25.5, "Male", "53711"),
        "Hepatitis": ("[25-27]", 26.0, "Female", "53712"),
        "Brochitis": ("[25-26]", 25.5, "Male", "53711"),
        "Broken Arm": ("[27-28]", 27.5, "Male", "[53710-53711]"),
        "AIDS": ("[25-27]", 26.0, "Female", "53712"),
        "Hang Nail": ("[27-28]", 27.5, "Male", "[53710-53711]"),
    }
    assert release.verdict.ok
    assert release.verdict.smallest == 2


@pytest.mark.known_answer(
    "mondrian",
    "section 5, the two example queries",
    what="AVG(Age) of men, and COUNT(*) of men of at most 26, from figure 8",
    answer="26.5 and 2, both precisely",
)
def test_section_5_the_two_example_queries_are_answered_precisely() -> None:
    release = patients(["Zipcode", "Age", "Sex"], "mondrian", 2)
    mean = release.query("SELECT AVG(Age) FROM Patients WHERE Sex = 'Male'").only
    men = release.query("SELECT COUNT(*) FROM Patients WHERE Sex = 'Male' AND Age <= 26").only
    assert (mean.exact, mean.estimate) == (True, 26.5)
    assert (men.exact, men.estimate) == (True, 2)


FIGURE_17 = {  # standard deviations of the error: single-dimensional and multidimensional, k = 10, 25, 50
    "X": ((5.94, 3.26), (7.17, 3.86), (5.94, 5.87)),
    "Y": ((2.56, 3.44), (4.17, 3.80), (6.15, 5.58)),
}


@pytest.mark.known_answer(
    "mondrian",
    "figure 17",
    what="how far the deviations of the error on X and on Y lie apart: single-dimensional, multidimensional",
    answer="k = 10: 3.38 and 0.18; k = 25: 3.0 and 0.06; k = 50: 0.21 and 0.29, the other way round",
)
def test_figure_17_what_its_printed_numbers_say() -> None:
    apart = {
        k: tuple(round(abs(x - y), 2) for x, y in zip(on_x, on_y, strict=True))
        for k, on_x, on_y in zip((10, 25, 50), FIGURE_17["X"], FIGURE_17["Y"], strict=True)
    }
    assert apart == {10: (3.38, 0.18), 25: (3.0, 0.06), 50: (0.21, 0.29)}


@pytest.mark.known_answer(
    "mondrian",
    "figure 4 (c)",
    what="Zipcode and Age of Patients, multidimensional cuts",
    answer="Zipcode at 53711, then Age at 26 among the lower zipcodes",
)
def test_figure_4c_two_cuts_zipcode_at_53711_and_then_age_at_26() -> None:
    release = patients(["Zipcode", "Age"], "mondrian", 2)
    assert published(release, "Zipcode", "Age") == {
        "Flu": ("53711", "[25-26]"),
        "Brochitis": ("53711", "[25-26]"),
        "Broken Arm": ("[53710-53711]", "[27-28]"),
        "Hang Nail": ("[53710-53711]", "[27-28]"),
        "Hepatitis": ("53712", "[25-27]"),
        "AIDS": ("53712", "[25-27]"),
    }


@pytest.mark.known_answer(
    "mondrian",
    "figure 4 (b)",
    what="Zipcode and Age of Patients, single-dimensional cuts",
    answer="one cut of Zipcode, at 53711, and none of Age",
)
def test_figure_4b_one_single_dimensional_cut_of_zipcode_and_none_of_age() -> None:
    release = patients(["Zipcode", "Age"], "single-dimensional", 2)
    left, right = ("[53710-53711]", "[25-28]"), ("53712", "[25-28]")
    assert published(release, "Zipcode", "Age") == {
        **dict.fromkeys(["Flu", "Brochitis", "Broken Arm", "Hang Nail"], left),
        **dict.fromkeys(["Hepatitis", "AIDS"], right),
    }


@pytest.mark.known_answer(
    "mondrian",
    "figure 2",
    what="Patients, single-dimensional, k = 2",
    answer="[25-28], Male, [53710-53711] four times and [25-28], Female, 53712 twice",
)
def test_figure_2_the_single_dimensional_anonymization() -> None:
    release = patients(["Zipcode", "Age", "Sex"], "single-dimensional", 2)
    male, female = ("[25-28]", "Male", "[53710-53711]"), ("[25-28]", "Female", "53712")
    assert published(release, "Age", "Sex", "Zipcode") == {
        **dict.fromkeys(["Flu", "Brochitis", "Broken Arm", "Hang Nail"], male),
        **dict.fromkeys(["Hepatitis", "AIDS"], female),
    }
    assert groups(release) == [[1, 3, 4, 6], [2, 5]]


@pytest.mark.known_answer(
    "mondrian",
    "figure 6",
    what="Zipcode of Patients, k = 3, strict and relaxed",
    answer="strict: [53710-53712] for all; relaxed: [53710-53711] and [53711-53712], three rows each",
)
def test_figure_6_relaxed_partitioning_of_zipcode_alone() -> None:
    """The strict model with k = 3 publishes the same for all; the relaxed one divides the rows of 53711."""
    strict = patients(["Zipcode"], "mondrian", 3)
    assert set(strict.table["Zipcode"].to_pylist()) == {"[53710-53712]"}
    relaxed = patients(["Zipcode"], "mondrian-relaxed", 3)
    assert [len(rows) for rows in groups(relaxed)] == [3, 3]  # which of the equal rows go where is drawn
    assert sorted(relaxed.table["Zipcode"].to_pylist()) == ["[53710-53711]"] * 3 + ["[53711-53712]"] * 3
    assert relaxed.verdict.ok


def lemma_1(d: int, k: int, m: int) -> list[tuple[int, ...]]:
    """m copies of the centre and k - 1 of each of its 2d neighbours."""
    points = [(1,) * d] * m
    for axis, step in product(range(d), (-1, 1)):
        points += [tuple(1 + step * (c == axis) for c in range(d))] * (k - 1)
    return points


def partition(points: list[tuple[int, ...]], k: int, method: str = "mondrian", **options: Any) -> Partition:
    names = [f"x{c}" for c in range(len(points[0]))]
    table = pa.table({name: [point[c] for point in points] for c, name in enumerate(names)})
    schema = check(am.Schema({name: am.Column(role="quasi") for name in names}), table)
    coded: CodedTable = encode(table, schema)
    return METHODS[method].run(coded, [am.KAnonymity(k)], **options)


def allowable_cuts(points: list[tuple[int, ...]], k: int) -> list[tuple[int, int]]:
    """Every allowable cut by its definition: k points at or below it, and k above."""
    found = []
    for c in range(len(points[0])):
        own = [point[c] for point in points]
        found += [(c, x) for x in sorted(set(own)) if k <= sum(value <= x for value in own) <= len(own) - k]
    return found


@pytest.mark.known_answer(
    "mondrian",
    "figure 5, lemma 1",
    what="the largest region that no cut divides, for 36 choices of d, k and m",
    answer="2d(k - 1) + m points; one point more allows one cut",
)
@pytest.mark.parametrize(("d", "k", "m"), list(product([1, 2, 3, 5], [2, 3, 10], [1, 2, 7])))
def test_figure_5_lemma_1_no_allowable_cut_until_one_more_point(d: int, k: int, m: int) -> None:
    points = lemma_1(d, k, m)
    assert len(points) == 2 * d * (k - 1) + m
    assert allowable_cuts(points, k) == []
    for cuts in ("ordered", "hierarchy-first", "hierarchy"):
        assert partition(points, k, cuts=cuts).n_groups == 1
    for step in (-1, 1):
        more = [*points, (1 + step,) + (1,) * (d - 1)]
        assert len(allowable_cuts(more, k)) == 1
        sizes = partition(more, k).size_of_group.tolist()
        assert sorted(sizes) == sorted([k, len(more) - k])


def test_theorem_3_a_single_dimensional_region_can_hold_nearly_all_points() -> None:
    """All values of x but one have many points; once x is cut everywhere nothing divides them along y."""
    k, many = 3, 40
    points = [(0, y % 5) for y in range(2 * k - 1)] + [(1, y) for y in range(5) for _ in range(many // 5)]
    largest = partition(points, k, "single-dimensional").size_of_group.max()
    assert largest >= many > 2 * 2 * (k - 1) + many // 5
    assert partition(points, k).size_of_group.max() <= 2 * 2 * (k - 1) + many // 5


def test_section_4_departure_the_cut_below_the_median_is_tried_too() -> None:
    """Six 2s above four 1s: cutting only above the median 2 would leave nothing on the right."""
    points = [(1,)] * 4 + [(2,)] * 6
    assert allowable_cuts(points, 4) == [(0, 1)]
    assert sorted(partition(points, 4).size_of_group.tolist()) == [4, 6]
    column = Plain([point[0] for point in points], [1, 2], {1: 1, 2: 2})
    assert divided(column, list(range(10)), last_left=1, k=4) is None
    assert np.array_equal(partition(points, 5).size_of_group, [10])
