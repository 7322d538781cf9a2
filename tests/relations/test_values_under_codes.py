"""Sensitive values where a few codes are known: spread among all who share them, or withheld."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.relations import withheld

QUASI, SECRET = am.Column(role="quasi"), am.Column(role="sensitive")
CODE = am.Column(role="quasi", kind="categorical")


def clinic(seed: int, known: str = "nothing") -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Persons, visits and codes with a secret each, and tests below the codes of which nothing is known."""
    rng = np.random.default_rng(seed)
    n = 80
    of_visit = np.repeat(np.arange(n), rng.integers(1, 3, n))
    of_code = np.repeat(np.arange(n), rng.integers(0, 5, n))
    of_test = np.repeat(np.arange(len(of_code)), rng.integers(0, 3, len(of_code)))
    code = rng.choice(list("abcdef"), len(of_code), p=[0.4, 0.2, 0.2, 0.1, 0.05, 0.05])
    mood = np.where(code == "b", "low", rng.choice(["low", "mid", "high"], len(of_code)))  # b tells its mood
    tables = {
        "person": pa.table({"id": range(n), "born": 1950 + rng.integers(0, 3, n), "plan": rng.choice(list("xyz"), n)}),
        "visit": pa.table({"who": of_visit, "ward": ["w"] * len(of_visit), "bill": rng.integers(0, 4, len(of_visit))}),
        "act": pa.table({"aid": range(len(code)), "who": of_code, "code": code, "mood": mood}),
        "test": pa.table({"at": of_test, "value": rng.integers(0, 5, len(of_test))}),
    }
    schema = am.DatabaseSchema(
        {
            "person": am.Relation({"born": QUASI, "plan": SECRET}, key="id"),
            "visit": am.Relation({"ward": CODE, "bill": SECRET}, None, "person", "who", known=known),
            "act": am.Relation({"code": CODE, "mood": SECRET}, "aid", "person", "who", known="codes"),
            "test": am.Relation({"value": SECRET}, None, "act", "at", known="nothing"),
        }
    )
    return tables, schema


def kinds_of_rows(tables: dict[str, pa.Table], m: int, trees: bool) -> dict[Any, list[tuple[Any, Any]]]:
    """(person, value) of rows that look alike to somebody who knows some codes: by column, group, own code, codes."""
    made = {name: table.to_pylist() for name, table in tables.items()}
    wards = defaultdict(list)
    for visit in made["visit"]:
        wards[visit["who"]].append(visit["ward"])
    group = {p["id"]: (p["born"], tuple(sorted(wards[p["id"]])) if trees else ()) for p in made["person"]}
    act = {one["aid"]: one for one in made["act"]}
    codes = defaultdict(set)
    for one in made["act"]:
        codes[one["who"]].add(one["code"])
    rows = [("plan", p["id"], None, p["plan"]) for p in made["person"]]
    rows += [("bill", v["who"], None, v["bill"]) for v in made["visit"]]
    rows += [("mood", a["who"], a["code"], a["mood"]) for a in made["act"]]
    rows += [("value", act[t["at"]]["who"], act[t["at"]]["code"], t["value"]) for t in made["test"]]
    alike = defaultdict(list)
    for column, who, own, value in rows:
        more = m - (own is not None)
        for size in range(more + 1):
            for some in itertools.combinations(sorted(codes[who]), size):
                if value is not None:
                    alike[column, group[who], own, some].append((who, value))
    return alike


def l_of(rows: list[tuple[Any, Any]], model: am.Diversity) -> float:
    of_rows, n_people = Counter(value for _, value in rows), len({who for who, _ in rows})
    of_people = Counter(value for _, value in set(rows))
    found = []
    for counts, whole in ((of_rows, len(rows)), (of_people, n_people)):
        n = sorted(counts.values(), reverse=True)
        if model.sense == "frequency":
            found.append(whole / n[0])
        elif model.sense == "distinct":
            found.append(len(n))
        elif model.sense == "entropy":
            found.append(math.exp(-sum(x / sum(n) * math.log(x / sum(n)) for x in n)))
        else:
            found.append(model.c * sum(n[int(model.l) - 1 :]) / n[0])
    return min(found)


