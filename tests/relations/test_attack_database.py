"""Attacks on many tables: baselines that fail are broken, releases that hold are not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from cli_run import run

import amongst as am
from amongst.errors import BadOption
from amongst.relations.attack import Intruder, known_tree
from amongst.relations.local import local
from amongst.relations.persons import persons_of

TOWNS = am.Hierarchy.nested({"north": ["a", "b"], "south": ["c", "d"]})


def clinic(n: int, seed: int = 0, known: str = "all") -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Patients with visits and what was done at them."""
    rng = np.random.default_rng(seed)
    person = np.sort(rng.integers(0, n, 3 * n))
    visit = np.sort(rng.integers(0, len(person), 2 * len(person)))
    tables = {
        "patients": pa.table({"id": np.arange(n) + 100, "age": rng.integers(20, 30, n)}),
        "visits": pa.table(
            {
                "nr": np.arange(len(person)),
                "who": person + 100,
                "town": rng.choice(list("abcd"), len(person)).astype(object),
            }
        ),
        "acts": pa.table({"visit": visit, "what": rng.choice(list("xyz"), len(visit)).astype(object)}),
    }
    schema = am.DatabaseSchema(
        {
            "patients": am.Relation({"age": am.Column(role="quasi")}, key="id"),
            "visits": am.Relation(
                {"town": am.Column(role="quasi", hierarchy=TOWNS)},
                key="nr",
                parent="patients",
                foreign_key="who",
                known=known,
            ),
            "acts": am.Relation(
                {"what": am.Column(role="sensitive")},
                parent="visits",
                foreign_key="visit",
                known="all" if known == "all" else "nothing",
            ),
        }
    )
    return tables, schema


def test_whose_row_every_row_is_and_the_tables_of_some_persons():
    tables, schema = clinic(12)
    persons = persons_of(tables, schema)
    owner = dict(zip(tables["visits"]["nr"].to_pylist(), tables["visits"]["who"].to_pylist(), strict=True))
    truth = [owner[nr] - 100 for nr in tables["acts"]["visit"].to_pylist()]
    assert persons.of_row["acts"].tolist() == truth
    some = persons.of(np.array([2, 7]))
    assert some.tables["patients"]["id"].to_pylist() == [102, 107]
    assert some.tables["acts"].num_rows == sum(one in (2, 7) for one in truth)
    assert set(some.of_row["acts"].tolist()) <= {0, 1}


def test_groups_are_persons_with_equal_trees():
    tables, schema = clinic(30)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
    shown = persons_of(release.arrow, release.schema)

    def told(row: int) -> str:
        def plain(tree: object) -> object:
            if isinstance(tree, dict):
                return sorted((name, plain(value)) for name, value in tree.items())
            return sorted(map(repr, map(plain, tree))) if isinstance(tree, list) else repr(tree)

        return repr(plain(known_tree(shown.tables, shown.schema, row)))

    trees = [told(row) for row in range(shown.n)]
    for i in range(shown.n):
        for j in range(i):
            assert (shown.group[i] == shown.group[j]) == (trees[i] == trees[j])


@pytest.mark.parametrize("seed", range(3))
def test_candidates_are_those_of_the_intruder_who_looks_at_everybody(seed):
    tables, schema = clinic(24, seed)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
    found = am.attack_database(release, attacks="re-identification")["re-identification"]
    everybody = Intruder(release.tables, release.schema)
    fits = [len(everybody.candidates(known_tree(tables, release.schema, row))) for row in range(24)]
    assert found.rate("fit nobody").success == sum(one == 0 for one in fits)
    assert found.rate("fit fewer than 3 persons").success == sum(0 < one < 3 for one in fits) == 0
    assert not found.succeeded


def test_tables_anonymized_one_by_one_are_broken():
    made = am.datasets.load_database("transcripts")
    tables, schema = local(made.tables, made.schema, k=2)
    found = am.attack_database(tables, schema, original=made.tables, k=2, attacks=["re-identification"])
    assert found["re-identification"].succeeded


def test_a_few_codes_find_nobody_or_k_persons_where_that_was_asked():
    tables, schema = clinic(60, known="codes")
    asked = [am.KAnonymity(4), am.KmAnonymity(4, m=2)]
    found = am.attack_database(am.anonymize_database(tables, schema, asked, "codes"), attacks=["few codes"])
    assert not found["few codes"].succeeded
    raw = am.attack_database(tables, schema, original=tables, k=4, attacks=["few codes"])["few codes"]
    assert raw.succeeded  # as they are: an age and two towns are enough
    assert raw.rate("found alone by a few codes").success > 5


