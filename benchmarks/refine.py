"""Refining at scale: CPU seconds, loss before and after, and the growth for every ten times as many rows.

    python benchmarks/refine.py [--rows 10000 100000 1000000] [--k 10]

Adult-like tables. A ratio near 10 for ten times the rows is linear growth. CPU time is that of the step alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import amongst as am
from amongst.encode import encode
from amongst.measure.ncp import gcp, ncp
from amongst.partition import METHODS
from amongst.partition.refine import refine
from amongst.schema.check import check

STARTS = ("gain-split", "mondrian")


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    cpu = time.process_time()
    result = work()
    return result, time.process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--k", type=int, default=10)
    arguments = parser.parse_args()
    models, last = [am.KAnonymity(arguments.k)], {}
    print(f"{'rows':>10}  {'what':20} {'CPU s':>7}  {'GCP before':>10} -> {'after':7}  beside the row count before")
    for n_rows in arguments.rows:
        data = am.datasets.adult_like(n_rows)
        schema = check(data.schema, data.table)
        coded = encode(data.table, schema)

        def tell(
            what: str, cpu: float, before: Any, after: Any, n: int = n_rows, c: Any = coded, s: Any = schema
        ) -> None:
            was = "" if before is None else f"{gcp(ncp(c, s, before)):.4f}"
            growth = f"{cpu / last[what]:.1f} times" if what in last else ""
            print(f"{n:>10,}  {what:20} {cpu:7.2f}  {was:>10} -> {gcp(ncp(c, s, after)):.4f}   {growth}", flush=True)
            last[what] = cpu

        for name in STARTS:
            start = METHODS[name].run(coded, models)
            refined, cpu = timed(partial(refine, coded, models, start))
            tell(f"refine {name}", cpu, start, refined)
        found, cpu = timed(partial(METHODS["best"].run, coded, models))
        tell("best", cpu, None, found)


if __name__ == "__main__":
    main()
