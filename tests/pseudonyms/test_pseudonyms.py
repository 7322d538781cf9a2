"""Pseudonyms with a key, moved dates, ages at an event."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import pickle
import stat
from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.errors import BadInput, BadOption, BadOutput
from amongst.pseudonyms import Pseudonyms, age_at, make_key, read_key
from amongst.pseudonyms.key import refuse_key_in

KEY = bytes(range(32))
DAY = st.dates(dt.date(1950, 1, 1), dt.date(2049, 12, 31))


@settings(max_examples=6, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), min_size=1, max_size=20))
def test_they_are_hmacs_of_the_standard_library(names: list[str]) -> None:
    own = hmac.new(KEY, b"pseudonym\0clinic", hashlib.sha256).digest()
    made = ["P" + hmac.new(own, name.encode(), hashlib.sha256).hexdigest()[:20].upper() for name in names]
    named = pc.utf8_trim_whitespace(pa.array(names)).to_pylist()
    expected = [one if name else None for one, name in zip(made, named, strict=True)]
    assert Pseudonyms(KEY, "clinic").of(pa.array(names)).to_pylist() == expected


def test_the_same_over_tables_types_and_months_but_not_over_keys_and_scopes() -> None:
    one = Pseudonyms(KEY).of(pa.array([7, 8])).to_pylist()
    assert one == Pseudonyms(KEY).of(pa.chunked_array([["7"], ["8"]]).dictionary_encode()).to_pylist()
    assert not set(one) & set(Pseudonyms(KEY, "other").of(pa.array([7, 8])).to_pylist())
    assert not set(one) & set(Pseudonyms(KEY[::-1]).of(pa.array([7, 8])).to_pylist())
    assert Pseudonyms(KEY).of(pa.array(["x", None])).to_pylist()[1] is None


@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), DAY), min_size=1, max_size=15), st.integers(1, 400))
def test_moved_dates_keep_intervals_and_order_of_everybody(rows: list[tuple[str, dt.date]], most: int) -> None:
    people, days = [who for who, _ in rows], [day for _, day in rows]
    moved = Pseudonyms(KEY).moved(pa.array(people), pa.array(days), most).to_pylist()
    for who in set(people):
        shift = {(new - old).days for own, old, new in zip(people, days, moved, strict=True) if own == who}
        assert len(shift) == 1
        assert abs(shift.pop()) <= most


@pytest.mark.parametrize("nobody", ["", "  ", None])
def test_rows_without_a_name_are_not_one_person(nobody: str | None) -> None:
    """An empty name is a missing one: no pseudonym, and no days to move dates by."""
    who = pa.array(["anna", nobody, nobody])
    table = pa.table({"who": who, "day": pa.array([dt.date(2024, 1, 1)] * 3)})
    assert sorted(map(str, Pseudonyms(KEY).table(table, "who")["who"].to_pylist()))[:2] == ["None", "None"]
    with pytest.raises(BadInput, match="no name"):
        Pseudonyms(KEY).table(table, "who", move=["day"])


def test_shifts_are_spread_and_say_nothing_about_the_pseudonym() -> None:
    shifts = Pseudonyms(KEY).shifts(pa.array(range(5000)), 10)
    assert sorted(set(shifts.tolist())) == list(range(-10, 11))
    assert max((shifts == day).sum() for day in range(-10, 11)) < 330  # 238 each, and three times the deviation


def test_times_are_moved_by_whole_days() -> None:
    at = pa.array([dt.datetime(2020, 1, 1, 13, 30)], pa.timestamp("ms"))
    moved = Pseudonyms(KEY).moved(pa.array(["a"]), at).to_pylist()[0]
    assert (moved.hour, moved.minute) == (13, 30)
    with pytest.raises(BadInput, match="Only dates"):
        Pseudonyms(KEY).moved(pa.array(["a"]), pa.array([1]))


@given(DAY, DAY)
def test_ages_are_those_of_birthdays(born: dt.date, event: dt.date) -> None:
    naive = event.year - born.year - ((event.month, event.day) < (born.month, born.day))
    assert age_at(pa.array([born]), pa.array([event])).to_pylist() == [naive]
    assert age_at(pa.array([born.year]), pa.array([event])).to_pylist() == [event.year - born.year]


def test_a_table_with_all_of_it() -> None:
    table = pa.table(
        {
            "who": ["anna", "anna", "paul"],
            "born": [dt.date(1980, 5, 1), dt.date(1980, 5, 1), dt.date(1999, 1, 1)],
            "visit": [dt.date(2020, 4, 30), dt.date(2020, 5, 1), dt.date(2020, 1, 1)],
        }
    )
    made = Pseudonyms(KEY).table(table, "who", move=["visit"], ages={"age": ("born", "visit")}, drop=["born"])
    assert made.column_names == ["who", "visit", "age"]
    assert sorted(made.column("age").to_pylist()) == [21, 39, 40]
    assert "anna" not in str(made.to_pydict())
    with pytest.raises(BadOption, match="not in the table"):
        Pseudonyms(KEY).table(table, "name")


def test_the_order_of_rows_tells_neither_the_alphabet_nor_the_days() -> None:
    names = sorted(f"name {i:03d}" for i in range(60) for _ in range(2))
    days = [dt.date(2024, 1, 1) + dt.timedelta(days=i) for i in range(120)]
    table = pa.table({"who": names, "visit": days, "nr": range(120)})
    made = Pseudonyms(KEY).table(table, "who", move=["visit"])
    who, nr = made.column("who").to_pylist(), made.column("nr").to_pylist()
    assert who == sorted(who)
    assert sorted(nr) == list(range(120))
    assert all(nr[i + 1] == nr[i] + 1 for i in range(0, 120, 2))  # rows of a person stay in their order
    assert abs(np.corrcoef(nr, range(120))[0, 1]) < 0.5
    later = Pseudonyms(KEY).table(table.slice(60), "who", move=["visit"])
    assert later.to_pylist() == [row for row in made.to_pylist() if row["nr"] >= 60]


def test_the_key_is_for_its_owner_and_never_beside_what_is_given_away(tmp_path) -> None:
    path = tmp_path / "my.key"
    assert make_key(path) == read_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(BadOutput, match="could not be written"):
        make_key(path)
    with pytest.raises(BadOption, match="would lie in the folder"):
        refuse_key_in(tmp_path, path)
    refuse_key_in(tmp_path / "out", path)
    for document, refused in (("public", True), ("inside", False)):
        (tmp_path / "manifest.json").write_text(f'{{"format": 2, "document": "{document}"}}')
        with pytest.raises(BadOption, match="would lie") if refused else nullcontext():
            refuse_key_in(tmp_path / "out", path)  # an earlier release is given away too
    with pytest.raises(BadOption, match="no key"):
        Pseudonyms(b"short")
    path.write_text("no hex")
    with pytest.raises(BadInput, match="no hexadecimal"):
        read_key(path)
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(Pseudonyms(KEY))
    assert KEY.hex() not in repr(Pseudonyms(KEY)) + str(vars(am))


def test_pseudonyms_that_are_kept_are_taken_for_identifiers() -> None:
    names = Pseudonyms(KEY).of(pa.array([i % 40 for i in range(200)]))
    table = pa.table({"who": names, "age": [i % 7 for i in range(200)]})
    assert am.Schema.suggest(table)["who"].role == "identifier"
    with pytest.warns(UserWarning, match="pseudonyms"):
        am.anonymize(table, {"who": "keep", "age": "quasi"}, [am.KAnonymity(5)], method="mondrian")
