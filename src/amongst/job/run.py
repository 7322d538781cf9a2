"""What carrying out a job comes to, where its folders go, and who is told how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.errors import BadOption
from amongst.own_files import inside_beside
from amongst.staging import refuse_unwritable

OnProgress = Callable[[str, int, int], None] | None
OnLoss = Callable[[float], None] | None
OnWritten = Callable[[Path], None] | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Finished:
    """What a job came to.

    Attributes
    ----------
    release : Release
    verdict : Verdict
        Of what was written, read back.
    folder, inside : Path
        What may be given away, and what may not.
    """

    release: Any
    verdict: Any
    folder: Path
    inside: Path


def places(folder: Path | None, inside: str | Path | None, *, force: bool) -> tuple[Path, Path]:
    """Where the two folders of a release go; raises where they cannot be written."""
    if folder is None:
        raise BadOption("The release needs a folder.", found="no folder", fix="name it with --out, or in the job file")
    hidden = inside_beside(folder) if inside is None else Path(inside)
    refuse_unwritable(folder, force=force, inside=hidden)
    return folder, hidden


def steps_of(on_progress: OnProgress) -> Callable[..., None]:
    """The same as something that may be told the name of a step alone."""
    return lambda step, done=0, total=0: None if on_progress is None else on_progress(step, done, total)
