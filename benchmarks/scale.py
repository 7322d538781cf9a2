"""From a laptop to a cluster: files larger than memory, and the other engines.

    python benchmarks/scale.py [--parts growth files wide spark postgresql] [--folder FOLDER] [--rows 100000000]

``files``: an Adult-like Parquet file, strict Mondrian, k = 10, under --memory 4GB, against DuckDB's copy of the same
file, and against a tenth of the rows. ``growth``: 10^4 to 10^7 rows the same way, and in memory. The other parts are
scale_wide.py, scale_spark.py and scale_postgresql.py with their usual settings. Memory is the most that all
processes of a run had at one time. A folder that is named keeps the tables it was given for the next run.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from machine import memory_of_all

MAKE = """
import sys
import amongst as am, pyarrow.parquet as pq
name, rows, path, block = sys.argv[1], int(sys.argv[2]), sys.argv[3], 10_000_000
writer = None
for begin in range(0, rows, block):
    table = getattr(am.datasets, name)(min(block, rows - begin), seed=begin // block).table
    writer = writer or pq.ParquetWriter(path, table.schema, store_schema=False)
    writer.write_table(table, row_group_size=1 << 20)
writer.close()
"""
COPY = """
import sys, duckdb
source, target, memory = sys.argv[1:]
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")
connection.execute(f"SET memory_limit = '{memory}'")
connection.execute("SET preserve_insertion_order = false")
connection.execute(f"COPY (SELECT * FROM read_parquet('{source}')) TO '{target}' (FORMAT parquet)")
"""
OURS = """
import sys
import amongst as am
source, out, memory, work = sys.argv[1:]
schema = am.datasets.adult_like(1000).schema
limits = {"memory": memory, "work": work} if memory else {}
am.anonymize(source, schema, [am.KAnonymity(10)], **limits).write(out, force=True)
"""


@dataclass(frozen=True)
class Run:
    cpu: float
    wall: float
    peak: float

    def __str__(self) -> str:
        return f"{self.cpu:7.1f} s CPU {self.wall:7.1f} s {self.peak / 1e9:5.2f} GB"


def run(program: str, *arguments: object) -> Run:
    """A program in a process of its own: its CPU, its time, and the most memory that it and its children had."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)])
    peak = [0]

    def watch() -> None:
        while process.poll() is None:
            peak[0] = max(peak[0], memory_of_all(process.pid))
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    watcher.join()
    if code:
        raise SystemExit(f"a run ended with {code}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, time.perf_counter() - began, peak[0])


def adult_like(folder: Path, rows: int) -> Path:
    path = folder / f"adult_like_{rows}.parquet"
    if not path.exists():
        run(MAKE, "adult_like", rows, path)
    return path


def files(folder: Path, rows: int, memory: str = "4GB") -> None:
    """The target: peak at most 4.5 GB, CPU at most 4 times the copy, at most 12 times a tenth of the rows."""
    small, large = adult_like(folder, rows // 10), adult_like(folder, rows)
    ours_small = run(OURS, small, folder / "out-small", memory, folder)
    copy = run(COPY, large, folder / "copy.parquet", memory)
    ours = run(OURS, large, folder / "out", memory, folder)
    print(f"{rows:,} rows, 8 quasi-identifiers, strict Mondrian, k = 10, --memory {memory}")
    print(f"  DuckDB copies the file         {copy}")
    print(f"  amongst, verified, with report {ours}")
    print(f"  the same, {rows // 10:,} rows     {ours_small}")
    print(f"  ratio to the copy {ours.cpu / copy.cpu:.2f} by CPU (target 4)")
    print(f"  {rows // 10:,} to {rows:,} rows: {ours.cpu / ours_small.cpu:.1f} times the CPU (target 12)")


def growth(folder: Path) -> None:
    print("rows, in memory, and with --memory 4GB")
    for power in range(4, 8):
        table = adult_like(folder, 10**power)
        in_memory = run(OURS, table, folder / "out", "", folder)
        stored = run(OURS, table, folder / "out", "4GB", folder)
        print(f"  10^{power}   {in_memory}   {stored}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", default=["growth", "files", "wide", "spark", "postgresql"])
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        if "growth" in given.parts:
            growth(folder)
        if "files" in given.parts:
            files(folder, given.rows)
    here = Path(__file__).parent
    for part in ("wide", "spark", "postgresql"):
        if part in given.parts:
            subprocess.run([sys.executable, here / f"scale_{part}.py"], check=True)


if __name__ == "__main__":
    main()
