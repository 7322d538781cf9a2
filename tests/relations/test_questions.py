"""Questions to many tables: the true answer of the original lies within the bounds, whatever was generalized or cut."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_run import run
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mixed_databases import mixed_database
from naive_judge import Judge

import amongst as am
from amongst.relations.hidden_codes import with_hidden
from thorough import some


@settings(max_examples=some(60))
@given(st.integers(0, 2**32 - 1))
def test_the_truth_lies_within_the_bounds(seed: int) -> None:
    """Rows of a table and persons who have such a row, by columns of the table and of the persons."""
    rng = np.random.default_rng(seed)
    tables, schema = mixed_database(rng, whole=bool(rng.random() < 0.4))
    models: list[Any] = [am.KAnonymity(2)]
    if any(relation.known == "codes" for relation in schema.values()):
        models.append(am.KmAnonymity(2, 2))
    method = "codes" if schema.bounded else str(rng.choice(["miracle", "bitmap"]))
    try:
        release = am.anonymize_database(tables, schema, models, method)
    except am.errors.Infeasible:
        assume(False)
    original = Judge(tables, release.schema)
    for table in schema:
        own = "q" if table == "p" else "p_q"
        value, of_person = str(rng.choice(list("abcde"))), str(rng.choice(["a", "b"]))
        rows = [(table, i) for i, row in enumerate(original.rows[table]) if row["q"] == value]
        both = [row for row in rows if original.rows["p"][original.person[row][1]]["q"] == of_person]
        if table != "p" and schema[table].parent != "p":  # between them stands another q
            own = "p_q"
        for where, true in (("", rows), (f" AND {own} = '{of_person}'", both)):
            asked = f"SELECT COUNT(*) FROM {table} WHERE q = '{value}'{where}"
            for count, truth in (("rows", len(true)), ("persons", len({original.person[row] for row in true}))):
                answer = am.query_database(release, asked, count=count).only
                assert answer.lower <= truth <= answer.upper
                assert answer.lower <= answer.estimate <= answer.upper


@pytest.fixture(scope="module")
def hospital() -> tuple[Any, Any]:
    made = am.datasets.load_database("hospital", n_persons=400)
    known = {"visits": "nothing", "diagnoses": "codes", "prescriptions": "codes"}
    models = [am.KAnonymity(5), am.KmAnonymity(5, m=2)]
    return made, am.anonymize_database(made.tables, made.schema.with_known(known), models)


def test_a_folder_tells_what_is_sure_and_no_more(hospital: tuple[Any, Any], tmp_path: Path) -> None:
    """How many rows were cut is told inside alone: from the folder there is no upper bound, and the lower one holds."""
    made, release = hospital
    release.write(tmp_path / "out")
    asked = "SELECT COUNT(*) FROM diagnoses WHERE diagnosis = 'flu'"
    flu = made.tables["diagnoses"]["diagnosis"].to_pylist()
    value = max(set(flu), key=flu.count)
    asked = asked.replace("flu", value)
    inside, public = am.query_database(release, asked).only, am.query_database(tmp_path / "out", asked).only
    assert inside.lower == public.lower <= flu.count(value) <= inside.upper
    assert public.upper is None
    persons = am.query_database(tmp_path / "out", asked, count="persons", schema=made.schema).only
    assert persons.lower <= persons.upper <= 400
    done = run("query", str(tmp_path / "out"), asked, "--persons", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["lines"][0]["answers"][0]["lower"] == persons.lower


def test_what_cannot_be_asked_is_told(hospital: tuple[Any, Any]) -> None:
    _, release = hospital
    with pytest.raises(am.errors.BadQuestion, match="no such table"):
        am.query_database(release, "SELECT COUNT(*) FROM nowhere")
    with pytest.raises(am.errors.BadQuestion, match="Persons are counted"):
        am.query_database(release, "SELECT COUNT(*) FROM diagnoses GROUP BY diagnosis", count="persons")
    with pytest.raises(am.errors.BadQuestion, match="what to count"):
        am.query_database(release, "SELECT COUNT(*) FROM diagnoses", count="visits")


def test_values_that_may_be_withheld_are_not_counted() -> None:
    made = am.datasets.load_database("hospital", n_persons=200)
    schema = made.schema.with_known({"visits": "nothing", "diagnoses": "codes", "prescriptions": "nothing"})
    models = [am.KAnonymity(4), am.KmAnonymity(4, m=1), am.Diversity(2, table="diagnoses", column="severity")]
    release = am.anonymize_database(made.tables, schema, models)
    with pytest.raises(am.errors.BadQuestion, match="withheld"):
        am.query_database(release, "SELECT COUNT(*) FROM diagnoses WHERE severity = 'mild'")


@settings(max_examples=some(60))
@given(st.integers(0, 2**32 - 1))
def test_persons_with_a_hidden_code_are_expected_between_few_and_the_rate(seed: int) -> None:
    """Held against lists and exact binomial coefficients."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    size = rng.integers(k, 40, n)
    sure = np.array([int(rng.integers(k, one + 1)) if rng.random() < 0.6 else 0 for one in size])
    hiding, spread = rng.integers(0, size + 1), rng.random(n) * size
    found = with_hidden(sure, hiding, spread, size, k)
    told = [i for i in range(n) if sure[i]]
    if not told:
        assert found is None
        return
    rate = min(sum(int(sure[i]) for i in told) / sum(int(size[i]) for i in told), 1 - 1e-9)
    for i in range(n):
        if sure[i]:
            assert found[i] == sure[i]
            continue
        g = int(size[i])
        weight = [math.comb(g, x) * rate**x * (1 - rate) ** (g - x) for x in range(min(k, g + 1))]
        few = sum(x * one for x, one in enumerate(weight)) / sum(weight)
        expected = min(max(float(spread[i]), few), max(few, rate * g))
        assert found[i] == pytest.approx(min(expected, hiding[i]), rel=1e-6, abs=1e-9)


