"""Other kinds of persons: doctors of patients are alike, k of them, and nothing that refers to one says which."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from cli_run import run
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.app.live_tables import live_tables, look_at_tables
from amongst.job.job import Input, Job, Output
from amongst.relations.stores import read_database
from thorough import some

QUASI = am.Column(role="quasi")
K = 3


def clinic(seed: int = 0, known: str = "nothing", doctors: int = 13) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    rng = np.random.default_rng(seed)
    n, visits = 40, 90
    keys = rng.permutation(np.arange(500, 500 + doctors))
    seen = rng.choice(keys, visits).tolist()
    seen[3] = None  # nobody's
    tables = {
        "patients": pa.table({"id": range(n), "age": rng.integers(20, 30, n)}),
        "visits": pa.table(
            {"id": rng.integers(0, n, visits), "ward": rng.choice(["Eye", "Ear"], visits), "seen_by": seen}
        ),
        "doctors": pa.table(
            {
                "doctor": keys,
                "name": [f"LEAK {i}" for i in range(doctors)],
                "born": rng.integers(1950, 1990, doctors),
                "field": pa.array(rng.choice(["eyes", "ears"], doctors)).dictionary_encode(),
            }
        ),
    }
    visit = am.Relation({"ward": QUASI}, None, "patients", "id", known=known, others={"seen_by": "doctors"})
    doctor = am.Relation({"name": am.Column(role="identifier"), "born": QUASI, "field": QUASI}, key="doctor")
    schema = am.DatabaseSchema(
        {"patients": am.Relation({"age": QUASI}, key="id"), "visits": visit}, others={"doctors": doctor}
    )
    return tables, schema


def models_for(known: str) -> list[Any]:
    return [am.KAnonymity(K), *([am.KmAnonymity(K, 2)] if known == "codes" else [])]


@settings(max_examples=some(25))
@given(st.integers(0, 2**32 - 1), st.sampled_from(["nothing", "codes", "all"]))
def test_k_doctors_are_alike_and_what_refers_to_one_means_all_of_them(seed: int, known: str) -> None:
    """Held against lists: classes, what is told of them, and that every visit means the class of its doctor."""
    tables, schema = clinic(seed, known)
    release = am.anonymize_database(tables, schema, models_for(known))
    assert release.verdict.ok, release.verdict.words()
    promised = [one for one in release.verdict.models if "'doctors'" in one.words]
    rows = release.tables["doctors"].to_pylist()
    classes = defaultdict(list)
    for row in rows:
        classes[row["doctor"]].append((row["born"], row["field"]))
    assert len(rows) == 13
    assert set(release.tables["doctors"].column_names) == {"doctor", "born", "field"}
    assert all(len(alike) >= K and len(set(alike)) == 1 for alike in classes.values())
    assert [one.reached for one in promised] == [min(map(len, classes.values()))]
    told = {name: cells[0] for name, cells in classes.items()}
    own = {row["doctor"]: row for row in tables["doctors"].to_pylist()}
    before, after = tables["visits"].to_pylist(), release.tables["visits"].to_pylist()
    for place, row in zip(release.plan.input_row["visits"].tolist(), after, strict=True):
        doctor, label = before[place]["seen_by"], row["seen_by"]
        if label in told:
            born, field = told[label]
            low, _, high = str(born).strip("[]").partition("-")
            assert int(low) <= own[doctor]["born"] <= int(high or low)
            assert field in ("*", own[doctor]["field"])
        else:
            assert label in (None, "*"), "no original key is published"
    if known == "nothing":
        assert Counter(row["seen_by"] is None for row in after) == Counter(row["seen_by"] is None for row in before)


def test_the_proof_notices_what_tells_doctors_apart(tmp_path: Path) -> None:
    tables, schema = clinic()
    release = am.anonymize_database(tables, schema, models_for("nothing"))
    made = dict(release.arrow)
    doctors, visits = made["doctors"].to_pylist(), made["visits"].to_pylist()

    def found(name: str, rows: list[dict[str, Any]]) -> set[str]:
        verdict = am.verify_database(made | {name: pa.Table.from_pylist(rows)}, release.schema, release.models)
        return {one.code for one in verdict.findings}

    assert not found("doctors", doctors)
    assert found("doctors", [*doctors[:-1], doctors[-1] | {"born": "1999"}]) == {"k-anonymity", "classes"}
    alone = [row | {"doctor": f"class {100 + i}"} if not i else row for i, row in enumerate(doctors)]
    assert "k-anonymity" in found("doctors", alone)
    assert found("doctors", [row | {"name": "LEAK"} for row in doctors]) == {"extra-column"}
    assert found("visits", [visits[0] | {"seen_by": "503"}, *visits[1:]]) == {"astray"}
    without = {name: table for name, table in made.items() if name != "doctors"}
    assert "missing-table" in {one.code for one in am.verify_database(without, release.schema, release.models).findings}
    for format in ("csv", "parquet", "duckdb", "sqlite"):
        release.write(tmp_path / format, format=format)
        assert run("verify-database", str(tmp_path / format)).returncode == 0
        public = [path for path in (tmp_path / format).iterdir() if path.is_file()]
        assert not any(b"LEAK" in path.read_bytes() for path in public)


def test_what_cannot_be_proved_is_refused() -> None:
    tables, schema = clinic()
    doctor = schema.others["doctors"]

    def refused(match: str, others: dict[str, am.Relation], error: Any = am.errors.BadSchema, **relations: Any) -> None:
        changed = am.DatabaseSchema({**schema, **relations}, others=others)
        with pytest.raises(error, match=match):
            am.anonymize_database(tables, changed, models_for("nothing"))

    kept = replace(doctor, columns={**doctor.schema, "name": am.Column(role="keep")})
    refused("of which nothing is promised: name", {"doctors": kept})
    refused("no key of one column", {"doctors": replace(doctor, key=None)})
    refused("refers to other tables", {"doctors": replace(doctor, parent="patients", foreign_key="doctor")})
    undecided = replace(doctor, columns={"born": QUASI, "field": QUASI})
    refused("no role for 1 column", {"doctors": undecided})
    refused(
        "is no other kind of persons", {"doctors": doctor}, visits=replace(schema["visits"], others={"seen_by": "x"})
    )
    tables, schema = clinic(doctors=2)
    refused("cannot be alike", {"doctors": doctor}, am.errors.Infeasible)
    tables, schema = clinic()
    tables["doctors"] = pa.concat_tables([tables["doctors"], tables["doctors"].slice(0, 1)])
    refused("missing or doubled", {"doctors": doctor})
    tables, schema = clinic()
    with pytest.raises(am.errors.BadOption, match="other kinds of persons"):
        am.anonymize_database(tables, schema, [am.Diversity(2)], "anatomization")


def test_the_proof_notices_doctors_in_a_dictionary_whom_no_row_has() -> None:
    tables, schema = clinic()
    release = am.anonymize_database(tables, schema, models_for("nothing"))
    field = release.arrow["doctors"]["field"].combine_chunks().cast(pa.string()).dictionary_encode()
    more = pa.DictionaryArray.from_arrays(field.indices, pa.array([*field.dictionary.to_pylist(), "LEAK"]))
    doctors = release.arrow["doctors"]
    doctors = doctors.set_column(doctors.column_names.index("field"), "field", more)
    found = am.verify_database({**release.arrow, "doctors": doctors}, release.schema, release.models).findings
    assert [one.code for one in found] == ["unused-values"]


def test_references_of_another_type_are_refused_without_a_cell() -> None:
    tables, schema = clinic()
    seen = tables["visits"]["seen_by"].cast(pa.string()).to_pylist()
    place = tables["visits"].column_names.index("seen_by")
    tables["visits"] = tables["visits"].set_column(place, "seen_by", pa.array(["Dr. LEAK", *seen[1:]]))
    with pytest.raises(am.errors.BadInput, match="references are of type string") as caught:
        am.anonymize_database(tables, schema, models_for("nothing"))
    assert "LEAK" not in str(caught.value)


def test_who_is_in_the_data_is_attacked_and_repaired_where_there_are_doctors() -> None:
    """Hardening publishes half of the persons anew, and a larger k is one of the doctors too."""
    tables, schema = clinic()
    hard = am.anonymize_database(tables, schema, [am.KAnonymity(2)], harden=am.Harden(alone=False, membership=0.1))
    (k,) = (model.k for model in hard.models)
    assert k > 2
    assert hard.verdict.ok
    assert "membership" in hard.certificate.rounds[0].broken
    assert min(Counter(hard.tables["doctors"]["doctor"].to_pylist()).values()) >= k


def test_a_job_file_says_it(tmp_path: Path) -> None:
    tables, schema = clinic()
    (tmp_path / "in").mkdir()
    import pyarrow.csv

    tables["doctors"] = tables["doctors"].set_column(3, "field", tables["doctors"]["field"].cast(pa.string()))
    for name, table in tables.items():
        pyarrow.csv.write_csv(table, tmp_path / "in" / f"{name}.csv")
    job = Job(Input(tmp_path / "in"), schema, (am.KAnonymity(K),), "codes", {}, Output(tmp_path / "out", None))
    (tmp_path / "job.toml").write_text(job.to_toml(tmp_path))
    assert Job.from_file(tmp_path / "job.toml").to_dict() == job.to_dict()
    done = run("run", str(tmp_path / "job.toml"))
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["others"]["doctors"]["key"] == "doctor"
    assert "name" not in told["others"]["doctors"]["columns"]
    assert [one["model"] for one in told["proved"]["models"]] == ["k-anonymity", "k-anonymity"]
    assert "Every one of &#39;doctors&#39;" in (tmp_path / "out" / "report.html").read_text()
    for schema_told in ((), ("--schema", str(tmp_path / "job.toml"))):
        checked = run("verify-database", str(tmp_path / "out"), *schema_told)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    attacked = run("attack", str(tmp_path / "out"), "--original", str(tmp_path / "job.toml"))
    assert attacked.returncode == 0, attacked.stderr


def test_a_look_in_the_app_has_them_in_classes_too() -> None:
    tables, schema = clinic()
    job = Job(Input(Path("clinic")), schema, tuple(models_for("nothing")), "miracle")
    looked = look_at_tables(live_tables(read_database(tables), job), job)
    made = am.anonymize_database(tables, schema, models_for("nothing"), "miracle")
    assert looked.utility == made.utility
    assert looked.arrow["doctors"] == made.arrow["doctors"]
    assert len(looked.arrow["visits"]["seen_by"].unique()) <= 1 + len(tables["doctors"]) // K


def test_who_was_alone_before_is_counted_with_their_doctors_too(tmp_path: Path) -> None:
    """A release keeps the class of the doctor beside a visit; of the original the doctor is known as well."""
    tables, schema = clinic()
    am.anonymize_database(tables, schema, models_for("nothing"), "miracle").write(tmp_path / "out")
    found = am.evidence_database(tmp_path / "out", schema=schema, original=tables).risk
    alone = {one.knows: one.alone for one in found.before}
    assert all(one.alone <= alone[one.knows] for one in found.after)
    assert alone["1 code"] > 0
