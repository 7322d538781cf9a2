"""Presence: in which of three or more releases somebody was, and what changed each time she came or went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.attack.boxes import Boxes, one_spelling
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, at_least
from amongst.attack.intruder import Intruder
from amongst.published.meaning import meant

MOST_MOVES = 3
"""Patterns in which somebody came or went more often than this are not tried."""
MOST_CELLS = 1 << 22
"""So many pairs of a box and a value are held at once in each release; of more boxes the smallest are looked at."""
BETWEEN = "\x1f"


def presence(releases: Sequence[Boxes], column: str) -> Finding | str:
    """Look for patterns of presence that leave one value, though the difference of every two releases leaves several.

    Whoever was not in the first release, was in the second and not in the third, is among those who came and among
    those who went. In boxes with the same labels, and in the whole releases, the values that grew in number when she
    came and shrank when she went are what is left for her. The finder of newcomers sees each difference alone.

    Choices: patterns with two or three moves, in the order of the releases. As in every difference attack the intruder
    supposes that nobody with the same value moved the other way at the same time.
    """
    counts, n_sets, n_shared = _counts(releases, column)
    looked_at = f"{n_sets:,}" if n_sets == n_shared else f"the {n_sets:,} smallest of {n_shared:,}"
    steps = np.diff(counts, axis=0)  # release, set, value -> what grew from one release to the next
    k = max(one.threshold for one in releases)
    n_patterns = n_shown = n_pinned = n_few = largest = 0
    for n_moves in range(2, MOST_MOVES + 1):
        for moves in combinations(range(len(steps)), n_moves):
            there = _in_all(counts, moves)
            for first in (1, -1):  # came first, or went first
                signs = [first * (-1) ** i for i in range(n_moves)]
                moved = [np.maximum(sign * steps[at], 0) for sign, at in zip(signs, moves, strict=True)]
                left = np.minimum.reduce(moved)
                n_patterns += 1
                shown = there & (left.sum(axis=1) > 0)
                n_shown += int(shown.sum())
                several = np.logical_and.reduce([(one > 0).sum(axis=1) > 1 for one in moved])
                pinned = shown & several & ((left > 0).sum(axis=1) == 1)
                enough = np.logical_and.reduce([one.sum(axis=1) >= k for one in moved])
                few = shown & enough & (left.sum(axis=1) < k)
                n_pinned, n_few = n_pinned + int(pinned.sum()), n_few + int(few.sum())
                largest = max(largest, int(left[pinned].sum(axis=1).max(initial=0)))
    told = [
        f"One value of {column} is left by a pattern of presence, though every two releases leave several: in "
        f"{n_pinned:,} of {n_shown:,} places where people with a pattern show."
    ]
    if n_pinned:
        told.append(f"In the place that shows most of them it is that of {at_least(largest, k)}.")
    told.append(f"Fewer than {k:,} people with a pattern, though every two releases show more: in {n_few:,}.")
    return Finding(
        attack="presence",
        kind="linkability",
        title=f"Patterns of presence in {len(releases)} releases",
        knows=f"In which of {len(releases)} releases somebody is, and enough to find the box.",
        works=f"In {looked_at} boxes that releases have in common, and in all of each, the values that grew when "
        f"somebody came are held against those that shrank when she went. {n_patterns:,} patterns of two or "
        "three moves were tried.",
        achieved=tuple(told),
        lower="Publish again only when enough people with several values came, and went, in every box: amongst "
        "republish looks at that; or publish less often.",
        succeeded=bool(n_pinned or n_few),
        figures={"patterns": n_patterns, "places": n_shown, "one_value_left": n_pinned, "few_people": n_few},
        column=column,
        paper="Byun, Sohn, Bertino, Li: Secure Anonymization for Incremental Datasets, SDM 2006, over more than two",
    )


def _counts(releases: Sequence[Boxes], column: str) -> tuple[np.ndarray, int, int]:
    """How often every value occurs in every set of boxes of every release, the last set being all; -1: no such box.

    Then how many sets these are, and how many there are.
    """
    labels = [_labels(one) for one in releases]
    together = pa.concat_arrays(labels).dictionary_encode()
    ends = np.cumsum([len(one) for one in labels])
    set_of_box = np.split(together.indices.to_numpy().astype(np.int64), ends[:-1])
    n_all = len(together.dictionary)
    times = np.bincount(np.concatenate([np.unique(one) for one in set_of_box]), minlength=n_all)
    texts, number = one_spelling([text and meant(text) for one in releases for text in one.beliefs[column].values])
    numbers = np.split(number, np.cumsum([one.beliefs[column].n_values for one in releases])[:-1])
    shared = np.flatnonzero(times >= 2)
    size = np.bincount(np.concatenate(set_of_box), np.concatenate([one.size for one in releases]), n_all)
    most = MOST_CELLS // max(len(texts), 1)
    chosen = shared if len(shared) <= most else shared[np.argsort(size[shared], kind="stable")[:most]]
    place = np.full(n_all, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    counts = np.full((len(releases), len(chosen) + 1, len(texts)), -1, dtype=np.int64)
    for t, (one, sets, own) in enumerate(zip(releases, set_of_box, numbers, strict=True)):
        beliefs = one.beliefs[column]
        of_box, value, weight = place[sets], own[beliefs.value], np.rint(beliefs.weight).astype(np.int64)
        counts[t, of_box[of_box >= 0]] = 0
        counts[t, -1] = np.bincount(value, weight, len(texts))
        inside = of_box[beliefs.box] >= 0
        np.add.at(counts[t], (of_box[beliefs.box[inside]], value[inside]), weight[inside])
    return counts, len(chosen), len(shared)


def _labels(boxes: Boxes) -> pa.StringArray:
    """What every box publishes, as one text."""
    texts = [
        text.take(pa.array(column.codes)).cast(pa.string()).fill_null("\x00")
        for reading in boxes.readings.values()
        for text, column in zip(reading.texts, reading.columns, strict=True)
    ]
    joined = pc.binary_join_element_wise(*texts, BETWEEN)
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


def _in_all(counts: np.ndarray, moves: Sequence[int]) -> np.ndarray:
    """Sets that are there on both sides of every move."""
    return np.logical_and.reduce([(counts[at, :, 0] >= 0) & (counts[at + 1, :, 0] >= 0) for at in moves])


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    releases = [*intruder.others, intruder.boxes]
    columns = [name for name in intruder.boxes.beliefs if all(name in one.beliefs for one in releases)]
    if len(releases) < 3:
        yield "it needs two other releases at the least"
    elif any(one.group is not None for one in releases):
        yield "two tables tell values of groups, not of people"
    elif not columns or any(one.names != intruder.boxes.names for one in releases):
        yield "the releases have not the same quasi-identifiers and sensitive columns"
    else:
        for column in columns:
            yield presence(releases, column)


ATTACK = Attack(
    name="presence",
    place=20,
    kind="linkability",
    words="Reads off the values that come and go with somebody, over three or more releases.",
    needs="two other releases",
    carry_out=_carry_out,
)
