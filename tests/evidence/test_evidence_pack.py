"""The evidence pack: what it must have, what the public version must not have, and that it is whole or not there."""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

SECRET = "Zanzibari-4711"
QUESTIONS = ["singling out", "linkability", "inference"]
SCHEMA = am.Schema(
    {
        "name": am.Column(role="identifier"),
        "age": am.Column(role="quasi", kind="numeric"),
        "town": am.Column(role="quasi"),
        "disease": am.Column(role="sensitive"),
    }
)
K = 7


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "name": [f"{SECRET}-{i}" for i in range(n)],
            "age": rng.integers(18, 80, n),
            "town": rng.choice([f"{SECRET}-town-{i}" for i in range(5)], n),
            "disease": [f"{SECRET}-d{i}" for i in rng.integers(0, 4, n)],
        }
    )


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evidence") / "survey"
    models = [am.KAnonymity(K), am.LDiversity(2, "distinct")]
    am.anonymize(people(), SCHEMA, models, seed=4711, method="mondrian").write(folder)
    return folder


@pytest.fixture(scope="module")
def pack(release):
    return am.evidence(release, schema=SCHEMA, original=people())


@pytest.fixture(scope="module")
def texts(pack):
    """Every text of the pack, by version."""
    return {public: [pack.to_html(public=public), json.dumps(pack.to_dict(public=public))] for public in (False, True)}


def numbers_of_people(facts):
    for name, value in facts.items() if isinstance(facts, dict) else enumerate(facts):
        if isinstance(value, (dict, list)):
            yield from numbers_of_people(value)
        elif (
            isinstance(value, int)
            and not isinstance(value, bool)
            and re.search("rows|suppress|unique|people", str(name))
        ):
            yield value


def test_it_has_all_that_a_board_needs(pack):
    for public in (False, True):
        facts = pack.to_dict(public=public)
        needed = ["request", "assumptions", "not_protected", "proofs", *QUESTIONS, "figures", "versions", "threshold"]
        assert [name for name in needed if not facts[name]] == []
        assert facts["threshold"] == {"k": K, "1/k": 1 / K}
        assert facts["release"]["sha256"] == pack.release.sha256
        page = pack.to_html(public=public)
        for heading in ("Singling out", "Linkability", "Inference", "Request", "Proofs", "Assumptions and limits"):
            assert f">{heading}</h2>" in page
        assert f"k = {K}" in page
        assert "1/k" in page
    assert pack.ok
    assert facts["singling out"]["attacks"]
    assert facts["inference"]["attacks"]


def test_it_never_calls_anything_by_words_that_nobody_can_keep(texts):
    for text in texts[False] + texts[True]:
        assert not re.search(r"anonymous|compliant|compliance", text, re.IGNORECASE)


def test_no_cell_value_is_in_it(texts):
    for text in texts[False] + texts[True]:
        assert SECRET not in text


def test_no_count_below_the_threshold_is_in_it(pack):
    for public in (False, True):
        numbers = list(numbers_of_people(pack.to_dict(public=public)))
        assert numbers
        assert all(n == 0 or n >= K for n in numbers)


def test_the_public_version_helps_no_intruder(pack, texts, release):
    facts, words = pack.to_dict(public=True), texts[True]
    hidden = [
        "4711",
        str(release.parent),
        "seed",
        "uniques_before",
        "name",
        "mondrian",
    ]  # input, seed, method, identifiers
    for text in words:
        assert not [word for word in hidden[:4] if word in text]
    assert "input" not in facts["request"]
    assert "method" not in facts["request"]
    assert "identifier" not in facts["request"]["roles"]
    assert "risk" not in facts["figures"]
    for question in QUESTIONS:
        for attack in facts[question]["attacks"]:
            assert list(attack) == ["attack", "times"]
        names = [attack["attack"] for attack in facts[question]["attacks"]]
        assert len(set(names)) == len(names)
    for one in pack.attacks.succeeded:  # something succeeded, and nothing of it is told
        assert not any(sentence in text for sentence in one.achieved for text in words)
    assert pack.attacks.succeeded


