"""What a session does with the worker, without a browser: job files, databases, cancelling."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import zipfile
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import amongst as am
from amongst.app.session import Session
from amongst.app.steps.method import usual_candidates
from amongst.compare.candidate import Candidate
from amongst.job.job import Job

Work = Callable[[Session], Coroutine[Any, Any, None]]


@pytest.fixture
def in_session(tmp_path: Path) -> Callable[[Work], Session]:
    def carry_out(work: Work) -> Session:
        async def whole() -> Session:
            session = Session(tmp_path, 2**20)
            try:
                await work(session)
            finally:
                session.close()
                await session.worker.gone()
            return session

        with ThreadPoolExecutor(1) as apart:  # the browser's tests have a loop of their own in this thread
            return apart.submit(asyncio.run, whole()).result()

    return carry_out


def a_job(folder: Path) -> Path:
    (folder / "people.csv").write_text("age;name;s\n" + "\n".join(f"{20 + i % 9};P{i};{i % 4}" for i in range(90)))
    path = folder / "job.toml"
    path.write_text(
        """
[input]
path = "people.csv"
separator = ";"
unit = "name"
[columns.age]
role = "quasi"
hierarchy = { intervals = [5, 10] }
[columns.name]
role = "identifier"
[columns.s]
role = "sensitive"
[[privacy]]
model = "l-diversity"
l = 2
[method]
name = "hilbert"
seed = 3
[output]
format = "csv"
"""
    )
    return path


def test_a_job_file_is_opened_with_all_it_says_and_made(
    tmp_path: Path, in_session: Callable[[Work], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = a_job(home)

    async def work(session: Session) -> None:
        await session.open_named(str(path))
        assert session.error is None
        assert await session.make(), session.error
        await session.write(str(tmp_path / "release"))

    session = in_session(work)
    assert session.draft is not None
    asked, shown = Job.from_file(path), Job.from_dict(session.draft.content)
    assert (shown.schema, shown.models, shown.method, shown.seed, shown.input.unit) == (
        asked.schema,
        asked.models,
        asked.method,
        asked.seed,
        "name",
    )
    assert session.written is not None
    assert (tmp_path / "release" / "release.csv").is_file()
    assert not session.stale


def test_comments_and_order_of_a_job_file_are_kept(tmp_path: Path, in_session: Callable[[Work], Session]) -> None:
    (tmp_path / "people.csv").write_text("age,illness\n31,a\n32,b\n50,a\n51,b\n")
    text = """\
# for the board
[[privacy]]
model = "k-anonymity"
k = 3   # asked in May

[input]
path = "./people.csv"

# as in the census
[columns.age]
role = 'quasi'
[columns.illness]
role = 'sensitive'

