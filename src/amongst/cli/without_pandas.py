"""Keeps pandas out of the process of the command.

pyarrow imports pandas wherever it is installed, which takes longer than all the work on a small table. The
command reads and writes files and hardly ever touches a frame of pandas, so pyarrow may find that there is none.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import Any


class _Absent(MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command amongst does without pandas", name=name)


def with_pandas() -> None:
    """From now on ``import pandas`` finds it again: formulas are worked out by a library that needs it."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Absent)]


def without_pandas() -> None:
    """From now on ``import pandas`` finds nothing, unless it was imported already."""
    sys.meta_path.insert(0, _Absent())
