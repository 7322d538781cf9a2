"""Labels overlap exactly where some value fits both."""

from itertools import product

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.published.layout import Leaf, lay_out
from amongst.published.open_published import open_published
from amongst.published.readings import read_labels
from amongst.published.tally import tally
from amongst.schema import Column, Hierarchy, Schema
from amongst.verify.together.overlap import extents_of, overlap

PLACES = Hierarchy.nested({"North": ["Oslo", "Turku"], "South": {"Italy": ["Roma", "Bari"], "Spain": ["Cadiz"]}})
LEAVES = {
    "North": {"Oslo", "Turku"},
    "South": {"Roma", "Bari", "Cadiz"},
    "Italy": {"Roma", "Bari"},
    "Spain": {"Cadiz"},
    "*": {"Oslo", "Turku", "Roma", "Bari", "Cadiz"},
}


def extents(texts, column, untold=False):
    source = open_published(pa.table({"q": pa.array(texts, pa.string())}))
    schema = Schema({"q": column})
    layout = lay_out(source, schema)
    rows = tally(source, [Leaf("q")])
    (reading,) = read_labels(layout, rows)
    return reading.texts[0].to_pylist(), extents_of(reading, column, untold=untold)


def overlapping(ours, theirs, column, **options):
    """Which pairs of texts overlap."""
    first, a = extents(ours, column, **options)
    second, b = extents(theirs, column, **options)
    found = overlap(a, b)
    return {(x, y): bool(found[i, j]) for (i, x), (j, y) in product(enumerate(first), enumerate(second))}


def in_range(text):
    """The whole numbers 0..9 that a label fits."""
    if text == "*":
        return set(range(10)) | {None}
    if text is None:
        return {None}
    if not text.startswith(("[", "]", "(", "{")):
        return {int(text)}
    if text.startswith("{"):
        members = [int(part) for part in text[1:-1].split(",")]
        return set(range(min(members), max(members) + 1))  # a set of numbers is taken for the stretch that holds it
    first, last = (int(part) for part in text[1:-1].split(", " if ", " in text else "-"))
    return set(range(first + (text[0] != "["), last + (text[-1] == "]")))


numbers = st.integers(0, 9)
pairs = st.tuples(numbers, numbers).map(sorted)
ranges = pairs.map(lambda ends: f"[{ends[0]}-{ends[1]}]")
half_open = pairs.filter(lambda ends: ends[0] < ends[1]).map(lambda ends: f"[{ends[0]}, {ends[1]}[")
number_labels = st.one_of(
    ranges, half_open, numbers.map(str), st.just("*"), st.none(), pairs.map(lambda ends: f"{{{ends[0]},{ends[1]}}}")
)


@given(st.lists(number_labels, min_size=1, max_size=6), st.lists(number_labels, min_size=1, max_size=6))
def test_numbers(ours, theirs):
    column = Column(role="quasi", kind="numeric", nulls="own value")
    for (x, y), found in overlapping(ours, theirs, column).items():
        a, b = in_range(x), in_range(y)
        if a & b:
            assert found, (x, y)
        elif not (str(x).endswith("[") or str(y).endswith("[")):  # between whole numbers others may lie
            assert not found, (x, y)


names = st.sampled_from([*LEAVES, *LEAVES["*"], "{Oslo,Roma}", None])


def leaves(text):
    if text is None:
        return {None}
    if text.startswith("{"):
        return set(text[1:-1].split(","))
    return LEAVES.get(text, {text}) | ({None} if text == "*" else set())


@given(st.lists(names, min_size=1, max_size=6), st.lists(names, min_size=1, max_size=6))
def test_names_in_a_hierarchy(ours, theirs):
    column = Column(role="quasi", kind="categorical", hierarchy=PLACES, nulls="own value")
    for (x, y), found in overlapping(ours, theirs, column).items():
        assert found == bool(leaves(x) & leaves(y)), (x, y)


def test_names_in_a_hierarchy_that_is_not_told_may_overlap():
    column = Column(role="quasi", kind="categorical")
    assert overlapping(["North"], ["Oslo", "South"], column, untold=True) == {
        ("North", "Oslo"): True,
        ("North", "South"): True,
    }
    assert overlapping(["North"], ["Oslo", "North"], column) == {("North", "Oslo"): False, ("North", "North"): True}


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("5371*", "53711", True),
        ("5371*", "53721", False),
        ("5371*", "537**", True),
        ("5371*", "538**", False),
        ("537**", "5371*", True),
        ("53711", "53711", True),
        ("53711", "53712", False),
        ("0****", "1234", True),  # a whole number has lost its zero
        ("5371*", "*****", True),
    ],
)
def test_digits(one, other, meet):
    column = Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5))
    assert overlapping([one], [other], column) == {(one, other): meet}


def test_parts_of_the_calendar():
    column = Column(role="quasi", kind="date", hierarchy=Hierarchy.dates("month", "year"))
    found = overlapping(["2024-03", "2023"], ["2024", "2024-03-31", "2024-04-01"], column)
    assert found["2024-03", "2024"]
    assert found["2024-03", "2024-03-31"]
    assert not found["2024-03", "2024-04-01"]
    assert not found["2023", "2024"]


def test_a_missing_value_that_matches_anything_overlaps_everything():
    column = Column(role="quasi", kind="numeric", nulls="match anything")
    assert overlapping([None], ["3", "[4-5]"], column) == {(None, "3"): True, (None, "[4-5]"): True}
