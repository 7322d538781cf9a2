"""Any number of releases held together, against a judge in lists and loops."""

from __future__ import annotations

import itertools
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.published.layout import lay_out
from amongst.published.open_published import open_published
from amongst.published.release_part import Part
from amongst.verify.together.all_releases import together
from thorough import some

SCHEMA = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "ill": am.Column(role="sensitive")})
Row = tuple[int, int, str]


def part(rows: list[Row]) -> Part:
    labels = [str(lo) if lo == hi else f"[{lo}-{hi}]" for lo, hi, _ in rows]
    source = open_published(pa.table({"age": labels, "ill": [ill for *_, ill in rows]}))
    return Part(source, lay_out(source, SCHEMA))


def naive(releases: list[list[Row]]) -> tuple[int, int] | None:
    """The least rows and values over everybody who can be: an age, and a class that covers it in every release."""
    worst = []
    for age in range(8):
        own = [sorted({(lo, hi) for lo, hi, _ in rows if lo <= age <= hi}) for rows in releases]
        for way in itertools.product(*own):
            left = None
            for rows, (lo, hi) in zip(releases, way, strict=True):
                here = Counter(ill for a, b, ill in rows if (a, b) == (lo, hi))
                left = here if left is None else left & here
            if left is not None and sum(left.values()):
                worst.append((sum(left.values()), len(left)))
    return (min(rows for rows, _ in worst), min(values for _, values in worst)) if worst else None


BOX = st.tuples(st.integers(0, 7), st.integers(0, 3)).map(lambda one: (one[0], min(one[0] + one[1], 7)))
RELEASE = st.lists(st.tuples(BOX, st.sampled_from("abc")), min_size=1, max_size=9).map(
    lambda rows: [(*box, ill) for box, ill in rows]
)


@settings(max_examples=some(60), deadline=None)
@given(st.lists(RELEASE, min_size=2, max_size=4))
def test_the_least_rows_and_values_are_those_of_a_naive_judge(releases: list[list[Row]]) -> None:
    found = together([part(rows) for rows in releases], [], 1, ["x"] * len(releases))
    expected = naive(releases)
    if expected is None:
        assert not found.compared
        assert not found.ok
    else:
        assert (found.least_rows, found.least_values) == expected


def test_three_releases_tell_what_no_two_of_them_do() -> None:
    one = [(0, 5, ill) for ill in "aabbcc"]
    two = [(0, 5, ill) for ill in "aabbdd"]
    three = [(0, 5, ill) for ill in "aaccdd"]
    models = [am.KAnonymity(4), am.LDiversity(2, "distinct")]
    for pair in itertools.combinations((one, two, three), 2):
        assert together([part(rows) for rows in pair], models, 4, ["x", "y"]).ok
    found = together([part(rows) for rows in (one, two, three)], models, 4, ["x", "y", "z"])
    assert not found.ok
    assert {finding.code for finding in found.findings} == {"together", "together-values"}
    assert found.to_dict()["least_rows"] == "fewer than 4"


def test_one_release_and_releases_without_a_common_column_are_not_compared() -> None:
    assert not together([part([(0, 1, "a")])], [], 1, ["x"])
    assert not together([part([(0, 1, "a")]), part([(3, 4, "a")])], [], 1, ["x", "y"]).compared


@pytest.mark.parametrize("break_one", [False, True])
def test_a_series_holds_by_its_files_alone_and_independent_releases_do_not(tmp_path, break_one: bool) -> None:
    year = am.datasets.hospital_year(n_persons=300, n_months=4)
    models = [am.KAnonymity(5), am.LDiversity(2, "distinct")]
    series = am.Series(year[0].schema, models, person="person", key=b"a key for the tests only")
    for number, month in enumerate(year):
        alone = break_one and number == 2
        release = am.anonymize(month.table, month.schema, models, "best") if alone else series.next(month.table)
        release.write(tmp_path / str(number))
    found = am.verify_together([tmp_path / str(number) for number in range(4)], schema=year[0].schema)
    assert found.compared
    assert found.ok is not break_one
