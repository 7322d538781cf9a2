"""The two versions of manifest and report: in full for the inside, and what of it is public."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amongst.manifest import Manifest
from amongst.own_files import PEOPLE
from amongst.release.public import public_manifest, public_story

if TYPE_CHECKING:
    import numpy as np

    from amongst.report import Story
    from amongst.verify import Verdict


def write_documents(
    public: Path,
    inside: Path,
    story: Story,
    facts: Manifest,
    verdict: Verdict,
) -> bytes:
    """Write both manifests and both reports; the bytes of the public manifest.

    ``story`` and ``facts`` are the full ones; what of them is public is said in ``release/public.py``.
    """
    facts.write(inside, story.page())
    return public_manifest(facts, verdict, story.threshold).write(public, public_story(story, verdict).page())


def write_people(inside: Path, person_of_row: np.ndarray | None) -> None:
    """The person of every published row, numbered, in the order of those rows; nothing where rows are counted."""
    if person_of_row is None:
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"person": pa.array(person_of_row)}), inside / PEOPLE)
