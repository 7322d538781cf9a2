"""Loss as the labels show it, against figures worked out by hand."""

import datetime

import pyarrow as pa
import pytest

from amongst.models import KAnonymity
from amongst.schema import Column, Hierarchy, Schema
from amongst.verify import verify
from amongst.verify.loss import published_loss

TREE = Hierarchy.nested({"Europe": ["Italy", "France", "Spain"], "America": ["Peru"]})


def loss(cells, of=None, **column):
    schema = Schema({"q": Column(role="quasi", **column)})
    return published_loss(pa.table({"q": pa.array(cells, of)}), schema)["q"]


@pytest.mark.parametrize(
    ("cells", "column", "expected"),
    [
        (["[20-25]", "[20-25]", "30", "40"], {"kind": "numeric"}, (0.25 + 0.25) / 4),
        (["25", "25"], {"kind": "numeric"}, 0),
        (["*", "25", None, "35"], {"kind": "numeric", "nulls": "own value"}, 0.25),
        (["[0-5[", "[5-10]"], {"kind": "numeric"}, 0.5),
        (["1970-01-01", "[1970-01-01 - 1970-01-11]"], {"kind": "date"}, 0.5),
        (["1970", "1971"], {"kind": "date", "hierarchy": Hierarchy.dates("year")}, 364 / 729),
        (["Italy", "Europe", "*", "Peru"], {"kind": "categorical", "hierarchy": TREE}, (0.75 + 1) / 4),
        (["America"], {"kind": "categorical", "hierarchy": TREE}, 0),
        (["{a,b}", "c", "{a,b,c}", "d"], {"kind": "categorical"}, (2 / 4 + 3 / 4) / 4),
        (["{a}", "{a,b}"], {"kind": "categorical"}, 0.5),
        (["low", "[low-mid]"], {"kind": "ordered", "order": ("low", "mid", "high")}, 0.25),
        (["a", "b"], {"kind": "categorical"}, 0),
    ],
)
def test_by_hand(cells, column, expected):
    assert loss(cells, **column) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        (["twenty"], {"kind": "numeric"}),
        ([">=65", "20"], {"kind": "numeric"}),
        (["5371*"], {"kind": "categorical"}),
        (["Atlantis"], {"kind": "categorical", "hierarchy": TREE}),
        (["[a-b]"], {"kind": "ordered"}),
        (["[a-b]", "c"], {"kind": "categorical", "hierarchy": Hierarchy.fanout(2)}),
    ],
)
def test_what_cannot_be_measured(cells, column):
    assert loss(cells, **column) is None


def test_bounds_numbers_and_structs():
    schema = Schema({"q": Column(role="quasi", kind="numeric", nulls="match anything")})
    bounds = pa.table({"q_lower": [20, 20, 30, None], "q_upper": [25, 25, 40, None]})
    assert published_loss(bounds, schema) == {"q": pytest.approx((0.25 + 0.25 + 0.5) / 4)}
    mixed = schema.with_columns(q=Column(role="quasi", kind="numeric", nulls="own value"))
    assert published_loss(bounds, mixed) == {"q": None}
    ends = [bounds.column("q_lower").combine_chunks(), bounds.column("q_upper").combine_chunks()]
    struct = pa.table({"q": pa.StructArray.from_arrays(ends, names=["lower", "upper"])})
    assert published_loss(struct, schema) == published_loss(bounds, schema)
    dates = pa.table({"q_lower": [datetime.date(2020, 1, 1)] * 2,
                      "q_upper": [datetime.date(2020, 1, 11), datetime.date(2020, 1, 6)]})  # fmt: skip
    assert published_loss(dates, ["q"])["q"] == pytest.approx(0.75)
    assert loss([20, 30, 40], pa.int64(), kind="numeric") == 0


def test_the_verdict_carries_it():
    schema = Schema({"a": Column(role="quasi", kind="numeric"), "b": Column(role="quasi", kind="categorical")})
    table = pa.table({"a": ["[0-5]", "10"], "b": ["x", "{x,y}"]})
    verdict = verify(table, schema, KAnonymity(1))
    assert verdict.loss == {"a": 0.25, "b": 0.5}
    assert verdict.gcp == 0.375
    assert "0.3750" in verdict.words()
    unknown = verify(pa.table({"a": [">5"], "b": ["x"]}), schema, KAnonymity(1))
    assert (unknown.loss, unknown.gcp) == ({"a": None, "b": 0.0}, None)
    assert verify(table.drop_columns(["b"]), schema, KAnonymity(1)).loss == {"a": 0.25, "b": None}
    assert verify(table.slice(0, 0), schema, KAnonymity(1)).gcp is None
