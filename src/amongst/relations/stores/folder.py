"""A folder of files, one a table: CSV or Parquet in, the same out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.read import read
from amongst.relations.stored import Stored

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS = {".csv": "csv", ".tsv": "csv", ".csv.gz": "csv", ".parquet": "parquet", ".pq": "parquet"}


def read_folder(folder: Path, tables: Sequence[str] | None, nulls: Sequence[str]) -> Stored:
    """Every CSV and Parquet file of the folder; its name without the ending names the table."""
    paths: dict[str, Path] = {}
    kinds = set()
    for path in sorted(folder.iterdir()):
        ending = next((e for e in sorted(ENDINGS, key=len, reverse=True) if path.name.lower().endswith(e)), None)
        name = path.name[: -len(ending)] if ending else ""
        if not name or path.name.startswith(".") or not path.is_file() or (tables is not None and name not in tables):
            continue
        if name in paths:
            found = f"{paths[name].name} and {path.name}"
            raise BadInput(f"Two files hold the table '{name}'.", found=found, fix="leave one of them")
        paths[name] = path
        kinds.add(ENDINGS[ending or ""])
    if not paths:
        fix = "put one CSV or Parquet file a table into it"
        raise BadInput("The folder holds no tables.", found=f"no .csv or .parquet file in {folder}", fix=fix)
    sources = {name: read(path, nulls=nulls) for name, path in paths.items()}
    digests = {paths[name].name: source.sha256 or "" for name, source in sources.items()}
    kind = "csv" if kinds == {"csv"} else "parquet"
    return Stored({name: source.table for name, source in sources.items()}, {}, kind, folder.name, {}, digests)


def write_folder(tables: Mapping[str, pa.Table], folder: Path, kind: str) -> dict[str, Path]:
    """One file a table. They carry no index, no schema of the sender, no statistics of cells."""
    import pyarrow.parquet as pq
    from pyarrow import csv

    paths = {}
    for name, table in tables.items():
        path = paths[name] = folder / f"{name}.{kind}"
        if kind == "csv":
            csv.write_csv(table, path)
        else:
            pq.write_table(table, path, compression="zstd", write_statistics=False, store_schema=False)
    return paths
