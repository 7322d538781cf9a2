"""Text files: what is read as a table, and what is verified as a release."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
from draw import Draw
from invariant import SECRET, Broken, result_or_own_error
from scratch import scratch_file

import amongst as am
from amongst.read.file import read_file
from amongst.verify.verdict import Verdict

NAMES = ("data.csv", "data.tsv", "data.csv.gz", "data.txt")


def seeds() -> list[bytes]:
    tables = [
        f"age,zip,disease\n25,53711,{SECRET}\n26,53712,flu\n",
        f"age;zip\r\n25;{SECRET}\r\n;\r\n",
        f'a\tb\n"x\ty"\t"{SECRET}\n more"\n1\t2\n',
        f'"a","b""c"\n"{SECRET}","1"\n"open,2\n3,4\n',
        f"\ufeffa|b\n2020-01-01|007\n2020-02-31|{SECRET}\n",
        f"a,b\n1,2,3\n{SECRET}\n4,5\n",
        "a,b\n1e400,inf\n-0,0\n250.1,9223372036854775808\n250.10,1\n",
        "a,a\n1,2\n",
        "q,at\n1,2020-01-01\n1,2020-02-30\n2,0001-01-01T00:00+05:00\n",
        "q,n\n1,5\n1,1e308\n2,-1e308\n2,inf\n1,\n",
        "a\n\n\n1\n",
        "=cmd|' /C calc'!A0,b\n\x00,\u202eabc\n@SUM(1),-1+1\n",
    ]
    return [bytes([i % len(NAMES), 0]) + text.encode() for i, text in enumerate(tables)] + [
        b"\x00\x00a,b\n\xff\xfe,1\n",
        b"\x00\x01" + "a,b\nä,ö\n".encode("latin-1"),
        b"\x02\x00\x1f\x8b\x08\x00broken",
    ]


def one(data: bytes) -> None:
    draw = Draw(data)
    name = draw.choose(NAMES)
    encoding = draw.choose((None, "latin-1", "utf-16", "no such"))
    content = draw.rest()
    if name.endswith(".gz") and content[:2] != b"\x1f\x8b":
        content = gzip.compress(content, 1)
    with scratch_file(name, content) as path:
        may_show = _in_header(data)
        source = result_or_own_error(lambda: read_file(path, encoding=encoding), may_show=may_show)
        if source is not None and (source.table.num_rows < 1 or source.table.num_columns < 1):
            raise Broken("a table without rows or columns was read")
        if name != "data.txt":
            verdict = result_or_own_error(lambda: am.verify(path, None, am.KAnonymity(2)), may_show=may_show)
            if verdict is not None and encoding is None and source is not None:
                _agree(verdict, source.table, may_show)
            if verdict is not None and len(verdict.columns) > 1 and verdict.columns[-1]:
                _sensitive(path, verdict.columns, may_show)


def _sensitive(path: Path, names: list[str], may_show: bool) -> None:
    """The last column as a sensitive one of every kind: its cells are texts that may be numbers or dates."""
    models = [am.TCloseness(1.0, column=names[-1]), am.LDiversity(1, column=names[-1])]
    result_or_own_error(lambda: am.verify(path, names[:-1], models), may_show=may_show)
    result_or_own_error(lambda: am.verify(path, names[:-1], [am.Proximity(1, 1, names[-1])]), may_show=may_show)
    for kind, tree in (("date", am.Hierarchy.dates("month")), ("numeric", am.Hierarchy.intervals([5]))):
        roles = {name: am.Column(role="quasi") for name in names[:-1]}
        column = am.Column(role="sensitive", kind=kind, hierarchy=tree)  # type: ignore[arg-type]
        schema = am.Schema({**roles, names[-1]: column})
        result_or_own_error(lambda schema=schema: am.verify(path, schema, [am.TCloseness(1.0)]), may_show=may_show)


def _agree(verdict: Verdict, table: pa.Table, may_show: bool) -> None:
    """The verifier's reader and the other one see as many rows; naive counting agrees with an ok."""
    same_names = verdict.columns == table.column_names  # not so where they find another separator
    if same_names and verdict.n_rows != table.num_rows:
        raise Broken(f"one reader sees {table.num_rows} rows, the other {verdict.n_rows}")
    if SECRET in verdict.words() and not may_show:
        raise Broken("a verdict shows a cell")


def _in_header(data: bytes) -> bool:
    """Names of columns may be shown, and a header with an open quote or CR may be any part of the file."""
    first = data.split(b"\n")[0]
    return SECRET.encode() in first or first.count(b'"') % 2 == 1 or b"\r" in data or SECRET.encode() not in data
