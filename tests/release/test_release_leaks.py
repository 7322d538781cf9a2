"""What must not be in a release: planted secrets, searched for in the raw bytes of every file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.partition import METHODS

GONE = "left-out-zebra"
"""Only rows that are left out have it."""
HIDDEN = "generalized-okapi"
"""In a column that is published as a coarser node."""
NAME = "person-quagga"
NUMBER = 770077

ROLES = {
    "name": am.Column(role="identifier"),
    "age": am.Column(role="quasi", grid=10, nulls="suppress"),
    "job": am.Column(role="quasi", nulls="own value"),
    "place": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
    "grade": am.Column(role="quasi"),
    "disease": am.Column(role="sensitive"),
    "note": am.Column(role="keep"),
}


def table(categories: bool = True) -> pa.Table:
    """12 rows; the last two lack an age, so the null rule leaves them out."""
    n = 12
    left_out = [False] * (n - 2) + [True] * 2
    text: dict[str, list[Any]] = {
        "name": [f"{NAME}-{i}" for i in range(n)],
        "job": [f"{GONE}-job" if gone else ("cook", "nurse")[i % 2] for i, gone in enumerate(left_out)],
        "place": [f"{GONE}-place" if gone else f"{HIDDEN}-{i}" for i, gone in enumerate(left_out)],
        "disease": [f"{GONE}-disease" if gone else ("flu", "cold")[i % 2] for i, gone in enumerate(left_out)],
        "note": [f"{GONE}-note" if gone else "x" for gone in left_out],
    }
    columns: dict[str, Any] = {"age": [None if gone else NUMBER + 3 * i for i, gone in enumerate(left_out)]}
    columns["grade"] = [float(1 + i % 2) for i in range(n)]
    for name, cells in text.items():
        array = pa.array(cells)
        if categories:
            values = pa.array([f"{GONE}-unused", *dict.fromkeys(cells)])
            codes = pa.array([values.to_pylist().index(cell) for cell in cells], pa.int32())
            array = pa.DictionaryArray.from_arrays(codes, values)
        columns[name] = array
    return pa.table(columns)


@pytest.fixture
def uncompressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parquet without compression, so that whatever is in the file can be seen."""
    real = pq.write_table
    monkeypatch.setattr(pq, "write_table", lambda *a, **kw: real(*a, **{**kw, "compression": "none"}))


def files_of(release: am.Release, folder: Path, format: str) -> dict[str, bytes]:
    release.write(folder, format=format)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.usefixtures("uncompressed")
@pytest.mark.parametrize("method", METHODS.names(lambda method: method.publishes == "one table"))
@pytest.mark.parametrize("categories", [True, False])
def test_nothing_of_left_out_rows_identifiers_or_finer_values_in_any_file(
    tmp_path: Path, method: str, categories: bool
) -> None:
    for other in ([], ["note"]):  # with only categories beside them, rows are laid out in another way
        given = table(categories).drop_columns(other)
        schema = am.Schema({name: rule for name, rule in ROLES.items() if name not in other})
        release = am.anonymize(given, schema, [am.KAnonymity(5)], method)
        # Some methods publish sets, whatever the column asks for: then these values are public.
        finer = [] if HIDDEN in str(release.table["place"].to_pylist()) else [HIDDEN]
        for format in ("parquet", "csv"):
            for name, raw in files_of(release, tmp_path / f"{format}{len(other)}", format).items():
                for secret in (GONE, NAME, *finer):
                    assert secret.encode() not in raw, (name, secret)
        assert b"flu" in (tmp_path / f"parquet{len(other)}" / "release.parquet").read_bytes()  # what is there is seen


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_nothing_of_left_out_rows_in_the_categories_of_a_frame(kind: str) -> None:
    given = table()
    frame = given.to_pandas() if kind == "pandas" else pl.from_arrow(given) if kind == "polars" else given
    out = am.anonymize(frame, am.Schema(ROLES), [am.KAnonymity(5)], method="mondrian").table
    seen: list[str] = []
    for name in ("job", "disease", "note"):
        if kind == "pandas":
            assert isinstance(out[name].dtype, pd.CategoricalDtype)
            seen += [str(category) for category in out[name].cat.categories]
        elif kind == "polars":
            seen += pl.Series(out[name]).to_arrow().dictionary.to_pylist()
        else:
            seen += [value for chunk in out[name].chunks for value in chunk.dictionary.to_pylist()]
    assert "flu" in seen
    assert not [value for value in seen if GONE in value]


@pytest.mark.parametrize("method", METHODS.names(lambda method: method.publishes == "one table"))
def test_no_cell_value_in_the_manifest(tmp_path: Path, method: str) -> None:
    """Not even values that are published: a manifest may lie where the data may not."""
    n = 40
    given = pa.table(
        {
            "age": [NUMBER + i for i in range(n)],
            "born": pa.array(np.datetime64("1871-03-09") + np.arange(n) % 5),
            "job": [f"job-okapi-{i % 3}" for i in range(n)],
            "rank": [f"rank-okapi-{i % 3}" for i in range(n)],
            "town": [f"town-okapi-{i % 4}" for i in range(n)],
            "disease": [f"disease-okapi-{i % 2}" for i in range(n)],
            "name": [f"{NAME}-{i}" for i in range(n)],
        }
    )
    towns = {f"region-okapi-{i}": [f"town-okapi-{2 * i}", f"town-okapi-{2 * i + 1}"] for i in (0, 1)}
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([10, 20])),
            "born": am.Column(role="quasi"),
            "job": am.Column(role="quasi"),
            "rank": am.Column(role="quasi", kind="ordered", order=[f"rank-okapi-{i}" for i in range(3)]),
            "town": am.Column(role="quasi", hierarchy=am.Hierarchy.nested(towns)),
            "disease": am.Column(role="sensitive"),
            "name": am.Column(role="identifier"),
        }
    )
    am.anonymize(given, schema, [am.KAnonymity(4)], method).write(tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    assert "okapi" not in text
    assert NAME not in text
    assert not [value for value in range(NUMBER - 20, NUMBER + n + 20) if str(value) in text]
    assert "1871" not in text
    assert json.loads(text)["output"]["rows"] == n


def test_an_input_with_few_unique_rows_does_not_tell_how_few(tmp_path: Path) -> None:
    given = pa.table({"age": [1] * 20 + [2, 3], "d": ["x"] * 22})
    schema = am.Schema({"age": am.Column(role="quasi"), "d": am.Column(role="sensitive")})
    am.anonymize(given, schema, [am.KAnonymity(5)], method="mondrian").write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "uniques_before" not in facts["utility"]
    assert "rows before" not in (tmp_path / "out" / "report.html").read_text()
    assert json.loads((tmp_path / "out.inside" / "manifest.json").read_text())["utility"]["uniques_before"] == 2


def test_the_order_of_the_input_is_in_no_file(tmp_path: Path) -> None:
    given = table()
    rows = np.random.default_rng(4).permutation(given.num_rows)
    schema = am.Schema(ROLES)
    for name, data in {"one": given, "two": given.take(pa.array(rows))}.items():
        am.anonymize(data, schema, [am.KAnonymity(3)], method="mondrian").write(tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name
