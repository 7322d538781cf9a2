"""Hardening Adult (k = 10, salary class): what every round reached, what it cost, and what attacks with other lots say.

python benchmarks/harden.py [--membership 0.02]
"""

from __future__ import annotations

import argparse
import time

import amongst as am


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--membership", type=float, default=0.02)
    asked = parser.parse_args()
    adult = am.datasets.load("adult")
    start = time.process_time()
    promised = am.Harden(membership=asked.membership)
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)], harden=promised)
    for one in release.certificate.rounds:
        reached = ", ".join(f"{name} {value:.4f}" for name, value in one.reached.items() if value is not None)
        words = one.changes[-1] if one.changes else "as asked"
        print(f"loss {one.loss:.3f}  {one.n_classes:5} classes  {reached}  | {words}")
    print(*release.certificate.words, sep="\n")
    print(f"{time.process_time() - start:.1f} s of CPU")
    attacks = ["homogeneity", "downcoding", "membership"]
    found = am.attack(release, attacks=attacks, seed=99, divisions=12)
    for one in found.attacks:
        print(f"attacked again, other lots: {one.attack}: {one.achieved[2 if one.attack == 'membership' else 0]}")


if __name__ == "__main__":
    main()
