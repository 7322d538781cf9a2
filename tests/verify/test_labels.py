"""The label grammar: what every shape of text means, and that nothing makes it fail or hang."""

import json
import math
import time

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amongst.published.distinct_labels import KINDS, parse_all
from amongst.published.labels import Label, parse

relaxed = settings(deadline=None)

COLUMN_KINDS = (None, "numeric", "ordered", "categorical", "date")
ORDER = {"low": 0, "mid": 1, "high": 2, "a-b": 3, "a": 4, "b": 5}


def ends(label):
    return label.kind, label.lo, label.hi, label.lo_closed, label.hi_closed


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("25", "numeric", ("value", 25, 25, True, True)),
        ("-0.5", None, ("value", -0.5, -0.5, True, True)),
        ("[25-26]", "numeric", ("range", 25, 26, True, True)),
        ("[-5--2]", "numeric", ("range", -5, -2, True, True)),
        ("[-5-2]", None, ("range", -5, 2, True, True)),
        ("[0.5-1.25]", "numeric", ("range", 0.5, 1.25, True, True)),
        ("[1e-05-2e-05]", "numeric", ("range", 1e-05, 2e-05, True, True)),
        ("[1e+20--1e-3]", "numeric", ("range", 1e20, -1e-3, True, True)),
        ("[20, 30[", None, ("range", 20, 30, True, False)),
        ("]20, 30]", None, ("range", 20, 30, False, True)),
        ("[20,30)", "numeric", ("range", 20, 30, True, False)),
        ("(20,30]", "numeric", ("range", 20, 30, False, True)),
        ("(-inf, 5]", "numeric", ("range", -math.inf, 5, False, True)),
        ("20-24", "numeric", ("range", 20, 24, True, True)),
        (">=65", "numeric", ("range", 65, math.inf, True, False)),
        (">65", None, ("range", 65, math.inf, False, False)),
        ("<18", "numeric", ("range", -math.inf, 18, False, False)),
        ("<= 18.5", "numeric", ("range", -math.inf, 18.5, False, True)),
        ("1970-01-02", "date", ("value", 1, 1, True, True)),
        ("1970-01-01T12:00", "date", ("value", 0.5, 0.5, True, True)),
        ("1970-01-01 02:00:00+02:00", "date", ("value", 0, 0, True, True)),
        ("[1970-01-01 - 1970-01-31]", "date", ("range", 0, 30, True, True)),
        ("[1970-01-01 - 1970-01-31]", None, ("range", 0, 30, True, True)),
        ("1970-01-01 - 1970-01-31", "date", ("range", 0, 30, True, True)),
        ("[1970-01-01 00:00:00 - 1970-01-31 12:00:00]", "date", ("range", 0, 30.5, True, True)),
    ],
)
def test_places_on_the_line(text, kind, expected):
    assert ends(parse(text, kind)) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("20-24", "categorical"),
        ("20-24", None),
        ("[25-26]", "categorical"),
        (">50K", None),
        (">50K", "numeric"),
        ("1_000", "numeric"),
        ("٣", "numeric"),
        ("2020-02-30", "date"),
        ("[2020-02-30 - 2020-03-01]", "date"),
        ("nan", "numeric"),
        ("inf", "numeric"),
        ("1e999", "numeric"),
        ("9" * 5000, "numeric"),
        ("[25-26", "numeric"),
        (" 25", "numeric"),
        ("25\n", "numeric"),
        ("", None),
        ("", "numeric"),
        ("{}", None),
        ("{a,b", None),
        ('{"a}', None),
        ('{a"b}', None),
        ("{a}b}", None),
        ("5*3", None),
        ("*5*3*", None),
    ],
)
def test_what_fits_nothing_is_a_value_without_a_place(text, kind):
    assert ends(parse(text, kind))[:3] == ("value", None, None)


def test_stars_masks_sets_nodes_nulls():
    assert parse(None).kind == "null"
    assert [parse(text).kind for text in ("*", "****")] == ["all", "all"]
    assert parse("5371*") == Label("mask", members=("5371",))
    assert parse("537**", "numeric") == Label("mask", members=("537",))
    assert parse("**715").members == ("715",)
    assert parse("{a,b}").members == ("a", "b")
    assert parse("{a, b}").members == ("a", " b")
    assert parse("{,a}").members == ("", "a")
    assert parse(r'{"a,b","\"","\\",c}').members == ("a,b", '"', "\\", "c")
    assert parse("{20,25}", "numeric").members == ("20", "25")
    assert parse("Europe", "categorical", nodes={"Europe"}).kind == "node"
    assert parse("0-4", "numeric", nodes={"0-4"}).kind == "node"
    assert parse("*", "categorical", nodes={"*"}).kind == "all"
    assert parse_all(pa.array(["*", None]), "categorical", nodes={"*"}).kind.tolist() == [5, 6]


