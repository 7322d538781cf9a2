"""What a job of one table and a job of many have in common: how it is written down, and how it is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from amongst.job.run import Finished, OnLoss, OnProgress, OnWritten


class AnyJob:
    """A job that can be read, written and run.

    Attributes
    ----------
    many : bool
        Whether it is about many tables.
    folder : Path or None
        Where the release goes; None where that is left to the command.
    formulas : tuple of str
        Models that readers will fit; of many tables none.
    """

    many: ClassVar[bool]
    method: str | None
    options: Mapping[str, Any]
    folder: Path | None
    formulas: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], folder: str | Path = "", what: str = "") -> Any:
        """A job from the tables of a job file; paths in them start at ``folder``."""
        raise NotImplementedError

    def to_dict(self, folder: str | Path | None = None) -> dict[str, Any]:
        """The job as ``from_dict`` takes it. Paths are written as they are, or relative to ``folder`` if given."""
        raise NotImplementedError

    def to_toml(self, folder: str | Path | None = None, over: str | None = None) -> str:
        """The job as a job file; of the text ``over`` of another one comments, order and spelling are kept."""
        from amongst.job.text import job_text

        return job_text(self, folder, over)

    def engine_of(self, data: Any = None) -> str:
        """The name of the engine that it runs on."""
        raise NotImplementedError

    def refuse_early(self, data: Any = None, *, force: bool = False) -> None:
        """Raise what can be refused before anything is read."""
        raise NotImplementedError

    def anonymize(
        self, data: Any = None, *, bound: bool | None = None, on_progress: OnProgress = None, on_loss: OnLoss = None
    ) -> Any:
        """Make the release, and write nothing."""
        raise NotImplementedError

    def write(self, release: Any, folder: Path, **how: Any) -> Any:
        """Write the release as the job says; the verdict of what was written."""
        raise NotImplementedError

    def once_written(self, release: Any) -> None:
        """What is left to do when the folder is complete."""

    def run(
        self,
        *,
        force: bool = False,
        bound: bool | None = None,
        inside: str | Path | None = None,
        on_progress: OnProgress = None,
        on_loss: OnLoss = None,
        on_written: OnWritten = None,
        data: Any = None,
    ) -> Finished:
        """Carry the job out as ``amongst run`` does: read, anonymize, and write the release folder.

        Parameters
        ----------
        force : bool
            Replace a release that is there already.
        inside : path, optional
            Where what must not be published goes; left out, ``<folder>.inside`` beside the release.
        on_written : callable, optional
            Told the folder once it is complete.
        bound, on_progress, on_loss, data
            As of ``anonymize``.

        Returns
        -------
        Finished
            With ``release``, ``verdict``, ``folder`` and ``inside``.
        """
        from amongst.job.run import Finished, places, steps_of

        target, hidden = places(self.folder, inside, force=force)
        self.refuse_early(data, force=force)
        release = self.anonymize(data, bound=bound, on_progress=on_progress, on_loss=on_loss)
        verdict = self.write(release, target, force=force, step=steps_of(on_progress), inside=hidden)
        if on_written is not None:
            on_written(target)
        self.once_written(release)
        return Finished(release=release, verdict=verdict, folder=target, inside=hidden)
