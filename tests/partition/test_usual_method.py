"""Where nobody names a method: the same one in Python, job file and app, and mondrian where that one cannot run."""

from __future__ import annotations

from pathlib import Path

import pyarrow.csv
import pytest

import amongst as am
from amongst.app.draft import first_draft
from amongst.encode import frequency_set
from amongst.job.job import Engine, Input, Job
from amongst.kernels.search import is_compiled
from amongst.partition import usual_method as usual
from amongst.partition.clusters import best
from amongst.partition.clusters.pool_rounds import FIRST_LOOK, LAST_LOOK, PoolRounds
from amongst.partition.methods import METHODS
from amongst.partition.usual_method import FAST, LARGE, LITTLE, USUAL, usual_method

pytestmark = pytest.mark.skipif(not is_compiled(), reason="without compiled kernels mondrian is the usual one")
MODELS = [am.KAnonymity(5)]


def some_adults(n: int = 300) -> tuple:
    adult = am.datasets.load("adult", part="train")
    return adult.table.slice(0, n), adult.schema


def test_it_is_best_with_little_effort() -> None:
    assert usual_method(None, {}) == (USUAL, LITTLE)
    assert usual_method("hilbert", {}) == ("hilbert", {})
    assert usual_method("best", {}) == ("best", {})  # whoever names it gets its own effort


@pytest.mark.parametrize("searching", [{"effort": 2.0}, {"seconds": 1.0}, {"steps": 3}, {"starts": "all"}])
def test_who_says_how_long_is_heard(searching: dict) -> None:
    assert usual_method(None, searching) == (USUAL, searching)


def test_what_it_takes_goes_with_it_and_other_options_are_those_of_mondrian() -> None:
    assert usual_method(None, {"suppression": 0.1}) == (USUAL, {**LITTLE, "suppression": 0.1})
    assert usual_method(None, {"cuts": "ordered"}) == (FAST, {"cuts": "ordered"})


@pytest.mark.parametrize("where", [{"engine": "duckdb"}, {"engine": "spark"}, {"guided": True}, {"hardened": True}])
def test_elsewhere_it_is_mondrian(where: dict) -> None:
    assert usual_method(None, {}, **where) == (FAST, {})


def test_without_compiled_kernels_it_is_mondrian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usual, "is_compiled", lambda: False)
    assert usual_method(None, {}) == (FAST, {})


def test_a_call_without_a_method_is_that_method() -> None:
    table, schema = some_adults()
    release = am.anonymize(table, schema, MODELS)
    assert (release.method, release.options) == (USUAL, LITTLE)
    named = am.anonymize(table, schema, MODELS, method=USUAL, **LITTLE)
    assert release.arrow.equals(named.arrow)
    assert release.utility.gcp < am.anonymize(table, schema, MODELS, method=FAST).utility.gcp


def test_a_job_without_a_method_is_that_method_and_says_so(tmp_path: Path) -> None:
    table, schema = some_adults(60)
    pyarrow.csv.write_csv(table, tmp_path / "adult.csv")
    job = Job(Input(tmp_path / "adult.csv"), schema, tuple(MODELS))
    assert "name" not in job.to_dict()["method"]
    again = Job.from_dict(job.to_dict())
    assert again.method_of() == (USUAL, LITTLE)
    done = again.but(folder=tmp_path / "out").run()
    assert (done.release.method, done.release.options) == (USUAL, LITTLE)
    assert '"best"' in (tmp_path / "out" / "manifest.json").read_text("utf-8")
    elsewhere = Job(job.input, schema, tuple(MODELS), engine=Engine("duckdb"))
    assert elsewhere.method_of() == (FAST, {})
    assert elsewhere.anonymize().method == FAST


def test_the_app_begins_with_the_one_that_answers_at_once(tmp_path: Path) -> None:
    draft = first_draft(tmp_path / "a.csv", [{"name": "age", "fields": {"role": "quasi"}}], {}, tmp_path)
    assert draft.method == {"name": FAST, "seed": 0}  # which answers while a slider is dragged


def test_mondrian_is_one_word_away() -> None:
    table, schema = some_adults(60)
    assert am.anonymize(table, schema, MODELS, "mondrian").method == FAST
    assert {USUAL, FAST} <= set(METHODS)


@pytest.mark.parametrize("limit", ["MANY_TUPLES", "MANY_ROWS"])
def test_a_large_table_is_searched_less_and_loses_no_more_than_its_starts(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, schema = some_adults(1000)
    coded = am.anonymize(table, schema, MODELS, method=FAST).coded
    size = frequency_set(coded.codes).n_tuples if limit == "MANY_TUPLES" else coded.n_rows
    monkeypatch.setattr(best, "VISITS_OF_MANY", 1)
    asked = []
    monkeypatch.setattr(best, "PoolRounds", lambda *given, **named: asked.append(named) or PoolRounds(*given, **named))
    before = am.anonymize(table, schema, MODELS)
    monkeypatch.setattr(best, limit, size)
    at = am.anonymize(table, schema, MODELS)
    monkeypatch.setattr(best, limit, size - 1)
    above = am.anonymize(table, schema, MODELS)
    assert at.arrow.equals(before.arrow)
    assert above.partition.facts["steps"] < at.partition.facts["steps"]
    assert [one["first_look"] for one in asked] == [FIRST_LOOK, FIRST_LOOK, LAST_LOOK]
    for start in ("gain-split", "hilbert"):
        assert above.utility.gcp <= am.anonymize(table, schema, MODELS, method=start).utility.gcp
    again = am.anonymize(table, schema, MODELS, method=above.method, **above.options)
    assert again.arrow.equals(above.arrow)
    named = am.anonymize(table, schema, MODELS, method=USUAL, effort=0.1)  # from all starts it is searched as ever
    assert named.partition.facts["steps"] >= at.partition.facts["steps"] > 1


def test_a_large_table_of_rows_that_come_again_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    table, schema = some_adults(600)
    few = am.Schema({name: schema[name] if name in ("age", "sex") else am.Column(role="identifier") for name in schema})
    monkeypatch.setattr(usual, "LARGE_FROM", 600)
    release = am.anonymize(table, few, MODELS)
    assert (release.method, release.options) == (LARGE, {})
    assert release.arrow.equals(am.anonymize(table, few, MODELS, method=LARGE).arrow)
    assert am.anonymize(table, few, MODELS, suppression=0.1).options == {"suppression": 0.1}
    shown = {name: rule for name, rule in few.items() if name != "salary-class"}
    told = am.Schema({**shown, "salary-class": am.Column(role="sensitive")})
    unlike = {
        "rows without an equal": am.anonymize(table, schema, MODELS),
        "values asked for": am.anonymize(table, told, [*MODELS, am.LDiversity(2, "distinct")]),
        "a search asked for": am.anonymize(table, few, MODELS, effort=0.1),
        "a smaller table": am.anonymize(table.slice(1), few, MODELS),
        "named": am.anonymize(table, few, MODELS, method=USUAL, **LITTLE),
    }
    assert {words: one.method for words, one in unlike.items()} == dict.fromkeys(unlike, USUAL)
