"""A standalone Spark cluster on this machine: a master and workers, each a Java process of its own as its scripts
start them; every worker starts an executor, which is another.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LIMIT = 180
"""Seconds that the cluster may take to be there, on a machine that does other things too."""


@dataclass
class Cluster:
    """Where it is, and its workers by their processes."""

    address: str
    workers: list[int] = field(default_factory=list)

    def executors(self) -> list[int]:
        """The executors, by the processes that started them."""
        found = []
        for worker in self.workers:
            tasks = Path(f"/proc/{worker}/task")
            below = [int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()]
            found += [pid for pid in below if b"CoarseGrainedExecutorBackend" in _command(pid)]
        return found

    def kill_an_executor(self) -> int:
        """End one as a crash does; which it was."""
        victim = self.executors()[0]
        os.kill(victim, signal.SIGKILL)
        return victim


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


@contextmanager
def cluster(folder: Path, *, workers: int = 2, memory: str = "600m") -> Iterator[Cluster]:
    """A master and some workers of one core each, until the block ends."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        master = _start(folder, "master", "master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        started.append(master)
        made = Cluster(_said(folder / "master.log", r"Starting Spark master at (spark://\S+)", master))
        for number in range(workers):
            own = ["--host", "127.0.0.1", "--cores", "1", "--memory", memory, "--webui-port", "0"]
            own += ["--work-dir", str(folder / f"work{number}"), made.address]
            worker = _start(folder, f"worker{number}", "worker.Worker", *own)
            started.append(worker)
            made.workers.append(worker.pid)
        for number, worker in enumerate(started[1:]):
            _said(folder / f"worker{number}.log", r"(Successfully registered) with master", worker)
        yield made
    finally:
        for one in reversed(started):
            one.terminate()
        for one in started:
            try:
                one.wait(30)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()


def _start(folder: Path, name: str, role: str, *arguments: str) -> subprocess.Popen[bytes]:
    import pyspark

    home = Path(pyspark.__file__).parent
    outside = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "128m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "PYSPARK_PYTHON": sys.executable,
    }
    program = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}", *arguments]
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=outside)


def _said(log: Path, words: str, process: subprocess.Popen[bytes]) -> str:
    """What a process wrote to its log, once it is there."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        found = re.search(words, log.read_text(errors="replace"))
        if found:
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"no such words in {log.name}:\n{log.read_text(errors='replace')[-2000:]}")
