"""Questions to a release: 10,000 COUNT questions with conditions on all columns, over Adult in about 3,000 groups.

    python benchmarks/queries.py [--questions 10000] [--k 10] [--repeats 3]

Prints the time to open the written release and answer, and the time that the same questions take on the original.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import amongst as am
from amongst.query.open_release import open_original, open_release
from amongst.query.workload import answers_of


def measured(n_questions: int, k: int, repeats: int) -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(k)])
    print(f"Adult, {adult.table.num_rows:,} rows, k = {k}: {release.utility.n_classes:,} groups")
    for kind in ("all", "selectivity"):
        work = am.Workload.random(adult.table, adult.schema, n_questions, kind)
        with tempfile.TemporaryDirectory() as folder:
            release.write(Path(folder) / "out")
            times = []
            for _ in range(repeats):
                start = time.perf_counter()
                answers_of(open_release(Path(folder) / "out", adult.schema), work.questions)
                times.append(time.perf_counter() - start)
        start = time.perf_counter()
        answers_of(open_original(adult.table, adult.schema), work.questions)
        original = time.perf_counter() - start
        error = release.workload_error(work)
        print(
            f"{kind:<12} {n_questions:,} questions: {min(times):.2f} s ({n_questions / min(times):,.0f} a second); "
            f"the original {original:.2f} s; median relative error {error.median_relative:.1%}"
        )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--questions", type=int, default=10_000)
    arguments.add_argument("--k", type=int, default=10)
    arguments.add_argument("--repeats", type=int, default=3)
    told = arguments.parse_args()
    measured(told.questions, told.k, told.repeats)
