"""Whose releases a register has, without the originals."""

from __future__ import annotations

import pytest

import amongst as am
from amongst.release.same_people import OTHERS, SAME, UNKNOWN, shared

KEY, OTHER_KEY = b"a key for the tests only", b"another key for the tests"


@pytest.fixture
def register(tmp_path):
    patients = am.datasets.load("patients")
    for name, k in (("a", 2), ("b", 3), ("c", 6)):
        am.anonymize(patients.table, patients.schema, [am.KAnonymity(k)], method="mondrian").write(tmp_path / name)
    return am.Register(tmp_path / "register"), tmp_path


def of(names: list[str], key: bytes = KEY) -> dict:
    return {"persons": names, "under": am.Pseudonyms(key, "register")}


def test_digests_decide_where_both_are_under_one_key(register) -> None:
    kept, folder = register
    one = kept.add(folder / "a", people="x", **of(["anna", "paul"]))
    two = kept.add(folder / "b", people="y", **of(["paul", "maria"]))
    three = kept.add(folder / "c", people="x", **of(["zoe"]))
    assert [shared(*pair).answer for pair in ((one, two), (one, three), (two, three))] == [SAME, OTHERS, OTHERS]
    again = am.Register(folder / "register").entries()
    assert [len(entry.who) for entry in again] == [2, 2, 1]


def test_digests_under_another_key_say_nothing(register) -> None:
    kept, folder = register
    one = kept.add(folder / "a", people="x", **of(["anna"]))
    two = kept.add(folder / "b", people="y", **of(["anna"], OTHER_KEY))
    three = kept.add(folder / "c", people="x", **of(["zoe"], OTHER_KEY))
    assert shared(one, two).answer == UNKNOWN
    assert shared(one, three).answer == SAME  # as declared


def test_what_is_declared_never_sets_two_releases_apart(register) -> None:
    kept, folder = register
    one = kept.add(folder / "a", people="x", window=("2024-01-01", "2024-01-31"))
    two = kept.add(folder / "b", people="x", window=("2024-02-01", "2024-02-28"))
    three = kept.add(folder / "c", people="z", **of(["anna"]))
    assert shared(one, two).answer == SAME
    assert "other times" in shared(one, two).by
    assert shared(one, three).answer == UNKNOWN
    assert [entry.window for entry in am.Register(folder / "register").entries()][2] is None


def test_the_files_of_people_hold_no_name_and_are_for_their_owner(register) -> None:
    kept, folder = register
    kept.add(folder / "a", people="x", **of(["anna", "paul"]))
    files = list((folder / "register").iterdir())
    assert any(path.suffix == ".people" for path in files)
    for path in files:
        assert b"anna" not in path.read_bytes()
        if path.suffix == ".people":
            assert path.stat().st_mode & 0o077 == 0
