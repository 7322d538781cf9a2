"""A release of two tables told as facts for its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.partition.methods import find_method
from amongst.release.formulas import caveats_of_csv
from amongst.release.manifest import versions
from amongst.release.sensitive import shown_kind
from amongst.report import Check, ClassSizes, ColumnFacts, Story
from amongst.schema.doubts import doubts_of_release, shown_doubts

if TYPE_CHECKING:
    from amongst.release.release import Release

CAVEATS = (
    "The quasi-identifiers are published as they are. Who knows them of a person finds the person's row, and so learns "
    "that the person is in the table, and everything in the kept columns. k-anonymity hides that; this does not.",
    "Whoever finds the row knows that the sensitive value is one of those of its group, each with a chance of at most "
    "1 in l, if nothing else is known. Somebody who can rule out values, or who knows those of others in the "
    "group, has fewer left.",
    "The two tables together still show how quasi-identifiers and sensitive values hang together, or the release "
    "would be of no use. A model learned from them can say for a person which value of the group is likelier.",
    "Two releases about the same people can tell together what each of them hides: the values that both leave open.",
)
GUESSABLE = (
    "The table is so small, and the seed so short, that a patient intruder could try every arrangement and every "
    "likely seed to find the one that gives these groups. Use a seed of 64 bits or more that nobody knows."
)
ENOUGH_BITS = 80
ASSUMPTIONS = (
    "Every row is about another person.",
    "The roles of the columns are right: a kept column or quasi-identifier that tells the sensitive value gives it "
    "away.",
)


@dataclass(frozen=True, eq=False)
class AnatomyStory(Story):
    """A story with what only two tables have.

    Attributes
    ----------
    sensitive_column : str
    link : str
        The column in both tables.
    diversity : mapping of str to str
        The l that is reached, in every sense.
    """

    sensitive_column: str = ""
    link: str = ""
    diversity: Mapping[str, str] | None = None

    def page(self) -> str:
        from amongst.report.anatomy_page import render_anatomy

        return render_anatomy(self)


def tell_anatomy(
    release: Release,
    verdict: Any = None,
    files: Sequence[Path] = (),
    digests: Mapping[str, str] | None = None,
) -> AnatomyStory:
    """Fill a story from a release; with the files that were written, if they were."""
    verdict = verdict or release.verdict
    sizes, counts = np.unique(release.plan.size_of_class, return_counts=True)
    doubted, shown = doubts_of_release(release), shown_doubts(release)
    return AnatomyStory(
        title=release.source.name,
        threshold=release.threshold,
        n_rows=release.coded.n_input,
        n_columns=release.source.table.num_columns,
        n_published=verdict.n_rows,
        n_groups=verdict.n_classes,
        smallest=verdict.smallest,
        largest=int(sizes.max()),
        checks=tuple(
            Check(one.words, f"l = {one.asked:g}", f"l = {one.reached:g}", one.ok, one.asked > 1)
            for one in verdict.models
        ),
        input_name=release.source.name,
        asked=tuple(model.words() for model in release.models),
        columns=tuple(_column_facts(release)),
        method=release.method,
        options=release.options,
        explanation=tuple(_explain(release)),
        told_to_all=tuple(_explain_to_all(release)),
        for_the_maker=(GUESSABLE, *(one for one in doubted if one not in shown)),
        class_sizes=ClassSizes(sizes, counts),
        check_sql=_check_sql(release, files),
        digests=dict(digests or {}),
        versions=versions(),
        caveats=(
            *dict.fromkeys([*shown, *doubted]),
            *CAVEATS,
            *_guessable(release),
            *_formulas(release, files),
        ),
        assumptions=ASSUMPTIONS,
        sensitive_column=release.schema.sensitive[0],
        link=release.plan.link,
        diversity=_diversity(release),
    )


def _formulas(release: Release, files: Sequence[Path]) -> tuple[str, ...]:
    is_text = len(files) > 0 and files[0].suffix == ".csv"
    return caveats_of_csv(release.arrow, release.sensitive_arrow) if is_text else ()


def _guessable(release: Release) -> list[str]:
    """A warning where arrangements and seed together are few enough to be tried."""
    size = release.plan.size_of_class
    upto = np.concatenate([[0.0], np.cumsum(np.log2(np.arange(1, size.max() + 1)))])
    bits = float(upto[size].sum()) + int(release.seed or 0).bit_length()
    return [GUESSABLE] if bits < ENOUGH_BITS else []


def _diversity(release: Release) -> dict[str, str]:
    """The smallest l of any group in every sense, counted on the published tables."""
    from amongst.verify.pair.pair import diversity_of_pair

    reached = diversity_of_pair(release.arrow, release.sensitive_arrow, release.schema)
    return {sense: f"{least:.4g}" for sense, least in reached.items()}


def _column_facts(release: Release) -> list[ColumnFacts]:
    shown = {
        "quasi": "as it is",
        "keep": "as it is",
        "weight": "as it is",
        "sensitive": "in the second table",
        "identifier": None,
    }
    return [
        ColumnFacts(
            name,
            column.role or "",
            shown_kind(release, name),
            nulls=column.nulls,
            publish=shown[column.role or "identifier"],
        )
        for name, column in release.schema.items()
    ]


def _explain(release: Release) -> list[str]:
    coded, dropped = release.coded, release.schema.identifiers
    sentences = [f"Read {coded.n_input:,} rows and {release.source.table.num_columns} columns."]
    if dropped:
        sentences.append(f"Dropped {len(dropped)} identifier column{'s' if len(dropped) > 1 else ''}.")
    if coded.n_rows < coded.n_input:
        sentences.append(
            f"Left out {coded.n_input - coded.n_rows:,} rows with missing quasi-identifiers, as the null rule says."
        )
    sentences.append(f"{find_method(release.method).words} This made {release.partition.n_groups:,} groups.")
    parts = release.partition.facts["parts"]
    if parts > 1:
        sentences.append(f"Groups lie within one of {parts:,} parts of the Hilbert curve each.")
    sentences.append("Drew by lot which rows share a group, and numbered the groups by lot.")
    sentences.append("Sorted both tables by what they show.")
    return sentences


def _explain_to_all(release: Release) -> list[str]:
    """The same without what only the original tells."""
    dropped = release.schema.identifiers
    sentences = [f"Dropped {len(dropped)} identifier column{'s' if len(dropped) > 1 else ''}."] if dropped else []
    sentences.append(find_method(release.method).words)
    sentences.append("Drew by lot which rows share a group, and numbered the groups by lot.")
    return [*sentences, "Sorted both tables by what they show."]


def _check_sql(release: Release, files: Sequence[Path]) -> str:
    if not files:
        return ""
    from amongst.verify.pair.sql import pair_as_sql

    return pair_as_sql(files[0], files[1], release.schema, release.models)
