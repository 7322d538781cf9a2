"""Releases of random tables as digests, to hold one state of the source against another.

A case is a random table, a method, models, a form and an engine, all drawn from its number: the same number is the same
case in every state of the source. Run as a program it prints one line of JSON a case; what it imports as ``amongst``
is whatever the path says, so that ``scripts/goldens`` can run it with two trees.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import amongst as am
from flow_tables import random_table

FORMS = ("labels", "bounds", "structs")
ENGINES = ("memory", "files")
MEMORY = "8GB"


def models_of(rng: np.random.Generator, k: int, method: str, schema: Any) -> list[Any]:
    """What is asked: mostly k, sometimes a model of a sensitive column as well, where the method takes it."""
    takes = next(one["takes"] for one in am.methods() if one["name"] == method)
    if takes == "l":
        return [am.LDiversity(2, column="sensitive")]
    drawn, beyond = rng.random(), []
    if takes != "k" and not any(schema[name].nulls == "match anything" for name in schema.quasi):
        sense = str(rng.choice(["distinct", "entropy", "frequency"]))
        beyond = [am.LDiversity(2, sense, "sensitive")] if drawn > 0.75 else []
        beyond = [am.TCloseness(0.5, column="sensitive")] if 0.6 < drawn <= 0.75 else beyond
    return [am.KAnonymity(min(max(k, 2), 5)), *beyond]


def drawn_table(rng: np.random.Generator) -> tuple[pa.Table, Any, int]:
    """A random table of some size with a sensitive column."""
    made = random_table(rng, linked=False, most_rows=80)
    while made.table.num_rows < 40:
        made = random_table(rng, linked=False, most_rows=80)
    values = np.array(["flu", "cold", "hiv", "none"])[rng.integers(0, 4, made.table.num_rows)]
    table = made.table.append_column("sensitive", pa.array(values))
    return table, am.Schema({**made.schema, "sensitive": am.Column(role="sensitive")}), made.k


def case(number: int, method: str, form: str, engine: str) -> dict[str, str]:
    """One case: what came of it, as digests or as the words of the refusal."""
    rng = np.random.default_rng([number, 2026])
    table, schema, k = drawn_table(rng)
    if method == "anatomy":  # it takes one sensitive column
        kept = am.Column(role="keep")
        schema = schema.with_columns(**{name: kept for name in schema.sensitive if name != "sensitive"})
        form = "labels"
    try:
        return released(table, schema, models_of(rng, k, method, schema), method, form, engine)
    except am.errors.AmongstError as error:
        return {"refused": f"{type(error).__name__}: {error.what}"}


def released(table: pa.Table, schema: Any, models: list[Any], method: str, form: str, engine: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        data: Any = table
        settings: dict[str, Any] = {}
        if engine == "files":
            pq.write_table(table, folder / "in.parquet")
            data, settings = folder / "in.parquet", {"memory": MEMORY}
        release = am.anonymize(data, schema, models, method=method, form=form, **settings)
        told = {}
        if engine == "memory" and method != "anatomy":
            told["groups"] = digest(np.ascontiguousarray(release.group_of_row, dtype=np.int64).tobytes())
        release.write(folder / "out")
        for file in sorted((folder / "out").glob("*.parquet")):
            found = pq.read_table(file)
            told[file.name] = digest(repr((str(found.schema.remove_metadata()), found.to_pydict())).encode())
        told["manifest"] = digest(json.dumps(plain(folder / "out" / "manifest.json"), sort_keys=True).encode())
        if form != "structs":
            release.write(folder / "text", format="csv")
            told |= {file.name: digest(file.read_bytes()) for file in sorted((folder / "text").glob("*.csv"))}
        return told


def plain(manifest: Path) -> dict[str, Any]:
    """A manifest without what another library or state of the source may say otherwise."""
    facts: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))
    facts.pop("versions")
    facts.pop("format")
    facts["output"].pop("sha256")
    rounded: dict[str, Any] = _rounded(facts)
    return rounded


def _rounded(fact: Any) -> Any:
    """Sums of floats differ in their last digits from one processor to another: twelve digits are told."""
    if isinstance(fact, float):
        return float(f"{fact:.12g}")
    if isinstance(fact, dict):
        return {name: _rounded(one) for name, one in fact.items()}
    return [_rounded(one) for one in fact] if isinstance(fact, list) else fact


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def names_of_cases(n_tables: int, engines: tuple[str, ...], methods: list[str]) -> Iterator[tuple[int, str, str, str]]:
    """Every method on every engine with other tables each, forms in turn."""
    for at, method in enumerate(methods):
        for engine in engines:
            for table in range(n_tables):
                yield 1000 * at + table, method, FORMS[(at + table) % len(FORMS)], engine


def known_methods() -> list[str]:
    return sorted(method["name"] for method in am.methods())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--methods", default="")
    asked = parser.parse_args()
    methods = asked.methods.split(",") if asked.methods else known_methods()
    for name in names_of_cases(asked.tables, tuple(asked.engines.split(",")), methods):
        print(json.dumps({"case": list(name), "told": case(*name)}), flush=True)


if __name__ == "__main__":
    main()
