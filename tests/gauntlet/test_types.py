"""Every type that Arrow has, in every role it may have: looked at, published, proved, attacked, put into evidence."""

from __future__ import annotations

import datetime as dt
import decimal
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.attack.boxes import open_boxes
from amongst.attack.people import read_people
from amongst.engines.data_file import writable
from amongst.errors import BadInput, BadOption, BadSchema
from amongst.published.meaning import meant, meant_for, meant_texts
from amongst.read import read
from amongst.read.formats import formats
from amongst.read.formats.fitting import Holds

N = 120  # of fewer rows not all is told that there is to know
I = np.arange(N)  # noqa: E741
DAY = dt.datetime(2001, 2, 3, 4)
COLUMNS = {
    **{f"int{bits}": pa.array(I % 7, getattr(pa, f"int{bits}")()) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": pa.array(I % 7, getattr(pa, f"uint{bits}")()) for bits in (8, 16, 32, 64)},
    "huge": pa.array([2**64 - 1 - i % 5 for i in range(N)], pa.uint64()),
    "half": pa.array((I % 5).astype(np.float16)),
    "float": pa.array((I % 5 / 3).astype(np.float32)),
    "double": pa.array(np.random.default_rng(0).normal(size=N)),
    "decimal": pa.array([decimal.Decimal(i % 5) / 4 for i in range(N)]),
    "wide decimal": pa.array([decimal.Decimal(10) ** 40 + i % 3 for i in range(N)], pa.decimal256(60, 2)),
    **{
        f"decimal{bits}": pa.array([decimal.Decimal(i % 5) / 4 for i in range(N)], getattr(pa, f"decimal{bits}")(9, 2))
        for bits in (32, 64)
        if hasattr(pa, f"decimal{bits}")
    },
    "not all finite": pa.array([(np.inf, -np.inf, np.nan, 2.5, None)[i % 5] for i in range(N)]),
    "bool": pa.array([(True, False, None)[i % 3] for i in range(N)]),
    "text": pa.array(["abc"[i % 3] for i in range(N)]),
    "large text": pa.array(["abc"[i % 3] for i in range(N)], pa.large_string()),
    "view": pa.array(["abc"[i % 3] for i in range(N)], pa.string_view()),
    "category": pa.array(["abc"[i % 3] for i in range(N)]).dictionary_encode(),
    "category of numbers": pa.DictionaryArray.from_arrays(pa.array(I % 3), pa.array([1.5, None, 2.5])),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([60, N], pa.int32()), pa.array(["x", "y"])),
    "day": pa.array([(DAY + dt.timedelta(i % 9)).date() for i in range(N)]),
    "day64": pa.array([(DAY + dt.timedelta(i % 9)).date() for i in range(N)], pa.date64()),
    **{unit: pa.array([DAY + dt.timedelta(i % 9) for i in range(N)], pa.timestamp(unit)) for unit in ("s", "ms", "ns")},
    "zone": pa.array([DAY + dt.timedelta(i % 9) for i in range(N)], pa.timestamp("us", "Europe/Berlin")),
    "time": pa.array([dt.time(i % 5) for i in range(N)]),
    "time32": pa.array([dt.time(i % 5, 30) for i in range(N)], pa.time32("s")),
    "midnight": pa.array([dt.datetime(1750, 1, 1 + i % 9) for i in range(N)]),
    "duration": pa.array([dt.timedelta(i % 5) for i in range(N)]),
    "bytes": pa.array([bytes([i % 5]) for i in range(N)]),
    "large bytes": pa.array([bytes([i % 5, 200]) for i in range(N)], pa.large_binary()),
    "four bytes": pa.array([bytes([255, i % 5, 0, 128]) if i % 7 else None for i in range(N)], pa.binary(4)),
    "list": pa.array([[i % 5] for i in range(N)]),
    "struct": pa.array([{"a": i % 5} for i in range(N)]),
    "map": pa.array([[("a", i % 5)] for i in range(N)], pa.map_(pa.string(), pa.int64())),
    "nothing": pa.nulls(N),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes([i] * 16) for i in range(N)], pa.binary(16))),
}  # fmt: skip
ALL = pa.table(COLUMNS)


def test_a_table_of_all_types_is_looked_at() -> None:
    assert set(am.Schema.suggest(ALL)) == set(COLUMNS)


@pytest.mark.parametrize("role", ["quasi", "sensitive", "keep"])
def test_all_types_in_a_role(role: str, tmp_path: Path) -> None:
    """What cannot have the role is refused in words and left out: all others live their whole life."""
    roles = {name: am.Column(role=role, nulls="own value" if role == "quasi" else None) for name in COLUMNS}
    roles["int64"] = am.Column(role="quasi")
    with pytest.raises((BadSchema, BadInput)) as refused:
        am.anonymize(ALL, am.Schema(roles), [am.KAnonymity(4)], method="mondrian")
    wrong = {name for name in COLUMNS if f"'{name}'" in str(refused.value)} | {"uuid"}
    assert len(wrong) < len(COLUMNS) // 2
    roles |= {name: am.Column(role="identifier") for name in wrong}
    release = am.anonymize(ALL, am.Schema(roles), [am.KAnonymity(4)], method="mondrian")
    release.write(tmp_path / "out")
    assert all("'" in one.words for one in release.worth_knowing)
    assert am.verify(tmp_path / "out" / "release.parquet", release.schema, [am.KAnonymity(4)]).ok
    am.risk(release).to_html()
    am.attack(release, most=10, split=False).to_html()


