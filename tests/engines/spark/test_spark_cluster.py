"""Spark as people run it: a standalone cluster of several machines, here processes, and a server of Spark Connect.

Some ten Java processes take a minute or two, so ``make test`` leaves them out; ``make explore`` does not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from spark_cluster import Cluster, cluster
from test_spark_flow import people, same_rows

import amongst as am
from thorough import THOROUGH

HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.skipif(not THOROUGH, reason="a cluster of Java processes: make explore"),
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java, which Spark needs"),
    pytest.mark.skipif(find_spec("pyspark") is None, reason="Spark is not installed (amongst[spark])"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of which nine rows in ten are one combination, and lie in one of three files."""
    folder = tmp_path_factory.mktemp("cluster")
    table, _ = people(3000, skewed=True)
    (folder / "people").mkdir()
    for number, (begin, end) in enumerate(((0, 1000), (1000, 3000), (3000, table.num_rows))):
        pq.write_table(table.slice(begin, end - begin), folder / "people" / f"part-{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def expected(place: Path) -> pa.Table:
    return am.anonymize(place / "people", people(10)[1], [am.KAnonymity(5)], "mondrian").arrow


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("machines")) as running:
        yield running


def drive(address: str, place: Path, trouble: str, *workers: int) -> subprocess.CompletedProcess[str]:
    """A driver of its own, whose release is a folder named as what went wrong."""
    line = [sys.executable, str(HERE / "cluster_driver.py"), address, str(place), trouble, trouble]
    places = [HERE, HERE.parent, HERE.parents[1] / "support"]
    outside = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*map(str, places), os.environ.get("PYTHONPATH", "")]),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    line += map(str, workers)
    return subprocess.run(line, capture_output=True, text=True, check=False, timeout=900, env=outside)


def published(place: Path, trouble: str) -> pa.Table:
    return pq.read_table(place / trouble / "release.parquet")


@pytest.mark.parametrize("trouble", ["nothing", "executor", "parts"])
def test_the_rows_of_memory_whatever_goes_wrong(
    machines: Cluster, place: Path, expected: pa.Table, trouble: str
) -> None:
    """Every task that is slow is run twice, an executor is killed, and the combinations do not fit into the driver."""
    done = drive(machines.address, place, trouble, *machines.workers)
    assert done.returncode == 0, done.stderr[-3000:]
    assert ("ended" in done.stdout) == (trouble == "executor")
    assert ("parts 1\n" in done.stdout) == (trouble != "parts")
    same_rows(published(place, trouble), expected)


def test_a_driver_that_is_killed_is_followed_by_one_that_goes_on(
    machines: Cluster, place: Path, expected: pa.Table
) -> None:
    assert drive(machines.address, place, "killed").returncode < 0
    assert not (place / "killed").exists()
    kept = [path for path in place.rglob("*.arrow") if path.parent != place]
    assert kept, "what was counted is kept"
    done = drive(machines.address, place, "resumed")
    assert done.returncode == 0, done.stderr[-3000:]
    same_rows(published(place, "resumed"), expected)
    assert not any(path.exists() for path in kept)


def test_a_server_of_spark_connect(place: Path, expected: pa.Table) -> None:
    pytest.importorskip("grpc", reason="Spark Connect is not installed (pyspark[connect])")
    done = drive("connect", place, "connect")
    assert done.returncode == 0, done.stderr[-3000:]
    same_rows(published(place, "connect"), expected)
