"""The folder of an anatomy: two tables, proved from the written files, that say nothing about the input's order."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.engines import in_memory as module
from amongst.errors import BadOption, BadSchema, NotVerified
from anatomy_tables import SCHEMA, eligible_table, naive_verdict


def release_of(seed: int = 0, l: int = 3, **options: object) -> am.Release:  # noqa: E741
    table = eligible_table(np.random.default_rng(seed), l)
    return am.anonymize(table, SCHEMA, [am.LDiversity(l)], method="anatomy", **options)  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rows(table: pa.Table, names: list[str]) -> Counter[tuple[object, ...]]:
    return Counter(tuple(row[name] for name in names) for row in table.to_pylist())


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("order", ["random", "near"])
def test_from_files_back_to_what_was_published(tmp_path: Path, format: str, order: str) -> None:
    for seed in range(6):
        table = eligible_table(np.random.default_rng(seed), 3)
        release = am.anonymize(table, SCHEMA, [am.LDiversity(3)], method="anatomy", order=order)
        steps: list[str] = []
        folder = tmp_path / str(seed)
        assert release.write(folder, format=format, step=steps.append).ok
        assert steps == ["write", "verify", "report"]
        assert sorted(contents(folder)) == sorted(
            ["manifest.json", f"release.{format}", "report.html", f"sensitive.{format}"]
        )
        assert am.verify(folder, SCHEMA, [am.LDiversity(3)]).ok
        if format == "csv":
            options = pa.csv.ConvertOptions(
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                column_types={"zip": pa.string(), "age": pa.int64()},
            )
            files = [folder / name for name in ("release.csv", "sensitive.csv")]
            people, diseases = (pa.csv.read_csv(file, convert_options=options) for file in files)
        else:
            people, diseases = (pq.read_table(folder / f) for f in ("release.parquet", "sensitive.parquet"))
        assert people.to_pylist() == release.table.to_pylist()
        assert diseases.to_pylist() == release.sensitive_table.to_pylist()
        assert naive_verdict(people, diseases, 3)
        shown = ["age", "zip", "note"]
        assert rows(people, shown) == rows(table, shown)  # not one quasi-identifier is changed
        assert rows(diseases, ["disease"]).keys() == rows(table, ["disease"]).keys()
        assert sum(diseases["count"].to_pylist()) == table.num_rows
        group_of_row, values = release.group_of_row, table["disease"].to_pylist()
        assert max(Counter(zip(group_of_row.tolist(), values, strict=True)).values()) == 1


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    for name, seed in {"one": 5, "two": 5, "other": 6}.items():
        table = eligible_table(np.random.default_rng(1), 3)
        am.anonymize(table, SCHEMA, [am.LDiversity(3)], method="anatomy", seed=seed).write(tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert (tmp_path / "one" / "release.parquet").read_bytes() != (tmp_path / "other" / "release.parquet").read_bytes()


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("order", ["random", "near"])
def test_the_order_of_the_input_is_in_no_file(tmp_path: Path, order: str, format: str) -> None:
    rng = np.random.default_rng(4)
    for seed in range(5):
        table = eligible_table(np.random.default_rng(seed), 2)
        shuffled = table.take(pa.array(rng.permutation(table.num_rows)))
        folders = [tmp_path / f"{seed}-{i}" for i in range(2)]
        for folder, data in zip(folders, (table, shuffled), strict=True):
            am.anonymize(data, SCHEMA, [am.LDiversity(2)], method="anatomy", order=order).write(folder, format=format)
        assert contents(folders[0]) == contents(folders[1])


def test_both_tables_are_sorted_by_what_they_show() -> None:
    release = release_of(seed=3)
    for table in (release.arrow, release.sensitive_arrow):
        keys = [tuple((cell is None, cell) for cell in row.values()) for row in table.to_pylist()]
        assert keys == sorted(keys)


def test_the_numbers_of_groups_are_drawn() -> None:
    """Along the curve, neighbours would otherwise have neighbouring numbers."""
    n = 2000
    table = pa.table({"age": np.arange(n), "disease": [f"d{i % 7}" for i in range(n)]})
    schema = am.Schema({"age": am.Column(role="quasi"), "disease": am.Column(role="sensitive")})
    for order in ("random", "near"):
        release = am.anonymize(table, schema, [am.LDiversity(5)], method="anatomy", order=order)
        number, age = (np.array(release.table[name]) for name in ("group", "age"))
        assert abs(np.corrcoef(number, age)[0, 1]) < 0.15
        assert set(number) == set(range(1, number.max() + 1))


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_both_tables_come_in_the_kind_that_came_in(kind: str) -> None:
    table = eligible_table(np.random.default_rng(2), 3)
    data = table.to_pandas() if kind == "pandas" else pl.from_arrow(table) if kind == "polars" else table
    release = am.anonymize(data, SCHEMA, [am.LDiversity(3)], method="anatomy")
    expected = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}[kind]
    assert isinstance(release.table, expected)
    assert isinstance(release.sensitive_table, expected)  # type: ignore[attr-defined]
    assert list(release.table.columns if kind != "pyarrow" else release.table.column_names) == [
        "group",
        "age",
        "zip",
        "note",
    ]


@pytest.mark.parametrize("what", ["moved", "counted", "beside"])
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_files_that_fail_are_not_left_on_disk(
    tmp_path: Path, format: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = release_of()
    assert release.verdict.ok
    real = module.write_data

    def slips(table: pa.Table, folder: Path, kind: str, name: str = "release", **told: object) -> Path:
        if what == "moved" and name == "release":
            table = table.set_column(0, "group", pa.array([2, *table["group"].to_pylist()[1:]]))
        if what == "counted" and name == "sensitive":
            table = table.set_column(2, "count", pa.array([2, *table["count"].to_pylist()[1:]]))
        if what == "beside" and name == "release":
            table = table.append_column("disease", pa.array(["secret"] * table.num_rows))
        return real(table, folder, kind, name)

    monkeypatch.setattr(module, "write_data", slips)
    with pytest.raises(NotVerified) as caught:
        release.write(tmp_path / "out", format=format)
    assert list(tmp_path.iterdir()) == []
    assert "secret" not in str(caught.value)


def test_a_killed_run_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    program = f"""
import time
import numpy as np
import amongst as am
from anatomy_tables import SCHEMA, eligible_table
release = am.anonymize(eligible_table(np.random.default_rng(0), 3), SCHEMA, [am.LDiversity(3)], method="anatomy")
def said(step):
    if step == "verify":
        print("both written", flush=True)
        time.sleep(60)