def test_no_version_tells_where_files_lie(texts, release):
    for text in texts[False] + texts[True]:
        assert str(release.parent) not in text


def test_it_is_written_whole_with_digests(pack, tmp_path):
    from amongst.read.file import file_digest

    pack.write(tmp_path / "pack")
    for version, folder in (("public", tmp_path / "pack"), ("internal", tmp_path / "pack.inside")):
        names = [f"evidence-{version}.{kind}" for kind in ("html", "json")]
        assert sorted(path.name for path in folder.iterdir()) == [*names, "manifest.json"]
        manifest = json.loads((folder / "manifest.json").read_text())
        assert manifest["sha256"] == {name: file_digest(folder / name) for name in names}
    with pytest.raises(am.errors.BadOutput):
        pack.write(tmp_path / "pack")
    pack.write(tmp_path / "pack", force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pack", "pack.inside"]


def test_the_internal_version_is_for_its_owner_alone(pack, tmp_path):
    for inside in (tmp_path / "pack.inside", tmp_path / "elsewhere"):
        pack.write(tmp_path / "pack", inside=inside if inside.name == "elsewhere" else None, force=True)
        assert inside.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in inside.iterdir()} == {0o600}
    public = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "pack").iterdir())
    assert "internal" not in public
    with pytest.raises(am.errors.BadOutput):
        pack.write(tmp_path / "other", inside=tmp_path / "other" / "inside")


def test_nothing_is_left_when_writing_fails(pack, tmp_path, monkeypatch):
    monkeypatch.setattr(type(pack), "to_html", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(am.errors.BadOutput, match="disk is full"):
        pack.write(tmp_path / "pack")
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_verified_again(release, tmp_path):
    import shutil

    shutil.copytree(release, tmp_path / "survey")
    import pyarrow.parquet as pq

    table = pq.read_table(tmp_path / "survey" / "release.parquet")
    pq.write_table(table.slice(0, table.num_rows - 3), tmp_path / "survey" / "release.parquet")
    found = am.evidence(tmp_path / "survey", schema=SCHEMA)
    assert not found.ok
    assert "changed" in {finding.code for finding in found.verdict.findings}
    assert "Does not hold" in found.to_html(public=True)


def test_earlier_releases_are_looked_at(release, tmp_path):
    am.anonymize(people(), SCHEMA, [am.KAnonymity(K)], method="hilbert").write(tmp_path / "earlier")
    am.Register(tmp_path / "register").add(tmp_path / "earlier", people="survey")
    found = am.evidence(release, schema=SCHEMA, against=tmp_path / "register", people="survey")
    assert found.verdict.ok
    assert not found.ok
    assert "composition" in {
        one.attack
        for one in am.evidence(
            release, original=people(), against=tmp_path / "register", people="survey"
        ).attacks.attacks
    }
    assert "'earlier'" in str(found.to_dict())
    assert "'earlier'" not in str(found.to_dict(public=True))


def test_two_tables_have_evidence_too(tmp_path):
    am.anonymize(people(), SCHEMA, [am.LDiversity(3)], method="anatomy").write(tmp_path / "pair")
    found = am.evidence(tmp_path / "pair", schema=SCHEMA, original=people())
    assert found.verdict.ok
    page = found.to_html(public=True)
    assert "published as they are" in page
    assert SECRET not in found.to_html() + page


def test_people_that_were_counted_are_named_as_such(tmp_path):
    table = people().append_column("person", pa.array(np.arange(300) // 2))
    schema = SCHEMA.with_columns(person=am.Column(role="identifier"))
    am.anonymize(table, schema, [am.KAnonymity(4)], unit="person", method="mondrian").write(tmp_path / "out")
    counted = am.evidence(tmp_path / "out", schema=schema)
    assert counted.ok
    assert not counted.verdict.notes  # who is whose lies beside the release, inside
    (tmp_path / "out.inside").rename(tmp_path / "kept")
    assert not am.evidence(tmp_path / "out", schema=schema, inside=tmp_path / "kept").verdict.notes
    found = am.evidence(tmp_path / "out", schema=schema)
    assert "people-not-counted" in {note.code for note in found.verdict.notes}
    assert "'person'" not in found.to_html(public=True)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"kind": "database"}', '{"kind": "evidence"}'])
def test_a_folder_that_is_no_release_is_refused(tmp_path, content):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "manifest.json").write_text(content)
    with pytest.raises(am.errors.BadInput):
        am.evidence(tmp_path / "x")
    with pytest.raises(am.errors.BadInput, match="no release folder"):
        am.evidence(tmp_path / "nowhere")


def test_an_attack_is_named_once_and_who_asked_is_told(tmp_path):
    rng = np.random.default_rng(1)
    many = {f"answer {i}": rng.choice(list("abc"), 120) for i in range(9)}
    table = pa.table({"age": rng.integers(20, 60, 120), **many})
    schema = am.Schema({"age": am.Column(role="quasi"), **{name: am.Column(role="sensitive") for name in many}})
    am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "out")
    said = {"author": "A. Reviewer", "purpose": "a study of sleep", "recipient": "The University"}
    pack = am.evidence(tmp_path / "out", original=table, date="2026-11-15", **said)
    for public in (True, False):
        facts, page = pack.to_dict(public=public), pack.to_html(public=public)
        assert facts["about"] == {"date": "2026-11-15", **said}
        assert all(text in page for text in ("2026-11-15", *said.values()))
    named = {one["attack"]: one["times"] for one in pack.to_dict(public=True)["inference"]["attacks"]}
    assert named["inference"] == named["homogeneity"] == 9
    assert pack.to_html(public=True).count("homogeneity") == 1
    assert list(am.evidence(tmp_path / "out").to_dict()["about"]) == ["date"]


