"""A PostgreSQL server of our own: in a folder of its own, on a socket and a free port, gone after the tests."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

WHY_NOT = "no PostgreSQL server can be started here: {reason} (scripts/setup dev installs it where it may)"


def binaries() -> Path | None:
    """The folder with initdb and pg_ctl, of the newest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def _user() -> str | None:
    """The user to run it as: root may not."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            pwd.getpwnam(name)
            return name
    raise LookupError("no user but root")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def server(*, fsync: bool = False) -> Iterator[str]:
    """The address of a new, empty database; raises LookupError with the reason where there can be none.

    Tests need nothing on the disk; with ``fsync`` it is as PostgreSQL comes.
    """
    folder = binaries()
    if folder is None:
        raise LookupError("initdb was not found")
    user = _user()
    place = Path(tempfile.mkdtemp(prefix="amongst-pg-"))
    if user is not None:
        shutil.chown(place, user)
    place.chmod(0o700)

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(folder / program), *arguments],
            user=user,
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C", "HOME": str(place)},
        )
        if done.returncode:
            raise LookupError(f"{program} failed: {done.stdout[-300:]}")

    data, log, port = str(place / "data"), str(place / "log"), _free_port()
    started = False
    try:
        run("initdb", "-D", data, "-U", "amongst", "--auth=trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={place}"
        options += "" if fsync else " -c fsync=off"
        run("pg_ctl", "-D", data, "-w", "-l", log, "-o", options, "start")
        started = True
        yield f"postgresql://amongst@127.0.0.1:{port}/postgres"
    finally:
        if started:
            with contextlib.suppress(LookupError):
                run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(place, ignore_errors=True)
