"""The context of a release: it selects attacks and a threshold, stands in report and evidence, and not in public."""

from __future__ import annotations

import json

import pytest

import amongst as am
from amongst.errors import BadJob, BadOption
from amongst.review import PRESETS, Review

JOB = """
[input]
path = "people.csv"
[columns]
age = { role = "quasi" }
ill = { role = "sensitive" }
[[privacy]]
model = "k-anonymity"
k = 3
[review]
purpose = "a study of nights"
recipient = "the clinic of Ulm"
access = "secure room"
preset = "ema"
reason = "as the agency has it"
author = "R. Reviewer"
date = "2026-11-16"
valid_until = "2027-11-16"
[review.reasons]
age = "in every list of members"
"""


@pytest.fixture
def job(tmp_path):
    rows = [f"{20 + i},{'yes' if i % 3 else 'no'}" for i in range(30)]
    (tmp_path / "people.csv").write_text("\n".join(["age,ill", *rows]))
    (tmp_path / "job.toml").write_text(JOB)
    return am.Job.from_file(tmp_path / "job.toml")


def test_a_job_file_keeps_it_and_refuses_what_is_odd(job, tmp_path):
    assert job.review.most == 0.09
    assert am.Job.from_dict(job.to_dict(tmp_path), tmp_path) == job
    for wrong in (
        JOB.replace("secure room", "attic"),
        JOB.replace("2027-11-16", "soon"),
        JOB.replace("reason =", "# "),
        JOB.replace('age = "in', 'ill = "in'),
        JOB.replace('"in every list of members"', "3"),
    ):
        (tmp_path / "job.toml").write_text(wrong)
        with pytest.raises(BadJob):
            am.Job.from_file(tmp_path / "job.toml")
    with pytest.raises(BadOption, match="cannot be used"):
        Review(attacks=["staring"])


def test_it_selects_attacks_and_threshold_and_stands_inside_alone(job, tmp_path):
    job.but(folder=tmp_path / "out").run()
    public = (tmp_path / "out" / "manifest.json").read_text() + (tmp_path / "out" / "report.html").read_text()
    assert "Ulm" not in public
    inside = tmp_path / "out.inside"
    assert json.loads((inside / "manifest.json").read_text())["review"]["recipient"] == "the clinic of Ulm"
    assert "A chance of being found of at most 0.09 is borne" in (inside / "report.html").read_text()
    found = am.evidence(tmp_path / "out", original=tmp_path / "people.csv", review=job.review)
    tried = {one.attack for one in found.attacks.attacks} | {name for name, _ in found.attacks.skipped}
    assert tried == set(job.review.chosen)
    assert "linkage" not in tried
    told = found.to_dict()
    assert told["review"]["borne"] is False  # one in three is more than 0.09
    assert "The largest chance of being found is NOT within what is borne." in told["summary"]
    assert told["review"]["suppressed"] == "none"
    [age] = told["review"]["columns"]
    assert (age["column"], age["reason"]) == ("age", "in every list of members")
    assert age["loss"] == pytest.approx(found.release.full["utility"]["ncp"]["age"])
    assert "review" not in found.to_dict(public=True)
    assert "borne" not in found.to_html(public=True)
    assert "list of members" not in public + found.to_html(public=True)
    page = found.to_html()
    assert "in every list of members" in page
    assert "Why &#39;age&#39; is known to others" in (inside / "report.html").read_text()
    assert page.index("Summary") < page.index("Context and review") < page.index("Proofs")


def test_presets_say_where_they_can_be_looked_up():
    assert all(one.source and one.words for one in PRESETS.values())
    asked = {name: one.threshold for name, one in PRESETS.items() if one.threshold is not None}
    assert {name: round(1 / most) for name, most in asked.items()} == {
        "cell size 5": 5,
        "cell size 10": 10,
        "cms": 11,
        "ema": 11,
        "0.05": 20,
    }
    assert asked["ema"] == 0.09
    assert len(PRESETS["hipaa safe harbor"].items) == 18
    claims = " ".join(one.words for one in PRESETS.values()) + " ".join(Review(preset="cms", reason="x").words)
    assert not any(word in claims.lower() for word in ("complian", "complies", "anonymous"))
    assert Review(preset="cms", reason="x").holds(1 / 11)
    assert not Review(preset="cms", reason="x").holds(1 / 10)
    assert Review(preset="hipaa safe harbor").holds(0.5) is None


def test_levels_and_what_a_list_names_stand_in_the_pack(job, tmp_path):
    """A method of whole columns says at which level each is published; a list that others use is told, not judged."""
    tree = am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 10, 20]))
    schema = am.Schema({"age": tree, "ill": am.Column(role="sensitive")})
    am.anonymize(tmp_path / "people.csv", schema, [am.KAnonymity(5)], method="incognito").write(tmp_path / "out")
    review = Review(preset="hipaa safe harbor", attacks=["homogeneity"])
    found = am.evidence(tmp_path / "out", original=tmp_path / "people.csv", schema=schema, review=review)
    told = found.to_dict()["review"]
    assert told["columns"][0]["published"] == "at level 1 of its hierarchy"
    assert told["columns"][0]["reason"] == "no reason was given"
    assert len(told["list"]) == 18
    assert "Whether a column is one of these" in found.to_html()
    assert "at level 1" not in found.to_html(public=True)
    page = (tmp_path / "out.inside" / "report.html").read_text()
    assert "Levels of the hierarchies that were published, 0 being the values: &#39;age&#39; 1." in page
