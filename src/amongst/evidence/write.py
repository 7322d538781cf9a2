"""The files of an evidence pack, written all or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.release.staging import staged

if TYPE_CHECKING:
    from amongst.evidence.pack import Evidence

FILES = {"evidence-internal": False, "evidence-public": True}
"""The name of every version, and whether it is for the public."""


def write_pack(pack: Evidence, folder: Path, *, force: bool = False) -> None:
    """Both versions as HTML and JSON, and a manifest with their digests."""
    from amongst.read.file import file_digest

    with staged(folder, force=force) as staging:
        for name, public in FILES.items():
            facts = json.dumps(pack.to_dict(public=public), indent=2, ensure_ascii=False, default=str)
            (staging / f"{name}.json").write_text(facts + "\n", encoding="utf-8")
            (staging / f"{name}.html").write_text(pack.to_html(public=public), encoding="utf-8")
        digests = {path.name: file_digest(path) for path in sorted(staging.iterdir())}
        manifest = {"kind": "evidence", "format": 1, "of": pack.release.sha256, "sha256": digests}
        (staging / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
