"""What is written as TOML reads back as it was, and over a text that is there all else stays as it is written."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.job.toml import comment, rewritten, toml_text
from amongst.schema.fields import header

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


@given(TEXT, TEXT, CONTENT)
def test_pairs_read_back(table: str, name: str, content: Any) -> None:
    told = {"method": {"options": {name: content}}, "columns": {table: {"order": [content]}}}
    again = tomllib.loads(toml_text(told))
    assert again == told
    assert repr(again) == repr(told)  # also tells 1 from 1.0 and True


@given(TEXT, TEXT)
def test_headers_and_comments_read_back(name: str, remark: str) -> None:
    text = f"{comment(remark)}\n" + toml_text({"columns": {name: {}}}) + f"{comment(remark)}\n"
    assert tomllib.loads(text) == {"columns": {name: {}}}


def test_a_header_is_told_as_it_is_written() -> None:
    assert header("columns", "age") == "[columns.age]"
    assert header("columns", 'a "b"') == '[columns."a \\"b\\""]'


WRITTEN = """\
# a job of ours

[input]
path = 'people.csv'   # from the registry
[columns]
# how old
age.role = "quasi"

# where they live
[columns.zip]
# first thought
role   =   "quasi"   # clear
hierarchy = {digits = 5} # as they are

# why ten
[[privacy]]
model = "k-anonymity"
k = 10 # asked by the board

# and why three
[[privacy]]
model = "l-diversity"
l = 3

# how
[method]
name = "mondrian"
[method.options]   # none of them usual
cuts = "ordered"

# to whom
[output]
folder = "out"
# the end
"""


@pytest.fixture
def says() -> dict[str, Any]:
    return tomllib.loads(WRITTEN)


def test_what_is_not_changed_stays(says: dict[str, Any]) -> None:
    assert rewritten(WRITTEN, says, copy.deepcopy(says)) == WRITTEN


def test_a_changed_value_alone_is_changed(says: dict[str, Any]) -> None:
    after = copy.deepcopy(says)
    after["privacy"][0]["k"] = 5
    after["columns"]["zip"]["role"] = "keep"
    told = rewritten(WRITTEN, says, after)
    assert told == WRITTEN.replace("k = 10 #", "k = 5 #").replace('role   =   "quasi"   #', 'role   =   "keep"   #')


def test_what_is_new_stands_before_what_is_written_about_the_next(says: dict[str, Any]) -> None:
    after = copy.deepcopy(says)
    after["privacy"][1]["sense"] = "distinct"
    after["output"]["format"] = "csv"
    after["columns"]["job"] = {"role": "keep"}
    told = rewritten(WRITTEN, says, after)
    assert tomllib.loads(told) == after
    assert 'l = 3\nsense = "distinct"\n\n# how\n[method]\n' in told
    assert told.endswith('folder = "out"\nformat = "csv"\n# the end\n')
    assert '\n\n[columns.job]\nrole = "keep"\n\n# why ten\n[[privacy]]\n' in told


def test_what_goes_takes_along_what_was_written_about_it_alone(says: dict[str, Any]) -> None:
    after = copy.deepcopy(says)
    del after["privacy"][0]
    del after["method"]["options"]
    told = rewritten(WRITTEN, says, after)
    assert tomllib.loads(told) == after
    assert "why ten" not in told
    assert "none of them usual" not in told
    for kept in ("# a job of ours", "# how old", "# and why three", "# how\n", "# to whom\n", "# the end"):
        assert kept in told


@given(st.data())
def test_any_change_is_said(data: st.DataObject) -> None:
    before = tomllib.loads(WRITTEN)
    columns = data.draw(st.dictionaries(TEXT, st.fixed_dictionaries({"role": TEXT, "order": st.lists(SCALAR)})))
    models = data.draw(st.permutations([*before["privacy"], {"model": "t-closeness", "t": 0.2}]))[:2]
    after = {**before, "columns": {**before["columns"], **columns}, "privacy": models}
    told = tomllib.loads(rewritten(WRITTEN, before, after))
    assert {**told, "privacy": None} == {**after, "privacy": None}
    assert sorted(map(repr, told["privacy"])) == sorted(map(repr, models))
