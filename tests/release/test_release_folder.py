"""The release folder: three files, the same bytes every time, read back and proved, and nothing else."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.engines import in_memory as release_module
from amongst.errors import BadOption, NotVerified
from amongst.release.story import round_edges
from flow_tables import random_table
from test_flow_properties import release_of


def small_release(**options: Any) -> am.Release:
    patients = am.datasets.load("patients")
    return am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], **options)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_the_three_files(tmp_path: Path, format: str) -> None:
    release = small_release()
    steps: list[str] = []
    verdict = release.write(tmp_path / "out", format=format, step=steps.append)
    assert sorted(contents(tmp_path / "out")) == sorted(["manifest.json", f"release.{format}", "report.html"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]
    assert sorted(contents(tmp_path / "out.inside")) == ["manifest.json", "report.html"]
    assert steps == ["write", "verify", "report"]
    assert verdict.ok
    assert am.verify(tmp_path / "out" / f"release.{format}", release.schema, [am.KAnonymity(2)]).ok


@pytest.mark.parametrize("method", ["mondrian", "mondrian-relaxed", "single-dimensional", "incognito"])
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_the_same_job_twice_gives_the_same_bytes(tmp_path: Path, method: str, format: str) -> None:
    for name in ("one", "two"):
        small_release(method=method).write(tmp_path / name, format=format)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert contents(tmp_path / "one.inside") == contents(tmp_path / "two.inside")


def test_parquet_reads_back_as_the_table(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    n_written = 0
    for i in range(25):
        release = release_of(random_table(rng), "mondrian", ("labels", "bounds", "structs")[i % 3])
        if release is None:
            continue
        release.write(tmp_path / str(i))
        back = pq.read_table(tmp_path / str(i) / "release.parquet")
        assert back.to_pylist() == release.table.to_pylist()
        n_written += 1
    assert n_written > 10


def test_csv_reads_back_as_the_table(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    n_written = 0
    for i in range(25):
        release = release_of(random_table(rng), "mondrian", ("labels", "bounds")[i % 2])
        if release is None:
            continue
        release.write(tmp_path / str(i), format="csv")
        table = release.table
        with (tmp_path / str(i) / "release.csv").open(newline="", encoding="utf-8") as file:
            header, *rows = list(csv.reader(file))
        assert header == table.column_names
        labels = [name for name in header if pa.types.is_string(table.schema.field(name).type)]
        wanted = [[cell or "" for cell in table[name].to_pylist()] for name in labels]
        assert [[row[header.index(name)] for row in rows] for name in labels] == wanted
        n_written += 1
    assert n_written > 10


def test_a_null_and_an_empty_text_stay_different_in_csv(tmp_path: Path) -> None:
    table = pa.table({"q": [1, 1, 2, 2], "x": ["", None, "a", "b"]})
    schema = am.Schema({"q": am.Column(role="quasi"), "x": am.Column(role="keep")})
    am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian").write(tmp_path / "out", format="csv")
    back = am.anonymize(tmp_path / "out" / "release.csv", schema, [am.KAnonymity(1)], method="mondrian").table
    assert back.to_pylist() == [
        {"q": "1", "x": ""},
        {"q": "1", "x": None},
        {"q": "2", "x": "a"},
        {"q": "2", "x": "b"},
    ]


def test_parquet_carries_no_index_no_schema_of_the_sender_and_no_statistics(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"age": [1, 2, 3, 4], "d": list("abab")}, index=pd.Index(["Ada", "Bo", "Cy", "Di"], name="who")
    )
    schema = am.Schema({"age": am.Column(role="quasi"), "d": am.Column(role="sensitive")})
    am.anonymize(frame, schema, [am.KAnonymity(2)], method="mondrian").write(tmp_path / "out")
    path = tmp_path / "out" / "release.parquet"
    about = pq.read_metadata(path)
    assert about.metadata is None
    assert about.schema.to_arrow_schema().names == ["age", "d"]
    for group in range(about.num_row_groups):
        for column in range(about.num_columns):
            found = about.row_group(group).column(column).statistics
            assert found is None or not found.has_min_max
    raw = path.read_bytes()
    assert all(word not in raw for word in (b"pandas", b"who", b"Ada", b"__index_level_0__"))


def test_the_manifest_says_what_was_done(tmp_path: Path) -> None:
    import hashlib

    from amongst import kernels

    small_release(cuts="ordered", seed=7).write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "manifest.json").read_text(), parse_constant=pytest.fail)
    data = (tmp_path / "out" / "release.parquet").read_bytes()
    assert facts["output"]["sha256"] == {"release.parquet": hashlib.sha256(data).hexdigest()}
    assert facts["method"] == {"name": "mondrian", "options": {"cuts": "ordered"}}
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text(), parse_constant=pytest.fail)
    assert full["method"] == {"name": "mondrian", "options": {"cuts": "ordered"}, "seed": 7}
    assert full["input"]["rows"] == 6
    assert full["output"]["sha256"] == facts["output"]["sha256"]
    assert (facts["document"], full["document"]) == ("public", "inside")
    assert facts["privacy"] == [{"model": "k-anonymity", "k": 2}]
    assert facts["proved"]["ok"] is True
    assert facts["proved"]["smallest_class"] >= 2
    assert facts["versions"]["amongst"] == am.__version__
    assert facts["versions"]["kernels"] == kernels.NAME
    assert facts["output"]["rows"] == 6
    assert set(facts["schema"]) == {"Age", "Sex", "Zipcode", "Disease"}


@pytest.mark.parametrize("method", ["mondrian", "mondrian-relaxed", "single-dimensional"])
def test_manifests_are_json_whatever_the_table(tmp_path: Path, method: str) -> None:
    rng = np.random.default_rng(3)
    for i in range(12):
        release = release_of(random_table(rng), method)
        if release is not None:
            release.write(tmp_path / str(i))
            json.loads((tmp_path / str(i) / "manifest.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)


def test_formats_and_forms_that_do_not_go(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="docx"):
        small_release().write(tmp_path / "out", format="docx")
    with pytest.raises(BadOption, match="structs"):
        small_release(form="structs").write(tmp_path / "out", format="csv")
    with pytest.raises(BadOption, match="no form 'wide'"):
        small_release(form="wide")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_a_file_that_fails_is_not_left_on_disk(tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof reads the written file: one that differs from the table in memory is found out."""
    release = small_release()
    assert release.verdict.ok
    real = release_module.write_data

    def slips(table: pa.Table, folder: Path, kind: str, **told: object) -> Path:
        ages = pa.array(["25", *table["Age"].to_pylist()[1:]])
        return real(table.set_column(table.column_names.index("Age"), "Age", ages), folder, kind)

    monkeypatch.setattr(release_module, "write_data", slips)
    with pytest.raises(NotVerified) as caught:
        release.write(tmp_path / "out", format=format)
    assert list(tmp_path.iterdir()) == []
    assert "25" not in str(caught.value)