@pytest.mark.parametrize(("first_days", "alone"), [((1, 40), 1), ((1, 1), 0), ((40, 1), 0)])
def test_the_order_of_codes_finds_who_had_them_the_other_way_round(first_days, alone):
    """Nine persons with the same two codes; eight had x first, the last one as the case says."""
    day = np.datetime64("2001-01-01")
    days = [day + i for one in [(40, 1)] * 8 + [first_days] for i in (one[1], one[0])]
    tables = {
        "patients": pa.table({"id": range(9), "age": [30] * 9}),
        "acts": pa.table(
            {"id": np.repeat(np.arange(9), 2), "what": ["x", "y"] * 9, "day": np.array(days, "datetime64[D]")}
        ),
    }
    if alone == 1:  # y came first
        assert days[-2] > days[-1]
    schema = am.DatabaseSchema(
        {
            "patients": am.Relation({"age": am.Column(role="quasi")}, key="id"),
            "acts": am.Relation(
                {"what": am.Column(role="quasi"), "day": am.Column(role="keep")}, None, "patients", "id", known="codes"
            ),
        }
    )
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4), am.KmAnonymity(4, m=2)])
    assert release.tables["acts"].num_rows == 18
    found = am.attack_database(release, attacks=["few codes", "order of codes"])
    assert not found["few codes"].succeeded
    assert found["order of codes"].succeeded == bool(alone)
    assert found["order of codes"].rate("found alone by the order of codes").success == alone


def test_what_all_of_a_group_have_is_counted_as_by_hand():
    tables, schema = clinic(30)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
    found = am.attack_database(release, attacks=["homogeneity"])["homogeneity"]
    shown = persons_of(release.arrow, release.schema)
    values = [set() for _ in range(shown.n)]
    for person, what in zip(shown.of_row["acts"], shown.tables["acts"]["what"].to_pylist(), strict=True):
        values[person].add(what)
    sure = sum(
        bool(set.intersection(*(values[j] for j in range(shown.n) if shown.group[j] == shown.group[i])))
        for i in range(shown.n)
    )
    assert found.rates[0].success == sure
    assert found.column == "acts.what"


def test_who_knows_whole_trees_tells_members_from_others_and_less_where_less_is_known():
    told = []
    for known, k in (("all", 1), ("all", 3), ("nothing", 1)):
        tables, schema = clinic(80, known=known)
        found = am.attack_database(am.anonymize_database(tables, schema, [am.KAnonymity(k)]), attacks="membership")
        told.append(found["membership"].figures["advantage"])
        assert found.counted == "persons"
        assert any("published anew" in note for note in found.notes)
    assert told[0] > 0.5 > 0.3 > told[1] >= 0
    assert told[2] == 0


def test_a_sample_says_that_it_is_one():
    tables, schema = clinic(60)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
    found = am.attack_database(release, attacks=["re-identification"], most=10)["re-identification"]
    assert "a sample of 10 persons" in found.works
    assert found.rates[0].sampled
    with pytest.raises(BadOption, match="no such attack"):
        am.attack_database(release, attacks=["staring"])


def test_the_command_attacks_a_folder_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import pyarrow.csv as pa_csv

    monkeypatch.chdir(tmp_path)
    tables, _ = clinic(30)
    Path("data").mkdir()
    for name, table in tables.items():
        pa_csv.write_csv(table, f"data/{name}.csv")
    job = """
[input]
path = "data"
[tables.patients]
key = "id"
columns = { age = { role = "quasi" } }
[tables.visits]
key = "nr"
parent = "patients"
foreign_key = "who"
columns = { town = { role = "quasi" } }
[tables.acts]
parent = "visits"
foreign_key = "visit"
columns = { what = { role = "sensitive" } }
[[privacy]]
model = "k-anonymity"
k = 3
[output]
folder = "out"
"""
    Path("job.toml").write_text(job)
    am.Job.from_file("job.toml").run()
    said = run("attack", "out", "--original", "job.toml", "--json")
    told = json.loads(said.stdout)
    tried = {one["attack"] for kind in told["findings"].values() for one in kind}
    assert tried == {"re-identification", "membership", "homogeneity"}
    assert [one["attack"] for one in told["skipped"]] == ["few codes", "order of codes"]
    refused = run("attack", "out", "--outside", "job.toml")
    assert refused.returncode != 0
    assert "one table" in refused.stderr
    alone = am.attack_database("out")  # the folder alone: what all of a group share
    assert {one.attack for one in alone.attacks} == {"homogeneity"}
