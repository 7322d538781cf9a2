"""A job from Python does what the command does, for one table and for many."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import amongst as am
from amongst.errors import BadOption, BadOutput

ONE = """\
[input]
path = "people.csv"
nulls = ["?"]
[columns.age]
role = "quasi"
[columns.illness]
role = "sensitive"
[[privacy]]
model = "k-anonymity"
k = 2
[output]
folder = "out"
format = "csv"
"""
MANY = """\
[input]
path = "clinic"
[tables.patients]
key = "id"
[tables.patients.columns.age]
role = "quasi"
[tables.visits]
parent = "patients"
foreign_key = "patient"
[tables.visits.columns.ward]
role = "sensitive"
[[privacy]]
model = "k-anonymity"
k = 2
[output]
folder = "out"
"""


@pytest.fixture(params=["one table", "many tables"])
def job(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    (tmp_path / "people.csv").write_text("age,illness\n31,a\n32,b\n50,a\n51,?\n")
    (tmp_path / "clinic").mkdir()
    (tmp_path / "clinic" / "patients.csv").write_text("id,age\n1,31\n2,32\n3,50\n4,51\n")
    (tmp_path / "clinic" / "visits.csv").write_text("patient,ward\n1,a\n2,b\n3,a\n4,b\n")
    (tmp_path / "job.toml").write_text(ONE if request.param == "one table" else MANY)
    return am.Job.from_file(tmp_path / "job.toml")


def test_a_job_runs_and_gives_what_it_came_to(job: Any, tmp_path: Path) -> None:
    steps: list[str] = []
    written: list[Path] = []
    done = job.run(on_progress=lambda step, done, total: steps.append(step), on_written=written.append)
    assert done.verdict.ok
    assert done.folder == tmp_path / "out"
    assert done.inside == tmp_path / "out.inside"
    assert written == [done.folder]
    assert {"manifest.json", "report.html"} <= {path.name for path in done.folder.iterdir()}
    assert (done.inside / "manifest.json").exists()
    assert done.release.verdict.ok
    assert steps[0] == "read"
    assert {"encode", "group", "publish", "write"} <= set(steps)


def test_a_release_is_replaced_only_when_told(job: Any, tmp_path: Path) -> None:
    job.run(inside=tmp_path / "hidden")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    with pytest.raises(BadOutput):
        job.run()
    done = job.run(force=True, inside=tmp_path / "hidden")
    assert done.inside == tmp_path / "hidden"
    assert not (tmp_path / "out.inside").exists()
    names = [name for name in before if not name.endswith((".json", ".html"))]
    assert names
    assert all((tmp_path / "out" / name).read_bytes() == before[name] for name in names)


def test_a_job_without_a_folder_can_be_made_but_not_run(job: Any, tmp_path: Path) -> None:
    job = replace(job, output=replace(job.output, folder=None))
    assert job.anonymize().verdict.ok
    with pytest.raises(BadOption, match="needs a folder"):
        job.run()
    assert job.but(folder=tmp_path / "elsewhere").run().folder == tmp_path / "elsewhere"


def test_a_table_in_memory_stands_in_for_the_input(tmp_path: Path) -> None:
    import pyarrow as pa

    schema = am.Schema({"age": am.Column(role="quasi"), "illness": am.Column(role="sensitive")})
    from amongst.job.job import Input, Job, Output

    job = Job(Input("nowhere.csv"), schema, (am.KAnonymity(2),), output=Output(tmp_path / "out"), method="mondrian")
    done = job.run(data=pa.table({"age": [1, 2, 3], "illness": ["a", "b", "c"]}))
    assert done.release.table.num_rows == 3


def test_a_job_is_written_over_a_file_that_is_there(job: Any, tmp_path: Path) -> None:
    text = "# ours\n" + (ONE if not job.many else MANY).replace("k = 2", "k = 2   # at least")
    assert job.to_toml(tmp_path, over=text) == text
    more = replace(job, models=(am.KAnonymity(3),)).to_toml(tmp_path, over=text)
    assert more == text.replace("k = 2 ", "k = 3 ")
    fresh = job.to_toml(tmp_path)
    assert job.to_toml(tmp_path, over="[input]\n# no job") == fresh
    assert type(job).from_dict(tomllib.loads(fresh), tmp_path) == job
