"""Is ``amongst plan`` right? Ten jobs planned and run: time and peak of memory beside what was said.

    python benchmarks/plan.py [--rows 300000]

A line a job: seconds and megabytes as planned and as they were, CPU seconds, and the ratios.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import amongst as am
from amongst.job.job import Engine, Input, Job, Output

CASES = {
    "memory, Parquet, mondrian": {"method": "mondrian"},
    "memory, Parquet, hilbert": {"method": "hilbert"},
    "memory, Parquet, full-domain-optimum": {"method": "full-domain-optimum"},
    "memory, Parquet, a third of the rows": {"method": "mondrian", "share": 1 / 3},
    "memory, CSV, mondrian": {"method": "mondrian", "text": True},
    "memory, Parquet, single-dimensional": {"method": "single-dimensional"},
    "files, counts": {"method": "mondrian", "memory": "2GB"},
    "files, CSV, counts": {"method": "mondrian", "memory": "2GB", "text": True},
    "files, join": {"method": "mondrian", "memory": "2GB", "number": True},
    "files, parts": {"method": "mondrian", "memory": "1GB", "distinct": True},
}


def job_of(case: dict, n_rows: int, folder: Path) -> Path:
    """The table and the job file of a case."""
    made = am.datasets.adult_like(int(n_rows * case.get("share", 1)), seed=1)
    table, schema = made.table, made.schema
    number = pa.array([i * 2654435761 % 4294967296 for i in range(table.num_rows)])
    if case.get("number") or case.get("distinct"):
        table = table.append_column("number", number)
        schema = am.Schema({**schema, "number": am.Column(role="quasi" if case.get("distinct") else "keep")})
    data = folder / ("in.csv" if case.get("text") else "in.parquet")
    (pa.csv.write_csv if case.get("text") else pq.write_table)(table, data)
    engine = Engine(memory=case["memory"]) if "memory" in case else Engine()
    job = Job(
        Input(data), schema, (am.KAnonymity(10),), output=Output(folder / "out"), method=case["method"], engine=engine
    )
    path = folder / "job.toml"
    path.write_text(job.to_toml(folder))
    return path


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "amongst", *arguments], capture_output=True, text=True, check=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=300_000)
    n_rows = parser.parse_args().rows
    print(f"{'case':40} {'s told':>7} {'s':>7} {'cpu':>7} {'ratio':>6} {'MB told':>8} {'MB':>7} {'ratio':>6}")
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = job_of(case, n_rows, Path(folder))
            told = json.loads(command("plan", str(path), "--json").stdout)
            end = json.loads(command("run", str(path), "--quiet", "--log", "json").stderr.splitlines()[-1])
            ratio, memory = told["seconds"] / end["seconds"], told["memory"] / end["peak_bytes"]
            print(
                f"{name:40} {told['seconds']:7.1f} {end['seconds']:7.1f} {end['cpu_seconds']:7.1f} {ratio:6.2f} "
                f"{told['memory'] / 1e6:8.0f} {end['peak_bytes'] / 1e6:7.0f} {memory:6.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
