"""Runs of the command that are stopped, starved or misled on purpose, and what must be found afterwards.

Every scenario is a folder with an input and a command that makes ``out`` in it. Whatever happens to the process:
``out`` is not there, or it is whole and proved again by reading it back; and the next run leaves no hidden folders.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import amongst as am
from amongst.job.job import Input, Job, Output
from amongst.staging import PREFIX

SOURCE = Path(am.__file__).parents[1]
ROLES = ["--identifier", "name", "--quasi", "age,zip,sex", "--sensitive", "disease"]


PEOPLE = am.Schema(
    {
        "name": am.Column(role="identifier"),
        **{name: am.Column(role="quasi") for name in ("age", "zip", "sex")},
        "disease": am.Column(role="sensitive"),
    }
)


@dataclass(frozen=True)
class Scenario:
    """A command, and the database schema where it makes many tables."""

    arguments: Sequence[str]
    database: str | None = None


SCENARIOS: dict[str, Scenario] = {
    "parquet": Scenario(["anonymize", "people.parquet", "--out", "out", *ROLES, "-k", "5"]),
    "csv": Scenario(["anonymize", "people.csv", "--out", "out", *ROLES, "-k", "5", "--format", "csv"]),
    "anatomy": Scenario(["run", "anatomy-parquet.toml"]),
    "anatomy csv": Scenario(["run", "anatomy-csv.toml"]),
    "many tables": Scenario(
        ["anonymize-database", "hospital", "--schema", "db.toml", "--out", "out", "-k", "3"], "csv"
    ),
    "duckdb": Scenario(
        ["anonymize-database", "hospital", "--schema", "db.toml", "--out", "out", "-k", "3", "--format", "duckdb"],
        "duckdb",
    ),
    "sqlite": Scenario(
        ["anonymize-database", "hospital", "--schema", "db.toml", "--out", "out", "-k", "3", "--format", "sqlite"],
        "sqlite",
    ),
}


def make_inputs(folder: Path, n_rows: int = 4000) -> None:
    """What all scenarios read."""
    draw = np.random.default_rng(3)
    table = pa.table(
        {
            "name": [f"person {i}" for i in range(n_rows)],
            "age": draw.integers(18, 90, n_rows),
            "zip": draw.integers(53000, 53999, n_rows),
            "sex": draw.choice(["Female", "Male"], n_rows),
            "disease": draw.choice(["flu", "cold", "ulcer", "colic", "none"], n_rows),
        }
    )
    pq.write_table(table, folder / "people.parquet")
    pa.csv.write_csv(table, folder / "people.csv")
    for format in ("parquet", "csv"):
        source, target = Input(f"people.{format}"), Output("out", format)  # type: ignore[arg-type]
        job = Job(source, PEOPLE, (am.LDiversity(2),), "anatomy", output=target)
        (folder / f"anatomy-{format}.toml").write_text(job.to_toml(), encoding="utf-8")
    made = am.datasets.load_database("hospital", n_persons=200)
    (folder / "hospital").mkdir()
    for name, one in made.tables.items():
        pa.csv.write_csv(pa.table(one), folder / "hospital" / f"{name}.csv")
    many = Job(Input(folder / "hospital"), made.schema, (am.KAnonymity(3),), output=Output(format=None))
    (folder / "db.toml").write_text(many.to_toml(), encoding="utf-8")


OUT = {"out", "out.inside"}
INPUTS = {"people.parquet", "people.csv", "hospital", "db.toml", "anatomy-parquet.toml", "anatomy-csv.toml"}


def start(
    folder: Path, arguments: Sequence[str], limit: Callable[[], None] | None = None, **environment: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "amongst", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{SOURCE}", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: _prepare(limit),
    )


def _prepare(limit: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs us in the background has it ignored
    if limit is not None:
        limit()


def run(folder: Path, scenario: Scenario, **environment: str) -> None:
    """A run that nobody disturbs: it ends well and leaves nothing but its inputs, ``out`` and the inside of it."""
    process = start(folder, [*scenario.arguments, "--force"], **environment)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 0, told
    found = {path.name for path in folder.iterdir()}
    assert found == INPUTS | OUT, found
    assert check_out(folder, scenario)


def left_over(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(PREFIX)]


def check_out(folder: Path, scenario: Scenario) -> bool:
    """Whether there is a release; it must be whole, as its manifest says, and proved once more."""
    extra = {path.name for path in folder.iterdir() if not path.name.startswith(PREFIX)} - INPUTS - OUT
    assert not extra, extra
    out = folder / "out"
    if not out.exists():
        return False  # of a run that was killed there may be the inside, which comes first
    assert (folder / "out.inside").stat().st_mode & 0o777 == 0o700
    told = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    for name, digest in told["output"]["sha256"].items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest, name
    assert "</html>" in (out / "report.html").read_text(encoding="utf-8")
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "amongst",
            "verify" if scenario.database is None else "verify-database",
            "out",
            "--quiet",
        ]
        + ([] if scenario.database is None else ["--schema", "db.toml", "-k", "3"]),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{SOURCE}", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return True


def remove_out(folder: Path) -> None:
    for name in sorted(OUT):
        for path in (folder / name).glob("*"):
            path.unlink()
        if (folder / name).exists():
            (folder / name).rmdir()


@dataclass
class Counts:
    """What was seen over many runs."""

    runs: int = 0
    complete: int = 0
    nothing: int = 0
    left_over: int = 0
    codes: dict[int, int] = field(default_factory=dict)

    def add(self, folder: Path, scenario: Scenario, code: int) -> None:
        self.runs += 1
        self.codes[code] = self.codes.get(code, 0) + 1
        self.left_over += bool(left_over(folder))
        if check_out(folder, scenario):
            self.complete += 1
            remove_out(folder)
        else:
            self.nothing += 1

    def words(self) -> str:
        codes = ", ".join(f"{code}: {times}" for code, times in sorted(self.codes.items()))
        return (
            f"{self.runs} runs; {self.nothing} left nothing under the final name, {self.complete} a whole verified "
            f"release; hidden folders after {self.left_over}; exit codes {codes}"
        )


def stop_at_random(folder: Path, scenario: Scenario, times: int, number: int, chance: random.Random) -> Counts:
    """Stop runs with a signal: half of them at any moment, half while they write."""
    run(folder, scenario)
    remove_out(folder)
    began = time.monotonic()
    start(folder, scenario.arguments).communicate(timeout=120)
    usual = time.monotonic() - began
    remove_out(folder)
    counts = Counts()
    for i in range(times):
        process = start(folder, scenario.arguments)
        if i % 2:
            before = set(left_over(folder))
            while process.poll() is None and not set(left_over(folder)) - before:
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.25 * usual))
        else:
            time.sleep(chance.uniform(0, 1.2 * usual))
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
        assert "Traceback" not in told or number == signal.SIGINT, told
        counts.add(folder, scenario, process.returncode)
    run(folder, scenario)  # it removes what the others left
    remove_out(folder)
    return counts


def file_size(n_bytes: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))

    return limit


def memory(n_bytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))


def starve(folder: Path, scenario: Scenario, limits: Sequence[Callable[[], None]]) -> Counts:
    """Runs with little room: each ends well or in an exit code of its own, and leaves nothing half-made."""
    counts = Counts()
    for limit in limits:
        process = start(folder, scenario.arguments, limit, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        _, told = process.communicate(timeout=120)
        counts.add(folder, scenario, process.returncode)
        if process.returncode >= 0:
            assert process.returncode in (0, 1), told
            assert "Traceback" not in told, told
            assert not left_over(folder)
    run(folder, scenario)
    remove_out(folder)
    return counts


WRONG_CLOCKS = ("@1970-01-02 00:00:00", "@2038-01-20 00:00:00", "-40y", "+30y x10000", "@2026-01-01 00:00:00 x-1",
                "2026-01-01 00:00:00")  # fmt: skip
"""For libfaketime: before and after what 32 bits hold, long ago, racing, running backwards, and standing still."""


def mislead(folder: Path, scenario: Scenario, clocks: Sequence[dict[str, str]]) -> Counts:
    """Runs whose clock is wrong: the release has the same bytes as with a right one."""
    run(folder, scenario)
    usual = digests(folder)
    remove_out(folder)
    counts = Counts()
    for clock in clocks:
        process = start(folder, scenario.arguments, **clock)
        _, told = process.communicate(timeout=120)
        assert process.returncode == 0, (clock, told)
        assert digests(folder) == usual, clock
        counts.add(folder, scenario, process.returncode)
    return counts


def digests(folder: Path) -> dict[str, str]:
    """Of everything in ``out`` but the databases, whose files hold what their engine likes."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder / "out").iterdir())
        if path.suffix in (".parquet", ".csv", ".json", ".html")
    }
