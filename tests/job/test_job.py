"""Job files: what is written reads back, and all that is wrong is said at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amongst import models
from amongst.errors import BadJob
from amongst.job.draft import draft
from amongst.job.job import Input, Job, Output
from amongst.models import (
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    KAnonymity,
    KMap,
    LDiversity,
    Model,
    Proximity,
    TCloseness,
)
from amongst.schema import Column, Hierarchy, Schema
from amongst.schema.check import check
from amongst.schema.suggest import suggest
from asked_models import example
from thorough import some

WHOLE_JOB = """
[input]
path = "data.csv"
nulls = ["NA"]
separator = ","

[columns.age]
role = "quasi"
kind = "numeric"
weight = 2
nulls = "own value"
hierarchy = { intervals = [5, 10, 20] }
statistic = ["mean"]
grid = 5

[columns."zip code"]
role = "quasi"
hierarchy = { csv = "levels/zip.csv" }

[[privacy]]
model = "k-anonymity"
k = 10

[method]
name = "mondrian"
seed = 7
[method.options]
cuts = "ordered"

[output]
folder = "out"
format = "csv"
form = "bounds"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels/zip.csv").write_text("1;x;*\n2;x;*\n")
    return tmp_path


def write(folder: Path, text: str) -> Path:
    file = folder / "job.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refused(folder: Path, text: str) -> BadJob:
    with pytest.raises(BadJob) as caught:
        Job.from_file(write(folder, text))
    return caught.value


def test_a_whole_job(folder: Path) -> None:
    job = Job.from_file(write(folder, WHOLE_JOB))
    assert job == Job(
        Input(folder / "data.csv", ("NA",), ","),
        Schema(
            {
                "age": Column(
                    role="quasi",
                    kind="numeric",
                    weight=2,
                    nulls="own value",
                    hierarchy=Hierarchy.intervals([5, 10, 20]),
                    statistic="mean",
                    grid=5,
                ),
                "zip code": Column(role="quasi", hierarchy=Hierarchy.from_csv(folder / "levels/zip.csv")),
            }
        ),
        (KAnonymity(10),),
        "mondrian",
        {"cuts": "ordered"},
        Output(folder / "out", "csv", "bounds"),
        7,
    )
    assert Schema.from_file(folder / "job.toml") == job.schema


def test_paths_start_at_the_job_file_also_when_it_moves(folder: Path) -> None:
    job = Job.from_file(write(folder, WHOLE_JOB))
    elsewhere = folder / "deep" / "er"
    elsewhere.mkdir(parents=True)
    text = job.to_toml(elsewhere)
    assert 'path = "../../data.csv"' in text
    assert Job.from_file(write(elsewhere, text)) == job


def test_a_schema_needs_no_more_than_columns(folder: Path) -> None:
    file = write(folder, '[columns.age]\nrole = "quasi"\n')
    assert Schema.from_file(file) == Schema({"age": Column(role="quasi")})
    with pytest.raises(BadJob):
        Job.from_file(file)