[output]
folder = "given"
"""
    (tmp_path / "job.toml").write_text(text)
    seen: list[str] = []

    async def work(session: Session) -> None:
        await session.open_named(str(tmp_path / "job.toml"))
        assert session.draft is not None
        seen.append(session.draft.job_text())
        session.draft.privacy[0]["k"] = 2
        session.draft.columns["illness"]["role"] = "keep"
        session.draft.method["name"] = "hilbert"
        seen.append(session.draft.job_text())

    in_session(work)
    assert seen[0] == text
    changed = text.replace("k = 3 ", "k = 2 ").replace("'sensitive'", '"keep"')
    assert seen[1] == changed + '\n[method]\nname = "hilbert"\nseed = 0\n'


def test_a_broken_job_file_is_told(tmp_path: Path, in_session: Callable[[Work], Session]) -> None:
    (tmp_path / "job.toml").write_text("[input]\npath = ")

    async def work(session: Session) -> None:
        await session.open_named(str(tmp_path / "job.toml"))

    session = in_session(work)
    assert session.error is not None
    assert "is not TOML" in session.error["what"]


def a_clinic(folder: Path) -> Path:
    """Persons and their visits."""
    place = folder / "clinic.sqlite"
    with sqlite3.connect(place) as database:
        database.execute("CREATE TABLE persons (id INTEGER PRIMARY KEY, age INTEGER)")
        database.execute("CREATE TABLE visits (person INTEGER REFERENCES persons (id), ward TEXT)")
        database.executemany("INSERT INTO persons VALUES (?, ?)", [(i, 20 + i % 5) for i in range(60)])
        database.executemany("INSERT INTO visits VALUES (?, ?)", [(i, "AB"[i % 2] if i else None) for i in range(60)])
    return place


def test_a_database_is_opened_and_one_table_taken(tmp_path: Path, in_session: Callable[[Work], Session]) -> None:
    place = a_clinic(tmp_path)
    seen: dict[str, Any] = {}

    async def work(session: Session) -> None:
        await session.open_named(str(place))
        assert session.draft is not None
        seen["tables"] = list(session.draft.content["tables"])
        columns = session.draft.columns
        assert columns["visits.ward"].pop("nulls") == "own value"  # a draft says what a missing cell means
        columns["visits.ward"]["role"] = "quasi"
        await session.check()  # told before anything is made, and where
        assert [(one["problem"], one["column"]) for one in session.problems] == [("nulls", "visits.ward")]
        columns["visits.ward"]["nulls"] = "own value"
        await session.check()
        assert session.problems == []
        assert await session.make(), session.error
        await session.take_table("persons")

    session = in_session(work)
    assert sorted(seen["tables"]) == ["persons", "visits"]
    assert session.draft is not None
    assert not session.draft.many
    assert session.about["rows"] == 60


def test_methods_for_many_tables_are_compared_chosen_and_told_to_a_board(
    tmp_path: Path, in_session: Callable[[Work], Session]
) -> None:
    place = a_clinic(tmp_path)

    async def work(session: Session) -> None:
        await session.open_named(str(place))
        assert session.draft is not None
        usual = {Candidate(*one, models=()).name for one in usual_candidates(session.draft)}
        assert {"miracle", "miracle-x (skeleton=split)"} <= usual
        assert await session.find(["miracle", ("miracle-x", {"skeleton": "split"})], [4], None), session.error
        assert session.comparison is not None
        made = session.comparison["candidates"]
        assert [(one["privacy"][0]["k"], one["state"]) for one in made] == [(k, "verified") for k in (4, 4)]
        assert session.comparison["view"]["measure"] == "LM"
        assert await session.choose(1), session.error
        assert session.draft.method == {"name": "miracle-x", "seed": 0, "options": {"skeleton": "split"}}
        assert session.draft.privacy == [{"model": "k-anonymity", "k": 4}]
        await session.gather()
        assert session.error is None
        with zipfile.ZipFile(session.evidence_packed["public"]) as public:
            told = json.loads(public.read("evidence-public.json"))
        assert (told["version"], told["ok"], told["threshold"]["k"]) == ("public", True, 4)
        with zipfile.ZipFile(session.evidence_packed["inside"]) as inside:
            assert json.loads(inside.read("evidence-internal.json"))["figures"]["alone"]

    in_session(work)


def test_who_looks_as_the_worker_dies_sees_what_was_there(
    tmp_path: Path, in_session: Callable[[Work], Session]
) -> None:
    place = a_clinic(tmp_path)

    async def work(session: Session) -> None:
        await session.open_named(str(place))
        assert session.draft is not None
        assert await session.make(), session.error
        window = {"first": 0, "n": 5, "order": "as read", "table": "persons"}
        seen = await session.rows(**window)
        for look in (session.rows(**window), session.try_out(session.draft.content, **window)):
            os.kill(session.worker._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
            found = await look
            assert found is not None
            assert found.get("rows")
        assert await session.rows(**window) == seen  # the same seed made the same release again

    assert in_session(work).error is None


def test_cancelling_ends_all_processes_and_reads_the_table_again(
    tmp_path: Path, in_session: Callable[[Work], Session]
) -> None:
    async def work(session: Session) -> None:
        await session.open_example("adult")
        finding = asyncio.create_task(session.find(["best", "top-down"], [2, 5, 10, 25], None))
        while len(_started(tmp_path)) < 2 and not finding.done():
            await asyncio.sleep(0.05)
        session.cancel()
        assert await finding is False
        assert session.running is None
        assert session.comparison is None
        preview = await session.preview("age", "numeric", {"intervals": [5]})
        assert preview["leaves"] == 74  # the next worker has the table

    assert in_session(work).error is None


def _started(folder: Path) -> list[int]:
    """Processes that compare, of whoever started them: one begins them with this call."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"amongst.compare.worker" in place.read_bytes():
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


def test_a_population_is_taken_from_an_upload(tmp_path: Path, in_session: Callable[[Work], Session]) -> None:
    rows = am.datasets.load("patients").table

    async def work(session: Session) -> None:
        import pyarrow.csv as csv

        await session.open_example("patients")
        path = session.uploads / "everybody.csv"
        csv.write_csv(rows, path)
        session.take_file("population", path, "")
        assert session.draft is not None
        session.draft.content["privacy"] = [{"model": "k-map", "k": 2, "population": str(session.population)}]
        assert await session.make(), session.error
        assert 'population = "everybody.csv"' in session.draft.job_text()

    in_session(work)


def test_a_table_is_read_by_what_its_cells_show(tmp_path: Path, in_session: Callable[[Work], Session]) -> None:
    path = tmp_path / "lab.csv"
    rows = "".join(f"{1 + i % 28:02d}.03.19{50 + i % 40};{8 + i % 7},5\n" for i in range(40))
    path.write_bytes(f"born;größe\n{rows}01.01.1999;n.b.\n".encode("windows-1252"))

    async def work(session: Session) -> None:
        assert await session.open_file(path)
        assert session.draft is not None
        told = session.draft.content["input"]
        assert told["encoding"] == "windows-1252"
        assert told["reads"] == {"born": "dd.MM.yyyy", "größe": {"form": "1234,56", "missing": ["n.b."]}}
        assert [one["words"] for one in session.about["evidence"]] == [
            "all are dates as dd.MM.yyyy",
            "40 of 41 are numbers with a decimal comma; 1 say n.b.",
        ]
        assert await session.read_again(path, {"reads": {"born": "text"}})
        assert session.draft.content["input"]["reads"] == {"born": "text"}
        assert len(session.about["evidence"]) == 2  # what the cells show is still told

    in_session(work)


def test_a_sheet_is_chosen(tmp_path: Path, in_session: Callable[[Work], Session]) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("second")):
        sheet.append(["age", "town"])
        for i in range(20):
            sheet.append([i % 5, "x"])
    book.save(tmp_path / "in.xlsx")

    async def work(session: Session) -> None:
        assert not await session.open_file(tmp_path / "in.xlsx")
        assert session.unread is not None
        assert session.unread["error"]["tables"] == ["Sheet", "second"]
        assert await session.read_again(tmp_path / "in.xlsx", {"table": "second"})
        assert session.draft is not None
        assert session.draft.content["input"]["table"] == "second"

    in_session(work)
