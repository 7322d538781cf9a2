"""Every command's ``--json`` answer fits the schema that stands beside the command, and every key has its words."""

from __future__ import annotations

import json
import runpy
import shlex
from pathlib import Path

import jsonschema
import pytest
from cli_process import JOB_COLUMNS, people_csv

from amongst.cli import command
from amongst.cli.answers import answer_schema, commands_with_answers
from typed_commands import typed

ASKED = '[[privacy]]\nmodel = "k-anonymity"\nk = 3\n\n[output]\nfolder = "first"\n'
PERSONS = "id,age,sex\n" + "".join(f"{i},{20 + i % 40},{'fm'[i % 2]}\n" for i in range(60))
VISITS = "id,patient_id,code\n" + "".join(f"{1000 + i},{i % 60},{'abc'[i % 3]}\n" for i in range(120))
ROOT = Path(__file__).parents[2]
LIFE = [
    "inspect people.csv",
    "plan job.toml",
    "run job.toml --save-recoding found.json",
    "run job.toml",
    "apply found.json job.toml --input more.csv --out applied",
    "anonymize people.csv -k 4 --identifier name --quasi age,zip,sex --sensitive disease --method hilbert --out second"
    " --formula 'age ~ sex'",
    "verify first",
    "verify first --schema job.toml",
    "verify people.csv",
    "risk first",
    "attack first",
    "compare job.toml --methods mondrian,hilbert",
    "query first 'SELECT COUNT(*) WHERE age > 30'",
    "query first 'SELECT sex, AVG(age) GROUP BY sex'",
    "workload first job.toml",
    "fidelity first job.toml",
    "regression first 'age ~ sex' --original job.toml --tables 2",
    "evidence first --out pack",
    "lattice job.toml",
    "methods",
    "datasets",
    "papers",
    "register kept add first --people staff",
    "register kept",
    "together first second",
    "sign first --key maker --new-key",
    "pseudonymise people.csv --person name --key safe/key --new-key --out given/pseudonyms.csv",
    "republish series.toml --person name --series safe/series --key safe/other --new-key --out january",
    "inspect-database tables --write tables.toml",
    "run tables.toml --out tables-out",
    "anonymize-database transcripts -k 2 --out many",
    "verify-database many",
    "risk-database many",
    "nosuch",
]
"""A life in which every command answers, well or with an error."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, dict]]:
    folder = tmp_path_factory.mktemp("answers")
    (folder / "people.csv").write_text(people_csv(90))
    (folder / "more.csv").write_text(people_csv(120))
    (folder / "job.toml").write_text('[input]\npath = "people.csv"\n' + JOB_COLUMNS + ASKED)
    levels = JOB_COLUMNS.replace("[columns.sex]", "[columns.sex]\nhierarchy = { flat = true }")
    (folder / "series.toml").write_text('[input]\npath = "people.csv"\n' + levels + ASKED)
    for name in ("safe", "given", "tables"):
        (folder / name).mkdir()
    (folder / "tables" / "patient.csv").write_text(PERSONS)
    (folder / "tables" / "visit.csv").write_text(VISITS)
    ended = [(line, typed([*shlex.split(line), "--json"], folder).stdout) for line in LIFE]
    return [(line, line.split()[0], json.loads(text)) for line, text in ended]


def test_every_answer_fits(answers: list[tuple[str, str, dict]]) -> None:
    for line, name, answer in answers:
        schema = answer_schema("error" if "error" in answer else name)
        problems = [problem.message for problem in jsonschema.Draft202012Validator(schema).iter_errors(answer)]
        assert problems == [], line


def test_most_answers_are_no_errors(answers: list[tuple[str, str, dict]]) -> None:
    answered = {name for _, name, answer in answers if "error" not in answer}
    assert answered == set(commands_with_answers()) - {"demo"}


def test_every_command_has_its_schema() -> None:
    commands = {part.__name__.replace("_", "-") for part in command.PARTS} - {"app"}
    assert set(commands_with_answers()) == {name.removesuffix("-job") for name in commands}


@pytest.mark.parametrize("name", [*commands_with_answers(), "error"])
def test_every_key_has_words(name: str) -> None:
    schema = answer_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert [key for key, value in schema["properties"].items() if not value.get("description")] == []


def test_the_page_is_what_the_commands_declare() -> None:
    script = runpy.run_path(str(ROOT / "scripts/answer_index.py"))
    assert script["written"]() == script["PAGE"].read_text(encoding="utf-8"), "run: make answers"
