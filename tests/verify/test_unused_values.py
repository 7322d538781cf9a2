"""Unused values of dictionaries, batch by batch, against sets."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from amongst.verify.checks.unused_values import n_unused

WORDS = st.lists(st.sampled_from("abcdefg"), unique=True, min_size=1)
BATCH = WORDS.flatmap(lambda words: st.tuples(st.just(words), st.lists(st.none() | st.integers(0, len(words) - 1))))


@given(batches=st.lists(BATCH, min_size=1, max_size=4))
def test_as_sets_tell(batches: list[tuple[list[str], list[int | None]]]) -> None:
    stored = {word for words, _ in batches for word in words}
    used = {words[place] for words, places in batches for place in places if place is not None}
    made = [
        pa.record_batch({"word": pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(words))})
        for words, places in batches
    ]
    assert n_unused(lambda: iter(made)) == len(stored - used)


def test_a_column_without_dictionary_has_none() -> None:
    assert n_unused(lambda: iter([pa.record_batch({"word": ["a", "b"]})])) == 0
