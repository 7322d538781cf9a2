"""What whoever made a release should know before it goes out: ranked, in plain words, the dangerous things first.

Everything is about columns and counts; no cell is shown. It is for the owner of the table: some of it needs the
original. Of many rows the first hundred thousand are looked at; those of databases and clusters are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst.report.wording import count, percent
from amongst.schema.columns_together import find_following, find_person
from amongst.schema.problem import listed
from amongst.schema.profile import Profile, profiles
from amongst.schema.value_words import n_spelled_otherwise

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.release.release import Release

LOOKED_AT = 100_000
MANY_QUASI = 10
MUCH_LOST = 0.5
NEARLY_ALL = 0.9
MORE_WEIGHT = 10
MOST_TOLD = 5
"""Sensitive columns that are told one by one, those first of which most is learned; the others by name."""
FEW_ROWS = 50
DIFFERENT = 0.9
EDGE, FAR = 0.1, 10
"""Far is so many times as far from the middle as the value that one in ten is beyond."""


@dataclass(frozen=True)
class Worth:
    """Something to know of a release.

    Attributes
    ----------
    danger : bool
        Somebody may be found or found out by it; else it is for the use of the table.
    words : str
    """

    danger: bool
    words: str


def worth_knowing(release: Release) -> tuple[Worth, ...]:
    """What there is to know, the dangerous first."""
    found = [Worth(True, words) for words in release.doubts]
    source = None if release.is_pair else release.store.some_rows(LOOKED_AT)
    if source is not None:
        source, about = profiles(source)
        found += [Worth(True, words) for words in _tells_all(release)]
        found += [Worth(True, words) for words in _several_rows(release, source, about)]
        found += [Worth(True, words) for words in _copies(release, source, about)]
        found += [Worth(True, words) for words in _near_unique(release, about)]
        found += [Worth(False, words) for words in _far_from_all(release, source, about)]
        found += [Worth(False, words) for words in _spellings(release, about)]
        found += [Worth(False, words) for words in (*_too_many(release), *_nearly_gone(release))]
    return tuple(sorted(found, key=lambda one: not one.danger))


def _tells_all(release: Release) -> Iterator[str]:
    """Sensitive columns with classes in which everybody has the same value, counted in the published table."""
    import pyarrow as pa

    if not release.store.in_memory:
        for name, figures in release.sensitive.items():
            if figures.after.l_distinct <= 1:
                yield f"'{name}': some groups have one value, which tells it of all in them: ask for l-diversity"
        return
    table, by = release.arrow, release.verdict.columns
    if any(pa.types.is_nested(table.schema.field(name).type) for name in by if name in table.column_names):
        return
    found = []
    for name in release.schema.sensitive:
        if name not in table.column_names or set(by) - set(table.column_names) or name in by:
            continue
        n_groups, n_same, n_rows = _same_in_all(_plain(table.select([*by, name])), by, name)
        if n_same:
            people = (
                f"{count(n_rows)} people" if release.unit is None else f"people, who have {count(n_rows)} rows there,"
            )
            words = (
                f"'{name}': {count(n_same)} of {count(n_groups)} groups have one value, so whoever knows that one of "
                f"these {people} is in the table knows it: ask for l-diversity"
            )
            found.append((n_rows, name, words))
    found.sort(key=lambda one: -one[0])
    yield from (words for _, _, words in found[:MOST_TOLD])
    if len(found) > MOST_TOLD:
        others = [f"'{name}'" for _, name, _ in found[MOST_TOLD:]]
        yield f"groups with one value have also {listed(others, len(others))}, for fewer rows: ask for l-diversity"


def _same_in_all(table: pa.Table, by: Sequence[str], name: str) -> tuple[int, int, int]:
    """How many classes there are, in how many all have one value, and how many rows these have."""
    import pyarrow.compute as pc

    seen = table.group_by(list(by)).aggregate(
        [(name, "count_distinct", pc.CountOptions(mode="all")), ([], "count_all")]
    )
    same = seen.filter(pc.equal(seen.column(f"{name}_count_distinct"), 1)).column("count_all")
    return seen.num_rows, len(same), int(pc.sum(same).as_py() or 0)


def _several_rows(release: Release, source: pa.Table, about: dict[str, Profile]) -> Iterator[str]:
    person = None if release.unit is not None else find_person(source, about)
    if person is not None:
        rows = source.num_rows / max(about[person].n_distinct, 1)
        yield (
            f"people seem to have {rows:.1f} rows each, told apart by '{person}', and rows were counted: a group of k "
            f'rows may be one person; say unit = "{person}"'
        )


def _copies(release: Release, source: pa.Table, about: dict[str, Profile]) -> Iterator[str]:
    """Columns published as they are that tell a quasi-identifier, which was generalized."""
    schema = release.schema
    shown = {name: one for name, one in about.items() if name in schema and schema[name].role != "identifier"}
    for name, other in find_following(source, shown).items():
        roles = {name: schema[name].role, other: schema[other].role}
        quasi = [one for one, role in roles.items() if role == "quasi"]
        if len(quasi) == 1:
            (plain,) = set(roles) - set(quasi)
            yield (
                f"'{plain}' is published as it is and follows the order of '{quasi[0]}', which was generalized: "
                "whoever reads one knows the other; drop it, or make it a quasi-identifier too"
            )


def _near_unique(release: Release, about: dict[str, Profile]) -> Iterator[str]:
    told = " ".join(release.doubts)
    for name, one in about.items():
        plain = name in release.schema and release.schema[name].role in ("sensitive", "keep", "weight")
        if plain and f"'{name}'" not in told and one.n_rows >= FEW_ROWS and one.distinct_share >= DIFFERENT:
            yield (
                f"'{name}' is published as it is and nearly every row has a value of its own: whoever knows it of a "
                "person finds the row; round it, or make it a quasi-identifier"
            )


def _far_from_all(release: Release, source: pa.Table, about: dict[str, Profile]) -> Iterator[str]:
    """Numbers published as they are of which the largest or smallest stand alone."""
    for name, one in about.items():
        plain = name in release.schema and release.schema[name].role in ("sensitive", "keep")
        if not plain or one.kind != "numeric" or one.few_values or not one.n_rows - one.n_nulls >= FEW_ROWS:
            continue
        numbers = np.asarray(source.column(name).drop_null().cast("float64", safe=False))
        low, middle, high = np.quantile(numbers, (EDGE, 0.5, 1 - EDGE))
        if numbers.max() - middle > FAR * (high - middle) > 0 or middle - numbers.min() > FAR * (middle - low) > 0:
            yield (
                f"'{name}' is published as it is and has values far from all others: whoever knows who has them finds "
                "their rows; give it a top or a bottom"
            )


def _spellings(release: Release, about: dict[str, Profile]) -> Iterator[str]:
    for name, one in about.items():
        if name in release.schema and release.schema[name].role != "identifier" and one.text and one.values is not None:
            n = n_spelled_otherwise(one.values)
            if n and one.by_value is None:
                yield f"'{name}' has {count(n)} values that others have in another spelling: they count as different"


def _too_many(release: Release) -> Iterator[str]:
    n, lost = len(release.schema.quasi), release.utility.gcp
    if n > MANY_QUASI and lost > MUCH_LOST:
        yield (
            f"{count(n)} quasi-identifiers, of which {percent(lost)} is lost: choose the few that others really know, "
            "or ask for k of any few of them (k-of-subsets)"
        )


def _nearly_gone(release: Release) -> Iterator[str]:
    """Columns of which little is left while others keep most: what a weight can mend."""
    lost = release.utility.ncp
    gone = [f"'{name}'" for name, share in lost.items() if share >= NEARLY_ALL]
    if gone and release.utility.gcp <= MUCH_LOST:
        yield (
            f"of {listed(gone)} nearly everything is lost, while others keep more than half: where you need it, give "
            f"it a weight (weight = {MORE_WEIGHT}); the others lose more then"
        )


def _plain(table: pa.Table) -> pa.Table:
    import pyarrow as pa

    return pa.table(
        {
            name: column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
            for name, column in zip(table.column_names, table.columns, strict=True)
        }
    )
