"""A method is its file: from there the command, the job file, the app, the report, the plan and the docs have it."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import amongst as am
from amongst.errors import BadOption
from amongst.partition import METHODS, Method
from amongst.partition.method import FAMILIES
from amongst.relations.methods import DATABASE_METHODS

ROOT = Path(__file__).parents[2]

MADE_UP = '''
import numpy as np

from amongst.models import smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.method import Method, Option
from amongst.partition.partition import Partition


def made_up(table, models, *, side="low", progress=None):
    """Groups of k neighbours in the order of the first column."""
    k = smallest_group(models)
    refuse_small_table(table, k)
    codes = table.columns[0].codes.astype(np.int64)
    by_value = np.argsort(codes if side == "low" else -codes, kind="stable")
    group_of_row = np.empty(table.n_rows, dtype=np.int32)
    group_of_row[by_value] = np.minimum(np.arange(table.n_rows) // k, table.n_rows // k - 1)
    ends = [[[end(column.codes[group_of_row == g]) for column in table.columns] for g in range(table.n_rows // k)]
            for end in (np.min, np.max)]
    return Partition(group_of_row, *(np.array(one, dtype=np.uint32) for one in ends))


METHOD = Method(
    name="made-up",
    family="line",
    group=made_up,
    takes="models",
    recoding="local",
    words="Nobody has published this one.",
    paper="none",
    usual=True,
    seconds=9e9,
    explained={"side": Option(words="begin at", choices=("low", "high"))},
)
'''

IN_THE_FOLDER = """
import amongst.partition.line

amongst.partition.line.__path__.append({folder!r})
"""

JOB = """
[input]
path = "patients.parquet"

[columns]
Age = { role = "quasi" }
Sex = { role = "quasi" }
Zipcode = { role = "quasi" }
Disease = { role = "sensitive" }

[[privacy]]
model = "k-anonymity"
k = 3

[method]
name = "made-up"
options = { side = "high" }

[output]
folder = "out"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the file of the method, which processes take for one of the package's own."""
    import pyarrow.parquet as pq

    own = tmp_path / "own"
    own.mkdir()
    (own / "made_up.py").write_text(MADE_UP)
    (own / "sitecustomize.py").write_text(IN_THE_FOLDER.format(folder=str(own)))
    monkeypatch.setenv("PYTHONPATH", str(own))
    pq.write_table(am.datasets.load("patients").table, tmp_path / "patients.parquet")
    (tmp_path / "job.toml").write_text(JOB)
    return tmp_path


@pytest.fixture
def method(monkeypatch: pytest.MonkeyPatch) -> Method:
    """The method, put into the register of this process."""
    space: dict[str, object] = {}
    exec(MADE_UP, space)
    made = space["METHOD"]
    assert isinstance(made, Method)
    monkeypatch.setitem(METHODS, made.name, made)  # type: ignore[arg-type]
    return made


def command(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "amongst", *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_command_lists_it_and_takes_it(folder: Path) -> None:
    assert "Nobody has published this one." in command(folder, "methods")
    roles = ["--quasi", "Age,Sex,Zipcode", "--sensitive", "Disease", "--k", "3"]
    command(folder, "anonymize", "patients.parquet", *roles, "--method", "made-up", "--out", "typed")
    assert json.loads((folder / "typed/manifest.json").read_text())["method"]["name"] == "made-up"


def test_a_job_file_takes_it_with_its_options_and_the_report_says_it(folder: Path) -> None:
    command(folder, "run", "job.toml")
    told = json.loads((folder / "out/manifest.json").read_text())["method"]
    assert told["name"] == "made-up"
    assert told["options"] == {"side": "high"}
    assert "Nobody has published this one." in (folder / "out/report.html").read_text()


def test_the_plan_knows_what_it_costs(folder: Path) -> None:
    assert json.loads(command(folder, "plan", "job.toml", "--json"))["seconds"] > 10_000


def test_it_is_compared_with_the_usual_ones(folder: Path, method: Method) -> None:
    from amongst.compare.candidate import usual_methods

    assert method.name in usual_methods()
    patients = am.datasets.load("patients")
    found = am.compare(patients.table, patients.schema, [am.KAnonymity(3)], ["made-up", "mondrian"], processes=1)
    assert [one.state for one in found.outcomes] == ["verified", "verified"]


def test_the_app_offers_it_with_its_options(method: Method) -> None:
    from amongst.app.steps.method import methods_by_heading

    assert method in methods_by_heading(METHODS)["Detailed: every group for itself"]
    assert method.options == {"side": "low", "suppression": 0.0}
    assert method.words_of_option("side") == "begin at"
    assert method.choices_of_option("side") == ("low", "high")


def test_python_finds_it(method: Method) -> None:
    assert method.name in [one["name"] for one in am.methods()]
    patients = am.datasets.load("patients")
    release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(3)], method="made-up", side="high")
    assert release.verdict.ok
    with pytest.raises(BadOption, match="did you mean 'made-up'"):
        am.anonymize(patients.table, patients.schema, [am.KAnonymity(3)], method="madeup")


def test_the_list_of_the_docs_is_written_from_the_methods(method: Method) -> None:
    script = runpy.run_path(str(ROOT / "scripts/method_index.py"))
    page = (ROOT / "docs/methods/index.md").read_text()
    row = "| [`made-up`](made-up.md) | line | Nobody has published this one. | may be divided |\n"
    assert row in script["written"](page)
    assert script["written"](page).replace(row, "") == page  # else: make methods


@pytest.mark.parametrize("register", [METHODS, DATABASE_METHODS], ids=["one table", "many tables"])
def test_every_method_is_a_file_of_its_name_and_explains_only_options_that_it_has(register) -> None:  # type: ignore[no-untyped-def]
    for name, one in register.items():
        work = one.search or one.group
        home = import_module(work.__module__)
        assert home.METHOD is one, "the function is in the file that declares it"
        assert home.__name__.split(".")[-1] == name.replace("-", "_") == work.__name__
        assert one.family in FAMILIES or register is DATABASE_METHODS
        assert set(one.explained) <= set(one.options), name
        for option in one.explained:
            choices = one.choices_of_option(option)
            assert not choices or one.options[option] in choices, (name, option)


def test_one_method_is_imported_without_the_others() -> None:
    code = "import amongst as am, sys; am.anonymize; from amongst.partition import METHODS; METHODS['hilbert-fast'].run"
    code += "; assert not [name for name in sys.modules if 'k_optimize' in name or 'incognito' in name]"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_no_method_is_called_a_papers_that_does_what_the_paper_does_not() -> None:
    """What has rules of its own is after its paper, and the paper's as printed only."""
    departs = [one for one in (*METHODS.values(), *DATABASE_METHODS.values()) if "rules" in one.options]
    assert {one.name for one in departs} >= {"mondrian", "hilbert", "idistance", "bottom-up", "top-down", "miracle"}
    for one in departs:
        assert one.options["rules"] == "ours"
        assert "paper" in one.choices_of_option("rules")
        assert one.source.startswith("after ")
        assert one.source.endswith('as printed with rules = "paper"')
    told = {one["name"]: one["paper"] for one in am.methods()}
    assert told == {one.name: one.source for one in METHODS.values() if one.listed}
