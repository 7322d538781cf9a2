"""Beside the peers that pip can install, on the bundled Adult data: anonypy and anjana, k = 10, loss beside time.

    python benchmarks/peers.py [--k 10]

The peers need older libraries than amongst, so they get an environment of their own in bench-out/peers. Loss is GCP
with amongst's hierarchies: for anonypy from the original values of each of its groups (age by range, the rest by lowest
common ancestor), for anjana from the labels it publishes, a suppressed row counting 1. CPU time excludes reading and
imports.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from measure_run import in_process

import amongst as am
from amongst.encode import encode
from amongst.measure.ncp import gcp, ncp
from amongst.partition import Partition
from amongst.schema.check import check
from amongst.schema.export import to_rows
from amongst.verify.loss import published_loss

ENVIRONMENT = Path("bench-out/peers")

ANONYPY = """
import sys, time, json, numpy as np, pandas as pd, anonypy
table = pd.read_parquet(sys.argv[1])
for name in table.columns:
    if table[name].dtype == object: table[name] = table[name].astype("category")
columns = json.loads(sys.argv[3])
cpu = time.process_time()
groups = anonypy.Preserver(table, columns, "salary-class").modrian.partition(int(sys.argv[4]))
cpu = time.process_time() - cpu
group = np.empty(len(table), dtype=np.int32)
for g, rows in enumerate(groups): group[list(rows)] = g
np.save(sys.argv[2], group)
print(json.dumps({"cpu": cpu}))
"""
ANJANA = """
import sys, time, json, pandas as pd
from anjana.anonymity import k_anonymity
table = pd.read_parquet(sys.argv[1])
hierarchies = {c: {int(l): v for l, v in levels.items()} for c, levels in json.load(open(sys.argv[5])).items()}
table["age"] = table["age"].astype(str)
columns = json.loads(sys.argv[3])
cpu = time.process_time()
out = k_anonymity(table, [], columns, int(sys.argv[4]), 5, hierarchies)
cpu = time.process_time() - cpu
out[columns].to_parquet(sys.argv[2], index=False)
print(json.dumps({"cpu": cpu}))
"""


def environment() -> str:
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        print("making an environment for the peers ...")
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "anonypy", "anjana", "pyarrow"], check=True)
    return str(python)


def run(script: str, *arguments: object) -> float:
    done = subprocess.run(
        [environment(), "-c", script, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])["cpu"]


def loss_of_groups(data: am.datasets.Dataset, group: np.ndarray) -> float:
    schema = check(data.schema, data.table)
    coded = encode(data.table, schema)
    n_groups = int(group.max()) + 1
    by_group = np.argsort(group, kind="stable")
    first = np.searchsorted(group[by_group], np.arange(n_groups))
    lo = np.stack([np.minimum.reduceat(column.codes[by_group], first) for column in coded.columns], axis=1)
    hi = np.stack([np.maximum.reduceat(column.codes[by_group], first) for column in coded.columns], axis=1)
    return gcp(ncp(coded, schema, Partition(group, lo.astype(np.uint32), hi.astype(np.uint32))))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, default=10)
    k = parser.parse_known_args()[0].k
    data = am.datasets.load("adult", part="train")
    quasi = json.dumps(data.schema.quasi)
    print(f"\nAdult, {data.table.num_rows:,} rows, {len(data.schema.quasi)} quasi-identifiers, k = {k}")
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "adult.parquet", Path(folder) / "out"
        pq.write_table(data.table.select([*data.schema.quasi, "salary-class"]), source)
        report(
            "anonypy (Mondrian)",
            run(ANONYPY, source, f"{out}.npy", quasi, k),
            loss_of_groups(data, np.load(f"{out}.npy")),
        )
        trees = {
            name: data.schema[name].hierarchy.tree(data.table[name].unique().to_pylist()) for name in data.schema.quasi
        }
        levels = {name: dict(enumerate(zip(*to_rows(tree), strict=True))) for name, tree in trees.items()}
        Path(f"{out}.json").write_text(json.dumps(levels))
        cpu = run(ANJANA, source, f"{out}.parquet", quasi, k, f"{out}.json")
        report(
            "anjana (full-domain, 5 % suppressed)", cpu, loss_of_labels(data, trees, pq.read_table(f"{out}.parquet"))
        )
        for method in am.methods():
            work = f"release = am.anonymize(data.table, data.schema, [am.KAnonymity({k})], {method['name']!r})"
            prepare = (
                "import amongst as am, amongst.anonymize\nfrom amongst.schema import check\n"
                "data = am.datasets.load('adult', part='train')"
            )
            done = in_process(prepare, work + "\nresult = release.utility.gcp")
            report(f"amongst {method['name']}", done["cpu"], done["result"])


def loss_of_labels(data: am.datasets.Dataset, trees: dict, published: pa.Table) -> float:
    """GCP of labels that are nodes of the trees; ages count by leaves here, as all that is known is their interval."""
    gone = data.table.num_rows - published.num_rows
    categorical = am.Schema(
        {name: am.Column(role="quasi", kind="categorical", hierarchy=data.schema[name].hierarchy) for name in trees}
    )
    losses = published_loss(published, categorical)
    return float(np.mean([(loss * published.num_rows + gone) / data.table.num_rows for loss in losses.values()]))


def report(name: str, cpu: float, loss: float) -> None:
    print(f"  {name:38s} {cpu:8.2f} s CPU   GCP {loss:.4f}")


if __name__ == "__main__":
    sys.exit(main())
