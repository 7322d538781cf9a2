"""A disk that fills up, in our words."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from amongst.errors import BadOutput

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def room_on_disk() -> Iterator[None]:
    """Turn the error of a full disk into what was found and what to do; other errors pass."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise BadOutput(
            "There is no room left for temporary files.",
            found="the disk is full; nothing was left behind",
            fix="make room, or name a folder on another disk with --work",
        ) from None
