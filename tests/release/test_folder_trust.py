"""`verify FOLDER` believes the folder in nothing that it can look at itself, and says what it believes."""

from __future__ import annotations

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import amongst as am
from amongst.cli.command import app
from amongst.cli.voice import VOICE

JOB = """
[input]
path = "people.csv"
{unit}
[columns.name]
role = "identifier"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.city]
role = "quasi"
[columns.disease]
role = "sensitive"
[[privacy]]
model = "{model}"
{symbol} = {value}
[method]
name = "{method}"
[output]
folder = "out"
"""
DISEASES = ("flu", "cold", "hiv", "asthma")


def command(*arguments):
    typed = [str(one) for one in arguments]
    VOICE.listen(typed)
    ran = CliRunner().invoke(app, typed)
    VOICE.listen([])
    assert ran.exit_code in (0, 1, 2), ran.output
    return ran


def job_in(folder, method="mondrian", model="k-anonymity", symbol="k", value=4, unit=""):
    rows = [f"p{i // 2},{20 + i % 30},{'Rome' if i % 3 else 'Oslo'},{DISEASES[(i // 2) % 4]}" for i in range(60)]
    (folder / "people.csv").write_text("name,age,city,disease\n" + "\n".join(rows) + "\n", encoding="utf-8")
    told = JOB.format(method=method, model=model, symbol=symbol, value=value, unit=unit and f'unit = "{unit}"')
    (folder / "job.toml").write_text(told, encoding="utf-8")
    ran = command("run", folder / "job.toml")
    assert ran.exit_code == 0, ran.output
    return folder / "out"


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return job_in(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return job_in(tmp_path_factory.mktemp("pair"), "anatomy", "l-diversity", "l", 2)


def edit(change):
    def of_folder(folder):
        path = folder / "manifest.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        change(told)
        path.write_text(json.dumps(told), encoding="utf-8")

    return of_folder


def changed_cell(folder):
    path = folder / "release.parquet"
    table = pq.read_table(path)
    last = table.schema.names[-1]
    turned = table.column(last).combine_chunks().take(pa.array(range(len(table) - 1, -1, -1)))
    pq.write_table(table.set_column(table.num_columns - 1, last, turned), path)


def added(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("name,age\nAnn,31\n", encoding="utf-8")


FOUND_WITHOUT_A_JOB = {
    "digests removed": edit(lambda told: told["output"].update(sha256={})),
    "digests and pages removed": edit(lambda told: told["output"].update(sha256={}, pages={})),
    "no digests at all": edit(lambda told: told["output"].pop("sha256")),
    "digest of the report removed": edit(lambda told: told["output"].update(pages={}) or told.update(format=2)),
    "data changed": changed_cell,
    "another count of rows": edit(lambda told: told["proved"].update(rows=told["proved"]["rows"] + 1)),
    "fewer unique rows": edit(lambda told: told["proved"].update(unique_rows=None)),
    "other sizes": edit(lambda told: told["proved"]["class_sizes"]["classes"].append(1)),
    "more reached": edit(lambda told: told["proved"]["models"][0].update(reached=40)),
    "nothing reached": edit(lambda told: told["proved"]["models"][0].update(reached=None)),
    "report changed": lambda folder: (folder / "report.html").write_text("all is well", encoding="utf-8"),
    "report gone": lambda folder: (folder / "report.html").unlink(),
    "the input left": lambda folder: added(folder, "people.csv"),
    "a hidden file": lambda folder: added(folder, ".people.csv"),
    "a folder with a file": lambda folder: added(folder, "old/people.csv"),
    "an empty folder": lambda folder: (folder / ".cache").mkdir(),
    "a link": lambda folder: (folder / "original").symlink_to(folder.parent),
    "another data file": lambda folder: added(folder, "release.bak"),
}
FOUND_WITH_A_JOB = {
    "asks less": edit(lambda told: told["privacy"][0].update({"k": 2} if "k" in told["privacy"][0] else {"l": 1.5})),
    "asks another model": edit(lambda told: told.update(privacy=[{"model": "k-of-subsets", "k": 2, "m": 1}])),
    "a quasi-identifier is kept": edit(lambda told: told["schema"].update(city={"role": "keep"})),
    "a quasi-identifier is sensitive": edit(lambda told: told["schema"].update(city={"role": "sensitive"})),
    "an identifier is quasi": edit(lambda told: told["schema"].update(name={"role": "quasi"})),
    "a column more": edit(lambda told: told["schema"].update(income={"role": "keep"})),
    "people are counted": edit(lambda told: told["input"].update(unit="name")),
}


@pytest.mark.parametrize("which", ["one", "pair"])
def test_what_was_written_verifies(which, request):
    folder = request.getfixturevalue(which)
    for more in ([], ["--schema", folder.parent / "job.toml"]):
        ran = command("verify", folder, *more)
        assert ran.exit_code == 0, ran.output
        assert ("believed" in ran.output) == (not more)
        assert ("the job job.toml" in ran.output) == bool(more)


@pytest.mark.parametrize("which", ["one", "pair"])
@pytest.mark.parametrize("change", FOUND_WITHOUT_A_JOB)
def test_files_are_held_against_their_digests(which, change, request, tmp_path):
    whole = request.getfixturevalue(which)
    folder = tmp_path / "out"
    shutil.copytree(whole, folder)
    FOUND_WITHOUT_A_JOB[change](folder)
    ran = command("verify", folder)
    assert ran.exit_code == 1, ran.output
    assert "holds what was asked" not in ran.output
    assert "Ann" not in ran.output
    if "figures" in ran.output:
        return  # of the manifest alone, which am.verify does not ask
    models = [am.KAnonymity(4)] if which == "one" else [am.LDiversity(2)]
    assert not am.verify(folder, am.Schema.from_file(whole.parent / "job.toml"), models).ok
    assert am.verify(whole, am.Schema.from_file(whole.parent / "job.toml"), models).ok


@pytest.mark.parametrize("which", ["one", "pair"])
@pytest.mark.parametrize("change", FOUND_WITH_A_JOB)
def test_the_job_counts_and_not_the_manifest(which, change, request, tmp_path):
    whole = request.getfixturevalue(which)
    folder = tmp_path / "out"
    shutil.copytree(whole, folder)
    FOUND_WITH_A_JOB[change](folder)
    ran = command("verify", folder, "--schema", whole.parent / "job.toml")
    assert ran.exit_code == 1, ran.output
    assert "says otherwise than the job" in ran.output


def test_a_job_that_asks_for_more_than_the_release_holds(one, tmp_path):
    job = tmp_path / "job.toml"
    job.write_text((one.parent / "job.toml").read_text().replace("k = 4", "k = 40"), encoding="utf-8")
    told = json.loads(command("verify", one, "--schema", job, "--json").stdout)
    assert not told["ok"]
    assert told["models"][0]["asked"] == 40
    assert {finding["code"] for finding in told["findings"]} == {"k-anonymity", "declared-otherwise"}
    assert told["taken_from"] == {"models": "the job job.toml", "roles": "the job job.toml"}


def test_an_edited_k_of_one_is_no_success(one, tmp_path):
    folder = tmp_path / "out"
    shutil.copytree(one, folder)
    edit(lambda told: told["privacy"][0].update(k=1))(folder)
    ran = command("verify", folder)
    assert ran.exit_code == 1
    assert "nothing was asked" in ran.output


def test_a_release_of_the_first_format_still_verifies(one, tmp_path):
    folder = tmp_path / "out"
    shutil.copytree(one, folder)
    edit(lambda told: told["output"].pop("pages") and told.update(format=1))(folder)
    ran = command("verify", folder)
    assert ran.exit_code == 0, ran.output
    assert "The report has no digest" in ran.output


@pytest.mark.parametrize(
    "model",
    [
        am.KAnonymity(1),
        am.LDiversity(1, column="d"),
        am.LDiversity(1, "distinct", "d"),
        am.LDiversity(1, "entropy", "d"),
        am.LDiversity(1, ("recursive", 2.0), "d"),
        am.TCloseness(1, column="d"),
        am.AlphaK(1, 1, "d"),
        am.KOfSubsets(1, 1),
        am.Proximity(1, 5, "n"),
        am.KMap(1, pa.table({"a": ["x", "y"] * 2})),
        am.DeltaPresence(0, 1, pa.table({"a": ["x", "y"] * 2})),
    ],
    ids=lambda model: model.name,
)
def test_a_model_that_every_table_holds_is_said_to_ask_nothing(model):
    rows = pa.table({"a": ["x", "y"], "d": ["hiv", "flu"], "n": [1, 2]})
    verdict = am.verify(rows, ["a"], model)
    assert verdict.ok
    assert verdict.asked_nothing
    assert "verified" not in verdict.words()
    twice = am.verify(pa.concat_tables([rows, rows]), ["a"], [model, am.KAnonymity(2)])
    assert twice.ok
    assert not twice.asked_nothing


# People


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    folder = job_in(tmp_path_factory.mktemp("people"), unit="name")
    inside = folder.with_name("out.inside")
    if not inside.exists():
        schema = am.Schema.from_file(folder.parent / "job.toml")
        release = am.anonymize(folder.parent / "people.csv", schema, [am.KAnonymity(4)], unit="name", method="mondrian")
        shutil.copytree(folder, inside)
        (inside / "release.parquet").unlink()
        pq.write_table(pa.table({"person": release.person_of_row}), inside / "people.parquet")
    return folder


def test_people_are_found_beside_the_release(people):
    told = json.loads(command("verify", people, "--json").stdout)
    assert told["ok"], told["findings"]
    assert told["taken_from"]["people"] == "out.inside/people.parquet"
    assert told["models"][0]["reached"] >= 4
    assert command("verify", people, "--schema", people.parent / "job.toml").exit_code == 0


def test_people_of_a_folder_that_was_moved(people, tmp_path):
    public = tmp_path / "public"
    shutil.copytree(people, public)
    ran = command("verify", public)
    assert ran.exit_code == 1
    assert "NOT proved" in ran.output
    assert "does NOT hold" not in ran.output
    assert command("verify", public, "--rows").exit_code == 0
    assert command("verify", public, "--inside", people.with_name("out.inside")).exit_code == 0
    assert command("verify", public, "--inside", tmp_path / "nowhere").exit_code == 1


def test_people_of_another_release_are_refused(people, one):
    ran = command("verify", one, "--inside", people.with_name("out.inside"), "--json")
    assert ran.exit_code == 0  # rows are counted there: nobody needs people
    edited = people.with_name("edited")
    shutil.copytree(people, edited)
    edit(lambda told: told["output"]["sha256"].update({"release.parquet": "0" * 64}))(edited)
    ran = command("verify", edited, "--inside", people.with_name("out.inside"))
    assert ran.exit_code == 1
    assert "not that of this release" in ran.output


def test_people_who_hold_less_than_rows_do_not_verify(people, tmp_path):
    """The rows of a class all of one person: k rows, one person."""
    public, inside = tmp_path / "out", tmp_path / "out.inside"
    shutil.copytree(people, public)
    shutil.copytree(people.with_name("out.inside"), inside)
    n_rows = pq.read_metadata(public / "release.parquet").num_rows
    pq.write_table(pa.table({"person": [1] * n_rows}), inside / "people.parquet")
    ran = command("verify", public)
    assert ran.exit_code == 1
    assert "does NOT hold" in ran.output


def test_a_run_that_asks_for_nothing_is_not_called_verified(tmp_path):
    folder = job_in(tmp_path, value=1)
    ran = command("run", tmp_path / "job.toml", "--force")
    assert "not verified: nothing was asked" in ran.output
    assert "Verified" not in (folder / "report.html").read_text(encoding="utf-8")
