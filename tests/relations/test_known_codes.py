"""An intruder who knows less than all: nothing, who has rows, how many, a few codes. Held against sets and loops."""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from cli_run import run

import amongst as am
from amongst.job.job import Input, Job, Output
from amongst.relations.attack import known_tree
from amongst.relations.shared_codes import shared_codes
from amongst.relations.verify.cover import Cover

QUASI, SECRET = am.Column(role="quasi"), am.Column(role="sensitive")
LETTERS = am.Hierarchy.nested({"first": ["a", "b"], "last": {"middle": ["c", "d"], "end": ["e"]}})
CODE = am.Column(role="quasi", kind="categorical", hierarchy=LETTERS)


def hospital(known: dict[str, str], n: int = 300) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    made = am.datasets.load_database("hospital", n_persons=n)
    return made.tables, made.schema.with_relations(
        **{name: replace(made.schema[name], known=one) for name, one in known.items()}
    )


CODES = {"visits": "nothing", "diagnoses": "codes", "prescriptions": "codes"}


def items_of(tables: dict[str, pa.Table], columns: dict[str, str]) -> dict[Any, set[tuple[str, str]]]:
    """The codes of every person of the hospital, through the visits."""
    visits = tables["visits"].to_pydict()
    person = dict(zip(visits["visit"], visits["patient"], strict=True))
    held: dict[Any, set[tuple[str, str]]] = defaultdict(set)
    for table, column in columns.items():
        for visit, code in zip(tables[table]["visit"].to_pylist(), tables[table][column].to_pylist(), strict=True):
            held[person[visit]].add((table, str(code)))
    return held


CODED = {"diagnoses": "diagnosis", "prescriptions": "drug"}


def fewest(tables: dict[str, pa.Table], m: int) -> int:
    """The fewest persons of a class of equal persons' rows who share a set of up to m codes that one of them has."""
    held = items_of(tables, CODED)
    classes = defaultdict(list)
    for row in tables["patients"].to_pylist():
        classes[row["sex"], row["born"], row["zip"]].append(row["patient"])
    least = 10**9
    for people in classes.values():
        sets = Counter(
            some
            for one in people
            for size in range(1, m + 1)
            for some in itertools.combinations(sorted(held[one]), size)
        )
        least = min(least, *sets.values(), 10**9)
    return least


@pytest.mark.parametrize("m", [1, 2, 3])
def test_any_few_codes_are_shared_by_k_persons_of_the_group_or_by_none(m: int) -> None:
    tables, schema = hospital(CODES)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(5), am.KmAnonymity(5, m)], persons_per_group=40)
    assert release.method == "codes"
    assert release.verdict.ok, release.verdict.words()
    reached = {one.model: one.reached for one in release.verdict.models}
    assert reached["km-anonymity"] == fewest(release.tables, m) >= 5
    assert release.tables["visits"].num_rows == tables["visits"].num_rows  # nothing is known of them
    assert set(release.tables["visits"]["ward"].to_pylist()) == set(tables["visits"]["ward"].to_pylist())
    assert release.tables["diagnoses"].num_rows > 0.5 * tables["diagnoses"].num_rows


def test_the_commonest_codes_stay_where_that_is_asked() -> None:
    tables, schema = hospital(CODES, n=1500)
    models = [am.KAnonymity(5), am.KmAnonymity(5, 2)]
    usual, asked = (am.anonymize_database(tables, schema, models, common=share) for share in (0.0, 0.95))
    assert asked.verdict.ok, asked.verdict.words()
    had, told = items_of(tables, CODED), items_of(asked.tables, CODED)
    n_had, n_told = (Counter(code for codes in one.values() for code in codes) for one in (had, told))
    for table in CODED:
        commonest = [code for code, _ in n_had.most_common() if code[0] == table][:10]
        assert all(n_told[code] >= 0.95 * n_had[code] for code in commonest)
    assert asked.verdict.n_groups < usual.verdict.n_groups
    with pytest.raises(am.errors.BadOption, match="common must be a share"):
        am.anonymize_database(tables, schema, models, common=95)


