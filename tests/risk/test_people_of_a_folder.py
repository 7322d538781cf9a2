"""A release folder that counts people: one number everywhere, by people, and words that say so."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

SCHEMA = am.Schema(
    {
        "who": am.Column(role="identifier"),
        "age": am.Column(role="quasi", kind="numeric"),
        **{f"answer {i}": am.Column(role="sensitive") for i in range(6)},
    }
)
K = 5


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    who = np.repeat(np.arange(120), rng.integers(1, 6, 120))
    answers = {f"answer {i}": ["x", "y"] * (len(who) // 2) + ["x"] * (len(who) % 2) for i in range(6)}
    return pa.table({"who": [f"p{i}" for i in who], "age": rng.integers(20, 90, 120)[who], **answers})


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    place = tmp_path_factory.mktemp("people") / "out"
    am.anonymize(table, SCHEMA, [am.KAnonymity(K)], unit="who", method="mondrian").write(place)
    return place


def test_memory_folder_and_evidence_have_the_same_number(table, folder):
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(K)], unit="who", method="mondrian")
    here, there = am.risk(release), am.risk(folder, original=table)
    assert here.after.to_dict(K) == there.after.to_dict(K)
    assert here.before.to_dict(K) == there.before.to_dict(K)
    pack = am.evidence(folder, original=table)
    assert pack.risk.to_dict()["after"] == there.to_dict()["after"]
    people = {}
    for row, person in zip(release.arrow["age"].to_pylist(), release.person_of_row.tolist(), strict=True):
        people.setdefault(row, set()).add(person)
    assert there.after.prosecutor.highest == 1 / min(map(len, people.values())) <= 1 / K
    assert there.after.n_people == 120
    assert "people above 1/5" in there.words()
    assert "rows above" not in there.words()


def test_without_the_inside_rows_are_not_put_beside_people(table, folder, tmp_path):
    import shutil

    shutil.copytree(folder, tmp_path / "out")
    found = am.risk(tmp_path / "out", original=table)
    assert found.after is None
    assert "not told here" in " ".join(found.assumptions)
    alone = am.risk(tmp_path / "out")
    assert alone.after.n_people is None
    assert "rows were counted" in alone.words()
    again = am.risk(tmp_path / "out", original=table, inside=folder.with_name("out.inside"))
    assert again.after.n_people == 120


def test_the_words_speak_of_people_and_equal_figures_are_told_once(table, folder):
    pack = am.evidence(folder, original=table)
    for public in (True, False):
        page = pack.to_html(public=public)
        assert "Every row" not in page
        assert "Everybody shares" in page
    for place in (folder, folder.with_name("out.inside")):
        report = (place / "report.html").read_text()
        assert "Every row" not in report
        assert "Everybody shares" in report
    assert report.count("<caption><bdi>answer") == 1
    assert "6 columns with the same figures" in report
