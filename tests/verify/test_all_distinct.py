"""Columns that number the rows are found without holding them; a long column as a short one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

import amongst as am
from amongst.published import csv_file
from amongst.verify import row_numbers
from amongst.verify.checks import all_distinct as module
from amongst.verify.checks.all_distinct import all_distinct, fingerprints, varieties

VALUES = st.lists(st.one_of(st.text(max_size=5), st.just("")), min_size=1, max_size=30)


@given(texts=VALUES, size=st.integers(1, 9), at_once=st.sampled_from([2, 5, 100]))
def test_texts_as_a_set_tells(texts: list[str], size: int, at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "AT_ONCE", at_once)
        patch.setattr(module, "_SLICE", 3)
        for column in (pa.array(texts), pa.array(texts).dictionary_encode()):
            batches = pa.table({"name": column}).to_batches(max_chunksize=size)
            assert all_distinct(lambda found=batches: iter(found), len(texts)) == (len(set(texts)) == len(texts))


@given(numbers=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20))
def test_numbers_as_a_set_tells(numbers: list[int]) -> None:
    batch = pa.record_batch({"id": pa.array(numbers, pa.int64())})
    assert all_distinct(lambda: iter([batch]), len(numbers)) == (len(set(numbers)) == len(numbers))


def test_fingerprints_of_many_texts_differ() -> None:
    texts = pa.array([f"{word}{number}" for word in ("a", "b", "") for number in range(50_000)])
    assert len(np.unique(fingerprints(texts))) == len(texts)


def test_a_missing_value_is_no_number_of_a_row() -> None:
    batch = pa.record_batch({"id": pa.array([1, None, 3])})
    assert not all_distinct(lambda: iter([batch]), 3)


@pytest.mark.parametrize("at_once", [1 << 22, 5])
@pytest.mark.parametrize("together", [8, 1])
def test_the_note_is_the_same_for_long_and_wide_tables(
    monkeypatch: pytest.MonkeyPatch, at_once: int, together: int
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", at_once)
    monkeypatch.setattr(row_numbers, "AT_ONCE", together)
    table = pa.table({"age": ["[20-29]"] * 200, "id": range(200), "key": range(200), "note": ["a"] * 200})
    [note] = [note for note in am.verify(table, ["age"], [am.KAnonymity(3)]).notes if note.code == "row-number"]
    assert note.found == "'id', 'key'"


@pytest.mark.parametrize("first", [10_000, 3])
def test_the_note_does_not_depend_on_the_first_look(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    monkeypatch.setattr(row_numbers, "FIRST_LOOK", first)
    table = pa.table({"age": ["[20-29]"] * 40, "id": range(40), "half": [*range(20), *range(20)]})
    found = {note.code: note.found for note in am.verify(table, ["age"], [am.KAnonymity(3)]).notes}
    assert found.get("row-number") == "'id'"
    assert "nearly-unique" not in found


@pytest.mark.parametrize("n_columns", [3, 8])
def test_a_text_file_is_parsed_as_often_whatever_its_columns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, n_columns: int
) -> None:
    table = pa.table({"age": ["[20-29]"] * 50, **{f"c{i}": [f"{i} {n}" for n in range(50)] for i in range(n_columns)}})
    csv.write_csv(table, tmp_path / "published.csv")
    parsed: list[object] = []
    plain = csv_file._reader
    monkeypatch.setattr(csv_file, "_reader", lambda *told, **named: parsed.append(named) or plain(*told, **named))
    verdict = am.verify(tmp_path / "published.csv", ["age"], [am.KAnonymity(3)])
    assert "row-number" in [note.code for note in verdict.notes]
    assert parsed.count({}) == 2  # for the classes, and for all other columns; beside a look at the first rows


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 30)), min_size=1, max_size=30),
    st.sampled_from(["s", "us", "date", "money", "text"]),
)
def test_columns_of_every_type_as_a_set_tells(numbers: list[int | None], kind: str) -> None:
    of = {"s": pa.timestamp("s"), "us": pa.timestamp("us"), "date": pa.date32(), "money": pa.decimal128(20, 2)}
    column = pa.array([None if n is None else f"{n}" for n in numbers])
    if kind in ("s", "us"):
        column = pa.array(numbers, pa.int64()).cast(of[kind])
    elif kind != "text":
        column = pa.array(numbers, pa.int32()).cast(of[kind])
    there = [n for n in numbers if n is not None]
    both = pa.record_batch({"first": column, "then": column})
    for variety in varieties(lambda: iter([both[:2], both[2:]]), len(numbers)):
        assert variety.share == (len(set(there)) / len(there) if there else 0)
        assert variety.all_distinct == (len(set(numbers)) == len(there) == len(numbers))


def test_a_null_in_a_dictionary_is_missing() -> None:
    ids = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", "b", None]))
    [found] = varieties(lambda: iter([pa.record_batch({"id": ids})]), 3)
    assert found.share == 1
    assert not found.all_distinct
