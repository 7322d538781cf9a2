"""Nothing half-written: a release is made in a hidden folder and appears under its name complete or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from amongst.errors import BadOutput

PREFIX = ".amongst-"
LOCK = "lock"


@contextlib.contextmanager
def staged(target: Path, *, force: bool = False) -> Iterator[Path]:
    """A hidden folder beside ``target`` that takes its place when the block ends without an error.

    The folder is for its owner alone and on the same file system, so that taking its place is one rename. What an
    earlier run that was killed left behind is removed first. With ``force`` an existing release is replaced; a
    folder that is no release never is.
    """
    target = Path(os.path.abspath(target))
    refuse_unwritable(target, force=force)
    remove_leftovers(target.parent)
    try:
        staging = Path(tempfile.mkdtemp(prefix=PREFIX, dir=target.parent))
    except OSError as error:
        raise _cannot_write(target, error) from None
    lock = _hold(staging)
    try:
        yield staging
        _flush(staging)
        _take_place(staging, target, force)
    except OSError as error:
        raise _cannot_write(target, error) from None
    finally:
        lock.close()
        shutil.rmtree(staging, ignore_errors=True)


def refuse_unwritable(target: Path, *, force: bool) -> None:
    """Raise before any work is done where the release could not be written in the end."""
    target = Path(os.path.abspath(target))
    if not target.parent.is_dir():
        raise BadOutput(
            "The release cannot be written there.",
            found=f"no folder {target.parent}",
            fix="make that folder first, or choose another",
        )
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise BadOutput(
            "The release cannot be written there.",
            found=f"no right to write in {target.parent}",
            fix="choose another folder",
        )
    if not os.path.lexists(target):
        return
    if target.is_dir() and not target.is_symlink() and not any(target.iterdir()):
        return
    if not force:
        raise BadOutput(
            "There is something already where the release should go.",
            found=f"{target} exists",
            fix="choose another folder, or replace it with --force (force=True)",
        )
    if target.is_symlink() or not target.is_dir() or not (target / "manifest.json").is_file():
        raise BadOutput(
            "What is there is not a release, so it is not replaced.",
            found=f"{target} has no manifest.json",
            fix="choose another folder, or remove it yourself",
        )


def remove_leftovers(folder: Path) -> None:
    """Remove hidden folders of runs that ended without cleaning up. Those of running ones are locked and stay."""
    fcntl = _fcntl()
    if fcntl is None:
        return
    for left in folder.glob(PREFIX + "*"):
        if not left.is_dir() or left.is_symlink() or left.stat().st_uid != os.getuid():
            continue
        with contextlib.suppress(OSError), (left / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)


def _fcntl():  # type: ignore[no-untyped-def]
    try:
        import fcntl
    except ImportError:  # not on this system: leftovers stay hidden, and stay
        return None
    return fcntl


def _hold(staging: Path) -> IO[bytes]:
    lock = (staging / LOCK).open("wb")
    fcntl = _fcntl()
    if fcntl is not None:
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _flush(staging: Path) -> None:
    """Every byte on the disk before the name changes, so that a power cut leaves no empty files under it."""
    (staging / LOCK).unlink()
    for path in [*staging.iterdir(), staging]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _take_place(staging: Path, target: Path, force: bool) -> None:
    for path in staging.iterdir():
        path.chmod(0o644)
    staging.chmod(0o755)
    if not os.path.lexists(target) or not force:
        os.rename(staging, target)  # fails on a folder that is not empty: nothing is ever overwritten
        return
    aside = Path(tempfile.mkdtemp(prefix=PREFIX, dir=target.parent)) / "old"
    os.rename(target, aside)
    try:
        os.rename(staging, target)
    except OSError:
        os.rename(aside, target)
        raise
    finally:
        shutil.rmtree(aside.parent, ignore_errors=True)


def _cannot_write(target: Path, error: OSError) -> BadOutput:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return BadOutput(
            "The release could not be written: the disk is full.",
            found=f"no space left beside {target.name}; nothing was left behind",
            fix="make room, or choose a folder on another disk",
        )
    return BadOutput(
        "The release could not be written.", found=f"{type(error).__name__}: {error.strerror or 'input/output error'}", fix="choose another folder"
    )
