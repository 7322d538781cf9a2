"""The files of a release folder against the digests in its manifest: nothing changed, nothing gone, nothing more."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amongst.published.finding import Finding

MANIFEST, SIGNATURE = "manifest.json", "manifest.json.sig"
WITHOUT_DIGEST = "report.html"
"""What folders of the first format hold without a digest."""
_MOST_NAMES = 10


def check_files(folder: Path) -> tuple[list[Finding], list[Finding]]:
    """Findings and notes about the files of a folder; without a manifest there is nothing to hold them against."""
    path = folder / MANIFEST
    if not path.is_file():
        return [], [Finding("no-manifest", "The folder has no manifest, so its files were not compared with digests.")]
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        digests = digests_in(told)
        first_format = int(told.get("format", 1)) < 2
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return [Finding("manifest", "The manifest of the folder cannot be read.", f"{MANIFEST} is damaged")], []
    there = _files_in(folder)
    findings = [
        *_without_digest(digests, there),
        *_changed(folder, digests),
        *_strangers(sorted(there - set(digests) - {MANIFEST, SIGNATURE, WITHOUT_DIGEST})),
    ]
    if WITHOUT_DIGEST not in there or WITHOUT_DIGEST in digests:
        return findings, []
    what = "The report has no digest in the manifest, so whether it was changed is not known."
    note = Finding("digest-missing", what, WITHOUT_DIGEST, "write the release anew")
    return ([*findings, note], []) if not first_format else (findings, [note])


def digests_in(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The digest of every file that a manifest names: of the data, and of what is written beside them."""
    output = manifest["output"]
    digests = {**output["sha256"], **output.get("pages", {})}
    if not all(isinstance(text, str) for text in (*digests, *digests.values())):
        raise TypeError
    return digests


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _files_in(folder: Path) -> set[str]:
    """All that lies in a folder and below it, hidden or not: files, links, and folders without files."""
    found = set()
    for place, folders, files in os.walk(folder):
        here = Path(place).relative_to(folder)
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        found |= {(here / name).as_posix() for name in [*files, *links]}
        if not folders and not files and place != str(folder):
            found.add(here.as_posix())
    return found


def _without_digest(digests: Mapping[str, str], there: set[str]) -> list[Finding]:
    data = sorted(name for name in there if name.startswith(("release.", "sensitive.")) and name not in digests)
    if not data and digests:
        return []
    return [
        Finding(
            "digest-missing",
            "Data files have no digest in the manifest: nobody can tell whether they are as they were written.",
            _listed(data) or "no digests",
            "take the folder as amongst wrote it",
        )
    ]


def _changed(folder: Path, digests: Mapping[str, str]) -> list[Finding]:
    def same(name: str) -> bool:
        path = folder / name
        within = not Path(name).is_absolute() and ".." not in Path(name).parts
        return within and path.is_file() and digest_of_file(path) == digests[name]

    changed = sorted(name for name in digests if not same(name))
    if not changed:
        return []
    return [
        Finding(
            "changed",
            "Files are gone, or changed since they were written: their digests differ.",
            _listed(changed),
            "take the folder as amongst wrote it",
        )
    ]


def _strangers(names: list[str]) -> list[Finding]:
    """Files that no manifest speaks of: perhaps the input itself."""
    names = [name for name in names if not name.startswith(("release.", "sensitive."))]
    if not names:
        return []
    return [
        Finding(
            "other-files",
            "There are files in the folder that are no part of the release.",
            _listed(names),
            "take them out before the folder is handed on",
        )
    ]


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
