"""What the schema knows about labels, hierarchy by hierarchy: also that it knows what a tree publishes."""

import datetime

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amongst.published.known import Calendar, known_labels
from amongst.schema import Column, Hierarchy
from thorough import some

relaxed = settings(deadline=None, max_examples=some(50))


def understood(column, texts):
    known = known_labels(column)
    return known.understands(known.read(pa.array(texts, pa.string()))).tolist()


def labels_of(tree):
    return [label for level in tree.labels for label in level.values()]


whole = st.lists(st.integers(-1000, 1000), min_size=1, max_size=20, unique=True)
real = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20, unique=True)
days = st.lists(st.dates(datetime.date(1800, 1, 1), datetime.date(2200, 1, 1)), min_size=1, max_size=20, unique=True)
codes = st.lists(st.from_regex(r"[0-9]{5}", fullmatch=True), min_size=1, max_size=20, unique=True)
words = st.lists(st.text("abc*-{", min_size=1, max_size=5), min_size=1, max_size=10, unique=True)

RECIPES = [
    ("numeric", Hierarchy.intervals([5, 10, 20]), whole),
    ("numeric", Hierarchy.intervals([0.25, 0.5], origin=0.1), real),
    ("numeric", Hierarchy.edges([[-1000, 0, 10, 1000], [-1000, 10, 1000]]), whole),
    ("numeric", Hierarchy.edges([[-(10**6) - 1, 0.5, 10**6 + 1]]), real),
    ("numeric", Hierarchy.fanout(3), real),
    ("numeric", Hierarchy.flat(), whole),
    ("numeric", Hierarchy.digits(5), st.lists(st.integers(0, 99999), min_size=1, unique=True)),
    ("categorical", Hierarchy.digits(5), codes),
    ("categorical", Hierarchy.prefix([3, 1]), codes),
    ("categorical", Hierarchy.prefix([3, 1]), words),
    ("categorical", Hierarchy.fanout(3), words),
    ("categorical", Hierarchy.flat(), words),
    ("date", Hierarchy.dates("month", "quarter", "year", "decade"), days),
    ("date", Hierarchy.dates("day", "week"), days),
    ("date", Hierarchy.fanout(3), days),
]


@pytest.mark.parametrize(("kind", "hierarchy", "values"), RECIPES)
@relaxed
@given(data=st.data())
def test_every_label_of_a_tree_is_understood(kind, hierarchy, values, data):
    labels = labels_of(hierarchy.tree(data.draw(values), kind))
    assert all(understood(Column(role="quasi", kind=kind, hierarchy=hierarchy), labels))


def test_listed_hierarchies_know_their_nodes_and_nothing_else(tmp_path):
    (tmp_path / "h.csv").write_text("1;0-4;*\n7;5-9;*\n")
    rows = [["Italy", "Europe", "World"], ["Peru", "America", "World"]]
    cases = [
        (
            Hierarchy.from_rows(rows),
            "categorical",
            ["Italy", "Europe", "World", "*"],
            ["Rome", "world", "I*"],
        ),
        (Hierarchy.nested({"A": ["x", "y"]}), "categorical", ["x", "A", "{x,y}"], ["{x,z}", "[x-y]"]),
        (Hierarchy.from_csv(tmp_path / "h.csv"), "numeric", ["1", "0-4", "[1-7]"], ["1*", "one", "[7-1]"]),
        (Hierarchy.fanout(2, ["x", "y", "z"]), "categorical", ["x", "[x-y]", "*"], ["w", "[y-z]"]),
    ]
    for hierarchy, kind, good, bad in cases:
        column = Column(role="quasi", kind=kind, hierarchy=hierarchy)
        assert understood(column, good) == [True] * len(good)
        assert understood(column, bad) == [False] * len(bad)


def test_codes_of_digits():
    column = Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5))
    assert understood(column, ["53711", "5371*", "5****", "*", "*****", "711"]) == [True] * 6
    assert not any(understood(column, ["537111", "5371x", "537*", "537***", "5*7**", "", "٣٣٣٣٣"]))


def test_parts_of_the_calendar():
    def span(text, *parts):
        found = Calendar(parts).days(text)
        epoch = datetime.date(1970, 1, 1)
        return found and tuple((epoch + datetime.timedelta(days=day)).isoformat() for day in found)

    assert span("2020-02", "month", "year") == ("2020-02-01", "2020-02-29")
    assert span("2020-12", "month") == ("2020-12-01", "2020-12-31")
    assert span("2020-Q4", "quarter") == ("2020-10-01", "2020-12-31")
    assert span("1900", "year") == ("1900-01-01", "1900-12-31")
    assert span("1990s", "decade") == ("1990-01-01", "1999-12-31")
    assert span("2020-W53", "week") == ("2020-12-28", "2021-01-03")
    for text in ("2021-W53", "2020-13", "2020-00", "1995s", "0000", "9999-W60", "2020-Q5", "x"):
        assert span(text, "week", "month", "quarter", "year", "decade") is None
    assert span("2020", "month") is None


@relaxed
@given(st.sampled_from(["week", "month", "quarter", "year", "decade"]), days)
def test_parts_hold_their_days(part, some):
    tree = Hierarchy.dates(part).tree(some, "date")
    for leaf, day in enumerate(tree.leaves):
        first, last = Calendar((part,)).days(tree.label(1, leaf))
        assert first <= (day - datetime.date(1970, 1, 1)).days <= last


def test_columns_without_a_kind_or_hierarchy():
    assert understood(Column(role="quasi"), ["x", "[1-2]", "5*", "{a}", None]) == [True] * 5
    assert understood(Column(role="quasi"), ["[2-1]"]) == [False]
    assert understood(Column(role="quasi", kind="ordered"), ["x", "[a-b]"]) == [True] * 2
    assert understood(Column(role="quasi", kind="categorical"), ["x", "[2-1]", "{"]) == [True] * 3
    assert understood(Column(role="quasi", kind="ordered", order=(1, 2)), ["1", "[1-2]", "3"]) == [
        True,
        True,
        False,
    ]
