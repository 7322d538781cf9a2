"""The command as a process."""

from __future__ import annotations

import subprocess
from pathlib import Path

from typed_commands import typed


def run(*arguments: str, cwd: str | None = None) -> subprocess.CompletedProcess[str]:
    return typed(list(arguments), Path(cwd or "."))
