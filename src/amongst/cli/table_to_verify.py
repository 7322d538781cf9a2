"""A published table of a database, verified where it is: by its release folder, or by its name alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.own_files import MANIFEST
from amongst.verify import Finding, Verdict

if TYPE_CHECKING:
    from amongst.cli.what_to_verify import Asked
    from amongst.engines.postgresql.published import WrittenTable


def refuse_files(published: Path, asked: Asked) -> None:
    """Raise where an address is given of a release that is files."""
    if asked.told is not None and asked.told.manifest.in_database is None:
        raise BadOption(
            "This release is not a table of a database.",
            found=f"files in {published.name}",
            fix="leave --database out",
        )


def verify_there(
    check: Callable[[Any], Verdict], published: Path, asked: Asked, address: str | None
) -> tuple[Verdict, bool | None]:
    """The verdict on the table as it stands in the database, and whether it is what was written; None: not told.

    Nothing leaves the server but counts of what is published, and a digest; where people are counted the
    published rows.
    """
    from amongst.engines.postgresql.released import released
    from amongst.verify.checks.folder_files import check_files

    told = None if asked.told is None else asked.told.manifest.in_database
    with released(address, str(published) if told is None else told["name"]) as table:
        verdict = check(table.source())
        if told is None:
            return verdict, None
        changed = _changed(table, told, published)
    findings, notes = check_files(published)
    findings = [*verdict.findings, *changed, *findings]
    return replace(verdict, ok=not findings, findings=findings, notes=[*verdict.notes, *notes]), not changed


def _changed(table: WrittenTable, told: dict[str, str], folder: Path) -> list[Finding]:
    """Where rows, or what the table says of its manifest, are not what was written."""
    manifest = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    differs = []
    if table.digest() != told.get("rows_sha256"):
        differs.append("the digest of its rows")
    if manifest not in table.comment():
        differs.append("the digest of the manifest in its comment")
    if not differs:
        return []
    what = "The table is not what was written with this folder."
    return [Finding("changed", what, " and ".join(differs), "find out who changed it; publish the release anew")]
