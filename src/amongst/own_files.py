"""Which files a folder that amongst wrote consists of: nothing else is ever replaced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MANIFEST, REPORT, PEOPLE, SIGNATURE = "manifest.json", "report.html", "people.parquet", "manifest.json.sig"


def inside_beside(folder: Path) -> Path:
    """Where the inside of a release goes if nobody says otherwise: ``out.inside`` beside ``out``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from amongst.own_files import inside_beside
    >>> inside_beside(Path("releases/out")).as_posix()
    'releases/out.inside'
    """
    return folder.with_name(f"{folder.name}.inside")


def is_given_away(folder: Path) -> bool:
    """Whether a folder is one that amongst wrote to be published."""
    try:
        told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return int(told["format"]) > 0 and told.get("document") != "inside"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def others_in(folder: Path) -> list[str] | None:
    """What lies in a folder beside what its manifest says amongst wrote; None where there is no such manifest."""
    try:
        own = _own_files(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    around = {parent.as_posix() for name in own for parent in Path(name).parents}
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return sorted(
        name for name, path in found.items() if path.is_symlink() or name not in (around if path.is_dir() else own)
    )


def _own_files(manifest: dict[str, Any]) -> set[str]:
    """The names of all files of a release, of its inside, or of an evidence pack."""
    int(manifest["format"])
    if manifest.get("document") == "inside":
        return {MANIFEST, REPORT, PEOPLE}
    written = manifest["sha256"] if manifest.get("kind") == "evidence" else manifest["output"]["sha256"]
    return {MANIFEST, REPORT, SIGNATURE, *map(str, written.keys())}
