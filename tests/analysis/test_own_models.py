"""Models of the user's own: coefficients before and after, told inside, weighed in comparisons, nowhere in public."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import amongst as am
from amongst.analysis.own_models import NotFitted, fit_all, kept
from amongst.compare.worker import make
from amongst.job.job import Job
from paid_people import SCHEMA, people

pytest.importorskip("formulaic")
FORMULA = "pay ~ age + town"
RARE = "rungholt"
JOB = """
[input]
path = "people.csv"
[columns.age]
role = "quasi"
[columns.sex]
role = "quasi"
[columns.town]
role = "quasi"
[columns.pay]
role = "keep"
[[privacy]]
model = "k-anonymity"
k = 5
[method]
name = "mondrian"
[analysis]
formulas = ["pay ~ age + town"]
"""


@pytest.fixture(scope="module")
def table() -> pa.Table:
    """Two of 120 people live where nobody else does."""
    found = people(120)
    return found.set_column(2, "town", pa.array([RARE] * 2 + found["town"].to_pylist()[2:]))


@pytest.fixture(scope="module")
def folder(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job that was run."""
    place = tmp_path_factory.mktemp("own-models")
    pyarrow.csv.write_csv(table, place / "people.csv")
    (place / "job.toml").write_text(JOB)
    job = Job.of_one_table(place / "job.toml")
    assert Job.from_dict(job.to_dict(place), place) == job
    job.but(folder=place / "out").run()
    return place


def test_inside_has_the_coefficients_before_and_after(folder: Path, table: pa.Table) -> None:
    told = json.loads((folder / "out.inside" / "manifest.json").read_text())["analysis"]
    assert [one["formula"] for one in told] == [FORMULA]
    age = next(one for one in told[0]["coefficients"] if one["name"] == "age")
    town = np.array(table["town"].to_pylist())
    matrix = [np.ones(120), table["age"].to_numpy(), *(town == name for name in ("b", "c", RARE))]
    beta = np.linalg.lstsq(np.column_stack(matrix).astype(float), table["pay"].to_numpy(), rcond=None)[0]
    assert age["original"]["value"] == pytest.approx(beta[1], rel=1e-9)
    own = am.regression(folder / "out", FORMULA)["age"].released
    assert own is not None
    assert age["released"]["value"] == own.value
    page = (folder / "out.inside" / "report.html").read_text()
    assert f"{beta[1]:.4g}" in page
    assert f"{own.value:.4g}" in page


def test_nothing_of_it_is_public(folder: Path) -> None:
    told = json.loads((folder / "out.inside" / "manifest.json").read_text())["analysis"][0]
    figures = [f"{one['original'][key]:.4g}" for one in told["coefficients"] for key in ("value", "lower", "upper")]
    assert "analysis" not in json.loads((folder / "out" / "manifest.json").read_text())
    for name in ("manifest.json", "report.html"):
        public = (folder / "out" / name).read_text()
        assert FORMULA not in public
        assert "Is the analysis" not in public
        assert [one for one in figures if one in public and len(one) > 5] == []


def test_what_few_have_is_not_told_inside_either(folder: Path) -> None:
    for name in ("manifest.json", "report.html"):
        text = (folder / "out.inside" / name).read_text()
        assert RARE not in text
        assert "fewer than 5 rows of the original" in text


def test_of_people_it_is_people_that_are_few(table: pa.Table) -> None:
    """Eight rows of two people are two people."""
    many = pa.concat_tables([table, *[table.slice(0, 2)] * 3])
    person = pa.array([*range(120), *[0, 1] * 3])
    schema = am.Schema({**SCHEMA, "id": am.Column(role="identifier")})
    release = am.anonymize(
        many.append_column("id", person), schema, [am.KAnonymity(5)], "mondrian", unit="id", formulas=FORMULA
    )
    assert any(RARE in one.name for one in release.analyses[0].coefficients)  # type: ignore[union-attr]
    assert RARE not in str(release.story().analyses)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"formulas": ["pay ~ height"]}, "not there"),
        ({"formulas": ["town ~ age"]}, "whose chance"),
        ({"formulas": ["pay ~ id"]}, "not there"),
        ({"formulas": [7]}, "is a text"),
        ({"formulas": FORMULA, "method": "anatomy"}, "one table in memory"),
    ],
)
def test_what_cannot_be_fitted_is_refused_before_anything_is_grouped(changes, words, table, monkeypatch) -> None:
    flow = import_module("amongst.anonymize")
    monkeypatch.setattr(flow, "release_of", lambda *given: pytest.fail("it was grouped"))
    schema = am.Schema({**SCHEMA, "id": am.Column(role="identifier")})
    asked = {"method": "mondrian", **changes}
    with pytest.raises(am.errors.BadOption, match=words):
        am.anonymize(table.append_column("id", pa.array(range(120))), schema, [am.KAnonymity(5)], **asked)


def test_rows_elsewhere_are_refused(folder: Path) -> None:
    with pytest.raises(am.errors.BadOption, match="in memory"):
        am.anonymize(folder / "people.csv", SCHEMA, k=5, memory="4GB", formulas=FORMULA)


def test_a_comparison_tells_what_every_candidate_keeps(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one = import_module("amongst.compare.compare")
    monkeypatch.setattr(one_by_one, "run_all", lambda made, task, *rest: [make(one, **task) for one in made])
    schema = SCHEMA.with_columns(pay=am.Column(role="sensitive"))
    methods = ["mondrian", ("anatomy", {})]
    found = am.compare(table, schema, [am.LDiversity(3)], methods, formulas=FORMULA)
    alone = am.anonymize(table, schema, [am.LDiversity(3)], "mondrian", formulas=[FORMULA])
    first, second = found.outcomes
    assert (first.state, second.state) == ("verified", "verified")
    assert first.kept == kept(alone.analyses) is not None
    assert second.kept is None
    assert found.to_dict()["candidates"][0]["analysis_kept"] == first.kept
    page = found.to_html()
    assert "Analysis kept" in page
    assert f"{first.kept:.1%}" in page
    assert "Analysis kept" not in am.compare(table, schema, [am.LDiversity(3)], ["mondrian"]).to_html()


def test_a_model_that_cannot_be_fitted_takes_nothing_with_it(table: pa.Table) -> None:
    found = fit_all(table, table, SCHEMA, ["pay ~ sex", "pay ~ poly(sex, 2)"])
    assert found[0].overlap == pytest.approx(1.0)  # type: ignore[union-attr]
    assert isinstance(found[1], NotFitted)
    assert found[1].why
    assert kept(found) is None
    assert kept(found[:1]) == pytest.approx(1.0)
