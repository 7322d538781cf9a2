"""The spine: Parquet in, strict Mondrian with k = 10, Parquet out, against what pyarrow alone takes to read and write.

    python benchmarks/spine.py [--rows 1000000 10000000] [--repeats 3] [--skip-peers]

Prints ratios of CPU time within this run. Two references: pyarrow's plain `read_table` and `write_table`, and the
same with dictionary columns on both sides and no statistics, which is the fastest that pyarrow can do.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from measure_run import command_cpu, median_of

MAKE = """
import amongst as am, pyarrow.parquet as pq
data = getattr(am.datasets, {name!r})({rows})
pq.write_table(data.table, {path!r}, store_schema=False)
"""
ANONYMIZE = """
import amongst as am, pyarrow.parquet
import amongst.anonymize, amongst.engines.data_file, amongst.verify, amongst.schema.check
from pathlib import Path
schema = getattr(am.datasets, {name!r})(1000).schema
from amongst.engines.data_file import write_data
Path({out!r}).mkdir(exist_ok=True)
"""
RUN = """
release = am.anonymize({path!r}, schema, [am.KAnonymity(10)], {method!r})
written, *_ = write_data(release.arrow, Path({out!r}), "parquet")
"""
VERIFY = """
assert am.verify(written, schema, [am.KAnonymity(10)]).ok
"""
READ_WRITE = "import pyarrow as pa, pyarrow.parquet as pq\nout = pq.read_table({written!r})"
PLAIN = "pq.read_table({path!r}); pq.write_table(out, {scratch!r})"
DICTIONARY_PREPARE = """
import pyarrow as pa, pyarrow.parquet as pq
def text(path): return [f.name for f in pq.read_schema(path) if f.type == pa.string()]
out = pq.ParquetFile({written!r}, read_dictionary=text({written!r})).read()
names, own = text({path!r}), text({written!r})
"""
DICTIONARY = """
pq.ParquetFile({path!r}, read_dictionary=names, memory_map=True).read()
pq.write_table(out, {scratch!r}, compression="zstd", use_dictionary=own, write_statistics=False, store_schema=False)
"""


def spine(name: str, rows: int, folder: Path, repeats: int) -> dict[str, float]:
    places = {
        "name": name,
        "rows": rows,
        "path": str(folder / f"{name}-{rows}.parquet"),
        "out": str(folder / f"out-{name}-{rows}"),
        "scratch": str(folder / "scratch.parquet"),
    }
    places["written"] = places["out"] + "/release.parquet"
    median_of(1, (MAKE.format(**places), ""))
    strict = RUN.format(method="mondrian", **places)
    prepare = ANONYMIZE.format(**places)
    median_of(1, (prepare, strict))
    ours, proved, relaxed, plain, dictionary = median_of(
        repeats,
        (prepare, strict),
        (prepare, strict + VERIFY),
        (prepare, RUN.format(method="mondrian-relaxed", **{**places, "out": str(folder)})),
        (READ_WRITE.format(**places), PLAIN.format(**places)),
        (DICTIONARY_PREPARE.format(**places), DICTIONARY.format(**places)),
    )
    print(f"\n{name}, {rows:,} rows")
    line("read, anonymize, write", ours, plain, dictionary)
    line("the same, verified from the file", proved, plain, dictionary)
    line("the same, relaxed, not verified", relaxed, plain, dictionary)
    print(f"  relaxed / strict                   {relaxed['cpu'] / ours['cpu']:6.2f}")
    print(
        f"  peak memory                        {proved['peak_mb']:6.0f} MB"
        f" (pyarrow's plain copy {plain['peak_mb']:.0f} MB)"
    )
    return {"cpu": ours["cpu"]}


def line(words: str, run: dict, plain: dict, dictionary: dict) -> None:
    print(
        f"  {words:34s} {run['cpu']:6.2f} s CPU"
        f" = {run['cpu'] / plain['cpu']:5.2f} x pyarrow plain ({plain['cpu']:.2f} s)"
        f" = {run['cpu'] / dictionary['cpu']:5.2f} x pyarrow with dictionaries ({dictionary['cpu']:.2f} s)"
    )


def cold(repeats: int, folder: Path) -> None:
    python = sys.executable
    bare = command_cpu([python, "-c", "pass"], repeats)
    imported = command_cpu([python, "-c", "import amongst"], repeats)
    out = str(folder / "cold")
    adult = command_cpu(
        [python, "-m", "amongst", "anonymize", "adult", "--k", "10", "--out", out, "--force", "--quiet"], repeats
    )
    print(
        "\ncold starts (CPU)\n"
        f"  import amongst            {imported - bare:5.2f} s above a bare interpreter ({bare:.2f} s)"
    )
    print(f"  amongst anonymize adult   {adult:5.2f} s, whole process with release, proof and report")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--skip-peers", action="store_true")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="amongst-bench-"))
    try:
        for name in ("adult_like", "wide"):
            times = [spine(name, rows, folder, arguments.repeats)["cpu"] for rows in arguments.rows]
            for before, after, small, large in zip(times, times[1:], arguments.rows, arguments.rows[1:], strict=False):
                print(f"  {small:,} to {large:,} rows: {after / before:.1f} x the time")
        cold(arguments.repeats, folder)
    finally:
        shutil.rmtree(folder)
    if not arguments.skip_peers:
        import peers

        peers.main()


if __name__ == "__main__":
    main()
