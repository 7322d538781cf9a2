"""Every constant at which a suggestion changes its mind: below it, at it and above it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import amongst as am
from amongst.read import read
from amongst.schema import profile, value_evidence
from amongst.schema.suggest import suggest

LOOKED_AT = value_evidence.MOST_LOOKED_AT


@pytest.mark.parametrize("n", [LOOKED_AT - 1, LOOKED_AT, LOOKED_AT + 1, 2 * LOOKED_AT, 2 * LOOKED_AT + 1])
def test_patterns_are_found_in_any_number_of_values(n: int) -> None:
    table = pa.table({"x": [f"p{i}@b.org" for i in range(n)], "y": [f"{i:05}" for i in range(n)]})
    found = suggest(table).columns
    assert "the values look like e-mail addresses" in found["x"].reasons
    assert found["y"].n_distinct == n
    assert am.Schema.suggest(table)["x"].role == "identifier"


@pytest.mark.parametrize("n", [LOOKED_AT - 1, LOOKED_AT, LOOKED_AT + 1, 3 * LOOKED_AT])
def test_what_is_looked_at_comes_from_all_over_the_column(n: int) -> None:
    looked_at = value_evidence._sample(pa.array([str(i) for i in range(n)]))
    places = [int(text) for text in looked_at.to_pylist()]
    assert len(places) <= LOOKED_AT
    assert (places[0], places[-1] >= n - n // LOOKED_AT - 1) == (0, True)


@pytest.mark.parametrize("n", [LOOKED_AT, LOOKED_AT + 1])
def test_a_long_text_column_of_a_file_is_read_and_suggested(tmp_path: Path, n: int) -> None:
    path = tmp_path / "long.csv"
    path.write_text("x\n" + "".join(f"text {i}\n" for i in range(n)))
    assert suggest(read(path).table).columns["x"].column.role == "identifier"


@pytest.mark.parametrize(("n", "role"), [(profile.FEW_ROWS - 1, "sensitive"), (profile.FEW_ROWS, "identifier")])
def test_fewer_rows_say_nothing_by_being_different(n: int, role: str) -> None:
    assert suggest(pa.table({"x": [i * i for i in range(n)]})).columns["x"].column.role == role


@pytest.mark.parametrize(("n_equal", "role"), [(10, "identifier"), (11, "quasi")])
def test_nearly_all_different(n_equal: int, role: str) -> None:
    texts = [f"a{i * 7}b" for i in range(100 - n_equal)] + ["a0b"] * n_equal
    assert suggest(pa.table({"x": texts})).columns["x"].column.role == role


@pytest.mark.parametrize(("n_values", "role"), [(profile.FEW_VALUES, "quasi"), (profile.FEW_VALUES + 1, "identifier")])
def test_few_values_are_a_category_whatever_the_name(n_values: int, role: str) -> None:
    assert suggest(pa.table({"code": [i % n_values for i in range(200)]})).columns["code"].column.role == role


@pytest.mark.parametrize(
    ("n_rows", "role"), [(5 * profile.FEW_VALUES - 1, "identifier"), (5 * profile.FEW_VALUES, "quasi")]
)
def test_few_values_in_enough_rows(n_rows: int, role: str) -> None:
    assert suggest(pa.table({"code": [i % 5 for i in range(n_rows)]})).columns["code"].column.role == role


@pytest.mark.parametrize(("n_fitting", "role"), [(50, "identifier"), (49, "quasi")])
def test_share_of_values_that_fit_a_pattern(n_fitting: int, role: str) -> None:
    values = [f"p{i}@b.org" for i in range(n_fitting)] + [f"other{i}" for i in range(100 - n_fitting)]
    assert suggest(pa.table({"x": values * 2})).columns["x"].column.role == role