def test_a_long_table_does_not_outvote_a_short_one() -> None:
    """Every measurement twenty times over: the groups are those of each once."""
    rng = np.random.default_rng(1)
    persons = pa.table({"id": range(300), "age": rng.integers(20, 80, 300)})
    who, ill = rng.integers(0, 300, 600), np.minimum(rng.geometric(0.12, 600), 25)
    measured = np.repeat(np.arange(300), 2), np.tile([1, 2], 300)
    schema = am.DatabaseSchema(
        {
            "persons": am.Relation({"age": am.Column(role="quasi", kind="numeric")}, key="id"),
            **{
                name: am.Relation({"code": am.Column(role="quasi", kind="categorical")}, None, "persons", known="codes")
                for name in ("conditions", "measurements")
            },
        }
    )
    groups = []
    for times in (1, 20):
        tables = {
            "persons": persons,
            "conditions": pa.table({"id": who, "code": ill}),
            "measurements": pa.table({"id": np.tile(measured[0], times), "code": np.tile(measured[1], times)}),
        }
        release = am.anonymize_database(tables, schema, [am.KAnonymity(4), am.KmAnonymity(4, 2)])
        groups.append((release.verdict.n_groups, release.utility.tables["conditions"].lm))
    assert groups[0] == groups[1]
    assert groups[0][0] < 30, "a grouping into k persons keeps nothing of the conditions"


def test_sizes_of_groups_are_tried_on_some_of_many_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the end the codes of all persons are shared, and groups are about as large as where all are looked at."""
    tables, schema = hospital(CODES, n=3000)
    models = [am.KAnonymity(5), am.KmAnonymity(5, 2)]
    whole = am.anonymize_database(tables, schema, models)
    monkeypatch.setattr("amongst.relations.methods.codes.SAMPLE", 600)
    some = am.anonymize_database(tables, schema, models)
    assert some.verdict.ok
    assert 0.5 < some.verdict.n_groups / whole.verdict.n_groups < 2
    lost = [one.utility.tables["diagnoses"].lm for one in (whole, some)]
    assert abs(lost[0] - lost[1]) < 0.05
    kept = [one.tables["diagnoses"].num_rows / tables["diagnoses"].num_rows for one in (whole, some)]
    assert abs(kept[0] - kept[1]) < 0.05


def test_a_row_that_is_taken_out_afterwards_is_noticed() -> None:
    tables, schema = hospital(CODES)
    models = [am.KAnonymity(5), am.KmAnonymity(5, 2)]
    release = am.anonymize_database(tables, schema, models, persons_per_group=40)
    made = dict(release.tables)
    worse = 0
    for place in range(0, made["diagnoses"].num_rows, 7):
        rows = made["diagnoses"]
        cut = {**made, "diagnoses": pa.concat_tables([rows.slice(0, place), rows.slice(place + 1)])}
        verdict = am.verify_database(cut, schema, models)
        assert verdict.ok == (fewest(cut, 2) >= 5)
        worse += not verdict.ok
        if worse == 2:
            return
    raise AssertionError("no row mattered")


def test_who_knows_the_persons_columns_and_two_codes_finds_k_persons_or_none() -> None:
    """The attack: for every person and pairs of what she really has, who fits in the published tables."""
    tables, schema = hospital(CODES, n=200)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4), am.KmAnonymity(4, 2)], persons_per_group=30)
    published, held = release.tables, items_of(release.tables, CODED)
    covers = {
        (t, c): Cover(schema[t].schema[c])
        for t, c in [*CODED.items(), *(("patients", c) for c in ("sex", "born", "zip"))]
    }
    people = published["patients"].to_pylist()
    true_codes = items_of(tables, CODED)
    found = Counter()
    for row in range(0, 200, 3):
        known = known_tree(tables, schema, row)
        own = tables["patients"].slice(row, 1).to_pylist()[0]
        alike = [p for p in people if all(covers["patients", c].holds(p[c], known[c]) for c in ("sex", "born", "zip"))]
        for two in itertools.islice(itertools.combinations(sorted(true_codes[own["patient"]]), 2), 5):
            fit = [
                p
                for p in alike
                if all(
                    any(t == u and covers[t, CODED[t]].holds(label, code) for u, label in held[p["patient"]])
                    for t, code in two
                )
            ]
            found["none" if not fit else "few" if len(fit) < 4 else "enough"] += 1
    assert found["few"] == 0
    assert found["enough"] > found["none"]


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_shared_codes_hold_and_none_could_come_back_alone(seed: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    has = rng.random((int(rng.integers(3, 25)), int(rng.integers(1, 8)))) < rng.uniform(0.2, 0.9)
    k = int(rng.integers(1, 5))

    def holds(cells: np.ndarray) -> bool:
        sets = Counter(
            some
            for row in cells
            for size in range(1, m + 1)
            for some in itertools.combinations(np.flatnonzero(row).tolist(), size)
        )
        return all(n >= k for n in sets.values())

    stays = shared_codes(has, np.zeros_like(has), k, m)
    assert not (stays & ~has).any()
    assert holds(stays)
    for place in zip(*np.nonzero(has & ~stays), strict=True):
        more = stays.copy()
        more[place] = True
        assert not holds(more)
    assert (shared_codes(has, stays, k, m) | stays == stays).all()


def snowflake(seed: int) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Persons, stays of which all is known, codes of what was done there, and codes below those."""
    rng = np.random.default_rng(seed)
    n = 60
    of_stay = np.repeat(np.arange(n), rng.integers(0, 3, n))
    of_act = np.repeat(np.arange(len(of_stay)), rng.integers(0, 4, len(of_stay)))
    of_tool = np.repeat(np.arange(len(of_act)), rng.integers(0, 3, len(of_act)))
    tables = {
        "person": pa.table({"id": np.arange(n), "born": 1950 + rng.integers(0, 3, n)}),
        "stay": pa.table({"sid": range(len(of_stay)), "who": of_stay, "ward": rng.choice(["x", "y"], len(of_stay))}),
        "act": pa.table({"aid": range(len(of_act)), "at": of_act, "code": rng.choice(list("abcde"), len(of_act))}),
        "tool": pa.table({"by": of_tool, "size": rng.integers(0, 9, len(of_tool)), "cost": range(len(of_tool))}),
    }
    schema = am.DatabaseSchema(
        {
            "person": am.Relation({"born": QUASI}, key="id"),
            "stay": am.Relation({"ward": QUASI}, "sid", "person", "who"),
            "act": am.Relation({"code": CODE}, "aid", "stay", "at", known="codes"),
            "tool": am.Relation(
                {"size": am.Column(role="quasi", kind="numeric"), "cost": SECRET}, None, "act", "by", known="codes"
            ),
        }
    )
    return tables, schema


