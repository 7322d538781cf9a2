"""How long attacks take: a release of many rows, and outside people looked for in it.

    python benchmarks/attack.py --rows 1000000 --people 10000

Prints the seconds of every attack, and of comparing the outside people with every distinct box in plain numpy, one
person at a time, as the reference. Both must count the same records.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pyarrow as pa

import amongst as am
from amongst.attack.boxes import Boxes, open_boxes
from amongst.attack.fits import count_records, fits_of
from amongst.attack.people import People, read_people

PLAIN = 200
"""So many people are looked for one at a time; the time for all follows from it."""


def one_at_a_time(boxes: Boxes, people: People, names: list[str]) -> np.ndarray:
    """The records that everybody fits: every person beside every box."""
    tables = [(*fits_of(boxes, name, people.column(name)), people.column(name).codes) for name in names]
    found = []
    for person in range(people.n):
        fits = np.ones(boxes.n_boxes, dtype=bool)
        for label_of_box, can, code in tables:
            fits &= can[:, code[person]][label_of_box]
        found.append(int(boxes.size[fits].sum()))
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--methods", default="mondrian,hilbert")
    arguments = parser.parse_args()
    made = am.datasets.adult_like(arguments.rows + arguments.people)
    inside, outside = made.table.slice(0, arguments.rows), made.table.slice(arguments.rows)
    for method in arguments.methods.split(","):
        release = am.anonymize(inside, made.schema, [am.KAnonymity(arguments.k)], method=method)
        assert release.verdict.ok
        measure(release, outside)


def measure(release: am.Release, outside: pa.Table) -> None:
    start = time.perf_counter()
    boxes = open_boxes(release)
    print(f"{release.method}: {boxes.n_records:,} rows in {boxes.n_boxes:,} boxes, {outside.num_rows:,} people outside")
    print(f"  {'open':22} {time.perf_counter() - start:8.2f} s")
    people = read_people(outside)
    start = time.perf_counter()
    count = count_records(boxes, people, boxes.names)
    fast = time.perf_counter() - start
    start = time.perf_counter()
    some = people.take(np.arange(min(PLAIN, people.n)))
    assert (one_at_a_time(boxes, some, boxes.names) == count[: some.n]).all()
    slow = (time.perf_counter() - start) * people.n / max(some.n, 1)
    print(f"  {'candidates':22} {fast:8.2f} s   one at a time {slow:,.1f} s, {slow / fast:,.0f} times as long")
    begun: list[tuple[str, float]] = []
    start, used = time.perf_counter(), time.process_time()
    found = am.attack(release, outside=outside, progress=lambda name, *_: begun.append((name, time.perf_counter())))
    ends = [at for _, at in begun[1:]] + [time.perf_counter()]
    for (attack, at), end in zip(begun, ends, strict=True):
        print(f"  {attack:22} {end - at:8.2f} s")
    whole, processor = time.perf_counter() - start, time.process_time() - used
    print(f"  {'all of am.attack':22} {whole:8.2f} s   {processor:.1f} s of processor")
    print(f"  {found.headline}")


if __name__ == "__main__":
    main()
