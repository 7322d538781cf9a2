"""What is told of a risk: no cell value, no count of people below the threshold; bad input is refused in words."""

import json
import re

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

SECRET = "Zanzibari-4711"


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    n = 400
    town = np.array([f"{SECRET}-{i}" for i in range(12)])[np.minimum(rng.geometric(0.3, n) - 1, 11)]
    return pa.table({"age": rng.integers(20, 60, n), "town": town, "sex": rng.choice(["f", "m"], n)})


NAMES = ["age", "town", "sex"]


def counts_in(facts):
    """Every number under a name that speaks of rows or of people alone."""
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from counts_in(value)
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, dict):
                    yield from counts_in(one)
        elif (
            "rows" in name or name in ("zayatz", "pitman", "snb", "estimate", "uniques_in_population") or name.isdigit()
        ):
            yield value


@pytest.mark.parametrize("k", [2, 10, 150])
@pytest.mark.parametrize("options", [{}, {"fraction": 0.2}])
def test_no_count_below_the_threshold_and_no_cell_value(table, k, options):
    found = am.risk(table, NAMES, k=k, **options)
    facts = found.to_dict()
    for number in counts_in(facts):
        assert number is None or isinstance(number, str) or number == 0 or number >= k
    page, words = found.to_html(), found.words()
    for text in (json.dumps(facts), page, words):
        assert SECRET not in text
    if k == 150:
        assert any(0 < n < k for n in found.before.minimal.rows_of_size.values())  # there is something to hide
        assert "fewer than 150" in page
        assert "fewer than 150" in words
    shown = [int(n.replace(",", "")) for n in re.findall(r"columns?: ([\d,]+)", words)]
    assert all(n >= k for n in shown)


def test_a_share_that_would_give_a_hidden_count_away_is_not_told():
    table = pa.table({"a": [*["x"] * 30, "y", "z"]})
    told = am.risk(table, ["a"], k=5).to_dict()["before"]
    assert told["prosecutor"]["rows_at_risk"] == "fewer than 5"
    assert told["prosecutor"]["share_at_risk"] is None
    assert told["columns"][0]["contribution"] is None


def test_the_page_and_the_words_name_the_threshold_both_ways(table):
    found = am.risk(table, NAMES, k=20)
    assert "1/20" in found.to_html()
    assert "k = 20 (1/k = 0.05)" in found.words()
    for text in (found.to_html(), found.words()):
        assert not re.search(r"\banonymous\b|\bcompliant\b", text, re.IGNORECASE)


def test_a_folder_is_measured_by_its_manifest(table, tmp_path):
    schema = am.Schema({name: am.Column(role="quasi") for name in NAMES})
    release = am.anonymize(table, schema, [am.KAnonymity(7)], method="mondrian")
    release.write(tmp_path / "out", format="csv")
    found, here = am.risk(tmp_path / "out"), am.risk(release)
    assert found.k == 7
    assert found.after.to_dict(7) == here.after.to_dict(7)
    assert found.before is None
    both = am.risk(tmp_path / "out", original=table)
    assert both.before.to_dict(7) == here.before.to_dict(7)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"schema": None}, "not said"),
        ({"schema": ["nothing"]}, "not in the published"),
        ({"fraction": 0.0}, "share of the population"),
        ({"fraction": float("nan")}, "share of the population"),
        ({"fraction": 0.5, "weights": [1.0]}, "more than one way"),
        ({"weights": [1.0, 2.0]}, "one a row"),
        ({"weights": [0.0] * 400}, "positive"),
        ({"weights": ["x"] * 400}, "numbers"),
        ({"weights": "none"}, "no such column"),
        ({"unit": "none"}, "no such column"),
        ({"k": 0}, "at least 1"),
        ({"k": True}, "at least 1"),
        ({"largest": 0}, "at least 1"),
        ({"population": pa.table({"age": [1]})}, "cannot be compared"),
        ({"population": pa.table({"age": ["x"], "town": ["y"], "sex": ["f"]})}, "other values"),
    ],
)
def test_bad_input_is_refused_in_words(table, options, word):
    with pytest.raises(am.errors.AmongstError, match=word) as error:
        am.risk(table, options.pop("schema", NAMES), **options)
    assert SECRET not in str(error.value)


def test_too_many_sets_of_columns_are_refused():
    wide = pa.table({f"c{i}": [0, 1] for i in range(40)})
    names = wide.column_names
    assert am.risk(wide, names).before.minimal.largest == 2
    with pytest.raises(am.errors.BadOption, match="too many sets"):
        am.risk(wide, names, largest=20)