def test_a_column_whose_labels_do_not_tell_its_loss_is_left_out_of_the_figures(tmp_path):
    """All codes differ, so all are published as one node: the file alone cannot say how much that loses."""
    table = pa.table({"zip": [f"{53000 + i}" for i in range(12)], "age": [30 + i // 6 for i in range(12)]})
    hierarchy = am.Hierarchy.digits(5)
    schema = am.Schema({"zip": am.Column(role="quasi", hierarchy=hierarchy), "age": am.Column(role="quasi")})
    am.anonymize(table, schema, [am.KAnonymity(6)], "incognito").write(tmp_path / "out")
    found = am.evidence(tmp_path / "out", original=table)
    assert found.verdict.gcp is None, "the case that this is about"
    told = found.to_dict(public=True)["figures"]["utility"]
    assert "gcp" not in told
    assert "zip" not in told.get("ncp", {})
    found.write(tmp_path / "pack")


def test_an_attack_on_many_columns_is_told_once_with_all_that_came_of_it(tmp_path):
    rng = np.random.default_rng(1)
    secret = [f"secret {i}" for i in range(12)]
    table = people()
    for name in secret:
        table = table.append_column(name, pa.array(rng.choice(["x", "y", "z"], table.num_rows)))
    schema = SCHEMA.with_columns(**{name: am.Column(role="sensitive") for name in secret})
    am.anonymize(table, schema, [am.KAnonymity(K)], method="mondrian").write(tmp_path / "out")
    found = am.evidence(tmp_path / "out", schema=schema, original=table)
    for page in (found.to_html(), found.attacks.to_html()):
        for title in ("Homogeneity", "Inference of a sensitive value", "Skewness"):
            assert page.count(f"<h3>{title} ") == 1
        for one in found.attacks.attacks:  # nothing is lost
            assert all(html.escape(sentence, quote=False) in html.unescape(page) for sentence in one.achieved)
            assert one.column is None or f"<bdi>{one.column}</bdi>" in page
