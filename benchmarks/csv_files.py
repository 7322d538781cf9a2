"""CSV in, CSV out: what a release costs in CPU beside pyarrow, which reads and writes the same file.

Whole processes, imports and all, take turns, so that noise falls on all of them. Told are the medians:

- pyarrow: read the file, write it.
- without proof: read, anonymize, write the data file.
- with proof: also verify from the written file.
- with proof and reports: all that `amongst run` does.

    python benchmarks/csv_files.py [--rows 1000000] [--repeats 5] [--wide] [--method mondrian] [--json FILE]

`--wide` takes a table of 30 columns; without a method it is the usual one.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import Figures, keep

MAKE = """
import sys, numpy as np, pyarrow as pa
from pyarrow import csv
import amongst as am
rows, wide = int(sys.argv[2]), sys.argv[3] == "wide"
table = am.datasets.load("adult-like", n_rows=rows, seed=1).table
if wide:
    rng = np.random.default_rng(1)
    codes = pa.array([f"code {j}" for j in range(200)])
    more = {f"n{i}": rng.integers(0, 500, rows) for i in range(7)}
    more |= {f"x{i}": rng.normal(size=rows).round(2) for i in range(7)}
    more |= {f"t{i}": codes.take(pa.array(rng.integers(0, 200, rows))) for i in range(7)}
    table = pa.table({**{name: table.column(name) for name in table.column_names}, **more})
csv.write_csv(table, sys.argv[1])
"""
ARROW = """
import sys
from pyarrow import csv
csv.write_csv(csv.read_csv(sys.argv[1]), sys.argv[2])
"""
READY = """
import sys
from amongst.cli.without_pandas import without_pandas
without_pandas()
import amongst as am
names = open(sys.argv[1]).readline().replace('"', "").strip().split(",")
schema = {name: "quasi" for name in names[:8]} | {name: "keep" for name in names[8:]}
release = am.anonymize(sys.argv[1], schema, [am.KAnonymity(10)], METHOD)
"""
WORKS = {
    "pyarrow, read and write": ARROW,
    "amongst, without proof": READY
    + """
from pathlib import Path
from amongst.engines.store import Place
Path(sys.argv[2]).mkdir()
release.store.publish(release.plan, Place(folder=Path(sys.argv[2]), format="csv"), lambda *told: None)
""",
    "amongst, with proof": READY
    + """
from pathlib import Path
from amongst.engines.store import Place
Path(sys.argv[2]).mkdir()
place = Place(folder=Path(sys.argv[2]), format="csv")
release.store.publish(release.plan, place, lambda *told: None)
assert release.account.prove(release, release.store.published(place)).ok
""",
    "amongst, with proof and reports": READY
    + """
assert release.write(sys.argv[2], format="csv").ok
""",
}


def cpu(code: str, *arguments: str) -> float:
    """Seconds of CPU of a whole process."""
    environment = {name: one for name, one in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, *arguments], check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--method", default=None)
    parser.add_argument("--json", type=Path, default=None, help="keep the figures here")
    asked = parser.parse_args()
    taken: dict[str, list[float]] = {name: [] for name in WORKS}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "in.csv"
        cpu(MAKE, str(data), str(asked.rows), "wide" if asked.wide else "")
        for turn in range(-1, asked.repeats):  # the first, in which Python compiles what it imports, does not count
            for i, (name, code) in enumerate(WORKS.items()):
                code = code.replace("METHOD", repr(asked.method))
                seconds = cpu(code, str(data), str(Path(folder) / f"out{turn}-{i}"))
                taken[name] += [seconds] if turn >= 0 else []
    medians = {name: statistics.median(own) for name, own in taken.items()}
    least = medians["pyarrow, read and write"]
    rows = [[name, median, median / least] for name, median in medians.items()]
    print(f"{asked.rows:,} rows, {asked.repeats} turns, CPU of whole processes")
    for name, median, ratio in rows:
        print(f"{name:<34}{median:6.2f} s   {ratio:4.2f} x")
    heads = (f"{asked.rows:,} rows of CSV", "CPU s", "of pyarrow")
    keep(asked.json, {"files": Figures(heads=heads, formats=("", ".2f", ".2f"), rows=rows)})


if __name__ == "__main__":
    main()
