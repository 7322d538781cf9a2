"""How a release is written: published where its rows live, opened anew and proved, told, and only then named."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.own_files import inside_beside
from amongst.release.documents import write_documents, write_people
from amongst.release.manifest import manifest_of
from amongst.staging import staged_pair
from amongst.verify import verify
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    from amongst.release.release import Release
    from amongst.verify import Verdict


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
) -> Verdict:
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
            verdict = prove(release, store.published(place))
            refuse_unproved(verdict)
            say("report")
            written = store.written(place)
            digests = {path.name: written.sha256[path.name] for path in written.files}
            if written.table is not None and "rows_sha256" in written.table:
                digests = {written.table["name"]: written.table["rows_sha256"]}
            story = release.story(verdict=verdict, files=written.files, digests=digests)
            facts = write_documents(staging, hidden, story, manifest_of(release, written, verdict), verdict)
            write_people(hidden, release.person_of_row)
            store.commit(place, f"manifest sha256 {hashlib.sha256(facts).hexdigest()}")
        except BaseException:
            store.remove(place)
            raise
    if store.checkpoint is not None:
        store.checkpoint.drop()
    return verdict


def prove(release: Release, published: tuple[Any, ...]) -> Verdict:
    """What the verifier says of one published table, or of two: files, tables, or counts that a database makes."""
    first, *second = published
    if second:
        from amongst.verify.pair.pair import verify_pair

        return verify_pair(first, second[0], release.schema, release.models)
    return verify(first, release.schema, release.models, units=release.person_of_row)


def both_folders(folder: str | os.PathLike[str], inside: str | os.PathLike[str] | None) -> tuple[Path, Path]:
    """Where a release goes, and where its inside."""
    target = Path(os.path.abspath(folder))
    return target, inside_beside(target) if inside is None else Path(inside)
