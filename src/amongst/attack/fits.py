"""Which records can be whose: a person fits a box when every label of it can stand for what is known of the person.

For every label of a column the people whom it can stand for are kept as bits. The people of a box are the bits that the
labels of all its columns have in common: one AND a column for 64 people at once, block by block, and never a comparison
of one person with one record. Sixteen columns, 100,000 boxes and 10,000 people are 250 million such steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.attack.boxes import Beliefs, Boxes
from amongst.attack.line_bits import bits_of, runs_of
from amongst.attack.people import People
from amongst.published.contained import contained
from amongst.published.readings import Reading
from amongst.published.tally import Distinct
from amongst.schema.column import Column

MOST_BITS = 1 << 27
MOST_COMPARED = 1 << 22
"""Up to so many pairs of a label and a value are compared one by one; of more, intervals are compared by their ends."""
MOST_WORDS = 1 << 18
MOST_PEOPLE = 1 << 13
MOST_KEPT = 1 << 21
"""Up to so many pairs of a box and a person, or of a label and a value, are kept for the next column to be guessed."""
Pairs = tuple[np.ndarray, np.ndarray]
"""A box and a person that it fits, by their numbers."""


def candidates(boxes: Boxes, people: People, names: Sequence[str]) -> Iterator[Pairs]:
    """All pairs of a box and a person who fits it, by some columns; in blocks."""
    key = ("candidates", boxes, *names)
    if key in people.kept:
        yield from people.kept[key]
        return
    kept: list[Pairs] | None = []
    for pairs in _candidates(boxes, people, names):
        if kept is not None:
            kept.append(pairs)
            kept = kept if sum(len(box) for box, _ in kept) <= MOST_KEPT else None
        yield pairs
    if kept is not None:
        people.kept[key] = kept


def _candidates(boxes: Boxes, people: People, names: Sequence[str]) -> Iterator[Pairs]:
    if people.n == 0 or boxes.n_boxes == 0:
        return
    columns = [people.column(name) for name in names]
    n_labels = max(label_count(boxes.readings[name]) for name in names)
    step = max(min(MOST_BITS // max(n_labels, 1), MOST_PEOPLE) // 64 * 64, 64)
    for start in range(0, people.n, step):
        part = slice(start, min(start + step, people.n))
        tables = [_table(boxes, name, column, part) for name, column in zip(names, columns, strict=True)]
        tables.sort(key=lambda one: one[2])  # those that rule out most come first
        for box, person in _meet(boxes.n_boxes, [(labels, bits) for labels, bits, _ in tables]):
            inside = person < part.stop - start
            yield box[inside], person[inside] + start


def label_count(reading: Reading) -> int:
    return len(np.unique(reading.columns[0].codes)) if reading.key.form == "bounds" else reading.columns[0].n_codes


def _table(boxes: Boxes, name: str, column: Distinct, part: slice) -> tuple[np.ndarray, np.ndarray, float]:
    """The label of every box, the people of every label as bits, and how many values a label has on average."""
    used, code = np.unique(column.codes[part], return_inverse=True)
    code = code.reshape(-1)
    values = Distinct(np.arange(len(used)), column.values.take(pa.array(used)), column.null_like[used])
    if label_count(boxes.readings[name]) * len(used) > MOST_COMPARED:
        runs = runs_of(boxes.readings[name], values)
        if runs is not None:
            share = float((runs.after - runs.first).mean()) / max(len(used), 1)
            return runs.label_of_box, bits_of(runs, code), share
    label_of_box, fits = fits_of(boxes, name, values, column)
    labels, label_of_box = np.unique(label_of_box, return_inverse=True)  # some boxes have some of the labels
    fits = fits[labels]
    bits = np.zeros((len(fits), -(-len(code) // 64) * 8), dtype=np.uint8)
    step = max(1, MOST_BITS // 4 // max(len(code), 1))
    for at in range(0, len(fits), step):
        packed = np.packbits(fits[at : at + step, code], axis=1)
        bits[at : at + step, : packed.shape[1]] = packed
    return label_of_box.reshape(-1), bits.view(np.uint64), float(fits.mean()) if fits.size else 1.0


def fits_of(
    boxes: Boxes, name: str, values: Distinct, everybody: Distinct | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The label of every box in a column, and which labels can stand for which values: labels down, values across.

    ``everybody`` has the values of all people, where ``values`` are those of some.
    """
    assert boxes.made.schema is not None
    rule = boxes.made.schema[name] if name in boxes.made.schema else Column()
    reading = boxes.readings[name]
    label_of_box, fits = contained(reading, rule, values)
    if name in boxes.made.closed and reading.key.form == "label":
        # A name that is nobody's value is taken for a node of the hierarchy that the intruder does not have.
        told = (everybody or values).values.cast(pa.string())
        named = reading.labels[0].are("value") & np.isnan(reading.labels[0].lo)
        fits[named & ~pc.is_in(reading.texts[0], told).to_numpy(zero_copy_only=False)] = True
    return label_of_box, fits