def test_all_that_is_wrong_is_said_at_once(folder: Path) -> None:
    error = refused(
        folder,
        """
        inptu = 3
        [input]
        pth = "data.csv"
        nulls = "NA"
        [columns.age]
        role = "quasy"
        kind = 3
        weight = -1
        hierarchy = { intervals = [5, 7] }
        statistic = "mode"
        [columns.zip]
        hierarchy = { csv = "none.csv" }
        nullz = "suppress"
        [[privacy]]
        model = "k-anonymity"
        k = 0
        [[privacy]]
        model = "k-anonimity"
        [method]
        seed = 1.5
        [output]
        form = "label"
        """,
    )
    said = "\n".join(problem["text"] for problem in error.facts["problems"])
    for part in (
        "'inptu' is not known",
        "[input] 'path' is missing",
        "[input] 'pth' is not known",
        "[input] 'nulls' is not a list of texts",
        "[columns.age] 'role' cannot be 'quasy'",
        "[columns.age] 'kind' is not a text",
        "weight",
        "[columns.age] 'hierarchy' levels 1 and 2 do not merge",
        "[columns.age] 'statistic' cannot be 'mode'",
        "[columns.zip] 'hierarchy' there is no file",
        "[columns.zip] 'nullz' is not known",
        "[[privacy]] 1: k must be",
        "[[privacy]] 2: There is no privacy model",
        "[method] 'seed' is not a whole number",
        "[output] 'form' cannot be 'label'",
    ):
        assert part in said
    assert len(error.found) == len(error.facts["problems"]) == 15
    for hint in ("'input'", "'path'", "'quasi'", "'nulls'", "'labels'"):
        assert f"did you mean {hint}?" in str(error)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'input' is missing"),
        ("columns = 3", "'columns' is not a table"),
        ("[columns]\nage = 3", "[columns.age] is not a table"),
        ("privacy = 3", "'privacy' is not a list of tables"),
        ("[columns.a]\norder = [[1]]", "'order' is not a list of values"),
        ("[columns.a]\nhierarchy = 5", "'hierarchy' is not a table"),
        ("[columns.a]\nweight = true", "'weight' is not a number"),
        ('[input]\npath = "x"\nseparator = ";;"', "A separator is one ASCII character"),
    ],
)
def test_wrong_types(tmp_path: Path, text: str, said: str) -> None:
    assert said in "\n".join(refused(tmp_path, text).found)


