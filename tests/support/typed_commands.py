"""Commands as processes of their own, forked from one process that has loaded the libraries.

``typed`` runs one and gives how it ended; ``shim`` is a program for shells that does the same. Tests that look at how a
fresh interpreter starts, or that kill one, start it themselves.
"""

from __future__ import annotations

import atexit
import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TextIO

LIMIT = 300
"""Seconds that a command may take, on a machine that does other things too."""
PLAIN = {"COLUMNS": "200", "NO_COLOR": "1"}
CLIENT = """\
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as mother:
    mother.connect(sys.argv[1])
    asked = {"typed": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)}
    socket.send_fds(mother, [json.dumps(asked).encode() + b"\\n"], [0, 1, 2])
    code = int(mother.makefile().readline())
os._exit(code % 256)
"""


def typed(arguments: list[str], folder: Path, fresh: bool = False) -> subprocess.CompletedProcess[str]:
    """How ``amongst`` ended that was started in a folder; ``fresh`` in an interpreter of its own."""
    if fresh or not hasattr(os, "fork"):
        start = [sys.executable, "-P", "-m", "amongst", *arguments]
    else:
        start = [*_client(), *arguments]
    ended = subprocess.run(
        start,
        cwd=folder,
        env={**os.environ, **PLAIN},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=LIMIT,
    )
    return subprocess.CompletedProcess(["amongst", *arguments], ended.returncode, ended.stdout, ended.stderr)


def shim(folder: Path) -> Path:
    """A program ``amongst`` in a folder of programs."""
    folder.mkdir(exist_ok=True)
    program = folder / "amongst"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(_client())} "$@"\n')
    program.chmod(0o755)
    return program


def _client() -> list[str]:
    """What starts a command: a Python that has loaded nothing and asks the mother."""
    return [sys.executable, "-I", "-S", "-c", CLIENT, _address()]


@cache
def _address() -> str:
    """Where the mother of this process is asked; it ends with this process."""
    folder = tempfile.TemporaryDirectory(prefix="amongst-commands-")
    address = f"{folder.name}/mother"
    start = [sys.executable, "-P", __file__, address]
    mother = subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert mother.stdin is not None
    assert mother.stdout is not None
    assert mother.stdout.readline() == "ready\n"

    def end() -> None:
        mother.communicate()
        folder.cleanup()

    atexit.register(end)
    return address


def _mother(address: str) -> None:
    """Waits for commands until the process that started it is gone."""
    import select
    import signal

    _load_all()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as heard:
        heard.bind(address)
        heard.listen()
        print("ready", flush=True)
        while sys.stdin not in (ready := select.select([sys.stdin, heard], [], [])[0]):
            assert ready
            asking, _ = heard.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _answer(asking)
            asking.close()


def _answer(asking: socket.socket) -> None:
    """Be the one who waits for the command, and tell its code."""
    text, streams, _, _ = socket.recv_fds(asking, 1 << 16, 3)
    while not text.endswith(b"\n"):
        text += asking.recv(1 << 16)
    asked = json.loads(text)
    child = os.fork()
    if child == 0:
        asking.close()
        _be_the_command(streams=streams, **asked)
    _, status = os.waitpid(child, 0)
    asking.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _load_all() -> None:
    """What the commands would load, once for all that are asked."""
    import gc
    import importlib
    import pkgutil

    import amongst

    for found in pkgutil.walk_packages(amongst.__path__, "amongst."):
        if not found.name.startswith(("amongst.app", "amongst.engines.", "amongst.__main__")):
            importlib.import_module(found.name)
    gc.freeze()  # a command that seeks rubbish copies no page of what all have


def _writer(number: int) -> TextIO:
    """A stream that a new process would have, whatever the mother's was."""
    return open(number, "w", buffering=1 if number == 2 or os.isatty(number) else -1, encoding="utf-8")


def _be_the_command(typed: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    import signal
    import traceback

    code = 70
    try:
        signal.alarm(LIMIT)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin, sys.stdout, sys.stderr = open(0, encoding="utf-8"), _writer(1), _writer(2)  # noqa: SIM115
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
    _mother(sys.argv[1])