release.write({str(tmp_path / "out")!r}, step=said)
"""
    here = Path(__file__).parents[1] / "support"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=here)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "both written"
    process.kill()
    process.wait()
    time.sleep(0.1)
    assert not (tmp_path / "out").exists()
    release_of().write(tmp_path / "out")  # and what it left hidden is removed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.inside"]


def test_the_manifest_tells_what_was_done_but_neither_seed_nor_digest_of_the_input(tmp_path: Path) -> None:
    pa.csv.write_csv(eligible_table(np.random.default_rng(1), 3), tmp_path / "in.csv")
    am.anonymize(tmp_path / "in.csv", SCHEMA, [am.LDiversity(3)], method="anatomy", seed=981273645, order="near").write(
        tmp_path / "out"
    )
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    facts = json.loads(text, parse_constant=pytest.fail)
    assert facts["method"] == {"name": "anatomy", "options": {"order": "near"}}
    assert facts["input"] == {}
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text(encoding="utf-8"))
    assert full["method"]["seed"] == 981273645
    assert len(full["input"]["sha256"]) == 64
    assert sorted(facts["output"]["sha256"]) == ["release.parquet", "sensitive.parquet"]
    assert (facts["output"]["form"], facts["output"]["link"]) == ("anatomy", "group")
    assert facts["output"]["sensitive_columns"] == ["group", "disease", "count"]
    assert facts["proved"]["ok"] is True
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "981273645" not in text + page
    assert "quasi-identifiers are published as they are" in page


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_nothing_of_left_out_rows_or_identifiers_in_any_file(
    tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pq.write_table
    monkeypatch.setattr(pq, "write_table", lambda *a, **kw: real(*a, **{**kw, "compression": "none"}))
    n = 12
    gone = [i >= 10 for i in range(n)]
    text = {
        "name": [f"quagga-{i}" for i in range(n)],
        "zip": ["zebra-zip" if left else f"z{i % 3}" for i, left in enumerate(gone)],
        "disease": ["zebra-disease" if left else f"d{i % 5}" for i, left in enumerate(gone)],
        "note": ["zebra-note" if left else "x" for left in gone],
    }
    table = pa.table(
        {
            "age": pa.array([None if left else 20 + i for i, left in enumerate(gone)], pa.int64()),
            **{name: pa.array(cells).dictionary_encode() for name, cells in text.items()},
        }
    )
    schema = SCHEMA.with_columns(age=am.Column(role="quasi", nulls="suppress"))
    release = am.anonymize(table, schema, [am.LDiversity(5)], method="anatomy")
    assert (release.group_of_row == -1).tolist() == gone
    release.write(tmp_path / "out", format=format)
    for name, raw in contents(tmp_path / "out").items():
        assert b"zebra" not in raw, name
        assert b"quagga" not in raw, name
    assert b"d4" in (tmp_path / "out" / f"sensitive.{format}").read_bytes()


def test_names_that_are_taken_get_another(tmp_path: Path) -> None:
    table = pa.table({"group": [1, 2, 3, 4], "count": ["a", "b", "a", "b"]})
    schema = am.Schema({"group": am.Column(role="quasi"), "count": am.Column(role="sensitive")})
    release = am.anonymize(table, schema, [am.LDiversity(2)], method="anatomy")
    assert release.table.column_names == ["group_", "group"]
    assert release.sensitive_table.column_names == ["group_", "count", "count_"]  # type: ignore[attr-defined]
    release.write(tmp_path / "out", format="csv")
    assert am.verify(tmp_path / "out", schema, [am.LDiversity(2)]).ok


def test_a_kept_copy_of_the_sensitive_column_is_refused() -> None:
    table = eligible_table(np.random.default_rng(1), 2)
    for copy in (table["disease"], table["disease"].dictionary_encode()):
        table = table.set_column(table.column_names.index("note"), "note", copy)
        with pytest.raises(BadSchema, match="'note'"):
            am.anonymize(table, SCHEMA, [am.LDiversity(2)], method="anatomy")


SENSITIVE_VALUES = {
    "int": pa.array([3, 1, 2, None, 7, 1, 2, 3]),
    "float": pa.array([0.5, -0.0, 0.0, float("nan"), None, 1e300, 2.5, 3.5]),
    "date": pa.array([1, 2, 3, 4, 5, 6, 7, None], pa.date32()),
    "time": pa.array([1, 2, 3, 4, 5, 6, 7, None], pa.timestamp("us")),
    "bool": pa.array([True, False] * 4),
    "category": pa.array(["b", "a", "", None, "c", "b,", 'd"', "a"]).dictionary_encode(),
    "text": pa.array(["b", "a", "", None, "c", "b,", "d\n", "a"]),
}


@pytest.mark.parametrize("format", ["parquet", "csv"])
@pytest.mark.parametrize("kind", SENSITIVE_VALUES)
def test_sensitive_values_of_every_kind(tmp_path: Path, kind: str, format: str) -> None:
    table = pa.table({"age": [1.5, 2, 2, 3, 4, 5, 6, 7], "s": SENSITIVE_VALUES[kind]})
    schema = am.Schema({"age": am.Column(role="quasi"), "s": am.Column(role="sensitive")})
    for order in ("random", "near"):
        release = am.anonymize(table, schema, [am.LDiversity(2)], method="anatomy", order=order)
        release.write(tmp_path / order, format=format)
        assert am.verify(tmp_path / order, schema, [am.LDiversity(2)]).ok
        shown = Counter(
            cell
            for row in release.sensitive_table.to_pylist()
            for cell in [row["s"]] * row["count"]  # type: ignore[attr-defined]
        )
        assert shown == Counter(None if cell != cell else cell for cell in table["s"].to_pylist())


def test_numpy_kernels_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from amongst import kernels
    from amongst.kernels.numpy import rows as reference

    def write(folder: Path) -> dict[str, bytes]:
        folder.mkdir()
        for i, order in enumerate(["random", "near"] * 4):
            table = eligible_table(np.random.default_rng(i), 3)
            am.anonymize(table, SCHEMA, [am.LDiversity(3)], method="anatomy", order=order).write(folder / str(i))
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}

    compiled = write(tmp_path / "compiled")
    for name in [name for name in vars(kernels) if hasattr(reference, name) and callable(getattr(kernels, name))]:
        monkeypatch.setattr(kernels, name, getattr(reference, name))
    assert write(tmp_path / "numpy") == compiled


def test_small_tables_with_short_seeds_are_warned_of() -> None:
    patients = am.datasets.load("patients")
    for seed, warned in ((0, True), (2**127 + 1, False)):
        release = am.anonymize(patients.table, patients.schema, [am.LDiversity(2)], method="anatomy", seed=seed)
        assert any("try every arrangement" in caveat for caveat in release.story().caveats) is warned


def test_figures_and_what_has_no_meaning_here() -> None:
    release = release_of()
    assert release.utility.gcp == 0
    assert release.utility.smallest >= 3
    assert release.story().diversity["frequency"] == "3"  # type: ignore[attr-defined]
    with pytest.raises(BadOption, match="generalizes nothing"):
        release.lower_bound()
