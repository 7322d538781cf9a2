"""What a file stores beside its cells is noticed; files that hide nothing raise no alarm; damaged ones end in words."""

from __future__ import annotations

import gzip
import random
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import AmongstError, BadInput
from amongst.published import csv_file
from amongst.published.under_nulls import hides_values

SECRET = b"ann has hiv"
SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "disease": am.Column(role="sensitive", kind="categorical"),
        "pay": am.Column(role="keep", kind="numeric"),
        "seen": am.Column(role="keep"),
    }
)
TABLE = pa.table(
    {
        "age": ["[20-29]"] * 12 + ["[30-39]"] * 12,
        "disease": pa.array(["flu", "cold", None] * 8),
        "pay": pa.array([1.5, 2.5] * 12),
        "seen": pa.array([["a", "b"], ["b"]] * 12),
    }
)


def codes(path: Path, schema: am.Schema = SCHEMA) -> set[str]:
    verdict = am.verify(path, schema, [am.KAnonymity(2)])
    assert SECRET.decode() not in str(verdict.to_dict())
    return {one.code for one in [*verdict.findings, *verdict.notes]}


def arrow_file(path: Path, table: pa.Table, *, stream: bool = False) -> Path:
    with pa.OSFile(str(path), "wb") as file:
        make = pa.ipc.new_stream if stream else pa.ipc.new_file
        with make(file, table.schema) as writer:
            writer.write_table(table)
    return path


def between(path: Path, stored: bytes) -> None:
    """Put bytes between the last column and the footer of a Parquet file."""
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    path.write_bytes(whole[:footer] + stored + whole[footer:])


@pytest.mark.parametrize(
    "options",
    [{}, {"write_page_index": True}, {"row_group_size": 5, "use_dictionary": False, "data_page_version": "2.0"}],
)
def test_bytes_of_no_column_of_a_parquet_file(options, tmp_path):
    path = tmp_path / "release.parquet"
    pq.write_table(TABLE, path, **options)
    assert codes(path) == set()
    between(path, b"\0" * 64)  # some writers fill up so
    assert codes(path) == set()
    between(path, SECRET)
    assert codes(path) == {"unowned-bytes"}
    assert not am.verify(path, SCHEMA, [am.KAnonymity(2)]).ok
    assert am.verify(path, ["age"], [am.KAnonymity(2)]).ok  # of other tools it is a note


def test_bytes_behind_a_footer_that_is_too_long(tmp_path):
    path = tmp_path / "release.parquet"
    pq.write_table(TABLE, path)
    whole = path.read_bytes()
    length = int.from_bytes(whole[-8:-4], "little") + len(SECRET)
    path.write_bytes(whole[:-8] + SECRET + length.to_bytes(4, "little") + b"PAR1")
    assert codes(path) == {"unowned-bytes"}


def test_other_writers_hide_nothing(tmp_path):
    import duckdb

    flat = TABLE.drop_columns(["seen"])
    pl.from_arrow(flat).write_parquet(tmp_path / "polars.parquet")
    duckdb.from_arrow(flat).write_parquet(str(tmp_path / "duckdb.parquet"))
    flat.to_pandas().to_parquet(tmp_path / "pandas.parquet")
    for path in sorted(tmp_path.iterdir()):
        assert "unowned-bytes" not in codes(path), path.name


def test_entries_of_single_columns(tmp_path):
    field = pa.field("seen", pa.list_(pa.field("item", pa.string(), metadata={"note": SECRET})))
    table = TABLE.set_column(3, field, TABLE.column("seen").cast(field.type))
    assert codes(arrow_file(tmp_path / "release.arrow", table)) == {"metadata"}


@pytest.mark.parametrize("stream", [False, True])
def test_arrow_files(stream, tmp_path):
    path = arrow_file(tmp_path / "release.arrow", TABLE, stream=stream)
    assert codes(path) == set()
    whole = path.read_bytes()
    if stream:
        path.write_bytes(whole + SECRET)
    else:
        footer = len(whole) - 10 - int.from_bytes(whole[-10:-6], "little")
        path.write_bytes(whole[:footer] + SECRET + whole[footer:])
    assert codes(path) == {"unowned-bytes"}


def test_what_is_attached_to_a_batch(tmp_path):
    path = tmp_path / "release.arrow"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TABLE.schema) as writer:
        for batch in TABLE.to_batches():
            writer.write_batch(batch, custom_metadata={"note": SECRET})
    assert codes(path) == {"metadata"}


def under(values: pa.Array, shown: list[bool]) -> pa.Array:
    """The values with nulls over some of them, as tools leave them that only change the bits of validity."""
    bits = pa.py_buffer(np.packbits(shown, bitorder="little").tobytes())
    if pa.types.is_dictionary(values.type):
        return pa.DictionaryArray.from_arrays(under(values.indices, shown), values.dictionary)
    buffers = [bits, *values.buffers()[1:]]
    if pa.types.is_list(values.type):
        return pa.Array.from_buffers(values.type, len(values), buffers[:2], children=[values.values])
    if pa.types.is_struct(values.type):
        fields = [values.field(i) for i in range(values.type.num_fields)]
        return pa.Array.from_buffers(values.type, len(values), buffers[:1], children=fields)
    return pa.Array.from_buffers(values.type, len(values), buffers)