def fits_of_people(boxes: Boxes, name: str, people: People) -> tuple[np.ndarray, np.ndarray]:
    """``fits_of`` for the values of just these people, found once."""
    key = ("fits", boxes, name)
    found: tuple[np.ndarray, np.ndarray] = people.kept.get(key) or fits_of(boxes, name, people.column(name))
    if found[1].size <= MOST_KEPT:
        people.kept[key] = found
    return found


def _meet(n_boxes: int, tables: Sequence[tuple[np.ndarray, np.ndarray]]) -> Iterator[Pairs]:
    n_words = tables[0][1].shape[1]
    step = max(1, MOST_WORDS // max(n_words, 1))
    for at in range(0, n_boxes, step):
        box = np.arange(at, min(at + step, n_boxes))
        common = tables[0][1][tables[0][0][box]]
        for labels, bits in tables[1:]:
            alive = common.any(axis=1)
            if not alive.all():
                box, common = box[alive], common[alive]
            common &= bits[labels[box]]
        octets = common.view(np.uint8).reshape(len(box), n_words * 8)
        row, octet = np.nonzero(octets)
        which, bit = np.nonzero(np.unpackbits(octets[row, octet][:, None], axis=1))
        yield box[row[which]], octet[which] * 8 + bit


def count_records(boxes: Boxes, people: People, names: Sequence[str]) -> np.ndarray:
    """How many records everybody fits, by some columns."""
    sorts, sort = people.sorts(names)
    count = np.zeros(sorts.n, dtype=np.int64)
    for box, person in candidates(boxes, sorts, names):
        count += np.bincount(person, boxes.size[box], sorts.n).astype(np.int64)
    return count[sort]


def count_people(boxes: Boxes, people: People, names: Sequence[str]) -> np.ndarray:
    """How many of the people every box fits."""
    sorts, sort = people.sorts(names)
    times = np.bincount(sort, minlength=sorts.n)
    count = np.zeros(boxes.n_boxes, dtype=np.int64)
    for box, person in candidates(boxes, sorts, names):
        count += np.bincount(box, times[person], boxes.n_boxes).astype(np.int64)
    return count


def believed(boxes: Boxes, beliefs: Beliefs, people: People, names: Sequence[str]) -> np.ndarray:
    """How many of the records that everybody fits have every value: people down, values across."""
    sorts, sort = people.sorts(names)
    n_values = beliefs.n_values
    found = np.zeros(sorts.n * n_values)
    order = np.argsort(beliefs.box, kind="stable")
    n_entries = np.bincount(beliefs.box, minlength=boxes.n_boxes)
    start = np.cumsum(n_entries) - n_entries
    for boxed, known in candidates(boxes, sorts, names):
        step = max(1, (1 << 23) // max(int(n_entries.max(initial=1)), 1))
        for at in range(0, len(boxed), step):
            box, person = boxed[at : at + step], known[at : at + step]
            times = n_entries[box]
            within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
            entry = order[np.repeat(start[box], times) + within]
            place = np.repeat(person, times) * n_values + beliefs.value[entry]
            found += np.bincount(place, beliefs.weight[entry], len(found))
    return found.reshape(sorts.n, n_values)[sort]
