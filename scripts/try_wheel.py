"""Tries an installed amongst as a newcomer would: make, prove, ask, through Python and the command.

`make dist` runs it in an empty environment into which only a wheel was put; so does the build of wheels for other
systems. It prints one line and ends with 0, or says what did not work.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PEOPLE = 200


def main() -> None:
    import amongst as am
    from amongst import kernels

    wanted = os.environ.get("AMONGST_WANTED_KERNELS")
    if wanted and wanted != kernels.NAME:
        sys.exit(f"the kernels are {kernels.NAME}, not {wanted}")
    adult = am.datasets.load("adult")
    release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)])
    if not release.verdict.ok or release.utility.smallest < 10:
        sys.exit("Adult is not 10-anonymous")
    with tempfile.TemporaryDirectory() as folder:
        tour(Path(folder))
    print(f"amongst {am.__version__} works: {kernels.NAME} kernels, Python {sys.version.split()[0]}, {sys.platform}")


def tour(folder: Path) -> None:
    """A CSV file with the line ends of the system, from the first look to the verdict and a question."""
    with open(folder / "people.csv", "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator=os.linesep)
        rows.writerow(["age", "sex", "town", "illness"])
        towns, ills = ("Köln", "Zürich", "Århus"), ("flu", "cold", "angina", "none")
        rows.writerows((20 + i * 7 % 60, "fm"[i % 2], towns[i % 3], ills[i * i % 4]) for i in range(PEOPLE))
    roles = ("--quasi", "age,sex,town", "--sensitive", "illness", "-k", "5")
    amongst(folder, "anonymize", "people.csv", "--out", "out", "--format", "csv", *roles)
    verdict = amongst(folder, "verify", "out")
    if not verdict["ok"]:
        sys.exit("the written release does not verify")
    lines = (folder / "out" / "release.csv").read_text(encoding="utf-8").splitlines()
    if len(lines) != PEOPLE + 1:
        sys.exit(f"{len(lines) - 1} rows were published of {PEOPLE}")


def amongst(folder: Path, *words: str) -> dict[str, object]:
    """What the command says, as JSON."""
    command = Path(sysconfig.get_path("scripts")) / ("amongst.exe" if os.name == "nt" else "amongst")
    done = subprocess.run([str(command), *words, "--json"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"amongst {words[0]} ended with {done.returncode}: {done.stdout or done.stderr}")
    said: dict[str, object] = json.loads(done.stdout)
    return said


if __name__ == "__main__":
    main()