def same(before: object, after: object) -> bool:
    """Whether a cell is there, or the text of it in a file that has no type for it."""
    if isinstance(before, dt.datetime):
        return pd.Timestamp(before) == pd.Timestamp(after)
    if isinstance(before, dt.timedelta) and isinstance(after, str):
        return str(pd.Timedelta(before)) == after
    if isinstance(before, dt.date) and isinstance(after, dt.datetime):
        return after == dt.datetime(before.year, before.month, before.day)
    if isinstance(before, dt.time) and isinstance(after, str):
        return dt.time.fromisoformat(after) == before
    if isinstance(before, float) and np.isnan(before):
        return after is None or np.isnan(after)  # not all formats have a sign for what is no number
    as_text = before.hex() if isinstance(before, bytes) else str(before)
    return before == after or as_text == after


@pytest.mark.parametrize("format", [name for name in writable() if name != "csv"])
def test_no_cell_changes_silently(format: str, tmp_path: Path) -> None:
    """Every type in every format: what was kept is read back, or its text; numbers are not rounded."""
    kept = {name: column for name, column in COLUMNS.items() if not pa.types.is_nested(column.type) and name != "uuid"}
    holds = formats()[format].holds if format in formats() else Holds(infinite=True)
    kept |= {} if holds.infinite else {"not all finite": pa.array([(np.nan, 2.5)[i % 2] for i in range(N)])}
    kept |= {
        "ulid": pa.array([2**53 + i for i in range(N)], pa.int64()),
        "finer": pa.array([DAY + dt.timedelta(microseconds=i) for i in range(N)], pa.timestamp("us")),
        "before": pa.array([dt.date(1850, 1, 1 + i % 20) for i in range(N)]),
        "below": pa.array([dt.timedelta(hours=-i, microseconds=i % 3) for i in range(N)], pa.duration("us")),
        "money": pa.array([decimal.Decimal(10**16 + i) / 100 for i in range(N)], pa.decimal128(20, 2)),
    }
    names = {f"c{i}": name for i, name in enumerate(kept)}
    table = pa.table({"q": I % 5, **dict(zip(names, kept.values(), strict=True))})
    schema = am.Schema({name: "quasi" if name == "q" else "keep" for name in table.column_names})
    release = am.anonymize(table, schema, [am.KAnonymity(4)], method="mondrian")
    if format in formats() and formats()[format].missing:
        pytest.skip("a package is missing")
    try:
        release.write(tmp_path / "out", format=format)
    except BadOption as refused:  # a workbook has no days before 1900
        assert not (tmp_path / "out").exists()
        wrong = [name for name in names if f"'{name}'" in str(refused.found)]
        assert [names[name] for name in wrong] == ["midnight", "before"]
        release = am.anonymize(table.drop_columns(wrong), None, k=4, quasi="q", rest="keep", method="mondrian")
        release.write(tmp_path / "out", format=format)
    path = tmp_path / "out" / f"release.{format}"
    back = read(path).table
    if format == "jsonl":  # which readers take for doubles
        lines = [json.loads(line, parse_float=decimal.Decimal) for line in path.read_text().splitlines()]
        money = next(key for key, name in names.items() if name == "money")
        back = back.drop_columns([money]).append_column(money, pa.array([line[money] for line in lines]))
    for name in release.arrow.column_names:
        cells = zip(release.arrow[name].to_pylist(), back[name].to_pylist(), strict=True)
        assert all(same(before, after) for before, after in cells), names.get(name)


@pytest.mark.parametrize("format", ["jsonl", "dta", "xpt", "xlsx"])
def test_infinite_numbers_are_refused_where_a_format_has_none(format: str, tmp_path: Path) -> None:
    """JSON had `Infinity` in it, which is no JSON; the error of Stata's format spoke of the names of columns."""
    if formats()[format].missing:
        pytest.skip("a package is missing")
    table = pa.table({"q": I % 5, "c": [(np.inf, 2.5)[i % 2] for i in range(N)]})
    release = am.anonymize(table, None, k=4, quasi="q", rest="keep", method="mondrian")
    with pytest.raises(BadOption, match="infinite numbers in 'c'"):
        release.write(tmp_path / "out", format=format)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("format", ["memory", *writable()])
