"""Hardening: promises hold when attacked from outside, what cannot be reached is named, and nothing inside gets out."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.engines import rows_here
from amongst.errors import BadJob, BadOption, Infeasible
from amongst.harden.attacked import ONE_TABLE
from amongst.harden.finer import apart
from amongst.harden.halves import halved
from amongst.harden.promises import PROMISES

N = 1500


@pytest.fixture(scope="module")
def table() -> pa.Table:
    rng = np.random.default_rng(0)
    area = rng.choice(["a", "b", "c", "d", "e"], N, p=[0.6, 0.2, 0.1, 0.07, 0.03])
    return pa.table(
        {
            "age": np.minimum(rng.geometric(0.04, N), 90),
            "area": area,
            "ill": np.where(rng.random(N) < np.where(area == "a", 0.05, 0.4), "yes", "no"),
        }
    )


SCHEMA = am.Schema(
    {"age": am.Column(role="quasi"), "area": am.Column(role="quasi"), "ill": am.Column(role="sensitive")}
)


@pytest.fixture(scope="module")
def hard(table) -> am.Release:
    return am.anonymize(table, SCHEMA, [am.KAnonymity(5)], harden=am.Harden(likelier=3.0, membership=0.2))


def test_promises_hold_against_attacks_from_outside(table, hard, tmp_path):
    plain = am.anonymize(table, SCHEMA, [am.KAnonymity(5)], method="mondrian")
    names = ["homogeneity", "downcoding", "skewness", "membership"]
    before, after = (am.attack(one, attacks=names, seed=7) for one in (plain, hard))
    assert [before[name].rates[0].success > 0 for name in names[:2]] == [True, True]
    assert [after[name].rates[0].success for name in names[:2]] == [0, 0]
    assert before["skewness"].figures["largest_gain"] > 3 >= after["skewness"].figures["largest_gain"]
    assert after["membership"].figures["advantage"] < 0.2
    assert hard.verdict.ok
    assert hard.certificate.rounds[0].broken
    assert hard.certificate.rounds[-1].broken == ()
    assert hard.certificate.rounds[-1].loss == pytest.approx(hard.utility.gcp)


def test_what_needs_the_original_stays_inside(hard, tmp_path):
    hard.write(tmp_path / "out")
    public = json.loads((tmp_path / "out" / "manifest.json").read_text())["hardened"]
    inside = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())["hardened"]
    assert {one["promise"]: "reached" in one for one in public["promises"]} == {
        "certain": True,
        "likelier": True,
        "narrowed": True,
        "membership": False,
    }
    assert "rounds" not in public
    assert len(inside["rounds"]) == len(hard.certificate.rounds)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "No cell can be narrowed by knowing the method. Reached: none." in page
    assert "without hardening" not in page
    assert "without hardening" in (tmp_path / "out.inside" / "report.html").read_text()


def test_no_guess_at_the_rare_values_can_be_tried_in_public(hard, tmp_path):
    hard.write(tmp_path / "out")
    made = hard.schema["area"].hierarchy.public_dict()
    inside = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())["schema"]["area"]
    public = json.loads((tmp_path / "out" / "manifest.json").read_text())["schema"]["area"]
    assert inside["hierarchy"] == made
    assert public == {**inside, "hierarchy": {"nested": "made of the values of the column"}}
    for file in (tmp_path / "out").iterdir():
        assert made["sha256"].encode() not in file.read_bytes()
        assert b"a mapping of" not in file.read_bytes()
    assert am.verify(tmp_path / "out", hard.schema, hard.models).ok


def test_the_public_figures_can_be_measured_in_the_published_table(hard, tmp_path):
    hard.write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())["hardened"]["promises"]
    found = am.attack(tmp_path / "out", hard.schema, attacks=["homogeneity", "skewness", "downcoding"])
    again = {
        "certain": found["homogeneity"].rates[0].value,
        "likelier": found["skewness"].figures["largest_gain"],
        "narrowed": found["downcoding"].rates[0].value,
    }
    assert {one["promise"]: one["reached"] for one in told if "reached" in one} == pytest.approx(again)


def test_a_release_that_holds_already_is_left_as_it_was(table):
    whole = am.Schema({**SCHEMA, "age": am.Column(role="identifier")})
    promised = am.Harden(membership=0.5)
    release = am.anonymize(table, whole, [am.KAnonymity(5)], harden=promised)
    assert len(release.certificate.rounds) == 1
    assert release.method == "mondrian"


def test_a_category_that_only_somebody_left_out_has_changes_nothing(table):
    """A hierarchy need not cover the values of rows that a null leaves out, whoever made it."""
    rows = table.slice(0, 300)
    schema = SCHEMA.with_columns(age=am.Column(role="quasi", nulls="suppress"))
    made = [
        am.anonymize(
            pa.concat_tables([rows, pa.table({"age": [None], "area": [own], "ill": ["no"]}, schema=rows.schema)]),
            schema,
            [am.KAnonymity(5)],
            harden=am.Harden(membership=None),
            seed=1,
        ).table
        for own in ("a", "of her own")
    ]
    assert made[0].equals(made[1])


def test_what_cannot_be_reached_is_named_with_the_best(table):
    with pytest.raises(Infeasible, match=r"at most 0\.00% more often") as caught:
        am.anonymize(table, SCHEMA, [am.KAnonymity(5)], harden=am.Harden(membership=1e-9, rounds=2))
    assert caught.value.facts["promise"] == "membership"
    assert 0 < caught.value.facts["best"] < 0.5
    one = am.Schema({**SCHEMA, "ill": am.Column(role="sensitive")})
    constant = table.set_column(2, "ill", pa.array(["no"] * N))
    fine = am.anonymize(constant, one, [am.KAnonymity(5)], harden=am.Harden(membership=None))
    assert fine.verdict.ok  # of a column with one value there is nothing to learn


def test_membership_that_cannot_be_measured_is_not_promised():
    few = pa.table({"age": [1, 2, 3, 4], "area": list("abab"), "ill": ["yes", "no"] * 2})
    with pytest.raises(Infeasible, match="could not be attacked"):
        am.anonymize(few, SCHEMA, [am.KAnonymity(4)], harden=am.Harden(certain=False, narrowed=False))


def test_lots_are_drawn_with_a_seed_that_stays_inside(table, tmp_path):
    promised = am.Harden(membership=None, drawn=0.5)
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(5)], harden=promised)
    assert release.seed
    release.write(tmp_path / "out")
    assert str(release.seed) not in (tmp_path / "out" / "manifest.json").read_text()
    assert str(release.seed) not in (tmp_path / "out" / "report.html").read_text()
    again = am.anonymize(table, SCHEMA, [am.KAnonymity(5)], harden=promised, seed=release.seed)
    assert again.table.equals(release.table)


def test_beside_an_earlier_release_nobody_is_pinned_down(table, tmp_path):
    am.anonymize(table, SCHEMA, [am.KAnonymity(20)], method="hilbert").write(tmp_path / "before")
    alone = am.anonymize(table, SCHEMA, [am.KAnonymity(20)], method="mondrian")
    attacks = ["composition", "newcomers"]
    assert am.attack(alone, against=[tmp_path / "before"], attacks=attacks).succeeded
    am.Register(tmp_path / "register").add(tmp_path / "before", people="all of them")
    promised = am.Harden(membership=None, certain=False, narrowed=False, beside=[tmp_path / "register"])
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(20)], harden=promised)
    assert not am.attack(release, against=[tmp_path / "before"], attacks=attacks).succeeded


def test_a_job_file_and_the_command_say_the_same(table, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    from amongst.cli.harden import harden_in

    pq.write_table(table, tmp_path / "people.parquet")
    text = """
