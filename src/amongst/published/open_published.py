"""From a path or a frame to a source of published rows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from amongst.errors import BadInput
from amongst.published.arrow_file import open_arrow
from amongst.published.csv_file import open_csv
from amongst.published.frames import open_frame
from amongst.published.other_files import READERS, open_whole
from amongst.published.parquet_file import ENDINGS, open_parquet
from amongst.published.source import Source

OPENERS: dict[str, Callable[[Path], Source]] = {
    ".csv": open_csv,
    ".csv.gz": open_csv,
    ".tsv": open_csv,
    ".tsv.gz": open_csv,
    ".parquet": open_parquet,
    ".pq": open_parquet,
    ".arrow": open_arrow,
    ".feather": open_arrow,
    ".ipc": open_arrow,
    **dict.fromkeys(READERS, open_whole),
}
IN_A_FOLDER = tuple(f"release{ending}" for ending in OPENERS)


def open_published(published: Any) -> Source:
    """Open what was published; what the name of a file ends in says how."""
    if isinstance(published, Source):
        return published
    if not isinstance(published, (str, os.PathLike)):
        return open_frame(published)
    path = Path(published)
    path = _in_folder(path) if os.path.isdir(path) and not is_data(path) else path  # isdir never raises
    refuse_absent(path)
    name = path.name.lower()
    for ending, opener in OPENERS.items():
        if name.endswith(ending):
            return opener(path)
    raise BadInput(
        f"{path.name} is of no kind that can be read.",
        found=f"a name that ends in {path.suffix!r}",
        fix="use a file that ends in " + ", ".join(OPENERS),
    )


def refuse_absent(path: Path) -> None:
    """Raise where there is nothing, before anything else is asked of it."""
    if not os.path.exists(path):
        raise BadInput(f"There is no {path.name}.", found="nothing at this path", fix="check the path")


def is_data(path: Path) -> bool:
    """A data file, or a folder of Parquet files that is named as one and is no release folder itself."""
    if path.is_file():
        return True
    return path.is_dir() and path.name.lower().endswith(ENDINGS) and not (path / "manifest.json").exists()


def _in_folder(folder: Path) -> Path:
    found = [folder / name for name in IN_A_FOLDER if is_data(folder / name)]
    if len(found) == 1:
        return found[0]
    raise BadInput(
        f"The folder {folder.name} does not hold one release.",
        found=", ".join(path.name for path in found) or "no release.parquet, no release.csv",
        fix="name the file itself",
    )