def test_who_is_in_the_release_is_found_in_it(format: str, tmp_path: Path) -> None:
    """Attacks hold the original's cells against published ones, however a format spells bytes, spans, days, numbers."""
    kept = {f"c{i}": column for i, column in enumerate(COLUMNS.values()) if not pa.types.is_nested(column.type)}
    holds = formats()[format].holds if format in formats() else Holds(infinite=True)
    left_out = [name for name in kept if isinstance(kept[name].type, pa.BaseExtensionType)]
    left_out += [] if holds.infinite else [f"c{list(COLUMNS).index('not all finite')}"]
    left_out += [f"c{list(COLUMNS).index('midnight')}"] if format == "xlsx" else []  # of 1750, which is refused
    table = pa.table({"q": I % 5, **kept}).drop_columns(left_out)
    if format in formats() and formats()[format].missing:
        pytest.skip("a package is missing")
    release = am.anonymize(table, None, k=4, quasi="q", rest="keep", method="mondrian")
    if format != "memory":
        release.write(tmp_path / "out", format=format)
    boxes, people = open_boxes(release if format == "memory" else tmp_path / "out"), read_people(table)
    lost = {}
    for name in table.column_names[1:]:
        found = people.truth(name, boxes.items.values[name], spelled=True)
        if (found < 0).any():
            lost[name] = table[name].type
    assert not lost


@pytest.mark.parametrize("format", writable())
def test_names_that_differ_in_case_alone_in_every_format(format: str, tmp_path: Path) -> None:
    """Refused where a database has the columns; SQLite raised its own error, the others called it a defect."""
    if format in formats() and formats()[format].missing:
        pytest.skip("a package is missing")
    table = pa.table({"Case": I % 5, "case": I % 3 + 100})
    release = am.anonymize(table, None, k=4, quasi="Case", rest="keep", method="mondrian")
    if format in ("sqlite", "duckdb", "jsonl", "xpt"):
        with pytest.raises(BadInput, match="upper and lower case"):
            release.write(tmp_path / "out", format=format)
        return
    release.write(tmp_path / "out", format=format)
    back = read(tmp_path / "out" / f"release.{format}").table
    assert back.column_names == ["Case", "case"]
    assert sorted(back["case"].to_pylist()) == sorted((I % 3 + 100).tolist())


def test_half_floats_in_files(tmp_path: Path) -> None:
    """What is decided in memory is looked up again where the rows are: neither Arrow nor DuckDB knows halves."""
    table = pa.table({"half": COLUMNS["half"], "int": COLUMNS["int8"], "t": COLUMNS["text"]})
    pq.write_table(table, tmp_path / "in.parquet")
    schema = am.Schema({"half": "quasi", "int": "quasi", "t": "sensitive"})
    for method in ("hilbert", "mondrian"):
        expected = am.anonymize(table, schema, [am.KAnonymity(4)], method=method)
        stored = am.anonymize(tmp_path / "in.parquet", schema, [am.KAnonymity(4)], method=method, memory="2GB")
        stored.write(tmp_path / method)
        assert stored.utility.gcp == expected.utility.gcp


@pytest.mark.parametrize("format", ["jsonl", "csv", "sqlite"])
def test_short_floats_are_the_same_in_releases_of_two_formats(format: str, tmp_path: Path) -> None:
    """A double of the one is no other value than a short float of the other: rows with both hide people."""
    rng = np.random.default_rng(0)
    ill = pa.array(rng.choice([0.1, 0.5, 0.3, 0.75], 60), pa.float32())
    table = pa.table({"age": rng.integers(20, 60, 60), "zip": rng.integers(0, 40, 60), "ill": ill})
    found = []
    for k, one in ((3, "parquet"), (4, "parquet"), (4, format)):
        made = am.anonymize(table, None, k=k, quasi=["age", "zip"], sensitive="ill", method="mondrian")
        made.write(tmp_path / f"{k} {one}", format=one)
    for one in ("parquet", format):
        held = am.verify_together([tmp_path / "3 parquet", tmp_path / f"4 {one}"])
        found.append((held.ok, held.n_ways, held.least_rows, held.least_values))
    assert found[0] == found[1]


def test_a_fraction_means_the_same_in_every_width() -> None:
    values = np.random.default_rng(0).normal(size=500).astype(np.float32)
    short = meant_texts(pa.array(values)).to_pylist()
    assert len(set(short)) == len(set(values.tolist()))
    assert short == meant_texts(pa.array(values.astype(np.float64))).to_pylist()
    assert short == [meant(repr(float(value))) for value in values] == [meant(str(value)) for value in values]
    doubles = np.random.default_rng(1).normal(size=500)
    assert meant_texts(pa.array(doubles)).to_pylist() == [meant(repr(value)) for value in doubles.tolist()]
    halves = values.astype(np.float16)
    assert meant_texts(pa.array(halves)).to_pylist() == [meant_for(str(value), pa.float16()) for value in halves]


def test_evidence_reads_the_original_as_it_was_given(tmp_path: Path) -> None:
    given = ALL.select(["view", "half", "runs", "category", "int8"])
    release = am.anonymize(
        given, am.Schema(dict.fromkeys(given.column_names, "quasi")), [am.KAnonymity(4)], method="mondrian"
    )
    release.write(tmp_path / "out")
    assert am.evidence(tmp_path / "out", original=given).ok
