"""What is written as TOML reads back as it was."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from amongst.schema.toml import comment, header, key, pair

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALAR = st.one_of(
    TEXT,
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.dates(),
    st.datetimes().map(lambda moment: moment.replace(fold=0)),
    st.times().map(lambda moment: moment.replace(fold=0)),
)
CONTENT = st.recursive(
    SCALAR,
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(TEXT, below, max_size=4)),
    max_leaves=12,
)


@given(TEXT, CONTENT)
def test_pairs_read_back(name: str, content: Any) -> None:
    again = tomllib.loads(pair(name, content))
    assert again == {name: content}
    assert repr(again) == repr({name: content})  # also tells 1 from 1.0 and True


@given(TEXT, TEXT, TEXT)
def test_headers_read_back(outer: str, inner: str, remark: str) -> None:
    text = f"{comment(remark)}\n{header(outer, inner)}\n{comment(remark)}\n{key(remark)} = 1\n"
    assert tomllib.loads(text) == {outer: {inner: {remark: 1}}}
