"""Many tables that were hardened: promises hold when attacked from outside, and nothing inside gets out."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_run import run

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.job.job import Input, Job
from amongst.relations.persons import persons_of

WORDS = (
    "No sensitive value can be read off for sure: none is that of all persons of a group, or of all of it who have the "
    "same few codes."
)
PROMISED = am.Harden(membership=0.3)


@pytest.fixture(scope="module")
def made() -> am.DatabaseSet:
    return am.datasets.load_database("hospital", n_persons=120)


@pytest.fixture(scope="module")
def hard(made) -> am.Release:
    return am.anonymize_database(made.tables, made.schema, [am.KAnonymity(4)], harden=PROMISED)


def everybody_has(release: am.Release, table: str, column: str) -> int:
    """In lists and sets: the groups in which some value is that of all persons."""
    shown = persons_of(release.arrow, release.schema)
    values = release.arrow[table].column(column).to_pylist()
    owner = shown.of_row[table].tolist()
    of_person: dict[int, set] = {}
    for person, value in zip(owner, values, strict=True):
        of_person.setdefault(person, set()).add(value)
    found = 0
    for group in np.unique(shown.group).tolist():
        people = np.flatnonzero(shown.group == group).tolist()
        found += bool(set.intersection(*(of_person.get(one, set()) for one in people)))
    return found


def test_promises_hold_against_attacks_from_outside(made, hard):
    plain = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(4)])
    columns = [(name, one) for name, relation in made.schema.items() for one in relation.schema.sensitive]
    before, after = (sum(everybody_has(one, *column) for column in columns) for one in (plain, hard))
    assert before > 0 == after
    found = am.attack_database(hard, seed=77, divisions=8)
    assert not any(one.succeeded for name in ("homogeneity", "re-identification") for one in found.of(name))
    assert found["membership"].figures["advantage"] < 0.3
    assert found["membership"].figures["divisions"] == 8
    told = hard.certificate
    assert "certain" in told.rounds[0].broken
    assert told.rounds[-1].broken == ()
    assert told.rounds[-1].loss == pytest.approx(hard.utility.lm) != told.rounds[0].loss
    member = next(one for one in told.kept if one.name == "membership")
    assert len(member.looks) == 2
    assert max(upper for *_, upper in member.looks) == member.reached <= 0.3
    assert hard.verdict.ok


def test_the_public_part_is_what_everybody_can_measure_and_says_what_was_not_tried(hard, tmp_path):
    hard.write(tmp_path / "out")
    public = json.loads((tmp_path / "out" / "manifest.json").read_text())["hardened"]
    inside = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())["hardened"]
    assert {one["promise"]: one.get("reached") for one in public["promises"]} == {
        "certain": 0.0,
        "alone": None,
        "membership": None,
    }
    assert "rounds" not in public
    assert "looks" not in str(public)
    assert len(inside["rounds"]) == len(hard.certificate.rounds)
    again = am.attack_database(tmp_path / "out", attacks=["homogeneity"])
    assert max(one.rates[0].value for one in again.of("homogeneity")) == public["promises"][0]["reached"]
    pages = [(tmp_path / one / "report.html").read_text() for one in ("out", "out.inside")]
    assert ["without hardening" in page for page in pages] == [False, True]
    assert all("narrowing cells by knowing the method" in page for page in pages)
    assert am.verify_database(tmp_path / "out", hard.schema, hard.models).ok


def test_what_has_no_attack_on_many_tables_is_refused_and_what_cannot_be_reached_is_named(made):
    for promised in (am.Harden(likelier=2.0), am.Harden(beside=["out"])):
        with pytest.raises(BadOption, match="cannot be promised of many tables"):
            am.anonymize_database(made.tables, made.schema, [am.KAnonymity(4)], harden=promised)
    with pytest.raises(Infeasible) as caught:
        am.anonymize_database(
            made.tables, made.schema, [am.KAnonymity(4)], harden=am.Harden(certain=False, membership=1e-9, rounds=1)
        )
    assert caught.value.facts["promise"] == "membership"
    assert 0 <= caught.value.facts["best"] < 0.5


def test_what_a_repair_asks_for_in_vain_names_the_best_that_was():
    """Of two values one is that of most persons, so that spreading them cannot be."""
    tables = {
        "people": pa.table({"id": range(16), "age": [20, 30] * 8}),
        "visits": pa.table({"who": range(16), "ill": ["yes"] * 15 + ["no"]}),
    }
    schema = am.DatabaseSchema(
        {
            "people": am.Relation({"age": am.Column(role="quasi")}, key="id"),
            "visits": am.Relation({"ill": am.Column(role="sensitive")}, parent="people", foreign_key="who"),
        }
    )
    promised = am.Harden(membership=None)
    with pytest.raises(Infeasible, match="read off for sure") as caught:
        am.anonymize_database(tables, schema, [am.KAnonymity(8)], harden=promised)
    assert caught.value.facts["promise"] == "certain"
    assert caught.value.facts["best"] > 0


def test_values_in_tables_of_their_own_are_not_hardened_and_an_attack_says_that_it_reads_none(made):
    asked: dict = {"models": [am.Diversity(2)], "method": "anatomization"}
    with pytest.raises(BadOption, match="whose attacks read their values"):
        am.anonymize_database(made.tables, made.schema, **asked, harden=am.Harden(alone=False, membership=None))
    found = am.attack_database(am.anonymize_database(made.tables, made.schema, **asked), attacks=["homogeneity"])
    assert not list(found.of("homogeneity"))
    assert all("in a table of their own" in why for _, why in found.skipped)


def lists(ages: list[int], codes: list[tuple[int, str]], ills: list[tuple[int, str]]) -> tuple[dict, am.DatabaseSchema]:
    quasi, at = am.Column(role="quasi"), {"parent": "people", "foreign_key": "who"}
    schema = {
        "people": am.Relation({"age": quasi}, key="id"),
        "codes": am.Relation({"code": quasi}, known="codes", **at),
        "ills": am.Relation({"ill": am.Column(role="sensitive")}, known="nothing", **at),
    }
    tables = {
        "people": pa.table({"id": range(len(ages)), "age": ages}),
        "codes": pa.table({"who": [who for who, _ in codes], "code": [code for _, code in codes]}),
        "ills": pa.table({"who": [who for who, _ in ills], "ill": [ill for _, ill in ills]}),
    }
    if not codes:
        del tables["codes"], schema["codes"]
    return tables, am.DatabaseSchema(schema)


@pytest.mark.parametrize("spellings", [["HIV"], ["HIV", "hiv "]])
def test_the_only_value_of_a_column_is_certain_where_not_everybody_has_it(spellings):
    """Half of the persons have it, and these are a group of their own."""
    tables, schema = lists([20] * 8 + [60] * 8, [], [(who, spellings[who % len(spellings)]) for who in range(8)])
    found = am.attack_database(am.anonymize_database(tables, schema, [am.KAnonymity(4)]), attacks=["homogeneity"])
    assert [one.rates[0].success for one in found.of("homogeneity")] == [8]
    with pytest.raises(Infeasible):
        am.anonymize_database(tables, schema, [am.KAnonymity(4)], harden=am.Harden(membership=None))


@pytest.mark.parametrize("seed", [1, 2])
def test_no_value_is_certain_for_who_knows_a_few_codes(seed):
    """Whoever has A and B has the flu: counted in lists before hardening and after."""
    rng = np.random.default_rng(seed)
    of = [set(rng.choice(list("ABCDEF"), 3, replace=False).tolist()) for _ in range(60)]
    ills = [(who, "flu" if {"A", "B"} <= own else str(rng.choice(["x", "y"]))) for who, own in enumerate(of)]
    codes = [(who, code) for who, own in enumerate(of) for code in sorted(own)]
    tables, schema = lists(rng.integers(20, 24, 60).tolist(), codes, ills)

    def certain(release: am.Release) -> int:
        shown = persons_of(release.arrow, release.schema)
        had = [(set(), set()) for _ in range(shown.n)]
        for place, (name, column) in enumerate((("codes", "code"), ("ills", "ill"))):
            for person, cell in zip(shown.of_row[name].tolist(), release.tables[name][column].to_pylist(), strict=True):
                had[person][place].update({cell} - {None})
        found = set()
        for few in [few for m in range(3) for few in combinations(sorted(set().union(*(own for own, _ in had))), m)]:
            for group in set(shown.group.tolist()):
                people = [one for one in np.flatnonzero(shown.group == group).tolist() if had[one][0] >= set(few)]
                if people and set.intersection(*(had[one][1] for one in people)):
                    found.update(people)
        return len(found)

    models = [am.KAnonymity(4), am.KmAnonymity(4, 2)]
    plain = am.anonymize_database(tables, schema, models)
    told = am.attack_database(plain, attacks=["homogeneity"]).of("homogeneity")
    assert max(one.rates[0].success for one in told) == certain(plain) > 0
    assert certain(am.anonymize_database(tables, schema, models, harden=am.Harden(membership=None))) == 0


def test_a_job_file_and_the_command_say_the_same(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("db").mkdir()
    for name, table in made.tables.items():
        pq.write_table(table, f"db/{name}.parquet")
    promised = am.Harden(alone=False, membership=None)
    job = Job(Input(Path("db")), made.schema, (am.KAnonymity(4),), harden=promised)
    Path("job.toml").write_text(job.to_toml())
    assert "[harden]\nmembership = 1.0\nalone = false" in job.to_toml()
    assert [one.words for one in Job.from_file("job.toml").anonymize().certificate.kept] == [WORDS]
    asked = ["--schema", "job.toml", "--out", "out", "-k", "4", "--promise", "membership=1.0"]
    done = run("anonymize-database", "db", *asked, "--promise", "alone=false")
    assert done.returncode == 0, done.stderr
    assert f"{WORDS} Reached: none." in " ".join(done.stdout.split())
    told = json.loads(Path("out/manifest.json").read_text())["hardened"]["promises"]
    assert [one["promise"] for one in told] == ["certain"]
