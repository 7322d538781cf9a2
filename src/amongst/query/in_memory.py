"""A release in memory, opened for questions: it tells no more than its folder and the schema would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.published.layout import lay_out
from amongst.published.open_published import open_published
from amongst.query.open_release import OpenRelease
from amongst.query.told import Told
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    from amongst.release import Release


def open_in_memory(release: Release) -> OpenRelease:
    """Open what ``anonymize`` gave; it is verified first."""
    refuse_unproved(release.verdict)
    n_input = release.coded.n_input
    told = Told(release.schema, frozenset(), n_input, n_input, frozenset(release.attained))
    if release.is_pair:
        from amongst.query.open_pair import open_pair

        return open_pair(release.arrow, release.sensitive_arrow, told)
    source = open_published(release.arrow)
    return OpenRelease(source, lay_out(source, told.schema), told)
