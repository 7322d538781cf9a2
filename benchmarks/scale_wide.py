"""The wide table, in which every tuple is distinct, within a memory limit: grouped part by part.

    python benchmarks/scale_wide.py [--rows 10000000] [--memory 1GB] [--methods mondrian hilbert] [--folder FOLDER]
                                    [--skip-memory]

Its frequency set is as large as the table. Against DuckDB's copy of the same file and against the run in memory, whose
release must have the same bytes. Memory is the most that all processes of a run had at one time. A folder that is
named keeps the table for the next run.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

from scale import COPY, MAKE, Run, run

OURS = """
import sys
import amongst as am
source, out, method, memory, work = sys.argv[1:]
schema = am.datasets.wide(1000).schema
limits = {"engine": "duckdb", "memory": memory, "work": work} if memory else {}
release = am.anonymize(source, schema, [am.KAnonymity(10)], method, **limits)
release.write(out, force=True)
print("   ", type(release).__name__, release.partition.facts)
"""


def wide(folder: Path, rows: int) -> Path:
    path = folder / f"wide_{rows}.parquet"
    if not path.exists():
        run(MAKE, "wide", rows, path)
    return path


def compare(folder: Path, table: Path, method: str, memory: str, copy: Run, in_memory: bool) -> None:
    """The target: it ends within the limit, with the same groups as in memory."""
    ours = run(OURS, table, folder / "out-parts", method, memory, folder)
    print(f"  {method:12} within {memory}    {ours}   {ours.cpu / copy.cpu:.2f} times the copy by CPU")
    if in_memory:
        all_rows = run(OURS, table, folder / "out-memory", method, "", folder)
        same = digest(folder / "out-parts") == digest(folder / "out-memory")
        print(f"  {method:12} in memory     {all_rows}   {'the same bytes' if same else 'OTHER BYTES'}")


def digest(release: Path) -> str:
    with (release / "release.parquet").open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--methods", nargs="+", default=["mondrian", "hilbert"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--skip-memory", action="store_true", help="do not run in memory too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        table = wide(folder, given.rows)
        copy = run(COPY, table, folder / "copy.parquet", given.memory)
        print(f"{given.rows:,} rows, 8 quasi-identifiers, every tuple distinct, k = 10, --memory {given.memory}")
        print(f"  DuckDB copies the file     {copy}")
        for method in given.methods:
            compare(folder, table, method, given.memory, copy, not given.skip_memory)


if __name__ == "__main__":
    main()