def test_files_that_are_no_job_files(tmp_path: Path) -> None:
    with pytest.raises(BadJob, match="no such job file"):
        Job.from_file(tmp_path / "none.toml")
    with pytest.raises(BadJob, match="cannot be read"):
        Job.from_file(tmp_path)
    assert "line 1" in str(refused(tmp_path, "a = = 3"))
    (tmp_path / "job.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(BadJob, match="not UTF-8"):
        Job.from_file(tmp_path / "job.toml")


NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
HIERARCHIES = st.one_of(
    st.none(),
    st.just(Hierarchy.intervals([0.5, 1.5], origin=0.25)),
    st.just(Hierarchy.edges([[float("-inf"), 3, float("inf")]])),
    st.just(Hierarchy.digits(5)),
    st.just(Hierarchy.dates("month", "year")),
    st.just(Hierarchy.flat()),
    st.builds(lambda order: Hierarchy.fanout(3, order), st.lists(NAME, unique=True, min_size=1)),
    st.builds(lambda a, b: Hierarchy.nested({a: ["x", {b: ["y"]}], b + "2": {a + "3": ["z"]}}), NAME, NAME),
    st.builds(lambda a, b: Hierarchy.from_rows([[a, "*"], [b, "*"]]), NAME, NAME),
)
COLUMNS = st.builds(
    Column,
    role=st.sampled_from([None, "identifier", "quasi", "sensitive", "keep"]),
    kind=st.sampled_from([None, "numeric", "ordered", "categorical", "date"]),
    hierarchy=HIERARCHIES,
    weight=st.floats(0.01, 1e9),
    nulls=st.sampled_from([None, "own value", "match anything", "suppress"]),
    order=st.one_of(st.none(), st.lists(st.one_of(NAME, st.integers(), st.dates()), max_size=3)),
    publish=st.sampled_from([None, "range", "ancestor", "set"]),
    statistic=st.sampled_from([(), ("mean",), ("mean", "median")]),
    grid=st.one_of(st.none(), st.floats(0.01, 1e9)),
)


@settings(max_examples=some(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    columns=st.dictionaries(NAME, COLUMNS, min_size=1, max_size=4),
    null=NAME,
    options=st.dictionaries(NAME, NAME),
)
def test_any_job_reads_back_as_it_was(
    tmp_path: Path, columns: dict[str, Column], null: str, options: dict[str, Any]
) -> None:
    job = Job(
        Input(tmp_path / "data.csv", (null,), encoding="latin-1"),
        Schema(columns),
        (KAnonymity(3),),
        options=options,
        output=Output(tmp_path / "out"),
        seed=3,
        method="mondrian",
    )
    again = Job.from_file(write(tmp_path, job.to_toml(tmp_path)))
    assert again == job
    assert list(again.schema) == list(job.schema)


def test_a_draft_is_a_job_that_says_what_was_suggested(tmp_path: Path) -> None:
    table = pa.table(
        {
            "age": [31, 42, 42, 17] * 10,
            "zip": ["53711", "53712", "01234", "01234"] * 10,
            'odd "name".\n': ["x", "y", "x", "y"] * 10,
            "diagnosis": ["A00", "B00", "C00", "B00"] * 10,
            "e-mail": [f"p{i}@x.org" for i in range(40)],
            "nested": [[1]] * 40,
        }
    )
    suggestion = suggest(table)
    text = draft(tmp_path / "data.csv", suggestion, tmp_path)
    job = Job.from_file(write(tmp_path, text))
    assert job.schema == suggestion.schema
    assert job.input == Input(tmp_path / "data.csv")
    assert job.models == (KAnonymity(10),)
    assert job.output.folder == tmp_path / "data-release"
    for suggested in suggestion.columns.values():
        assert all(f"# {reason}" in text for reason in suggested.reasons)
    assert check(job.schema, table)


def test_a_draft_has_a_rule_for_nulls_to_check(tmp_path: Path) -> None:
    table = pa.table({"age": [31, None, 42, 17]})
    text = draft("data.csv", suggest(table), tmp_path)
    assert check(Job.from_file(write(tmp_path, text)).schema, table)["age"].nulls == "own value"
    decided = text.replace('nulls = "own value"', "#").replace('# nulls = "suppress"', 'nulls = "suppress"')
    schema = Job.from_file(write(tmp_path, decided)).schema
    assert check(schema, table)["age"].nulls == "suppress"


def test_a_draft_keeps_how_the_table_was_read(tmp_path: Path) -> None:
    source = Input(tmp_path / "data.csv", nulls=("?",), separator="\t", encoding="latin-1")
    text = draft(source, suggest(pa.table({"age": [1, 2]})), tmp_path)
    assert Job.from_file(write(tmp_path, text)).input == source


MODELS = [
    *(example(model, population="people/voters.csv") for model in models.MODELS.values()),
    LDiversity(2.5, "entropy", "disease"),
    LDiversity(3, ("recursive", 2.0)),
    TCloseness(0.2, "equal", "disease"),
    BetaLikeness(2.0, True, "disease"),
    DeltaDisclosure(1.5, "counted"),
    Proximity(3, 1000.0, "pay"),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_model_and_the_unit_read_back(tmp_path: Path, model: Model) -> None:
    job = Job(Input("data.csv", unit="patient_id"), Schema({"age": Column(role="quasi")}), (model,), method="mondrian")
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "job.toml").write_text(job.to_toml(), encoding="utf-8")
    back = Job.from_file(tmp_path / "jobs" / "job.toml")
    assert back.models == (model,)
    assert back.input.unit == "patient_id"
    if isinstance(model, KMap | DeltaPresence):  # the path starts at the job file, also when it moves
        read = back.models[0]
        assert isinstance(read, KMap | DeltaPresence)
        assert read.population == tmp_path / "jobs" / "people" / "voters.csv"
        assert 'population = "jobs/people/voters.csv"' in back.to_toml(tmp_path)


def test_a_target_and_a_workload_read_back(tmp_path: Path) -> None:
    job = Job(Input(tmp_path / "a.csv"), Schema({"a": Column(role="quasi")}), (KAnonymity(2),), method="mondrian")
    job = replace(job, target="b", workload=tmp_path / "questions.toml")
    (tmp_path / "job.toml").write_text(job.to_toml(tmp_path), encoding="utf-8")
    assert 'workload = "questions.toml"' in job.to_toml(tmp_path)
    again = Job.from_file(tmp_path / "job.toml")
    assert (again.target, again.workload) == ("b", tmp_path / "questions.toml")
