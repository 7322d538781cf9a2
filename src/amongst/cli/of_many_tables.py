"""Is a release one of many tables? Its manifest says so."""

from __future__ import annotations

from pathlib import Path


def is_of_many_tables(published: Path) -> bool:
    """Whether a manifest says that it is; without a manifest it is not."""
    from amongst.manifest import UNREADABLE, Manifest

    try:
        return Manifest.read(published).kind == "database"
    except UNREADABLE:
        return False
