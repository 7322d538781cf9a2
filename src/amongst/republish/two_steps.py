"""A series never lacks a release that was published: what the next one needs is written before, and named after.

Beside the series lies ``<series>.next`` while a release is being written. Whatever kills the process, one of three
things is found: no such file, and all is as told; such a file and the folder it names, so the release was published
and the file takes its place; or such a file without its folder. Then nobody but the user knows whether somebody got it.

Two runs at once would both go on from the same release, and forget each other's: the second is refused.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from amongst.errors import BadInput, BadOption
from amongst.staging import locked

if TYPE_CHECKING:
    from amongst.republish.series import Series

T = TypeVar("T")
LAST = ("published", "lost")


def waiting(path: Path) -> Path:
    """The file that lies beside a series while a release is being written."""
    return path.with_name(f"{path.name}.next")


@contextlib.contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Nobody else makes a release of a series in this folder until the block ends."""
    with locked(path.absolute().parent, unknown=True) as alone:
        if not alone:
            raise BadInput(
                "Another release of a series is being made.",
                found=f"a run that is at work in the folder of {path.name}",
                fix="wait until it has ended; this release must be made beside that one",
            )
        yield


def publish_next(series: Series, path: Path, folder: Path, write: Callable[[], T]) -> T:
    """Save, write the release, then put what was saved in its place; what is refused leaves all as it was."""
    beside = waiting(path)
    series.save(beside, folder=folder)
    try:
        done = write()
    except Exception:
        beside.unlink(missing_ok=True)
        raise
    os.replace(beside, path)
    return done


def settle(path: Path, last: str | None = None) -> None:
    """End what a run that was killed began.

    Parameters
    ----------
    last : {"published", "lost"}, optional
        What became of the release, where its folder is not where it was to be.
    """
    beside = waiting(path)
    if not beside.exists():
        return
    from amongst.republish.series import folder_of

    folder = folder_of(beside)
    if last == "published" or (folder is not None and folder.exists()):
        os.replace(beside, path)
    elif last == "lost":
        beside.unlink()
    else:
        raise BadOption(
            "It is not known whether the last release of the series was published.",
            found=f"it was being written, and there is no folder {folder}",
            fix="say --last lost where nobody can have it, or --last published where somebody may",
        )