VALUES = {
    "whole numbers": pa.array([1, 2] * 12),
    "fractions": pa.array([1.5, 2.5] * 12),
    "truths": pa.array([False, True] * 12),
    "days": pa.array([1, 2] * 12).cast(pa.int32()).cast(pa.date32()),
    "decimals": pa.array([1, 2] * 12).cast(pa.decimal128(20, 0)),
    "texts": pa.array(["a", "hiv"] * 12),
    "long texts": pa.array(["a", "hiv"] * 12, pa.large_string()),
    "dictionaries": pa.array(["a", "hiv"] * 12).dictionary_encode(),
    "lists": pa.array([["a"], ["hiv"]] * 12),
    "structs": pa.array([{"x": 1}, {"x": 2}] * 12),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_under_nulls(name, tmp_path):
    values = VALUES[name]
    hiding = under(values, [True, False] * 12)
    hiding.validate(full=True)
    assert hiding.null_count == 12
    clean = pa.array(hiding.to_pylist(), values.type)
    assert hides_values(hiding)
    assert not hides_values(values)
    assert not hides_values(clean)
    for column, expected in ((hiding, {"values-under-nulls"}), (clean, set())):
        table = TABLE.set_column(3, "seen", column)
        found = codes(arrow_file(tmp_path / "release.arrow", table))
        assert found - {"unused-values"} == expected


@pytest.mark.parametrize("name", ["lists", "structs", "maps"])
@pytest.mark.parametrize("ending", ["arrow", "parquet"])
def test_dictionaries_within_others(name, ending, tmp_path):
    inner = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 12), pa.array(["a", "b", SECRET.decode()]))
    each = pa.array(range(25), pa.int32())
    made = {
        "lists": pa.ListArray.from_arrays(each, inner),
        "structs": pa.StructArray.from_arrays([inner], ["x"]),
        "maps": pa.MapArray.from_arrays(each, pa.array(["k"] * 24), inner),
    }
    table = TABLE.set_column(3, "seen", made[name])
    path = tmp_path / f"release.{ending}"
    arrow_file(path, table) if ending == "arrow" else pq.write_table(table, path)
    assert "unused-values" in codes(path)


@pytest.mark.parametrize(
    ("values", "noted"),
    [
        ([i + 0.25 for i in range(24)], True),
        ([*range(22), 0, 1], True),
        ([*range(20), 0, 1, 2, 3], False),
        ([1.5, 2.5] * 12, False),
    ],
)
@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_numbers_that_nearly_number_the_rows(values, noted, role, tmp_path):
    schema = SCHEMA.with_columns(pay=am.Column(role=role, kind="numeric"))
    table = TABLE.set_column(2, "pay", pa.array(values))
    pq.write_table(table, tmp_path / "release.parquet")
    assert ("nearly-unique" in codes(tmp_path / "release.parquet", schema)) == (noted and role == "keep")


FUZZ = """
import random, sys
from pathlib import Path
import amongst as am
from amongst.errors import AmongstError
path, seed = Path(sys.argv[1]), int(sys.argv[2])
whole, lots = path.read_bytes(), random.Random(seed)
said = 0
for _ in range(120):
    damaged = bytearray(whole)
    for _ in range(lots.choice([1, 1, 2, 5])):
        damaged[lots.randrange(len(damaged))] = lots.randrange(256)
    path.write_bytes(damaged if lots.random() < 0.9 else damaged[: lots.randrange(len(damaged))])
    try:
        am.verify(path, ["age"], [am.KAnonymity(2), am.LDiversity(2, column="disease")])
    except AmongstError:
        said += 1
print(said)
"""


@pytest.mark.parametrize("kind", ["parquet", "arrow", "stream"])
def test_damaged_files_end_in_words(kind, tmp_path):
    path = tmp_path / f"release.{'parquet' if kind == 'parquet' else 'arrow'}"
    pq.write_table(TABLE, path) if kind == "parquet" else arrow_file(path, TABLE, stream=kind == "stream")
    # In a process of its own: a reader that ends the process must not end the tests.
    ran = subprocess.run(
        [sys.executable, "-c", FUZZ, str(path), "5"], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert int(ran.stdout) > 20


def test_statistics_of_sizes_that_do_not_fit(tmp_path):
    from amongst.published.parquet_footer import DamagedFooter, refuse_odd_sizes

    path = tmp_path / "release.parquet"
    pq.write_table(TABLE.select(["age"]), path)
    refuse_odd_sizes(path, [(1, 0)])
    with pytest.raises(DamagedFooter):
        refuse_odd_sizes(path, [(2, 0)])
    with pytest.raises(DamagedFooter):
        refuse_odd_sizes(path, [(1, 0)] * 2)


def packed(path: Path, block: bytes, times: int) -> Path:
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b"age,disease\n")
        for _ in range(times):
            file.write(block)
    return path


@pytest.mark.parametrize("block", [b"\0" * 1024, b'"' + b"a" * 1023, b"20,flu\n" * 150], ids=["zeros", "quote", "rows"])
def test_a_small_file_that_unpacks_to_much(block, tmp_path, monkeypatch):
    path = packed(tmp_path / "bomb.csv.gz", block, 200 * 1024)
    assert path.stat().st_size < 2 << 20
    monkeypatch.setattr(csv_file, "MOST_UNPACKED", 64 << 20)
    monkeypatch.setattr(csv_file, "MOST_TIMES", 100)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match="unpacks to far more"):
        am.verify(path, ["age"], [am.KAnonymity(2)])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10


def test_a_long_line_is_not_held_in_memory(tmp_path):
    path = packed(tmp_path / "long.csv.gz", b"a" * (1 << 20), 200)
    with gzip.open(path, "ab") as file:
        file.write(b'"')
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(AmongstError):
        am.verify(path, ["age"], [am.KAnonymity(2)])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10


def test_much_that_is_packed_well_is_read(tmp_path):
    rows = b"".join(b"%d,flu\n" % random.Random(i).randrange(9) for i in range(1000))
    path = packed(tmp_path / "fine.csv.gz", rows, 20)
    assert am.verify(path, ["age"], [am.KAnonymity(2)]).n_rows == 20_000
