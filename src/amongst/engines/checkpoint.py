"""What a run has counted, kept for the next run of the same job, if that is wanted."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import amongst
from amongst.staging import KEPT, locked, remove_leftovers

if TYPE_CHECKING:
    import pyarrow as pa


class Checkpoint:
    """A private folder that outlives a crash: the next run that may resume finds there what was counted.

    There is one for every input. What was kept of another state of it, or by another version, is removed at once; the
    whole when the job is done, and by the next run in the same place that does not want to resume.

    Parameters
    ----------
    place : path, optional
        As for ``Work``.
    source : str
        What is read, by its name.
    state : sequence of str
        What the counts depend on beside it.
    """

    def __init__(self, place: str | os.PathLike[str] | None, source: str, *state: str) -> None:
        name = KEPT + hashlib.sha256(source.encode()).hexdigest()[:24]
        self.folder = Path(tempfile.gettempdir() if place is None else place) / name
        with contextlib.suppress(FileExistsError):
            self.folder.mkdir(mode=0o700)
        self._stack = contextlib.ExitStack()
        self.usable = _is_ours(self.folder) and self._stack.enter_context(locked(self.folder))
        if self.usable:
            self._remove_outdated("\0".join([amongst.__version__, *state]))
        self._let_go = weakref.finalize(self, self._stack.close)

    def _remove_outdated(self, state: str) -> None:
        note = self.folder / "state"
        now = hashlib.sha256(state.encode()).hexdigest()
        if note.is_file() and note.read_text() == now:
            return
        for left in self.folder.iterdir():
            left.unlink()
        note.write_text(now)

    def load(self, name: str) -> pa.Table | None:
        """What was kept under a name, if it was."""
        import pyarrow as pa
        import pyarrow.feather as feather

        path = self.folder / f"{name}.arrow"
        if not self.usable or not path.is_file():
            return None
        try:
            return feather.read_table(path)
        except (pa.ArrowException, OSError):  # damaged: it is made anew
            return None

    def save(self, name: str, table: pa.Table) -> None:
        """Keep a table, complete or not at all; a full disk is no reason to stop."""
        import pyarrow.feather as feather

        if not self.usable:
            return
        path, half = self.folder / f"{name}.arrow", self.folder / f"{name}.half"
        with contextlib.suppress(OSError):
            feather.write_feather(table, half, compression="lz4")
            os.replace(half, path)

    def drop(self) -> None:
        """The job is done: nothing is kept."""
        if self.usable:
            shutil.rmtree(self.folder, ignore_errors=True)
        self._let_go()


def remove_kept(place: str | os.PathLike[str] | None) -> None:
    """Remove what earlier runs kept in a place, but for those that are running now."""
    remove_leftovers(Path(tempfile.gettempdir() if place is None else place), KEPT)


def _is_ours(folder: Path) -> bool:
    """Nobody else may have put it there, or read it."""
    try:
        facts = folder.lstat()
    except OSError:
        return False
    own = getattr(os, "getuid", lambda: facts.st_uid)()
    return folder.is_dir() and not folder.is_symlink() and facts.st_uid == own and facts.st_mode & 0o077 == 0
