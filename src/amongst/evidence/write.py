"""The files of an evidence pack: the public version in its folder, the internal one in a sibling; all or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.own_files import inside_beside
from amongst.staging import staged_pair

if TYPE_CHECKING:
    from amongst.evidence.pack import Evidence

FILES = {"evidence-internal": False, "evidence-public": True}
"""The name of every version, and whether it is for the public."""


def write_pack(pack: Evidence, folder: Path, *, inside: Path | None = None, force: bool = False) -> None:
    """Every version as HTML and JSON, and beside it a manifest with the digests of what lies in its folder.

    The internal version is for its owner alone and takes its place first.
    """
    with staged_pair(folder, inside or inside_beside(folder), force=force) as (staging, hidden):
        for name, public in FILES.items():
            _write_version(pack, staging if public else hidden, name, public)


def _write_version(pack: Evidence, folder: Path, name: str, public: bool) -> None:
    from amongst.read.file import file_digest

    facts = json.dumps(pack.to_dict(public=public), indent=2, ensure_ascii=False, default=str)
    (folder / f"{name}.json").write_text(facts + "\n", encoding="utf-8", newline="\n")
    (folder / f"{name}.html").write_text(pack.to_html(public=public), encoding="utf-8", newline="\n")
    digests = {path.name: file_digest(path) for path in sorted(folder.iterdir())}
    manifest = {"kind": "evidence", "format": 1, "of": pack.release.sha256, "sha256": digests}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8", newline="\n")
