"""PostgreSQL in place: count, decide, publish, verify and report, against a plain CREATE TABLE AS of the same columns.

    python benchmarks/scale_postgresql.py [--rows 1000000] [--repeats 5] [--address postgresql://...]

The table has the nine columns of Adult, made larger, and one that names the person, which is dropped. Without an
address a server is started in a temporary folder, with PostgreSQL's own settings. Prints the wall time and
the CPU time of both, the server's processes and ours added up, and their ratios within this run. What it takes to draw
report.html is left out of the ratios, and told beside them: it does not depend on the number of rows.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TICKS = float(os.sysconf("SC_CLK_TCK"))


def postgresql_in_place(rows: int = 1_000_000, repeats: int = 5, address: str = "") -> dict[str, float]:
    """Medians of wall and CPU seconds, and the ratios."""
    import amongst as am
    from amongst.relations.stores.postgresql import connected

    with _server(address) as place:
        data = am.datasets.adult_like(rows)
        schema = am.Schema({"person": am.Column(role="identifier"), **data.schema})
        columns = ", ".join(f'"{name}"' for name in data.table.column_names)
        with connected(place) as connection:
            _load(connection, data.table)
            cpu = _Cpu(connection)
            plain, ours = [], []
            report: dict[str, float] = {}
            for _ in range(repeats):
                plain.append(cpu.of(lambda: _plain(place, columns)))
                ours.append(cpu.of(lambda: _ours(place, schema, report)))
                for name in ("wall", "cpu", "client_cpu"):
                    ours[-1][name] -= report[name]
                _drop(connection)
    found = {
        "plain_wall": statistics.median(one["wall"] for one in plain),
        "plain_cpu": statistics.median(one["cpu"] for one in plain),
        "wall": statistics.median(one["wall"] for one in ours),
        "cpu": statistics.median(one["cpu"] for one in ours),
        "client_cpu": statistics.median(one["client_cpu"] for one in ours),
        "report_cpu": report["cpu"],
        "peak": max(one["peak"] for one in ours),
    }
    found["wall_ratio"] = statistics.median(b["wall"] / a["wall"] for a, b in zip(plain, ours, strict=True))
    found["cpu_ratio"] = statistics.median(b["cpu"] / a["cpu"] for a, b in zip(plain, ours, strict=True))
    return found


@contextlib.contextmanager
def _server(address: str) -> Iterator[str]:
    if address:
        yield address
        return
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
    from postgresql_server import server

    with server(fsync=True) as own:
        yield own


def _load(connection: Any, table: Any) -> None:
    import pyarrow as pa

    kinds = [one.type.value_type if pa.types.is_dictionary(one.type) else one.type for one in table.schema]
    plain = table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))
    plain = plain.add_column(0, "person", pa.array(range(table.num_rows), pa.int64()))
    with connection.cursor() as cursor:
        cursor.adbc_ingest("scale_people", plain, mode="replace")
        cursor.execute("ANALYZE scale_people")
    connection.commit()


def _drop(connection: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE scale_plain, scale_release")
    connection.commit()


def _plain(address: str, columns: str) -> None:
    from amongst.relations.stores.postgresql import connected

    with connected(address) as connection:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE scale_plain AS SELECT {columns} FROM scale_people")
        connection.commit()


def _ours(address: str, schema: Any, report: dict[str, float]) -> None:
    """The whole of it; what the report took is put aside."""
    import amongst as am
    from amongst.anonymize import release_of
    from amongst.engines.postgresql.open import open_table
    from amongst.engines.postgresql.store import PostgresqlStore
    from amongst.request import Request

    began: list[float] = []

    def step(name: str, *_: Any) -> None:
        if name == "report":
            began.extend([time.perf_counter(), time.process_time()])

    def timed(self: Any, *asked: Any) -> None:
        report["wall"], report["cpu"] = time.perf_counter() - began[0], time.process_time() - began[1]
        report["client_cpu"] = report["cpu"]
        own(self, *asked)

    own = PostgresqlStore.commit
    PostgresqlStore.commit = timed  # type: ignore[method-assign]
    try:
        request = Request(schema=schema, models=[am.KAnonymity(10)])
        store = open_table(address, request, lambda *_: None, table="scale_people")
        with tempfile.TemporaryDirectory() as folder:
            release_of(store, request, lambda *_: None).write(Path(folder) / "out", table="scale_release", step=step)
    finally:
        PostgresqlStore.commit = own  # type: ignore[method-assign]


class _Cpu:
    """CPU time of all processes of the server, those that have ended too, and of this one."""

    def __init__(self, connection: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            backend = cursor.fetchone()[0]
        connection.commit()
        self.postmaster = int(_stat(backend)[1])

    def server(self) -> float:
        children = Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children").read_text().split()
        own = sum(map(float, _stat(self.postmaster)[11:15]))
        for child in children:
            with contextlib.suppress(OSError):
                own += sum(map(float, _stat(int(child))[11:13]))
        return own / TICKS

    def memory(self) -> float:
        """What this process has in memory, and what the server's processes have each for itself, in bytes."""
        children = Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children").read_text().split()
        total = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        for child in children:
            with contextlib.suppress(OSError, IndexError):
                facts = Path(f"/proc/{child}/status").read_text()
                total += int(facts.partition("RssAnon:")[2].split()[0]) * 1024
        return total

    def of(self, work: Callable[[], None]) -> dict[str, float]:
        began, server, client = time.perf_counter(), self.server(), time.process_time()
        peak, done = [0.0], threading.Event()

        def watch() -> None:
            while not done.wait(0.02):
                peak[0] = max(peak[0], self.memory())

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            work()
        finally:
            wall = time.perf_counter() - began
            done.set()
            watcher.join()
        time.sleep(0.1)  # until the postmaster has seen its child end
        own = time.process_time() - client
        return {"wall": wall, "client_cpu": own, "cpu": self.server() - server + own, "peak": peak[0]}


def _stat(pid: int) -> list[str]:
    """The fields after the name of the process: state, parent, ..., user, system, and those of ended children."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--address", default="")
    asked = parser.parse_args()
    found = postgresql_in_place(asked.rows, asked.repeats, asked.address)
    print(f"PostgreSQL in place, {asked.rows:,} rows, strict Mondrian, k = 10; median of {asked.repeats}")
    print(f"  CREATE TABLE AS of the same columns  {found['plain_wall']:6.2f} s wall  {found['plain_cpu']:6.2f} s CPU")
    print(f"  count, decide, publish, verify       {found['wall']:6.2f} s wall  {found['cpu']:6.2f} s CPU")
    print(f"    of this in our own process                        {found['client_cpu']:6.2f} s CPU")
    print(f"  the report, beside it                                {found['report_cpu']:6.2f} s CPU")
    print(f"  most memory of all processes at one time             {found['peak'] / 1e9:6.2f} GB")
    print(f"  ratio                                {found['wall_ratio']:6.2f}         {found['cpu_ratio']:6.2f}")


if __name__ == "__main__":
    main()
