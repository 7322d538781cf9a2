"""Nothing half-written: a release is made in a hidden folder and appears under its name complete or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from amongst.errors import BadOutput

PREFIX = ".amongst-"
KEPT = ".amongst-kept-"


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
        with own_folder(target.parent) as staging:
            yield staging
            _flush(staging)
            _take_place(staging, target, force)
    except OSError as error:
        raise _cannot_write(target, error) from None


@contextlib.contextmanager
def staged_file(target: Path) -> Iterator[Path]:
    """A file in a hidden folder beside ``target`` that takes its place when the block ends without an error.

    Raises OSError as it comes. The folder is locked, so that one that a killed run left is removed by the next run.
    """
    target = Path(os.path.abspath(target))
    remove_leftovers(target.parent)
    with own_folder(target.parent) as staging:
        part = staging / target.name
        yield part
        _flush(staging)
        os.replace(part, target)


def refuse_unwritable(target: Path, *, force: bool) -> None:
    """Raise before any work is done where the release could not be written in the end."""
    target = Path(os.path.abspath(target))
    if "\0" in str(target):
        raise BadOutput("The release cannot be written there.", found="a NUL in the path", fix="choose another name")
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


def remove_leftovers(folder: Path, prefix: str = PREFIX) -> None:
    """Remove hidden folders of runs that ended without cleaning up. Those of running ones are locked and stay.

    So do those that a run has kept on purpose to be resumed, but for where these are meant.
    """
    own: Any = getattr(os, "getuid", None)
    for left in folder.glob(prefix + "*") if own is not None else ():
        with contextlib.suppress(OSError):
            if left.name.startswith(KEPT) and prefix != KEPT:
                continue
            if left.is_symlink() or not left.is_dir() or left.stat().st_uid != own():
                continue
            lock = _lock(left)
            if lock is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)


@contextlib.contextmanager
def own_folder(parent: Path) -> Iterator[Path]:
    """A hidden folder that is locked while it is in use, and removed after."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        try:
            lock = _lock(folder)
        except FileNotFoundError:  # another run took it for a leftover just now
            continue
        except OSError:  # no locks here: nobody else can lock it either, and so nobody removes it
            lock = None
            break
        if lock is not None:
            if folder.is_dir():
                break
            os.close(lock)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Whether this process alone uses a folder, until the block ends."""
    try:
        lock = _lock(folder)
    except OSError:
        lock = None
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """A lock on the folder itself: it goes with the process, however that ends. None while another has it."""
    try:
        import fcntl
    except ImportError:  # not on this system: leftovers stay hidden, and stay
        raise OSError(errno.ENOSYS, "no locks") from None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError:
        os.close(handle)
        raise
    return handle


def _flush(staging: Path) -> None:
    """Every byte on the disk before the name changes, so that a power cut leaves no empty files under it."""
    for path in [*staging.rglob("*"), staging]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _take_place(staging: Path, target: Path, force: bool) -> None:
    mask = os.umask(0o077)
    os.umask(mask)
    for path in staging.rglob("*"):
        path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)
    staging.chmod(0o777 & ~mask)
    if not os.path.lexists(target) or not force:
        os.rename(staging, target)  # fails on a folder that is not empty: nothing is ever overwritten
        return
    if _exchange(staging, target):
        return
    with own_folder(target.parent) as aside:
        os.rename(target, aside / "old")
        try:
            os.rename(staging, target)
        except OSError:
            os.rename(aside / "old", target)
            raise


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change names in one step, where the system can: at no time is there none under either."""
    import ctypes

    current, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    try:
        renameat2 = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    return bool(renameat2(current, os.fsencode(one), current, os.fsencode(other), exchange) == 0)


def _cannot_write(target: Path, error: OSError) -> BadOutput:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return BadOutput(
            "The release could not be written: the disk is full.",
            found=f"no space left beside {target.name}; nothing was left behind",
            fix="make room, or choose a folder on another disk",
        )
    return BadOutput(
        "The release could not be written.",
        found=f"{type(error).__name__}: {error.strerror or 'input/output error'}",
        fix="choose another folder",
    )
