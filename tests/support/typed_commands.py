"""Commands as processes of their own. Many at once start from one process that has loaded the libraries already."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LIMIT = 300
"""Seconds that a command may take, on a machine that does other things too."""


@dataclass(frozen=True)
class Ended:
    """How a command ended; ``code`` is negative where a signal ended it."""

    code: int
    words: str
    error: str


class Commands:
    """Runs ``amongst``, each time in a process of its own."""

    def __init__(self, mother: subprocess.Popen[str] | None) -> None:
        self._mother = mother

    def run(self, typed: list[str], folder: Path) -> Ended:
        out, err = folder / ".stdout", folder / ".stderr"
        if self._mother is None:
            with out.open("wb") as to, err.open("wb") as error:
                command = [sys.executable, "-m", "amongst", *typed]
                code = subprocess.run(command, cwd=folder, stdout=to, stderr=error, timeout=LIMIT).returncode
        else:
            asked = {"typed": typed, "folder": str(folder), "out": str(out), "err": str(err)}
            assert self._mother.stdin is not None
            assert self._mother.stdout is not None
            print(json.dumps(asked), file=self._mother.stdin, flush=True)
            code = int(self._mother.stdout.readline())
        words, error_words = (path.read_text(encoding="utf-8", errors="replace") for path in (out, err))
        out.unlink()
        err.unlink()
        return Ended(code, words, error_words)


@contextmanager
def commands(fresh: bool) -> Iterator[Commands]:
    """Commands in fresh interpreters, or forked from one that has imported what they need."""
    if fresh or not hasattr(os, "fork"):
        yield Commands(None)
        return
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    start = [sys.executable, __file__]
    mother = subprocess.Popen(start, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Commands(mother)
    finally:
        assert mother.stdin is not None
        mother.stdin.close()
        mother.wait()


def _mother(requests: IO[str]) -> None:
    _load_all()
    for line in requests:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _be_the_command(**asked)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _load_all() -> None:
    """What the commands would load, once for all that are asked."""
    import importlib
    import pkgutil

    import amongst

    for found in pkgutil.walk_packages(amongst.__path__, "amongst."):
        if not found.name.startswith(("amongst.app", "amongst.engines.", "amongst.__main__")):
            importlib.import_module(found.name)


def _be_the_command(typed: list[str], folder: str, out: str, err: str) -> None:
    import atexit
    import signal
    import traceback

    code = 70
    try:
        signal.alarm(LIMIT)
        os.chdir(folder)
        for place, number in ((os.devnull, 0), (out, 1), (err, 2)):
            opened = os.open(place, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, number)
        sys.argv = ["amongst", *typed]
        from amongst.cli import main

        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _mother(sys.stdin)
