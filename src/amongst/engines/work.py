"""One private place for temporary files, which goes with the run, however that ends."""

from __future__ import annotations

import contextlib
import os
import tempfile
import weakref
from pathlib import Path

from amongst.errors import BadOption
from amongst.staging import own_folder, remove_leftovers


class Work:
    """A hidden folder that only this user can read. It is locked while it is in use and removed when nobody needs it
    any more; what a killed run left behind is removed by the next one that works in the same place.

    Parameters
    ----------
    place : path, optional
        The folder to make it in; left out, that of the system for temporary files (TMPDIR).
    """

    def __init__(self, place: str | os.PathLike[str] | None = None) -> None:
        parent = Path(tempfile.gettempdir() if place is None else place)
        if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
            raise BadOption(
                "Temporary files cannot be written there.",
                found=f"no folder {parent} that can be written to",
                fix="name another folder with --work",
            )
        remove_leftovers(parent)
        stack = contextlib.ExitStack()
        self.folder = stack.enter_context(own_folder(parent))
        self.close = weakref.finalize(self, stack.close)
