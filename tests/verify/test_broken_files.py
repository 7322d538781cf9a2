"""What is wrong with a file or a folder beside its cells: dictionaries, metadata, bounds, digests."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from broken_releases import MODELS, SCHEMA, Rows, good_rows, still_holds, table_of

import amongst as am
from amongst.verify import verify
from amongst.verify.pair.pair import verify_pair
from typed_commands import typed

ENDS = {"[20-29]": (20, 29), "[30-39]": (30, 39)}


def with_bounds(rows: Rows) -> pa.Table:
    """The good release with two columns of numbers for the ages."""
    table = table_of(rows).drop_columns(["age"])
    for place, name in enumerate(("age_lower", "age_upper")):
        table = table.append_column(name, pa.array([ENDS[row["age"]][place] for row in rows]))
    return table


def put(table: pa.Table, name: str, change: Callable[[int, int], int | None]) -> pa.Table:
    cells = [change(i, cell) for i, cell in enumerate(table[name].to_pylist())]
    return table.set_column(table.column_names.index(name), name, pa.array(cells))


def first_row(table: pa.Table, name: str, value: int | None) -> pa.Table:
    return put(table, name, lambda i, cell: value if i == 0 else cell)


BOUNDS: dict[str, tuple[Callable[[pa.Table], pa.Table], str]] = {
    "as they are": (lambda table: table, ""),
    "swapped": (
        lambda table: table.rename_columns(
            {"age_lower": "age_upper", "age_upper": "age_lower", **{n: n for n in table.column_names if n[:3] != "age"}}
        ),
        "label-not-understood",
    ),
    "swapped in one row": (
        lambda t: first_row(first_row(t, "age_lower", 29), "age_upper", 20),
        "label-not-understood",
    ),
    "one bound narrowed in one row": (lambda table: put(table, "age_upper", lambda i, v: 25 if i == 0 else v), "split"),
    "one bound gone in one row": (
        lambda table: put(table, "age_upper", lambda i, v: None if i == 0 else v),
        "label-not-understood",
    ),
    "the lower bound of all gone": (lambda table: table.drop_columns(["age_lower"]), "missing-column"),
    "the exact ages beside them": (
        lambda table: table.append_column("age", pa.array([str(20 + i) for i in range(table.num_rows)])),
        "split",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BOUNDS)
def test_bounds(what: str) -> None:
    change, expected = BOUNDS[what]
    for name, model in MODELS.items():
        verdict = verify(change(with_bounds(good_rows())), SCHEMA, [model])
        codes = {finding.code for finding in verdict.findings}
        if expected == "split":  # one row, or all rows, are told apart: what the model says of that, by its definition
            ages = [{**row, "age": "25" if i == 0 or what.startswith("the exact") else row["age"]} for i, row in
                    enumerate(good_rows())]  # fmt: skip
            if what.startswith("the exact"):
                ages = [{**row, "age": str(20 + i)} for i, row in enumerate(ages)]
            if name not in ("k-map", "presence"):
                assert verdict.ok == still_holds(model, ages), (name, verdict.words())
        elif expected:
            assert expected in codes, (name, codes)
        else:
            assert verdict.ok, (name, verdict.words())


@pytest.mark.parametrize("column", ["age", "illness"])
@pytest.mark.parametrize("stored", ["memory", "parquet"])
def test_a_dictionary_with_values_that_no_row_has(column: str, stored: str, tmp_path: Path) -> None:
    table = table_of(good_rows())
    texts = table[column].combine_chunks().dictionary_encode()
    wider = pa.DictionaryArray.from_arrays(texts.indices, pa.concat_arrays([texts.dictionary, pa.array(["secret"])]))
    table = table.set_column(table.column_names.index(column), column, wider)
    published = table
    if stored == "parquet":
        pq.write_table(table, tmp_path / "release.parquet", store_schema=False)
        published = tmp_path / "release.parquet"
    for model in MODELS.values():
        verdict = verify(published, SCHEMA, [model])
        assert {finding.code for finding in verdict.findings} == {"unused-values"}
        assert "secret" not in verdict.words()


def test_metadata_that_somebody_left_is_told(tmp_path: Path) -> None:
    table = table_of(good_rows()).replace_schema_metadata({"made from": "patients of ward 3", "pandas": "no json"})
    pq.write_table(table, tmp_path / "release.parquet")
    verdict = verify(tmp_path / "release.parquet", SCHEMA, [am.KAnonymity(6)])
    assert verdict.ok
    assert {note.code for note in verdict.notes} == {"metadata"}
    assert "ward 3" not in verdict.words()


def test_statistics_that_no_row_bears_out_are_told(tmp_path: Path) -> None:
    """The labels were recoded in place, the statistics of the footer were left."""
    path = tmp_path / "release.parquet"
    table = table_of([{**row, "age": "[20-29]"} for row in good_rows()])
    pq.write_table(table, path, store_schema=False)
    honest = verify(path, SCHEMA, [am.KAnonymity(6)])
    assert not [note for note in honest.notes if note.code == "statistics"]
    stored = path.read_bytes()
    footer = len(stored) - 8 - int.from_bytes(stored[-8:-4], "little")
    assert b"[20-29]" in stored[footer:]
    path.write_bytes(stored[:footer] + stored[footer:].replace(b"[20-29]", b"[21-28]"))
    verdict = verify(path, SCHEMA, [am.KAnonymity(6)])
    assert [note.code for note in verdict.notes] == ["statistics"]
    assert "'age'" in verdict.words()
    assert "[21-28]" not in verdict.words()


def tampered(folder: Path, format: str) -> Path:
    """A release whose data file had one sensitive value changed, which no model asked for can see."""
    patients = am.datasets.load("patients")
    am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian").write(folder, format=format)
    path = folder / f"release.{format}"
    table = pq.read_table(path) if format == "parquet" else pa.csv.read_csv(path)
    cells = ["Cough", *table["Disease"].to_pylist()[1:]]
    table = table.set_column(table.column_names.index("Disease"), "Disease", pa.array(cells))
    if format == "parquet":
        pq.write_table(table, path, store_schema=False)
    else:
        pa.csv.write_csv(table, path)
    return folder


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_a_file_that_is_not_the_one_that_was_written(format: str, tmp_path: Path) -> None:
    """The table still holds what was asked; that it is another one is all that is wrong."""
    folder = tampered(tmp_path / "out", format)
    ran = typed(["verify", str(folder), "--json"], tmp_path)
    told = json.loads(ran.stdout)
    assert (told["ok"], told["unchanged"]) == (False, False)
    assert [one["code"] for one in told["findings"]] == ["changed"]
    shown = typed(["verify", str(folder)], tmp_path)
    assert "changed since it was written" in shown.stdout


def test_a_dictionary_of_two_tables_with_values_that_no_row_has() -> None:
    people = pa.table({"group": [1, 1], "age": [1, 2], "zip": ["z", "z"], "note": ["a", "b"]})
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["flu", "cold", "secret"]))
    diseases = pa.table({"group": [1, 1], "disease": words, "count": [1, 1]})
    quasi = {name: am.Column(role="quasi") for name in ("age", "zip")}
    schema = am.Schema({**quasi, "note": am.Column(role="keep"), "disease": am.Column(role="sensitive")})
    verdict = verify_pair(people, diseases, schema, [am.LDiversity(2)])
    assert [finding.code for finding in verdict.findings] == ["unused-values"]


def test_no_beta_helps_beyond_the_enhanced_bound() -> None:
    """A value with 1/4 of the table may have at most 1/4 * (1 + ln 4) = 0.597 of a class, whatever beta is."""
    for counts, reached in (((10, 4, 3, 3), 1.0), ((10, 2, 2, 2), math.inf)):
        first = [value for value, n in zip("xyzw", counts, strict=True) for _ in range(n)]
        second = [value for value, n in zip("xyzw", counts, strict=True) for _ in range(10 - n)]
        table = pa.table({"age": ["1"] * len(first) + ["2"] * len(second), "s": first + second})
        verdict = verify(table, ["age"], [am.BetaLikeness(99, enhanced=True, column="s")])
        assert verdict.models[0].reached == pytest.approx(reached)
        assert verdict.ok == math.isfinite(reached)


def test_moments_in_a_tree_are_places_in_days() -> None:
    day = datetime.datetime(2020, 1, 1)
    moments = [day + datetime.timedelta(hours=12 * i) for i in (0, 2, 4, 6)]
    schema = am.Schema(
        {
            "age": am.Column(role="quasi"),
            "at": am.Column(role="sensitive", kind="date", hierarchy=am.Hierarchy.dates("month", "year")),
        }
    )
    table = pa.table({"age": ["1"] * 4, "at": pa.array(moments, pa.timestamp("us"))})
    assert verify(table, schema, [am.Proximity(4, width=0.9, column="at")]).ok
    assert not verify(table, schema, [am.Proximity(4, width=1.0, column="at")]).ok
    assert verify(table, schema, [am.Proximity(2, width=1.9, column="at")]).ok
    assert not verify(table, schema, [am.Proximity(2, width=2.0, column="at")]).ok


def test_bounds_of_a_text_file_are_of_the_kind_that_the_schema_says(tmp_path: Path) -> None:
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric")})
    for low, high, ok in (("20", "29", True), ("2020-01-01", "2020-01-31", False)):
        (tmp_path / "out.csv").write_text("age_lower,age_upper\n" + f"{low},{high}\n" * 3)
        assert verify(tmp_path / "out.csv", schema, [am.KAnonymity(3)]).ok is ok
