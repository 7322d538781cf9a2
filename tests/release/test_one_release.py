"""One class of release, for one table, for two and for many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import amongst as am


def one() -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")


def two() -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.LDiversity(2)], method="anatomy")


def many() -> am.Release:
    made = am.datasets.load_database("transcripts")
    return am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])


KINDS = {"one": one, "two": two, "many": many}


@pytest.mark.parametrize("kind", KINDS)
def test_every_release_is_of_one_class_and_written_by_one_write(kind: str, tmp_path: Path) -> None:
    release = KINDS[kind]()
    assert type(release) is am.Release is am.DatabaseRelease
    assert release.verdict.ok
    assert release.write(tmp_path / "out").ok
    names = {path.stem for path in (tmp_path / "out").glob("*.parquet")}
    assert names == set(release.tables)  # a table is named as its file is
    for public, folder in ((True, "out"), (False, "out.inside")):
        page = (tmp_path / folder / "report.html").read_text()
        assert page.startswith("<!doctype html>")
        assert release.report(public=public).split("</head>")[0] == page.split("</head>")[0]
    assert release.threshold == 2


@pytest.mark.parametrize(
    "ask",
    [
        lambda release: release.table,
        lambda release: release.group_of_row,
        lambda release: release.lower_bound(),
        lambda release: release.least_loss(),
        lambda release: release.for_models(),
        lambda release: release.query("SELECT COUNT(*)"),
        lambda release: release.fidelity(),
        lambda release: release.story(),
    ],
)
def test_what_there_is_for_one_table_alone_says_so(ask: Any) -> None:
    with pytest.raises(am.errors.BadOption) as raised:
        ask(many())
    assert "many tables" in raised.value.what


@pytest.mark.parametrize("kind", ["one", "two"])
def test_what_there_is_for_many_tables_alone_says_so(kind: str) -> None:
    for ask in (lambda made: made.group_of_person, lambda made: made.write_postgresql("postgresql://", "out")):
        with pytest.raises(am.errors.BadOption) as raised:
            ask(KINDS[kind]())
        assert "many tables" in raised.value.what


def test_many_tables_refuse_a_table_a_shape_and_a_format_that_they_have_not(tmp_path: Path) -> None:
    release = many()
    for asked in ({"table": "public.x"}, {"shape": "input"}, {"format": "sav"}):
        with pytest.raises(am.errors.BadOption):
            release.write(tmp_path / "out", **asked)
    assert not (tmp_path / "out").exists()