@pytest.mark.parametrize("seed", range(2))
def test_codes_below_paired_rows_and_below_codes(seed: int) -> None:
    """Where a code was found is known as far as the rows above it are: persons of a group share code and place."""
    tables, schema = snowflake(seed)
    release = am.anonymize_database(tables, schema, [am.KmAnonymity(3, 2)], persons_per_group=12)
    assert release.verdict.ok, release.verdict.words()
    made = {name: table.to_pylist() for name, table in release.tables.items()}
    acts = {act["aid"]: act for act in made["act"]}
    stays = {stay["sid"]: stay for stay in made["stay"]}
    trees = defaultdict(list)
    for stay in made["stay"]:
        trees[stay["who"]].append(stay["ward"])
    group = {p["id"]: (p["born"], tuple(sorted(trees[p["id"]]))) for p in made["person"]}
    assert min(Counter(group.values()).values()) >= 3
    held = defaultdict(set)
    for act in made["act"]:
        held[stays[act["at"]]["who"]].add(("act", stays[act["at"]]["ward"], act["code"]))
    for tool in made["tool"]:
        act = acts[tool["by"]]
        held[stays[act["at"]]["who"]].add(("tool", stays[act["at"]]["ward"], act["code"], tool["size"]))
    sets = Counter(
        (group[who], some)
        for who, items in held.items()
        for size in (1, 2)
        for some in itertools.combinations(sorted(items, key=str), size)
    )
    assert min(sets.values(), default=3) >= 3
    assert made["act"]