def test_ordered_ranges_need_known_ends():
    assert ends(parse("[low-high]", "ordered", order=ORDER)) == ("range", 0, 2, True, True)
    assert ends(parse("mid", "ordered", order=ORDER))[:3] == ("value", 1, 1)
    assert parse("[low-huge]", "ordered", order=ORDER).kind == "value"
    assert parse("[a-b]", "ordered", order=ORDER).lo == 4
    # Two readings, [a | a-b] and [a-a | b]: only one has both ends in the order.
    assert ends(parse("[a-a-b]", "ordered", order=ORDER))[1:3] == (4, 3)
    assert parse("[high-low]", "ordered", order=ORDER).empty


@pytest.mark.parametrize(
    ("text", "empty"),
    [("[30-20]", True), ("[20-20]", False), ("[20,20[", True), ("[20-21]", False), ("(-inf,inf)", False)],
)
def test_a_range_the_wrong_way_round_says_so(text, empty):
    assert parse(text, "numeric").empty is empty


def test_huge_whole_numbers_are_compared_exactly():
    assert parse(f"[{10**17 + 1}-{10**17}]", "numeric").empty
    assert parse_all(pa.array([f"[{10**17 + 1}-{10**17}]"]), "numeric").empty.tolist() == [True]


BITS = """[ ] ( ) { } , - * " \\ 1 25 -3 0.5 1e-05 inf e . >= < low high a 12345678901234567890
2020-01-01 2020-13-01 0000-01-01 12:30:07 T23:59:59 24:00:00"""
pieces = st.sampled_from([*BITS.split(), " ", " - ", "\n", ""])
texts = st.one_of(st.none(), st.text(max_size=20), st.lists(pieces, max_size=8).map("".join))


@relaxed
@given(texts, st.sampled_from(COLUMN_KINDS))
def test_parse_never_fails(text, kind):
    label = parse(text, kind, nodes={"a", "[1-25]", "low"}, order=ORDER if kind == "ordered" else None)
    assert label.kind in KINDS
    assert isinstance(label.empty, bool)


@relaxed
@given(st.lists(texts, max_size=12), st.sampled_from(COLUMN_KINDS), st.booleans())
def test_many_at_once_are_read_as_one_by_one(many, kind, with_nodes):
    nodes = {"a", "25", "[1-25]", "low", "*"} if with_nodes else None
    order = ORDER if kind == "ordered" else None
    labels = parse_all(pa.array(many, pa.string()), kind, nodes=nodes, order=order)
    for i, text in enumerate(many):
        one = parse(text, kind, nodes=nodes, order=order)
        assert KINDS[labels.kind[i]] == one.kind
        for place, expected in ((labels.lo[i], one.lo), (labels.hi[i], one.hi)):
            assert math.isnan(place) if expected is None else place == expected
        closed = (labels.lo_closed[i], labels.hi_closed[i], labels.empty[i])
        assert closed == (one.lo_closed, one.hi_closed, one.empty)
        assert labels.members.get(i, ()) == one.members


numbers = st.one_of(st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False))


@relaxed
@given(numbers, numbers)
def test_ranges_of_any_two_numbers_read_back(lo, hi):
    label = parse(f"[{lo!r}-{hi!r}]", "numeric")
    assert (label.kind, label.lo, label.hi, label.empty) == ("range", lo, hi, lo > hi)


@relaxed
@given(st.lists(st.text(max_size=5), min_size=2, max_size=5))
def test_sets_of_any_members_read_back(members):
    def quoted(text):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"' if any(c in text for c in ',{}"\\') else text

    assert parse("{" + ",".join(map(quoted, members)) + "}").members == tuple(members)


LONG = 200_000
ADVERSARIAL = {
    "digits": "1" * LONG,
    "digits in bracket": "[" + "1" * LONG,
    "two numbers": "1" * LONG + "-" + "1" * LONG,
    "dots": "[" + "1." * LONG,
    "exponents": "[" + "1e-" * LONG,
    "dashes": "[" + "-" * LONG + "]",
    "commas": "{" + "," * LONG,
    "open quote": '{"' + "\\\\" * LONG + "}",
    "quotes": "{" + '"a"' * LONG + "}",
    "escapes": '{"' + "\\" * LONG + '"}',
    "stars": "*" * LONG + "a" + "*" * LONG + "b",
    "blanks": "[1" + " " * LONG + "]",
    "dates": "2020-01-01" * LONG,
    "known ends": "[" + "low-" * LONG + "]",
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_long_texts_do_not_hang(name):
    start = time.process_time()
    for kind in COLUMN_KINDS:
        assert parse(ADVERSARIAL[name], kind, nodes={"a"}, order=ORDER).kind in KINDS
    parse_all(pa.array([ADVERSARIAL[name]]), "numeric")
    assert time.process_time() - start < 10


def test_labels_are_plain_data():
    label = parse("[20,30)", "numeric")
    assert json.dumps([label.kind, label.lo, label.hi, label.hi_closed]) == '["range", 20, 30, false]'


def test_a_value_is_one_text_in_all_sets_that_have_it() -> None:
    """As many texts as there are cells in all sets would be larger than the table."""
    sets = [f"{{value {i % 7},value {i % 11 + 7}}}" for i in range(300)]
    members = parse_all(pa.array(sets), "categorical").members
    assert [members[i] for i in range(300)] == [parse(text).members for text in sets]
    assert len({id(one) for own in members.values() for one in own}) == 18
