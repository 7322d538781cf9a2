"""Run figures at the papers' own sizes, one at a time, each in a process of its own, and keep what each took.

    python -m benchmarks.papers.full out/full
    python -m benchmarks.papers.full out/full fast-20 mondrian-17 --limit 3600

A figure whose JSON is in the folder is not run again. What was found, CPU seconds and the most memory are kept in
``full.json`` beside this file, from which ``write_docs`` makes the table of the page; a figure that needs more than
``--limit`` CPU seconds is stopped, and told to be.
"""

from __future__ import annotations

import argparse
import datetime
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.papers.catalogue import experiments, find

KEPT = Path(__file__).with_name("full.json")
TOLD = ("outcome", "words", "data", "cpu_seconds", "peak_mb")


def kept() -> dict[str, dict[str, Any]]:
    """What is known of runs at full size, by figure."""
    found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return found


def run_one(name: str, out: Path, limit: int) -> dict[str, Any]:
    """Run a figure, unless the folder has it."""
    written = out / f"{name}.json"
    if not written.exists():
        command = [sys.executable, "-m", "amongst", "papers", "run", name, "--full", "--quiet", "--out", str(out)]
        done = subprocess.run(
            command, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        )
        if done.returncode < 0:
            return {"stopped_after": limit}
        if done.returncode:
            raise SystemExit(f"{name} ended with {done.returncode}")
    told = json.loads(written.read_text(encoding="utf-8"))
    return {key: told[key] for key in TOLD}


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("out", type=Path)
    said.add_argument("figures", nargs="*", default=["all"])
    said.add_argument("--limit", type=int, default=3600, help="CPU seconds")
    asked = said.parse_args()
    for name in dict.fromkeys(one.name for figure in asked.figures for one in find(figure)):
        found = {"date": datetime.date.today().isoformat(), **run_one(name, asked.out, asked.limit)}
        print(name, found, flush=True)
        every = {**kept(), name: found}
        ordered = {one.name: every[one.name] for one in experiments() if one.name in every}
        KEPT.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
