"""Many tables: the experiments of MultiRelational k-Anonymity (section 6) repeated, and how long large ones take.

    python benchmarks/multirelational.py            # figures 4 to 6 on 1,000 students: about a minute
    python benchmarks/multirelational.py --large    # 10,000 and 100,000 students as well: minutes

Times are CPU seconds of the grouping alone unless said otherwise, the median of three; the machine and the versions
are printed. The paper's figures are not printed in its text, so its claims stand beside ours.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import amongst as am
from amongst import kernels
from amongst.kernels.relations import Grouped
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.forest import Forest, build_forest
from amongst.relations.measure import measure_database
from amongst.relations.methods import find_database_method
from amongst.relations.stores import read_database

KS = (5, 10, 25, 50, 75, 100)
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
THREE = (("miracle", {}), ("miracle-x", {}), ("bitmap", {}))
BOOKS = {"one book a course": (1, 1), "two to four books a course": (2, 4)}


def forest_of(n_persons: int, books: tuple[int, int], seed: int = 0) -> Forest:
    made = am.datasets.load_database(
        "students", n_persons=n_persons, seed=seed, least_books=books[0], most_books=books[1]
    )
    stored = read_database(made.tables)
    schema = check_tables(made.schema, stored)
    return build_forest(schema, stored, check_keys(schema, stored), seed)


def grouped(forest: Forest, method: str, k: int, **options: Any) -> Grouped:
    return find_database_method(method).run(forest, [am.KAnonymity(k)], **options)


def seconds(work: Callable[[], Any], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def table(head: list[str], rows: list[list[Any]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print(
            "| "
            + " | ".join(
                f"{cell:,.3f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else cell
                for cell in row
            )
            + " |"
        )
    print()


def figure_4(forests: list[Forest]) -> None:
    """Means over several draws of the data: one draw says as much about its luck as about a method."""
    print("### Figure 4a: LM, incomplete data (paper: MiRaCle and MiRaCleX 30-40 % below bitmap)\n")
    rows = []
    for k in KS:
        lms = [statistics.mean(measure_database(f, grouped(f, m, k, **o)).lm for f in forests) for m, o in THREE]
        rows.append([f"k = {k}", *lms, f"{1 - lms[0] / lms[2]:.0%}", f"{1 - lms[1] / lms[2]:.0%}"])
    table(["", "MiRaCle", "MiRaCleX", "bitmap", "MiRaCle below bitmap", "MiRaCleX below bitmap"], rows)
    print("### Figure 4b: LM by threshold, k = 50\n")
    rows = []
    for threshold in THRESHOLDS:
        lms = [
            statistics.mean(measure_database(f, grouped(f, m, 50, threshold=threshold, **o)).lm for f in forests)
            for m, o in THREE
        ]
        rows.append([f"{threshold:.1f}", *lms])
    table(["threshold", "MiRaCle", "MiRaCleX", "bitmap"], rows)
    print("### Figures 4c and 5: DM in thousands (4c: bitmap of incomplete data; 5: of complete data)\n")
    rows = []
    for k in KS:
        cases = [*THREE, ("bitmap", {"complete": True})]
        dms = [statistics.mean(measure_database(f, grouped(f, m, k, **o)).dm for f in forests) / 1000 for m, o in cases]
        rows.append([f"k = {k}", *dms])
    table(["", "MiRaCle", "MiRaCleX", "bitmap, incomplete", "bitmap, complete"], rows)


def figure_6(forest: Forest) -> None:
    print("### Figure 6: CPU seconds, cluster limit 150 (paper: MiRaCleX at least 3 times faster)\n")
    rows = []
    for k in KS:
        taken = [seconds(lambda m=m, o=o, k=k: grouped(forest, m, k, **o)) for m, o in THREE]  # type: ignore[misc]
        rows.append([f"k = {k}", *taken, f"{taken[0] / taken[1]:.1f}"])
    table(["", "MiRaCle", "MiRaCleX", "bitmap", "MiRaCle / MiRaCleX"], rows)


def past_the_paper(forest: Forest) -> None:
    print("### Past the paper: pairing, distance, what is left over, skeleton; k = 50\n")
    rows = []
    for method in ("miracle", "miracle-x"):
        for options in (
            {},
            {"pairing": "optimal"},
            {"distance": "increase"},
            {"leftovers": "join"},
            {"distance": "increase", "leftovers": "join", "threshold": 0.3},
            {"distance": "increase", "leftovers": "join", "cluster_limit": 1000},
            {"skeleton": "split", "distance": "increase"},
            {"skeleton": "mondrian"},
            {"skeleton": "top-down"},
            {"skeleton": "hilbert"},
        ):
            made = grouped(forest, method, 50, **options)
            utility = measure_database(forest, made)
            taken = seconds(lambda m=method, o=options: grouped(forest, m, 50, **o))  # type: ignore[misc]
            said = ", ".join(f"{key} = {value}" for key, value in options.items()) or "as in the paper"
            rows.append([method, said, utility.lm, utility.suppressed_persons, taken])
    table(["method", "options", "LM", "persons suppressed", "CPU s"], rows)


def targets(forest: Forest) -> None:
    print("### Targets: 1,000 students, k = 50, cluster limit 150\n")
    rows = []
    for method, pairing, most in (
        ("miracle-x", "greedy", 1.0),
        ("miracle", "greedy", 3.0),
        ("miracle", "optimal", None),
    ):
        taken = seconds(lambda m=method, p=pairing: grouped(forest, m, 50, pairing=p))  # type: ignore[misc]
        rows.append(
            [
                f"{method}, {pairing} pairing",
                taken,
                "-" if most is None else f"{most:g} s",
                "-" if most is None else "met" if taken <= most else "MISSED",
            ]
        )
    table(["", "CPU s", "target", ""], rows)


def whole_run(n_persons: int, method: str) -> None:
    """In a process of its own: all of a run, its memory, and the proof."""
    made = am.datasets.load_database("students", n_persons=n_persons, least_books=2, most_books=4)
    start = time.process_time()
    release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(50)], method)
    taken = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    assert release.verdict.ok
    proof = time.process_time() - start - taken
    sizes = "/".join(f"{one.num_rows:,}" for one in made.tables.values())
    print(f"| {method} | {sizes} | {taken:.1f} | {proof:.1f} | {peak:,} | {release.utility.lm:.3f} |", flush=True)


def large() -> None:
    print("### Large: whole runs from tables to tables, k = 50, cluster limit 150\n")
    print("| method | rows | CPU s | proof, CPU s | peak MB before the proof | LM |")
    print("|---|---|---|---|---|---|", flush=True)
    for method in ("miracle-x", "miracle"):
        for n_persons in (1_000, 10_000, 100_000):
            subprocess.run([sys.executable, __file__, "--run", str(n_persons), method], check=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also 10,000 and 100,000 students")
    parser.add_argument("--run", nargs=2, metavar=("N", "METHOD"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run:
        whole_run(int(asked.run[0]), asked.run[1])
        return
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, kernels: {kernels.NAME}, {platform.machine()}\n"
    )
    for words, books in BOOKS.items():
        print(f"## 1,000 students, {words}\n")
        forests = [forest_of(1000, books, seed) for seed in range(5)]
        figure_4(forests)
        figure_6(forests[0])
        targets(forests[0])
        past_the_paper(forests[0])
    if asked.large:
        large()


if __name__ == "__main__":
    main()
