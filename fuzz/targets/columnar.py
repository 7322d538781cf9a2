"""Parquet and Arrow files, whole and damaged."""

from __future__ import annotations

import datetime
import io

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from draw import Draw
from invariant import SECRET, Broken, result_or_own_error
from scratch import scratch_file

import amongst as am
from amongst.read.file import read_file

NAMES = ("data.parquet", "data.arrow")
COLUMNS = {
    "text": pa.array([SECRET, "a", None, "a"]),
    "dictionary": pa.array([SECRET, "a", None, "a"]).dictionary_encode(),
    "whole": pa.array([1, 2, None, 2], pa.int32()),
    "float": pa.array([1.5, float("nan"), None, -0.0]),
    "date": pa.array([datetime.date(2020, 1, 1)] * 4),
    "moment": pa.array([datetime.datetime(2020, 1, 1, 1)] * 4, pa.timestamp("ns", "UTC")),
    "truth": pa.array([True, None, False, True]),
    "decimal": pa.array([1, 2, 3, 4], pa.int64()).cast(pa.decimal128(20, 0)),
    "list": pa.array([[1], [], None, [2, 3]]),
    "struct": pa.array([{"lower": 1, "upper": 2}] * 4),
    "bytes": pa.array([b"\xff", b"a", None, b"b"]),
    "nothing": pa.nulls(4),
    "duration": pa.array([1, 2, 3, 4], pa.duration("s")),
    "time": pa.array([datetime.time(1)] * 4),
    "view": pa.array(["a", "b", "c", None], pa.string_view()),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), pa.array(["x", "y"])),
    "map": pa.array([[("a", 1)]] * 4, pa.map_(pa.string(), pa.int64())),
    "half": pa.array([1.0, 2.0, 3.0, 4.0], pa.float32()).cast(pa.float16()),
}


def seeds() -> list[bytes]:
    found = []
    for chosen in (["text"], ["dictionary", "whole"], ["float", "date", "moment"], ["truth", "struct"], *_alone()):
        table = pa.table({name: COLUMNS[name] for name in chosen})
        for i, write in enumerate((pq.write_table, feather.write_feather)):
            out = io.BytesIO()
            try:
                write(table, out)
            except (pa.ArrowException, TypeError):  # what this kind of file cannot hold
                continue
            found.append(bytes([i]) + out.getvalue())
    return found


def _alone() -> list[list[str]]:
    return [[name] for name in COLUMNS]


def one(data: bytes) -> None:
    draw = Draw(data)
    name = draw.choose(NAMES)
    with scratch_file(name, draw.rest()) as path:
        source = result_or_own_error(lambda: read_file(path), may_show=True)
        if source is not None:
            roles = {column: am.Column(role="quasi", nulls="own value") for column in source.table.column_names}
            asked = lambda: am.anonymize(source.table, am.Schema(roles), [am.KAnonymity(1)])  # noqa: E731
            release = result_or_own_error(asked, may_show=True)
            if release is not None and not release.verdict.ok:
                raise Broken("a release that is not verified")
        verdict = result_or_own_error(lambda: am.verify(path, None, am.KAnonymity(2)), may_show=True)
        if verdict is not None and verdict.ok and verdict.smallest < 2:
            raise Broken("ok with a class of one row")
