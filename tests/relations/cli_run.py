"""The command as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import amongst


def run(*arguments: str, cwd: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(amongst.__file__).parents[1]), "NO_COLOR": "1"}
    command = [sys.executable, "-P", "-m", "amongst", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=environment)
