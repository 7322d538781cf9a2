"""A job carried out and told of. Imported only when there is one to carry out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.cli.page import Facts
from amongst.cli.progress import watched
from amongst.cli.voice import VOICE
from amongst.errors import BadOption
from amongst.job.steps import RELEASE, STORED
from amongst.schema.doubts import PublishedDoubt

if TYPE_CHECKING:
    from amongst.job.job import Job


def carry_out(
    job: Job,
    data: Any = None,
    *,
    force: bool = False,
    bound: bool | None = None,
    closing: Sequence[tuple[str, ...]] = (),
    inside: Path | None = None,
    save_recoding: Path | None = None,
) -> None:
    """Make the release that a job asks for, of its input or of the data given, and tell the user.

    ``bound`` says whether to tell the lower bound of the loss; ``closing`` are facts to tell after the release's;
    ``save_recoding`` is a file for the recoding.
    """
    if job.many:
        from amongst.cli.tables_words import facts_of, words_of
    else:
        from amongst.cli.release_words import facts_of, words_of
    if job.formulas:
        from amongst.cli.without_pandas import with_pandas

        with_pandas()
    if save_recoding is not None:
        from amongst.new_file import refuse_existing

        if job.many:
            fix = "leave --save-recoding out"
            raise BadOption("A recoding of many tables cannot be saved.", found="a job of many tables", fix=fix)
        refuse_existing(save_recoding, force)
    with watched(RELEASE if job.engine_of(data) == "memory" else STORED) as steps, warnings.catch_warnings():
        warnings.simplefilter("ignore", PublishedDoubt)  # told at the end
        done = job.run(
            force=force,
            bound=bound,
            inside=inside,
            on_progress=steps.say,
            on_loss=steps.lose,
            on_written=VOICE.has_written,
            data=data,
        )
    if save_recoding is not None:
        from amongst.recoding import Recoding

        Recoding.of(done.release).save(save_recoding)
    VOICE.result(lambda: facts_of(done), lambda: [Facts([*words_of(job, done), *closing])])
