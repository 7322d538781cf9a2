"""Spark on one machine: what a release costs beside reading the table, grouping it and writing it again.

    python benchmarks/scale_spark.py [--rows 10000000] [--folder FOLDER] [--repeats 1] [--memory 4g]

Each run is a process of its own with a session of its own, local[2]; its start is not counted. CPU is that of all
processes together (Python, Java, workers), memory the most that they had at one time. The target is a ratio of 3.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from machine import cpu_of_all, memory_of_all

QUASI = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rows", type=int, default=10_000_000)
    arguments.add_argument("--folder", type=Path, default=None, help="where the table is made, and kept if named")
    arguments.add_argument("--repeats", type=int, default=1)
    arguments.add_argument("--memory", default="4g", help="the heap of the driver, which has the executor in it")
    arguments.add_argument("--k", type=int, default=10)
    arguments.add_argument("--work", choices=["plain", "ours"], help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.work:
        print("\n" + json.dumps(run(given.work, given.folder, given.memory, given.k)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        table = make(folder, given.rows)
        compare(table, folder, given)


def compare(table: Path, folder: Path, given: argparse.Namespace) -> None:
    runs: dict[str, list[dict[str, Any]]] = {"plain": [], "ours": []}
    for _ in range(given.repeats):
        for work, own in runs.items():
            own.append(in_process(work, table, given))
    best = {work: min(own, key=lambda run: run["cpu"]) for work, own in runs.items()}
    print(f"{given.rows:,} rows, {len(QUASI)} quasi-identifiers, k = {given.k}, Spark local[2]")
    for work, title in (("plain", "Spark: read, group by, write"), ("ours", "amongst on Spark, verified")):
        one = best[work]
        print(f"  {title:30} {one['cpu']:7.1f} s CPU {one['wall']:7.1f} s {one['peak'] / 1e9:6.2f} GB")
        print("    " + ", ".join(f"{step} {seconds:.1f}" for step, seconds in one["steps"].items()))
    ratio = best["ours"]["cpu"] / best["plain"]["cpu"]
    print(f"  ratio {ratio:.2f} by CPU, {best['ours']['wall'] / best['plain']['wall']:.2f} by the clock (target 3)")
    print(f"  groups as in memory: {same_as_in_memory(table, folder, given.k)}")


def make(folder: Path, n_rows: int) -> Path:
    import pyarrow.parquet as pq

    import amongst as am

    path = folder / f"adult_like_{n_rows}.parquet"
    if not path.exists():
        pq.write_table(am.datasets.adult_like(n_rows=n_rows).table, path, row_group_size=1 << 20)
    return path


def in_process(work: str, table: Path, given: argparse.Namespace) -> dict[str, Any]:
    """One run in a process of its own, watched from here for the memory of all that belongs to it."""
    command = [sys.executable, __file__, "--work", work, "--folder", str(table)]
    command += ["--memory", given.memory, "--k", str(given.k)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    peak = [0]

    def watch() -> None:
        while started.poll() is None:
            peak[0] = max(peak[0], memory_of_all(started.pid))
            time.sleep(0.1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out, errors = started.communicate()
    watcher.join()
    if started.returncode:
        raise SystemExit(errors)
    return {**json.loads(out.splitlines()[-1]), "peak": peak[0]}


def run(work: str, table: Path, memory: str, k: int) -> dict[str, Any]:
    from pyspark.sql import SparkSession

    local = tempfile.mkdtemp(dir=table.parent)
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", memory)
    builder = builder.config("spark.ui.enabled", "false").config("spark.local.dir", local)
    session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    session.range(10).count()
    steps: dict[str, float] = {}
    out = Path(local) / f"out_{work}"
    began, before = time.perf_counter(), cpu_of_all(os.getpid())
    try:
        (plain if work == "plain" else ours)(session, table, out, k, steps)
        done = {"cpu": cpu_of_all(os.getpid()) - before, "wall": time.perf_counter() - began, "steps": steps}
        if work == "ours":
            kept = table.parent / "spark_release"
            shutil.rmtree(kept, ignore_errors=True)
            os.rename(out, kept)
    finally:
        session.stop()
        shutil.rmtree(local, ignore_errors=True)
    return done


def plain(session: Any, table: Path, out: Path, k: int, steps: dict[str, float]) -> None:
    began = cpu_of_all(os.getpid())
    session.read.parquet(str(table)).groupBy(*QUASI).count().write.format("noop").mode("overwrite").save()
    steps["group"] = cpu_of_all(os.getpid()) - began
    session.read.parquet(str(table)).write.parquet(str(out))
    steps["write"] = cpu_of_all(os.getpid()) - began - steps["group"]


def ours(session: Any, table: Path, out: Path, k: int, steps: dict[str, float]) -> None:
    import amongst as am
    from amongst.anonymize import release_of
    from amongst.engines.spark import open_spark
    from amongst.request import Request

    marks: list[tuple[str, float]] = []

    def say(step: str, *_: int) -> None:
        if not marks or marks[-1][0] != step:
            marks.append((step, cpu_of_all(os.getpid())))

    schema = am.datasets.adult_like(n_rows=1).schema
    request = Request(schema=schema, models=[am.KAnonymity(k)], method="mondrian")
    release = release_of(open_spark(str(table), request, say, session=session), request, say)
    release.write(out, step=say)
    marks.append(("", cpu_of_all(os.getpid())))
    for (step, start), (_, end) in pairwise(marks):
        steps[step] = steps.get(step, 0) + end - start


def same_as_in_memory(table: Path, folder: Path, k: int) -> bool:
    """Whether the rows that Spark published are, in order, those that are published in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import amongst as am

    schema = am.datasets.adult_like(n_rows=1).schema
    theirs = am.anonymize(str(table), schema, [am.KAnonymity(k)], method="mondrian").arrow
    parts = sorted((folder / "spark_release" / "release.parquet").iterdir())
    at = 0
    for part in parts:
        rows = pq.read_table(part)
        same = theirs.slice(at, rows.num_rows).select(rows.column_names)
        plain = [c.cast(c.type.value_type) if pa.types.is_dictionary(c.type) else c for c in same.columns]
        if not all(a.cast(b.type).equals(b) for a, b in zip(plain, rows.columns, strict=True)):
            return False
        at += rows.num_rows
    return at == theirs.num_rows


if __name__ == "__main__":
    main()