def test_the_commonest_codes_are_counted_nearly_right(tmp_path: Path) -> None:
    """Persons with each of the ten commonest diagnoses, of all and of women: nearer to the truth than what is told."""
    made = am.datasets.load_database("hospital", n_persons=2000)
    known = {"visits": "nothing", "diagnoses": "codes", "prescriptions": "codes"}
    models = [am.KAnonymity(5), am.KmAnonymity(5, m=2)]
    release = am.anonymize_database(made.tables, made.schema.with_known(known), models)
    release.write(tmp_path / "out")
    tables = {name: table.to_pylist() for name, table in made.tables.items()}
    who = {row["visit"]: row["patient"] for row in tables["visits"]}
    women = {row["patient"] for row in tables["patients"] if row["sex"] == "female"}
    have = {(who[row["visit"]], row["diagnosis"]) for row in tables["diagnoses"]}
    for whom, condition in ((set(who.values()), ""), (women, " AND sex = 'female'")):
        truth = Counter(code for person, code in have if person in whom).most_common(10)
        asked = [f"SELECT COUNT(*) FROM diagnoses WHERE diagnosis = '{code}'{condition}" for code, _ in truth]
        found = [am.query_database(release, sql, count="persons").only for sql in asked]
        off = [abs(one.estimate / n - 1) for one, (_, n) in zip(found, truth, strict=True)]
        told = [abs(one.lower / n - 1) for one, (_, n) in zip(found, truth, strict=True)]
        assert sum(off) / len(off) < 0.07
        assert sum(off) < sum(told)
        assert all(one.lower <= n <= one.upper for one, (_, n) in zip(found, truth, strict=True))
        again = am.query_database(tmp_path / "out", asked[0], count="persons", schema=made.schema).only
        assert (again.estimate, again.lower) == (found[0].estimate, found[0].lower)