@pytest.mark.parametrize(
    ("m", "known", "model"),
    [
        (1, "nothing", am.Diversity(1.5)),
        (2, "nothing", am.Diversity(1.3)),
        (2, "all", am.Diversity(2, "distinct")),
        (3, "nothing", am.Diversity(1.5, "entropy")),
        (2, "presence", am.Diversity(2, "recursive", c=3.0)),
    ],
)
def test_whatever_codes_are_known_values_are_spread_or_withheld(m: int, known: str, model: am.Diversity) -> None:
    tables, schema = clinic(m, known)
    models = [am.KAnonymity(4), am.KmAnonymity(4, m), model]
    release = am.anonymize_database(tables, schema, models, persons_per_group=20)
    assert release.verdict.ok, release.verdict.words()
    alike = kinds_of_rows(release.tables, m, known == "all")
    least = min(l_of(rows, model) for rows in alike.values())
    assert least > 1 if model.sense == "recursive" else least >= model.l - 1e-9
    assert release.verdict.models[2].reached == pytest.approx(least)
    moods = release.tables["act"].to_pylist()
    assert all(row["mood"] is None for row in moods if row["code"] == "b")  # which tell it
    assert sum(row["mood"] is not None for row in moods) > 0.1 * len(moods)
    without = am.anonymize_database(tables, schema, models[:2], persons_per_group=20)
    assert not am.verify_database(without.tables, schema, models).ok
    codes = [Counter(one.tables["act"]["code"].to_pylist()) for one in (release, without)]
    assert codes[0] == codes[1]  # no row goes because of a value


@pytest.mark.parametrize(("t", "distance"), [(0.4, "equal"), (0.3, None)])
def test_values_are_as_close_to_all_as_was_asked(t: float, distance: str | None) -> None:
    tables, schema = clinic(5)
    models = [am.KmAnonymity(4, 2), am.Closeness(t, distance=distance)]
    release = am.anonymize_database(tables, schema, models, persons_per_group=20)
    assert release.verdict.ok, release.verdict.words()
    farthest = 0.0
    whole = {
        column: [v for v in release.tables[table][column].to_pylist() if v is not None]
        for table, column in (("person", "plan"), ("visit", "bill"), ("act", "mood"), ("test", "value"))
    }
    for (column, *_), rows in kinds_of_rows(release.tables, 2, trees=False).items():
        values = sorted(set(whole[column]))
        own = [value for _, value in rows]
        apart = [own.count(v) / len(own) - whole[column].count(v) / len(whole[column]) for v in values]
        if distance is None and isinstance(values[0], int):
            far = sum(map(abs, itertools.accumulate(apart))) / max(len(values) - 1, 1)
        else:
            far = sum(map(abs, apart)) / 2
        farthest = max(farthest, far)
    assert farthest <= t + 1e-9
    assert release.verdict.models[1].reached == pytest.approx(farthest)
    assert any(column for column in whole.values())


def test_closeness_of_whole_trees_and_models_of_one_table() -> None:
    tables, schema = clinic(7)
    schema = schema.of({name: replace(one, known="all") for name, one in schema.items()})
    close = am.TCloseness(0.3, column="plan", distance="equal")
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4), close])
    assert release.verdict.ok, release.verdict.words()
    assert not am.verify_database(tables, schema, [close]).ok


def test_a_value_put_back_is_noticed() -> None:
    tables, schema = clinic(2)
    models = [am.KmAnonymity(4, 2), am.Diversity(1.5, table="act", column="mood")]
    release = am.anonymize_database(tables, schema, models, persons_per_group=20)
    act = release.tables["act"]
    hidden = [row is None for row in act["mood"].to_pylist()]
    assert any(hidden)
    back = act.set_column(3, "mood", pa.array([v if v is not None else "low" for v in act["mood"].to_pylist()]))
    assert act.column_names[3] == "mood"
    assert not am.verify_database(dict(release.tables) | {"act": back}, schema, models).ok


def test_sets_of_codes_looked_at_bit_by_bit_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, schema = clinic(3)
    models = [am.KmAnonymity(4, 2), am.Diversity(1.3)]
    made = []
    for most in (withheld.MOST_CELLS, 1):
        monkeypatch.setattr(withheld, "MOST_CELLS", most)
        made.append(am.anonymize_database(tables, schema, models, persons_per_group=20).tables)
    assert all(made[0][name].equals(made[1][name]) for name in tables)
