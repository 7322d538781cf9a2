"""Releases of random tables are the ones that were stored: no rebuilding changes a byte unseen.

A difference that is meant is stored with ``scripts/goldens keep``, and told in the changelog.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_releases_are_as_they_were() -> None:
    stored = json.loads((HERE / "stored.json").read_text(encoding="utf-8"))
    # The methods that were stored: a new one would change the numbers of the cases behind it.
    methods = ",".join(sorted({name.split()[1] for name in stored}))
    run = [sys.executable, str(HERE / "golden_cases.py"), "--tables", "4", "--engines", "memory", "--methods", methods]
    environment = {**os.environ, "AMONGST_KERNELS": "numpy"}
    done = subprocess.run(run, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    found = {" ".join(map(str, one["case"])): one["told"] for one in map(json.loads, done.stdout.splitlines())}
    assert len(stored) > 100
    assert stored.keys() <= found.keys(), "a method has gone"
    differing = {
        name: sorted(
            part for part in stored[name].keys() | found[name].keys() if stored[name].get(part) != found[name].get(part)
        )
        for name in stored
        if stored[name] != found[name]
    }
    assert not differing
