"""One private place for what does not fit into memory: gone at the end, and after a crash with the next run."""

from __future__ import annotations

import contextlib
import errno
import tempfile
from collections.abc import Iterator
from pathlib import Path

from amongst.errors import BadOutput
from amongst.release.staging import own_folder, remove_leftovers

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A hidden folder for its owner alone: it holds codes of microdata.

    It is locked while it is in use and removed after, also where the block is interrupted. What a run that was killed
    left there is removed first.
    """
    parent = Path(tempfile.gettempdir()) if parent is None else parent
    remove_leftovers(parent)
    with own_folder(parent) as folder:
        try:
            yield folder
        except OSError as error:
            if error.errno not in FULL:
                raise
            raise BadOutput(
                "The table could not be worked on: the disk for temporary files is full.",
                found=f"no space left in {parent}; nothing was left behind",
                fix="make room, choose another folder for temporary files, or allow more memory",
            ) from None
