"""The page of known answers says what the tests are marked with, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

import conformance_page
from conformance_page import PAGE, SOURCES, KnownAnswer, known_answers, numbers_not_in_the_test, page_of

KNOWN = known_answers()


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page_of(KNOWN), "run: make conformance"


def test_every_source_is_known_and_used() -> None:
    assert {one.source for one in KNOWN} == set(SOURCES)


@pytest.mark.parametrize("known", KNOWN, ids=lambda one: one.test)
def test_the_numbers_of_an_answer_are_in_its_test(known: KnownAnswer) -> None:
    assert known.test.startswith("test_")
    assert numbers_not_in_the_test(known) == []


def test_answers_are_read_from_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance_page, "TESTS", tmp_path / "tests")
    file = tmp_path / "tests" / "test_x.py"
    file.parent.mkdir()
    mark = '@pytest.mark.known_answer("mondrian", "figure 1", what="rows of a | b", answer="{}")\n'
    file.write_text(mark.format("7 of 8") + "def test_rows():\n    assert rows == 7\n\ndef test_other(): ...\n")
    (known,) = known_answers(file.parent)
    assert (known.where, known.answer, known.test) == ("figure 1", "7 of 8", "test_rows")
    assert numbers_not_in_the_test(known) == ["8"]
    assert "| figure 1 | rows of a \\| b | 7 of 8 | [`test_rows`](../tests/test_x.py) |" in page_of([known])