def test_who_has_rows_and_how_many() -> None:
    tables, schema = hospital({"visits": "presence", "diagnoses": "nothing", "prescriptions": "nothing"})
    models = [am.KAnonymity(5)]
    release = am.anonymize_database(tables, schema, models, persons_per_group=5)
    assert release.verdict.ok, release.verdict.words()
    has = set(release.tables["visits"]["patient"].to_pylist())
    classes = defaultdict(set)
    for row in release.tables["patients"].to_pylist():
        classes[row["sex"], row["born"], row["zip"]].add(row["patient"] in has)
    assert all(len(one) == 1 for one in classes.values())
    assert any(True in one for one in classes.values())
    as_they_are = am.verify_database(release.tables | {"visits": release.tables["visits"].slice(40)}, schema, models)
    assert "k-anonymity" in {one.code for one in as_they_are.findings}

    tables, schema = hospital({"visits": "count", "diagnoses": "nothing", "prescriptions": "nothing"})
    release = am.anonymize_database(tables, schema, models)
    assert release.verdict.ok, release.verdict.words()
    n_visits = Counter(release.tables["visits"]["patient"].to_pylist())
    counts = defaultdict(Counter)
    for row in release.tables["patients"].to_pylist():
        counts[row["sex"], row["born"], row["zip"]][n_visits[row["patient"]]] += 1
    assert all(n >= 5 for one in counts.values() for n in one.values())


def test_what_cannot_be_is_told() -> None:
    tables, schema = hospital(CODES)
    with pytest.raises(am.errors.BadOption, match="how many codes"):
        am.anonymize_database(tables, schema, [am.KAnonymity(5)])
    whole = am.datasets.load_database("hospital", n_persons=100)
    with pytest.raises(am.errors.BadOption, match="No table has codes"):
        am.anonymize_database(whole.tables, whole.schema, [am.KmAnonymity(5, 2)], "codes")
    with pytest.raises(am.errors.BadSchema, match="less of 'visits'"):
        am.anonymize_database(*hospital({"visits": "nothing"}), [am.KAnonymity(5)])
    with pytest.raises(am.errors.BadSchema, match="nothing, presence, count, codes, all"):
        am.Relation(known="some")
    with pytest.raises(am.errors.BadOption, match="m <= 3"):
        am.KmAnonymity(5, 4)


def test_a_reference_does_not_say_which_known_codes_belong_together() -> None:
    n = 30
    tables = {
        "person": pa.table({"id": range(n), "born": [1950] * n}),
        "visit": pa.table({"vid": range(n), "who": range(n), "ward": ["a", "b"] * 15}),
        "act": pa.table({"who": range(n), "at": range(n), "code": ["x", "y", "z"] * 10}),
    }
    for known, kept in (("codes", 0), ("nothing", n)):
        schema = am.DatabaseSchema(
            {
                "person": am.Relation({"born": QUASI}, key="id"),
                "visit": am.Relation({"ward": QUASI}, "vid", "person", "who", known=known),
                "act": am.Relation({"code": QUASI}, None, "person", "who", {"at": "visit"}, known="codes"),
            }
        )
        release = am.anonymize_database(tables, schema, [am.KmAnonymity(5, 2)])
        assert release.verdict.ok, release.verdict.words()
        assert n - release.tables["act"]["at"].null_count == kept
    told = am.verify_database(
        tables, schema.with_relations(visit=replace(schema["visit"], known="codes")), [am.KmAnonymity(5)]
    )
    assert "codes-together" in {one.code for one in told.findings}


def test_a_job_file_says_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    tables, schema = hospital(CODES, n=120)
    import pyarrow.csv

    for name, table in tables.items():
        pyarrow.csv.write_csv(table, tmp_path / "in" / f"{name}.csv")
    models = (am.KAnonymity(4), am.KmAnonymity(4, 2))
    source, target = Input(tmp_path / "in"), Output(tmp_path / "out", None)
    job = Job(source, schema, models, "codes", {"persons_per_group": 30}, target)
    (tmp_path / "job.toml").write_text(job.to_toml(tmp_path))
    assert Job.from_file(tmp_path / "job.toml").to_dict() == job.to_dict()
    assert run("run", str(tmp_path / "job.toml")).returncode == 0
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["tables"]["diagnoses"]["known"] == "codes"
    assert told["privacy"][1] == {"model": "km-anonymity", "k": 4, "m": 2}
    assert run("verify-database", str(tmp_path / "out")).returncode == 0
