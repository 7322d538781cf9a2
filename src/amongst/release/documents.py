"""The two versions of manifest and report: in full for the inside, and what of it is public."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.own_files import MANIFEST, PEOPLE, REPORT
from amongst.release.public import public_manifest, public_story

if TYPE_CHECKING:
    import numpy as np

    from amongst.report import Story
    from amongst.verify import Verdict


def write_documents(
    public: Path,
    inside: Path,
    story: Story,
    facts: dict[str, Any],
    verdict: Verdict,
) -> bytes:
    """Write both manifests and both reports; the bytes of the public manifest.

    ``story`` and ``facts`` are the full ones; what of them is public is said in ``release/public.py``.
    """
    page = public_story(story, verdict).page()
    told = public_manifest(facts, verdict, story.threshold)
    return write_versions(public, inside, (page, told), (story.page(), facts))


def write_versions(
    public: Path, inside: Path, for_all: tuple[str, dict[str, Any]], for_us: tuple[str, dict[str, Any]]
) -> bytes:
    """Write a report and a manifest for the public, and those for the inside; the bytes of the public manifest."""
    written = b""
    for folder, (page, facts) in ((inside, for_us), (public, for_all)):
        (folder / REPORT).write_text(page, encoding="utf-8")
        if "output" in facts:
            pages = {REPORT: hashlib.sha256(page.encode()).hexdigest()}
            facts = {**facts, "output": {**facts["output"], "pages": pages}}
        written = (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode()
        (folder / MANIFEST).write_bytes(written)
    return written


def write_people(inside: Path, person_of_row: np.ndarray | None) -> None:
    """The person of every published row, numbered, in the order of those rows; nothing where rows are counted."""
    if person_of_row is None:
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"person": pa.array(person_of_row)}), inside / PEOPLE)
