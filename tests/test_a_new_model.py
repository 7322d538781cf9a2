"""A privacy model that is made up here, asked and proved: all that know models know it, the app and the command too."""

from __future__ import annotations

import json
import random
import runpy
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import amongst as am
from amongst.app.python_text import python_text
from amongst.app.steps.privacy import shown
from amongst.cli.command import app
from amongst.cli.voice import VOICE
from amongst.errors import BadOption, Infeasible
from amongst.job.job import Job
from amongst.models import MODELS, Model
from amongst.models.card import Card, Field
from amongst.models.numbers import column_name, of_column, real
from amongst.verify import proofs
from amongst.verify.sensitive import SLACK, Judged, prove_columns

ROOT = Path(__file__).parents[1]
DISEASES = ("flu", "cold", "hiv", "asthma", "gout")
CAVEAT = "Two values may be known to be the only ones, as long as they are rare together."


# What is asked: src/amongst/models/two_most.py


@dataclass(frozen=True)
class TwoMost(Model):
    """In every group the two most frequent values together have at most a share of the rows."""

    share: float
    column: str | None = None
    name = "two-most"
    symbol = "share"
    counts = "values"
    larger_asks_more = False
    caveat = CAVEAT
    card = Card(
        title="Two most frequent",
        means="Two values together are never most of a group.",
        leaves_open="a third value.",
        fields=(Field("share", "share", 0.05, 1, 0.05, whole=False),),
        first={"share": 0.6},
    )

    def __post_init__(self) -> None:
        real(self.share, "share", "TwoMost(0.6)", above=0, most=1)
        column_name(self.column)

    @property
    def asks_nothing(self) -> bool:
        return self.share >= 1

    def words(self, people: bool = False) -> str:
        who = "people" if people else "rows"
        return f"In every group two values {of_column(self.column, 'any')} have at most {self.share:g} of the {who}."

    def holds(self, count: np.ndarray, share: np.ndarray, size: float) -> bool:
        return bool(np.sort(count)[-2:].sum() <= self.share * size + 1e-9)


# How it is proved: src/amongst/verify/proofs/two_most.py


def prove(model, evidence):
    return prove_columns(model, evidence, _judge)


def sql(model, distance):
    return f"list_sum(list_reverse_sort(list(c))[1:2]) <= {model.share!r} * any_value(n) + 1e-9"


def _judge(model, histogram):
    ranked = histogram.by_frequency()
    place = np.arange(len(ranked.count)) - ranked.first[ranked.class_of_entry]
    two = ranked.sum(np.where(place < 2, ranked.count, 0))
    return Judged(two > model.share * histogram.size + SLACK, float((two / histogram.size).max(initial=0.0)))


ASKED = """
from dataclasses import dataclass

from amongst.models.model import Model


@dataclass(frozen=True)
class TwoMost(Model):
    share: float
    name = "two-most"
    symbol = "share"
    counts = "values"
"""
PROVED = "def prove(model, evidence):\n    return [], []\n"
FOUND = """
import importlib.machinery, sys

asked, proved = sys.argv[1:]
look = importlib.machinery.PathFinder.find_spec


def find(name, path=None, target=None):
    spec = look(name, path, target)
    if name == "amongst.models":
        spec.submodule_search_locations.append(asked)
    if name == "amongst.verify.proofs":
        spec.submodule_search_locations.append(proved)
    return spec


importlib.machinery.PathFinder.find_spec = staticmethod(find)
import amongst as am
from amongst.models import MODELS, model_from_dict
from amongst.verify.proofs import proof_of

print(list(MODELS)[-1], am.TwoMost(0.5) == model_from_dict({"model": "two-most", "share": 0.5}), "TwoMost" in dir(am))
assert proof_of("two-most") is not None
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The two lines of a new model: in the register, and its proof, which otherwise is found by its name."""
    monkeypatch.setitem(MODELS, TwoMost.name, TwoMost)
    monkeypatch.setitem(proofs.PROOFS, TwoMost.name, SimpleNamespace(prove=prove, sql=sql))


SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 20])),
        "city": am.Column(role="quasi"),
        "disease": am.Column(role="sensitive"),
    }
)
JOB = """
[input]
path = "people.csv"
[columns]
age = { role = "quasi", kind = "numeric" }
city = { role = "quasi" }
disease = { role = "sensitive" }
[[privacy]]
model = "two-most"
share = 0.6
[output]
folder = "out"
"""


def people(n: int = 120, seed: int = 1) -> pa.Table:
    draw = random.Random(seed)
    rows = [(draw.randrange(20, 60), draw.choice("abc"), draw.choice(DISEASES)) for _ in range(n)]
    return pa.table(dict(zip(SCHEMA, map(list, zip(*rows, strict=True)), strict=True)))


def worst_group(table: pa.Table) -> float:
    """The share of the two most frequent diseases in the worst group, counted naively."""
    groups: dict[tuple[str, str], list[str]] = {}
    for row in table.to_pylist():
        groups.setdefault((str(row["age"]), str(row["city"])), []).append(row["disease"])
    return max(sum(sorted(map(own.count, DISEASES))[-2:]) / len(own) for own in groups.values())


def command(*arguments: object) -> str:
    typed = [str(one) for one in arguments]
    VOICE.listen(typed)
    ran = CliRunner().invoke(app, typed)
    VOICE.listen([])
    assert ran.exit_code == 0, ran.output
    return ran.output


