"""What a workload or a target wins: errors on questions not seen before, and accuracies on rows not seen before.

    python benchmarks/workload.py [--k 10] [--questions 500] [--methods mondrian,gain-split] [--target]

Every line is one workload on one data set: the error without steering, the error of a release that was steered by other
questions drawn in the same way, and their ratio. "single values" asks for every value, so there both are the same.
With ``--target``: CM and accuracies (needs scikit-learn).
"""

from __future__ import annotations

import argparse
from typing import Any

import amongst as am

ADULT: dict[str, dict[str, Any]] = {
    "2 columns, 5 %": {"kind": "selectivity", "columns": ["age", "education"], "selectivity": 0.05},
    "3 columns": {"kind": "all", "columns": ["age", "sex", "occupation"]},
    "any 3 of 8, 2 %": {"kind": "selectivity", "n_columns": 3, "selectivity": 0.02},
    "single values": {"kind": "equality", "columns": ["occupation", "marital-status"]},
    "all columns": {"kind": "all"},
}


def census_workloads(names: list[str]) -> dict[str, dict[str, Any]]:
    return {
        "2 columns, 5 %": {"kind": "selectivity", "columns": names[:2], "selectivity": 0.05},
        f"any 3 of {len(names)}, 2 %": {"kind": "selectivity", "n_columns": 3, "selectivity": 0.02},
        "all columns": {"kind": "all"},
    }


def errors(data: Any, workloads: dict[str, dict[str, Any]], methods: list[str], k: int, n: int) -> None:
    print(f"{data.name}, {data.table.num_rows:,} rows, k = {k}, {n} questions to steer by and {n} others to ask")
    print(f"{'workload':<18} {'method':<11} {'mean relative':>24} {'mean absolute':>26}")
    for words, options in workloads.items():
        known, other = (am.Workload.random(data.table, data.schema, n, seed=seed, **options) for seed in (1, 2))
        for method in methods:
            before, after = (
                am.anonymize(data.table, data.schema, [am.KAnonymity(k)], method, workload=work).workload_error(other)
                for work in (None, known)
            )
            relative = _change(before.mean_relative, after.mean_relative)
            print(f"{words:<18} {method:<11} {relative:>24} {_change(before.mean_absolute, after.mean_absolute):>26}")


def _change(before: float, after: float) -> str:
    return f"{before:.3f} -> {after:.3f} ({after / before if before else 1.0:.2f})"


def accuracies(data: Any, target: str, methods: list[str]) -> None:
    print(
        f"{data.name}, target {target}: accuracy of always the most frequent; of a model that learned from the release;"
    )
    print("of a look at the groups that a row falls into; of a model that learned from the original")
    for k in (10, 50, 200):
        for method in methods:
            for steer in (None, target):
                release = am.anonymize(data.table, data.schema, [am.KAnonymity(k)], method, target=steer)
                found = am.classification(release, target)
                told = " ".join(
                    f"{one:.4f}" for one in (found.majority, found.released, found.by_group, found.original)
                )
                print(f"k {k:<4} {method:<11} {'steered' if steer else 'plain':<8} CM {found.cm:.4f}  {told}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--k", type=int, default=10)
    arguments.add_argument("--questions", type=int, default=500)
    arguments.add_argument("--rows", type=int, default=50_000, help="of the census")
    arguments.add_argument("--methods", default="mondrian,gain-split")
    arguments.add_argument("--target", action="store_true")
    told = arguments.parse_args()
    chosen = told.methods.split(",")
    adult = am.datasets.load("adult")
    if told.target:
        accuracies(adult, "salary-class", chosen)
    else:
        errors(adult, ADULT, chosen, told.k, told.questions)
        census = am.datasets.load("census", n_rows=told.rows)
        errors(census, census_workloads(census.schema.quasi), chosen, told.k, told.questions)
