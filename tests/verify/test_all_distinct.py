"""Columns that number the rows are found without holding them; a long column as a short one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.verify import all_distinct as module
from amongst.verify import check_leaks
from amongst.verify.all_distinct import all_distinct, fingerprints

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


@pytest.mark.parametrize("small", [1 << 20, 5])
def test_the_note_is_the_same_for_long_tables(monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    monkeypatch.setattr(check_leaks, "_SMALL_TABLE", small)
    table = pa.table({"age": ["[20-29]"] * 20, "id": range(20), "note": ["a"] * 20})
    notes = [note.code for note in am.verify(table, ["age"], [am.KAnonymity(3)]).notes]
    assert notes.count("row-number") == 1