def test_a_table_that_fails_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    release = small_release()
    slipped = pa.table(
        {
            **dict(zip(release.arrow.column_names, release.arrow.columns, strict=True)),
            "Age": ["25", *["26"] * 5],
        }
    )
    monkeypatch.setattr(release.plan.__class__, "table", slipped, raising=False)
    object.__setattr__(release.plan, "table", slipped)
    with pytest.raises(NotVerified):
        _ = release.table


def test_models_and_methods_that_are_none() -> None:
    patients = am.datasets.load("patients")
    for models in ([], [am.KAnonymity], am.KAnonymity, [10], 10, ["k"], None):
        with pytest.raises(BadOption, match=r"privacy model|must hold"):
            am.anonymize(patients.table, patients.schema, models, method="mondrian")  # type: ignore[arg-type]
    assert am.anonymize(patients.table, patients.schema, am.KAnonymity(3), method="mondrian").threshold == 3  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="did you mean 'mondrian'"):
        am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], "mondrain")
    with pytest.raises(BadOption, match="not known: cutz"):
        small_release(cutz="ordered")
    with pytest.raises(BadOption, match="does not know these cuts"):
        small_release(cuts="diagonal")


def test_progress_names_the_steps() -> None:
    steps: list[str] = []
    small_release(progress=lambda step, done, total: steps.append(step))
    assert list(dict.fromkeys(steps)) == ["read", "encode", "group", "publish"]


EXTREME = {
    "huge numbers": [2**62 + i for i in range(12)],
    "one huge number": [2**62] * 12,
    "instants": pa.array([1_600_000_000_000_000 + i // 6 for i in range(12)], pa.timestamp("us")),
    "wide": [-1e308, *[0.5] * 10, 1e308],
    "tiny": [i * 1e-310 for i in range(12)],
    "nothing": pa.nulls(12),
}


@pytest.mark.parametrize("method", ["mondrian", "incognito"])
@pytest.mark.parametrize("name", EXTREME)
def test_tables_with_extreme_values_are_written_and_drawn(name: str, method: str, tmp_path: Path) -> None:
    """Near 2**62 and for instants the doubles of an axis lie far apart."""
    nulls = "own value" if name == "nothing" else None
    columns = {"x": am.Column(role="quasi", nulls=nulls, hierarchy=am.Hierarchy.flat()), "y": am.Column(role="quasi")}
    table = pa.table({"x": EXTREME[name], "y": [i % 3 for i in range(12)]})
    if method == "incognito":
        columns["y"] = am.Column(role="quasi", hierarchy=am.Hierarchy.flat())
    release = am.anonymize(table, am.Schema(columns), [am.KAnonymity(4)], method)
    release.write(tmp_path / "out")
    assert am.verify(tmp_path / "out", am.Schema(columns), [am.KAnonymity(4)]).ok


@pytest.mark.parametrize("low", [0.0, 17.0, -3.5, 1.6e15, 2.0**53 + 2, 2.0**62, -(2.0**63), 1e300])
@pytest.mark.parametrize("span", [0.0, 0.1, 19.0, 1e6, 3e18])
def test_bins_hold_all_values_and_differ(low: float, span: float) -> None:
    edges = round_edges(low, low + span)
    assert edges[0] <= low
    assert low + span < edges[-1]
    assert (np.diff(edges) > 0).all()
    assert len(edges) < 60
