"""Which published ranges are as tight as the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from amongst.release.release import Release


def attained(release: Release) -> list[str]:
    """The columns in which both ends of every published range, or all members of a set, occur in its class.

    Not so where nodes of a hierarchy or cells of a grid are published, or sets that hold for the whole table; nor by a
    method whose ranges are those of the whole table.
    """
    if release.partition.publishes_nodes or not release.request.chosen.tight:
        return []
    return [
        column.name
        for c, column in enumerate(release.coded.columns)
        if release.partition.sets_of(c) is None
        and release.schema[column.name].publish in ("range", "set")
        and release.schema[column.name].grid is None
    ]
