"""Names, types and statements: what can be told without a server."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.engines.postgresql import sql
from amongst.engines.postgresql.match import tuple_of_rows
from amongst.engines.postgresql.names import TableName, literal, table_name
from amongst.engines.postgresql.server import shown
from amongst.engines.postgresql.types import StoredColumn
from amongst.sql_text import quoted


@pytest.mark.parametrize(
    ("text", "namespace", "name"),
    [
        ("people", None, "people"),
        ("public.people", "public", "people"),
        ("My Schema.The People", "My Schema", "The People"),
        ('"a.b"."c""d"', "a.b", 'c"d'),
        ("a;b'.drop table", "a;b'", "drop table"),
        ("größe.日本", "größe", "日本"),
    ],
)
def test_names(text: str, namespace: str | None, name: str) -> None:
    assert table_name(text) == TableName(namespace, name)


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a.b.c", '"a', 'a"b', '""', "a" * 64, "ä" * 32, "a\0"])
def test_no_names(text: str) -> None:
    with pytest.raises(am.errors.BadOption):
        table_name(text)


@given(st.text(min_size=1, max_size=15).filter(lambda t: "\0" not in t), st.text(min_size=1, max_size=15))
def test_any_quoted_name_is_read_as_itself(namespace: str, name: str) -> None:
    name = name.replace("\0", "")
    if name:
        assert table_name(f"{quoted(namespace)}.{quoted(name)}") == TableName(namespace, name)


def test_literals() -> None:
    assert literal("it's") == "'it''s'"
    assert literal("a\\b'") == "E'a\\\\b'''"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hush@example.org/clinic",
        "postgresql://me:hu/hush@example.org/clinic",
        "postgresql://me:hush#hush@example.org/clinic",
        "postgresql://me:a@hush:hush@example.org:55/clinic",
        "postgresql://example.org/clinic?password=hush",
        "postgresql://me:hush@[bad/clinic",
    ],
)
def test_an_address_is_shown_without_its_password(address: str) -> None:
    assert "hush" not in shown(address)


@pytest.mark.parametrize(
    ("modifier", "digits", "exact", "kind"),
    [
        (-1, None, False, "double"),
        ((5 << 16 | 1) + 4, (5, 1), True, "double"),
        ((18 << 16 | 0) + 4, (18, 0), True, "int64"),
        ((30 << 16 | 10) + 4, (30, 10), False, "double"),
        ((5 << 16 | 0x7FE) + 4, (5, -2), False, "double"),
    ],
)
def test_decimal_numbers(modifier: int, digits: tuple[int, int] | None, exact: bool, kind: str) -> None:
    column = StoredColumn("n", "numeric", modifier, "numeric")
    assert (column.digits, column.exact, str(column.arrow())) == (digits, exact, kind)


def test_a_row_equals_its_tuple_also_where_it_is_null() -> None:
    keys = [(0, StoredColumn("a", "int4", -1, "integer"), False), (2, StoredColumn("b", "text", -1, "text"), True)]
    said = sql._same(keys)
    assert 't."a" = s.g0' in said
    assert '(t."b" IS NULL) = (s.g2 IS NULL)' in said
    assert "DISTINCT" not in said  # which cannot be hashed


@given(
    st.lists(st.tuples(st.sampled_from([1, 2, None]), st.sampled_from(["x", "", None])), max_size=12),
    st.lists(st.tuples(st.sampled_from([1, 2, None]), st.sampled_from(["x", "", None])), max_size=12),
)
def test_equal_tuples_have_one_number(left: list[tuple], right: list[tuple]) -> None:
    def table(rows: list[tuple]) -> pa.Table:
        a, b = ([row[i] for row in rows] for i in (0, 1))
        return pa.table({"a": pa.array(a, pa.int64()), "b": pa.array(b, pa.string()).dictionary_encode()})

    numbers = [*map(list, tuple_of_rows(table(left), table(right), ["a", "b"]))]
    number_of = dict(zip([*left, *right], [*numbers[0], *numbers[1]], strict=True))
    assert [number_of[row] for row in [*left, *right]] == [*numbers[0], *numbers[1]]
    assert len(set(number_of.values())) == len(number_of)
