"""The command as a person runs it: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SECRET = "Zanzibari-4711"
"""Stands in every table that the tests make; it must never be seen outside a release."""

ROLES = ["--identifier", "name", "--quasi", "age,zip,sex", "--sensitive", "disease"]


JOB_COLUMNS = """
[columns.name]
role = "identifier"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.zip]
role = "quasi"
kind = "categorical"
hierarchy = { digits = 5 }
[columns.sex]
role = "quasi"
[columns.disease]
role = "sensitive"
"""


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", **changes}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "amongst", *map(str, arguments)]


def people_csv(n_rows: int = 40) -> str:
    sexes, diseases = ("Female", "Male"), ("flu", SECRET, SECRET, SECRET, SECRET)
    rows = [f"{SECRET}-{i},{20 + i % 30},{53700 + i % 7},{sexes[i % 2]},{diseases[i % 5]}" for i in range(n_rows)]
    return "\n".join(["name,age,zip,sex,disease", *rows]) + "\n"


def left_over(folder: Path) -> list[str]:
    """Hidden files and folders of runs that did not clean up."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".amongst-")]
