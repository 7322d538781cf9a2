"""How a release is written: published where its rows live, opened anew and proved, told, and only then named."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.own_files import inside_beside
from amongst.staging import staged_pair
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    from amongst.release.release import Release


def write_release(
    release: Release,
    folder: str | os.PathLike[str],
    *,
    format: str,
    table: str,
    force: bool,
    say: Callable[..., None],
    inside: str | os.PathLike[str] | None,
    like_input: bool = False,
) -> Any:
    """Write a release; see ``Release.write``."""
    from amongst.engines.store import Place

    store = release.store
    store.refuse_output(format, release.form, table)
    if like_input:
        store.refuse_shape(format)
    with store.writing(), staged_pair(*both_folders(folder, inside), force=force) as (staging, hidden):
        place = Place(
            folder=staging, format=format, table=table, force=force, like_input=like_input, schema=release.schema
        )
        say("write")
        store.refuse_changed(release.state)
        store.publish(release.plan, place, say)
        try:
            store.refuse_changed(release.state)
            say("verify")
            verdict = release.account.prove(release, store.published(place))
            refuse_unproved(verdict)
            say("report")
            facts = release.account.write_documents(release, store.written(place), verdict, staging, hidden)
            store.commit(place, f"manifest sha256 {hashlib.sha256(facts).hexdigest()}")
        except BaseException:
            store.remove(place)
            raise
    if store.checkpoint is not None:
        store.checkpoint.drop()
    return verdict


def both_folders(folder: str | os.PathLike[str], inside: str | os.PathLike[str] | None) -> tuple[Path, Path]:
    """Where a release goes, and where its inside."""
    target = Path(os.path.abspath(folder))
    return target, inside_beside(target) if inside is None else Path(inside)