@pytest.mark.parametrize("method", ["mondrian", "gain-split", "hilbert", "best", "incognito", "datafly"])
def test_every_method_holds_it_without_a_compiled_condition(method):
    release = am.anonymize(people(), SCHEMA, [am.KAnonymity(3), TwoMost(0.7)], method=method)
    assert worst_group(release.table) <= 0.7
    assert release.verdict.ok
    reached = release.verdict.models[1].reached
    assert reached == pytest.approx(worst_group(release.table))
    assert not am.verify(release.table, SCHEMA, [TwoMost(reached - 0.01)]).ok


def test_groups_that_tell_of_a_target_hold_it_too():
    release = am.anonymize(people(), SCHEMA, [am.KAnonymity(3), TwoMost(0.7)], target="disease")
    assert worst_group(release.table) <= 0.7


def test_beside_other_models_of_people_and_of_many_columns():
    table = people().append_column("who", [[f"p{i // 2}" for i in range(120)]])
    schema = am.Schema({**SCHEMA, "who": am.Column(role="identifier")})
    models = [am.LDiversity(2, "distinct"), TwoMost(0.8, column="disease")]
    release = am.anonymize(table, schema, models, unit="who", method="mondrian")
    assert release.verdict.ok
    assert "of the people" in release.verdict.models[1].words


def test_what_no_grouping_can_reach_is_refused():
    with pytest.raises(Infeasible, match="two values"):
        am.anonymize(people(), SCHEMA, [TwoMost(0.1)], method="mondrian")


def test_the_command_the_job_file_the_plan_the_report_and_the_proof_know_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pc.write_csv(people(), "people.csv")
    roles = ["--quasi", "age,city", "--sensitive", "disease"]
    command("anonymize", "people.csv", *roles, "--privacy", 'model="two-most", share=0.6', "-k", 3, "--out", "typed")
    told = json.loads(Path("typed/manifest.json").read_text(encoding="utf-8"))
    assert {"model": "two-most", "share": 0.6} in told["privacy"]
    assert "two-most" in command("verify", "typed")
    page = Path("typed/report.html").read_text(encoding="utf-8")
    assert "two values of any sensitive column have at most 0.6 of the rows" in page.lower()
    assert CAVEAT in page
    Path("job.toml").write_text(JOB, encoding="utf-8")
    assert Job.from_file("job.toml").models == (TwoMost(0.6),)
    assert "memory" in command("plan", "job.toml")
    command("run", "job.toml")
    assert worst_group(pq.read_table(next(Path("out").glob("*.parquet")))) <= 0.6
    assert "two-most" in command("verify", "out", "--privacy", 'model="two-most", share=0.6')


def test_the_app_has_a_card_and_writes_its_python(tmp_path):
    assert TwoMost in shown(many_tables=False)
    assert TwoMost not in shown(many_tables=True)
    path = tmp_path / "job.toml"
    path.write_text(JOB, encoding="utf-8")
    assert "am.TwoMost(share=0.6)" in python_text(Job.from_file(path))


def test_the_query_of_the_report_says_it_in_sql(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    from amongst.verify.sql import as_sql

    release = am.anonymize(people(), SCHEMA, [am.KAnonymity(3), TwoMost(0.6)], method="mondrian")
    release.write(tmp_path / "out")
    file = next((tmp_path / "out").glob("*.parquet"))
    for share, holds in ((0.6, True), (0.3, False)):
        query = as_sql(SCHEMA, [TwoMost(share)], file)
        assert "not checked" not in query
        assert duckdb.sql(query).fetchall()[0][-1] is holds


def test_a_model_without_a_proof_is_not_believed(monkeypatch):
    monkeypatch.delitem(proofs.PROOFS, TwoMost.name)
    with pytest.raises(BadOption, match="There is no proof"):
        am.verify(people(), SCHEMA, [TwoMost(0.6)])


def test_what_is_not_in_the_register_cannot_be_asked(monkeypatch):
    with pytest.raises(BadOption, match="A privacy model is needed"):
        am.anonymize(people(), SCHEMA, [am.Diversity(2)], method="mondrian")  # of many tables
    monkeypatch.delitem(MODELS, TwoMost.name)
    with pytest.raises(BadOption, match="A privacy model is needed"):
        am.anonymize(people(), SCHEMA, [TwoMost(0.6)], method="mondrian")


def test_the_index_of_the_docs_is_written_from_what_models_declare(monkeypatch):
    script = runpy.run_path(str(ROOT / "scripts/model_index.py"))
    assert "| `two-most` | `share`; `column` |" in script["in_job_files"]([TwoMost])
    assert "| `TwoMost(share)` | `two-most` | smaller share | yes | values of a group |" in script["index"]([TwoMost])
    monkeypatch.delitem(MODELS, TwoMost.name)
    for page in script["PAGES"]:
        assert script["written"](page) == page.read_text(encoding="utf-8"), "run `make models`"


def test_a_file_in_the_folder_is_all_there_is_to_registering(tmp_path):
    """In a process of its own, with a copy of the folder's place beside it: the two files of CONTRIBUTING."""
    asked, proved = tmp_path / "asked", tmp_path / "proved"
    for folder, text in ((asked, ASKED), (proved, PROVED)):
        folder.mkdir()
        (folder / "two_most.py").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", FOUND, str(asked), str(proved)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split() == ["two-most", "True", "True"]
