"""The spine: Parquet in, strict Mondrian with k = 10, Parquet out, against what pyarrow alone takes to read and write.

    python benchmarks/spine.py [--rows 1000000 10000000] [--repeats 3] [--json FILE]

Prints ratios of CPU time within this run. Two references: pyarrow's plain `read_table` and `write_table`, and the
same with dictionary columns on both sides and no statistics, which is the fastest that pyarrow can do.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from figures import Figures, keep
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


FILES = Figures(
    heads=("table", "what", "CPU s", "of pyarrow, plain", "of pyarrow with dictionaries", "peak MB"),
    formats=("", "", ".2f", ".2f", ".2f", ",.0f"),
)
STARTS = Figures(heads=("what", "CPU s"), formats=("", ".2f"))


def spine(name: str, rows: int, folder: Path, repeats: int) -> float:
    """Measure one table; the CPU seconds of reading, anonymizing and writing it."""
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
    relaxed = RUN.format(method="mondrian-relaxed", **{**places, "out": str(folder)})
    *ours, plain, dictionary = median_of(
        repeats,
        (prepare, strict),
        (prepare, strict + VERIFY),
        (prepare, relaxed),
        (READ_WRITE.format(**places), PLAIN.format(**places)),
        (DICTIONARY_PREPARE.format(**places), DICTIONARY.format(**places)),
    )
    table = f"{name.replace('_', '-')}, {rows:,} rows"
    works = ("read, anonymize, write", "the same, verified from the file", "the same, relaxed, not verified")
    told = [*zip(works, ours, strict=True), ("pyarrow alone, plain", plain), ("with dictionaries", dictionary)]
    for words, run in told:
        cpu = run["cpu"]
        row = [table, words, cpu, cpu / plain["cpu"], cpu / dictionary["cpu"], run["peak_mb"]]
        FILES.rows.append(row)
        print("  ".join(f"{cell:{one}}" for cell, one in zip(row, FILES.formats, strict=True)), flush=True)
    return float(ours[0]["cpu"])


def cold(repeats: int, folder: Path) -> None:
    python = sys.executable
    bare = command_cpu([python, "-c", "pass"], repeats)
    imported = command_cpu([python, "-c", "import amongst"], repeats)
    out = str(folder / "cold")
    adult = command_cpu(
        [python, "-m", "amongst", "anonymize", "adult", "--k", "10", "--out", out, "--force", "--quiet"], repeats
    )
    STARTS.rows += [
        ["`import amongst`, above a bare interpreter", imported - bare],
        ["`amongst anonymize adult`, whole process with release, proof and report", adult],
    ]
    for words, seconds in STARTS.rows:
        print(f"{words}: {seconds:.2f} s of CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, default=None, help="keep the figures here")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="amongst-bench-"))
    try:
        for name in ("adult_like", "wide"):
            times = [spine(name, rows, folder, arguments.repeats) for rows in arguments.rows]
            for before, after, small, large in zip(times, times[1:], arguments.rows, arguments.rows[1:], strict=False):
                print(f"  {small:,} to {large:,} rows: {after / before:.1f} x the time")
        cold(arguments.repeats, folder)
    finally:
        shutil.rmtree(folder)
    keep(arguments.json, {"files": FILES, "starts": STARTS})


if __name__ == "__main__":
    main()
