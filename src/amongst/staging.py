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
from amongst.own_files import others_in

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
            _open_up(staging)
            _take_place(staging, target, force)
    except OSError as error:
        raise _cannot_write(target, error) from None


@contextlib.contextmanager
def staged_pair(target: Path, inside: Path, *, force: bool = False) -> Iterator[tuple[Path, Path]]:
    """Two hidden folders, for the public and for the inside, that take their places together.

    The inside comes first: whoever finds the public folder finds the inside of the same release, and a run that is
    killed in between has published nothing. It stays readable by its owner alone. If the public folder cannot take
    its place, the inside gives its own back.
    """
    target, inside = Path(os.path.abspath(target)), Path(os.path.abspath(inside))
    refuse_unwritable(target, force=force, inside=inside)
    for parent in {target.parent, inside.parent}:
        remove_leftovers(parent)
    try:
        with own_folder(inside.parent) as hidden, own_folder(target.parent) as staging:
            yield staging, hidden
            for folder in (hidden, staging):
                _flush(folder)
            _close_off(hidden)
            _open_up(staging)
            was_there = os.path.lexists(inside)
            _take_place(hidden, inside, force)
            try:
                _take_place(staging, target, force)
            except BaseException:
                _give_back(hidden, inside, was_there and force)
                raise
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


def refuse_unwritable(target: Path, *, force: bool, inside: Path | None = None) -> None:
    """Raise before any work is done where the release, or its inside, could not be written in the end."""
    target = Path(os.path.abspath(target))
    if inside is not None:
        inside = Path(os.path.abspath(inside))
        if inside == target or target in inside.parents or inside in target.parents:
            raise BadOutput(
                "The inside of a release cannot lie in the public folder, nor that in it.",
                found=f"{inside} and {target}",
                fix="choose another folder for the inside",
            )
        refuse_unwritable(inside, force=force)
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
    _refuse_others(target)


def _refuse_others(target: Path) -> None:
    """Raise where something else than a release is there, or something beside it."""
    others = None if target.is_symlink() or not target.is_dir() else others_in(target)
    if others is None:
        raise BadOutput(
            "What is there is not a release, so it is not replaced.",
            found=f"{target} has no manifest.json of a release",
            fix="choose another folder, or remove it yourself",
        )
    if others:
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        raise BadOutput(
            "What is there is more than a release, so it is not replaced.",
            found=f"{target} holds {others[0]!r}{more}, which amongst did not write",
            fix="choose another folder, or move the rest elsewhere",
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
def locked(folder: Path, *, unknown: bool = False) -> Iterator[bool]:
    """Whether this process alone uses a folder, until the block ends; ``unknown`` where the system has no locks."""
    try:
        lock = _lock(folder)
        alone = lock is not None
    except OSError:
        lock, alone = None, unknown
    try:
        yield alone
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
    """Every byte on the disk before the name changes, so that a power cut leaves no empty files under it.

    Windows flushes what is open for writing alone, and no folders.
    """
    for path in [*staging.rglob("*"), staging]:
        folder = path.is_dir()
        if folder and os.name == "nt":
            continue
        handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _open_up(staging: Path) -> None:
    """The rights that the user gives to new files."""
    mask = os.umask(0o077)
    os.umask(mask)
    for path in staging.rglob("*"):
        path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)
    staging.chmod(0o777 & ~mask)


def _close_off(hidden: Path) -> None:
    """No rights for anybody but the owner, whatever the mask."""
    for path in [*hidden.rglob("*"), hidden]:
        path.chmod(0o700 if path.is_dir() else 0o600)


def _take_place(staging: Path, target: Path, force: bool) -> None:
    """Rename a folder to its name; one that is replaced lies in the hidden place after."""
    if not os.path.lexists(target) or not force:
        os.rename(staging, target)  # fails on a folder that is not empty: nothing is ever overwritten
    else:
        _swap(staging, target)


def _give_back(hidden: Path, inside: Path, was_there: bool) -> None:
    """What has just taken its place becomes hidden again; what was there before comes back."""
    if was_there:
        _swap(hidden, inside)
    else:
        os.rename(inside, hidden)


def _swap(staging: Path, target: Path) -> None:
    if _exchange(staging, target):
        return
    with own_folder(target.parent) as aside:
        os.rename(target, aside / "old")
        try:
            os.rename(staging, target)
        except OSError:
            os.rename(aside / "old", target)
            raise
        os.rename(aside / "old", staging)


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