[input]
path = "people.parquet"
[columns]
age = { role = "quasi" }
area = { role = "quasi" }
ill = { role = "sensitive" }
[[privacy]]
model = "k-anonymity"
k = 5
[harden]
membership = 0.3
likelier = 4.0
beside = ["before"]
"""
    (tmp_path / "job.toml").write_text(text)
    job = am.Job.from_file(tmp_path / "job.toml")
    assert job.harden == am.Harden(membership=0.3, likelier=4.0, beside=[str(tmp_path / "before")])
    assert am.Job.from_dict(job.to_dict(tmp_path), tmp_path) == job
    assert harden_in(True, None) == am.Harden()
    assert harden_in(False, ["membership=0.3", "likelier=4.0"]) == am.Harden(membership=0.3, likelier=4.0)
    assert harden_in(False, None) is None
    with pytest.raises(BadOption, match="cannot be read"):
        harden_in(True, ["membership=much"])
    (tmp_path / "job.toml").write_text(text.replace("4.0", "0.5").replace("beside", "besides"))
    with pytest.raises(BadJob) as caught:
        am.Job.from_file(tmp_path / "job.toml")
    assert "besides" in str(caught.value)
    for nothing in ({"membership": 1.0}, {"membership": None}):
        assert "membership" not in [one.name for one, _ in am.Harden(**nothing).asked_of(PROMISES)]


def test_odd_promises_are_refused():
    for odd in ({"likelier": 1}, {"membership": 2}, {"certain": 1}, {"rounds": 0}, {"drawn": -0.1}):
        with pytest.raises(BadOption, match="cannot be promised"):
            am.Harden(**odd)


def test_one_child_stands_against_all_others():
    tree = am.Hierarchy.nested({"north": ["a", "b"], "south": ["c", "d", "e"]}).tree(list("abcde"))
    made = apart(tree, np.array([10, 1, 5, 30, 2])).to_dict()["nested"]
    assert made == {
        "south": {"d": ["d"], "south: all but d": {"c": ["c"], "e": ["e"]}},
        "north": {"a": ["a"], "b": ["b"]},
    }
    finer = am.Hierarchy.nested(made).tree(list("abcde"))
    for level in range(finer.n_levels):
        for leaf in range(finer.n_leaves):
            assert finer.end[level, leaf] >= finer.start[level, leaf]
    assert sorted(finer.leaves) == list("abcde")


def test_numbers_are_halved_at_round_places_up_to_single_cells():
    rng = np.random.default_rng(5)
    for lowest, span in ((0, 0), (-3, 1), (17, 73), (10**6, 10**6), (-(10**5), 10**9)):
        for whole in (True, False):
            scale = 1.0 if whole else 0.001
            position = np.unique(rng.integers(lowest, lowest + span + 1, 300)) * scale
            levels = halved(position, rng.integers(1, 9, len(position)), whole=whole)
            hierarchy = am.Hierarchy.edges(levels)
            tree = hierarchy.tree([int(x) for x in position] if whole else position.tolist(), "numeric")
            assert all(level[0] == -np.inf and level[-1] == np.inf for level in levels)
            below = [np.unique(tree.start[i], return_index=True)[1] for i in range(1, tree.n_levels)]
            for fine, coarse in pairwise(below):
                n_children = np.diff([*np.searchsorted(fine, coarse), len(fine)])
                assert n_children.max() <= 2  # one cut a level, so that a rare side keeps no other apart


def test_the_app_shows_it_as_job_and_as_python(tmp_path):
    from amongst.app.draft import first_draft

    columns = [{"name": name, "fields": {"role": role}} for name, role in (("age", "quasi"), ("ill", "sensitive"))]
    draft = first_draft(tmp_path / "people.csv", columns, {}, tmp_path)
    assert "[harden]" not in draft.job_text()
    draft.content["harden"] = {"membership": 0.05}
    assert "[harden]\nmembership = 0.05" in draft.job_text()
    assert "harden=am.Harden(membership=0.05)" in draft.python_text()
    draft.content["harden"] = {}
    assert "[harden]" in draft.job_text()  # also where all is as usual: that it is there asks for it
    assert "harden=am.Harden()" in draft.python_text()


def naive_advantage(release: am.Release, inside: list[tuple[int, str]], outside: list[tuple[int, str]]) -> float:
    """Who lies in a region with more records than others promise is taken for a member; in lists, from labels alone."""

    def lies_in(label: tuple[str, str], person: tuple[int, str]) -> bool:
        age, area = label
        low, high = -np.inf, np.inf
        if age.startswith("["):
            low, high = (float(end) for end in age[1:-1].split("-"))
        elif age.startswith("<"):
            high = float(age[1:]) - 1
        elif age.startswith(">="):
            low = float(age[2:])
        elif age != "*":
            low = high = float(age)
        named = area[8:].split(" and ") if area.startswith("all but ") else []
        return low <= person[0] <= high and (person[1] not in named if named else area in ("*", person[1]))

    shown: dict[tuple[str, str], int] = {}
    for label in zip(*(map(str, release.table[name].to_pylist()) for name in ("age", "area")), strict=True):
        shown[label] = shown.get(label, 0) + 1
    half = len(outside) // 2
    reference = {label: 1 + sum(lies_in(label, one) for one in outside[:half]) for label in shown}

    def score(person: tuple[int, str]) -> float:
        return sum(n / reference[label] for label, n in shown.items() if lies_in(label, person))

    others, members = [score(one) for one in outside[half:]], [score(one) for one in inside]
    best = max(sorted({*others[::2], *members[::2]}), key=lambda at: _above(members[::2], at) - _above(others[::2], at))
    return _above(members[1::2], best) - _above(others[1::2], best)


def _above(scores: list[float], least: float) -> float:
    return sum(one >= least for one in scores) / len(scores)


def test_people_held_out_of_the_data_are_not_told_from_those_in_it():
    """By an attack of its own on fresh people: what is promised holds on average, and does not without hardening."""
    plain, hardened = [], []
    for seed in range(2):
        rng = np.random.default_rng(100 + seed)
        ages, areas = np.minimum(rng.geometric(0.04, 1200), 90).tolist(), rng.choice(list("abcde"), 1200).tolist()
        ill = rng.choice(["yes", "no"], 1200).tolist()
        people = pa.table({"age": ages, "area": areas, "ill": ill})
        inside = list(zip(ages, areas, strict=True))[:600]
        outside = list(zip(ages, areas, strict=True))[600:]
        for found, promised in ((plain, None), (hardened, am.Harden(membership=0.1))):
            release = am.anonymize(people.slice(0, 600), SCHEMA, [am.KAnonymity(3)], "mondrian", harden=promised)
            found.append(naive_advantage(release, inside, outside))
    assert np.mean(hardened) <= 0.1
    assert np.mean(plain) > np.mean(hardened)


def test_rows_that_stay_where_they_are_are_hardened_as_in_memory(tmp_path, monkeypatch) -> None:
    """What was found in memory is carried out by the engine, and the certificate is of that release."""
    adult = am.datasets.load("adult")
    people = adult.table.slice(0, 1500)
    promised = am.Harden(membership=None, likelier=3.0)
    here = am.anonymize(people, adult.schema, [am.KAnonymity(5)], harden=promised, seed=1)
    pq.write_table(people, tmp_path / "in.parquet")
    file = {"data": tmp_path / "in.parquet", "schema": adult.schema, "models": [am.KAnonymity(5)], "memory": "4GB"}
    there = am.anonymize(**file, harden=promised, seed=1)
    assert not there.store.in_memory
    assert there.write(tmp_path / "out").ok
    assert pq.read_table(tmp_path / "out" / "release.parquet").to_pylist() == here.arrow.to_pylist()
    assert there.certificate is not None
    assert [one.to_dict() for one in there.certificate.kept] == [one.to_dict() for one in here.certificate.kept]
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())["hardened"]["promises"]
    assert [one["promise"] for one in told] == ["certain", "likelier", "narrowed"]
    with monkeypatch.context() as patched:
        patched.setattr(rows_here, "A_CELL", 10**9)
        with pytest.raises(Infeasible, match="no room in memory"):
            am.anonymize(**file, harden=promised)


def test_earlier_releases_are_named_in_public_without_telling_where_they_lie(tmp_path) -> None:
    patients = am.datasets.load("patients")
    earlier = tmp_path / "somewhere private" / "january"
    earlier.parent.mkdir()
    asked = [am.KAnonymity(2)]
    am.anonymize(patients.table, patients.schema, asked, method="mondrian").write(earlier)
    promised = am.Harden(certain=False, narrowed=False, membership=None, beside=[earlier])
    release = am.anonymize(patients.table, patients.schema, asked, method="mondrian", harden=promised)
    assert release.write(tmp_path / "february").ok
    public = (tmp_path / "february" / "manifest.json").read_text()
    assert "somewhere private" not in public
    assert json.loads(public)["hardened"]["promises"][0]["asked"] == ["january"]


def test_what_judged_it_well_by_luck_is_found_out_by_the_next_lots_and_every_interval_is_told(table, tmp_path):
    """A promise must hold in two closer looks one after the other; each tells its interval, inside alone."""
    luck = iter([0.1, 0.1, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1])
    seen = []

    def attack(release, **how):
        found, ill_judged = am.attack(release, **how), next(luck)
        for one in found.of("membership"):
            one.figures.update(advantage=ill_judged, interval=[ill_judged - 0.05, ill_judged + 0.05], spread=0.01)
        seen.append(how["seed"])
        return found

    kind = replace(ONE_TABLE, attack=attack)
    promised = am.Harden(certain=False, narrowed=False, membership=0.2)
    request = am.anonymize(table, SCHEMA, [am.KAnonymity(5)], method="mondrian").request

    def publish(asked):
        return am.anonymize(table, asked.schema, asked.models, asked.method, seed=asked.seed, **asked.options)

    release, _ = promised.make_of(kind, request, publish)
    told = release.certificate
    assert [one.broken for one in told.rounds] == [("membership",), ()]
    assert told.rounds[0].reached["membership"] > 0.2  # the second of two looks, not the first
    assert len(set(seen)) == len(seen) == 6
    looks = told.kept[0].looks
    assert [(figure, lower < figure < upper <= 0.2) for figure, lower, upper in looks] == [(0.1, True)] * 2
    assert told.kept[0].reached == max(upper for *_, upper in looks)
    words = f"10.00% ({looks[0][1]:.2%} to {looks[0][2]:.2%}), then 10.00% ({looks[1][1]:.2%} to {looks[1][2]:.2%})"
    assert words in " ".join(told.words)
    assert words not in " ".join(told.public_words)
    assert "looks" not in told.to_dict()["public"][0]
    assert [one["upper"] for one in told.to_dict()["promises"][0]["looks"]] == [round(one[2], 6) for one in looks]
