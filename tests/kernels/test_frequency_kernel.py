"""Rolling up packed keys: the compiled kernel against the one in numpy, and both against plain tuples."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.kernels.numpy import rows as reference
from amongst.partition.packing import Packing

compiled = pytest.importorskip("amongst.kernels.compiled_rows", reason="no compiled kernels here")

both = pytest.mark.parametrize("kernels", [compiled, reference], ids=["compiled", "numpy"])

FATES = ("stays", "changes", "goes")


class Rollup:
    """Random columns; each stays, changes by a random map, or is dropped."""

    def __init__(self, rng: np.random.Generator, n_rows: int, sizes: list[int], fates: tuple[str, ...] = FATES) -> None:
        self.packing = Packing(sizes)
        self.codes = [rng.integers(0, size, n_rows) for size in sizes]
        self.weight = rng.integers(1, 9, n_rows).astype(np.uint32)
        self.keys = self.packing.pack([own.astype(np.uint32) for own in self.codes])
        self.fate = [str(rng.choice(["stays", "changes", "goes"])) for _ in sizes]
        # A map of 2^30 codes would take 8 GB; columns that wide only ever stay.
        self.maps = [rng.integers(0, max(1, size // 3), min(size, 1 << 22)) for size in sizes]

    def arguments(self) -> dict[str, Any]:
        keep, steps = np.zeros(self.packing.n_words, dtype=np.uint64), []
        for c, (fate, field) in enumerate(zip(self.fate, self.packing.fields, strict=True)):
            if fate == "stays":
                keep[field.word] |= np.uint64(field.mask)
            if fate == "changes":
                steps.append((field.word, field.shift, field.width, self.packing.table(c, self.maps[c])))
        return {"keys": self.keys, "weight": self.weight, "keep": keep, "steps": steps}

    def moved(self) -> np.ndarray:
        """What every row becomes, a column each."""
        become = {"stays": lambda c: self.codes[c], "changes": lambda c: self.maps[c][self.codes[c]]}
        gone = np.zeros(len(self.weight), dtype=np.int64)
        return np.array([become[fate](c) if fate in become else gone for c, fate in enumerate(self.fate)]).T

    def counts(self) -> Counter[tuple[int, ...]]:
        counts: Counter[tuple[int, ...]] = Counter()
        for row, weight in zip(self.moved().tolist(), self.weight.tolist(), strict=True):
            counts[tuple(row)] += weight
        return counts

    def told(self, keys: np.ndarray, count: np.ndarray) -> dict[tuple[int, ...], int]:
        columns = [self.packing.unpack(keys, c).tolist() for c in range(len(self.codes))]
        return dict(zip(zip(*columns, strict=True), count.tolist(), strict=True))


SIZES = [[1], [2, 1, 3], [5, 200, 2], [70_000, 3, 40_000, 300], [60_000] * 9, [300_000] * 4, [60_000] * 30]


@both
@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: f"{len(sizes)} columns")
def test_counts_are_those_of_plain_tuples(kernels: Any, sizes: list[int]) -> None:
    rng = np.random.default_rng(len(sizes))
    for n_rows in (1, 2, 63, 64, 65, 300):
        for _ in range(5):
            case = Rollup(rng, n_rows, sizes)
            keys, count, member = kernels.roll_up(**case.arguments(), members=True)
            assert case.told(keys, count) == case.counts()
            own = [case.packing.unpack(keys, c)[member] for c in range(len(sizes))]
            np.testing.assert_array_equal(np.array(own).T, case.moved())


@pytest.mark.parametrize("n_words", [3, 5, 6, 7, 9, 16, 32])
def test_keys_of_a_width_that_is_not_compiled_are_counted_by_the_reference(n_words: int) -> None:
    assert n_words not in compiled.KEY_WORDS
    rng = np.random.default_rng(n_words)
    keys = rng.integers(0, 2, (500, n_words)).astype(np.uint64)
    keys[:, 2:-1] = 0  # so that some are equal
    weight, keep = rng.integers(1, 9, 500).astype(np.uint32), np.full(n_words, 2**64 - 1, dtype=np.uint64)
    keep[0], last = 0, n_words - 1
    steps = [(last, 0, 1, np.array([1, 0], dtype=np.uint32))]
    keep[last] = ~np.uint64(1)
    new, count, member = compiled.roll_up(keys, weight, keep, steps, members=True)
    plain: Counter[tuple[int, ...]] = Counter()
    for key, rows in zip(keys.tolist(), weight.tolist(), strict=True):
        plain[(0, *key[1:-1], 1 - key[-1])] += rows
    assert dict(zip(map(tuple, new.tolist()), count.tolist(), strict=True)) == plain
    assert [tuple(key) for key in new[member].tolist()] == [(0, *key[1:-1], 1 - key[-1]) for key in keys.tolist()]


def test_a_table_of_very_many_columns_is_searched() -> None:
    """90 columns of 40 values need keys of 16 words, more than the compiled kernel knows."""
    rng = np.random.default_rng(90)
    numbers = np.array([rng.permutation(40) for _ in range(90)] + [np.arange(40) % 4]).T
    table = pa.table({f"c{c}": [f"v{number}" for number in numbers[:, c]] for c in range(91)})
    schema = am.Schema({name: am.Column(role="quasi") for name in table.column_names})
    found = am.generalizations(table, schema, [am.KAnonymity(3)], "datafly")
    assert found.sets.packing.n_words not in compiled.KEY_WORDS
    assert list(found) == [(*[1] * 90, 0)]


@pytest.mark.parametrize("n_values", [10, 5_000, 1 << 20])
@pytest.mark.parametrize("width", [1, 3])
def test_many_keys_are_divided_and_counted_all_the_same(n_values: int, width: int) -> None:
    rng = np.random.default_rng(n_values + width)
    n = 200_000
    case = Rollup(rng, n, [n_values, *[1 << 30] * (width - 1)], ("stays",))
    case.keys = case.keys[rng.integers(0, n, n)]
    keys, count, _ = compiled.roll_up(**case.arguments())
    theirs, total, _ = reference.roll_up(**case.arguments())
    assert int(count.sum(dtype=np.int64)) == int(case.weight.sum(dtype=np.int64))
    ours, theirs_at = np.lexsort(keys.T), np.lexsort(theirs.T)
    np.testing.assert_array_equal(keys[ours], theirs[theirs_at])
    np.testing.assert_array_equal(count[ours], total[theirs_at])


@both
def test_no_keys_at_all(kernels: Any) -> None:
    none = np.zeros((0, 1), dtype=np.uint64)
    keys, count, member = kernels.roll_up(none, np.zeros(0, np.uint32), np.zeros(1, np.uint64), [], members=True)
    assert keys.shape == (0, 1)
    assert len(count) == len(member) == 0


@both
def test_a_guess_that_is_too_low_does_no_harm(kernels: Any) -> None:
    keys = np.arange(5_000, dtype=np.uint64).reshape(-1, 1)
    keep = np.array([2**64 - 1], dtype=np.uint64)
    assert len(kernels.roll_up(keys, np.ones(5_000, np.uint32), keep, [], most=1)[1]) == 5_000


@both
def test_rows_below(kernels: Any) -> None:
    count = np.array([1, 2, 3, 2, 10, 2**32 - 1], dtype=np.uint32)
    assert [kernels.rows_below(count, k) for k in (0, 1, 2, 3, 4, 2**32)] == [0, 0, 1, 5, 8, 17 + 2**32]
    assert kernels.rows_below(count[:0], 5) == 0


ONE = np.ones((3, 1), dtype=np.uint64)
WEIGHT = np.ones(3, dtype=np.uint32)
MASK = np.ones(1, dtype=np.uint64)
TABLE = np.zeros(4, dtype=np.uint32)
WRONG = {
    "a weight too few": (ONE, WEIGHT[:2], MASK, []),
    "a word too few": (ONE, WEIGHT, np.ones(2, np.uint64), []),
    "a table too short": (ONE, WEIGHT, MASK, [(0, 0, 3, TABLE)]),
    "a table of other items": (ONE, WEIGHT, MASK, [(0, 0, 2, TABLE.astype(np.uint64))]),
    "a field past the word": (ONE, WEIGHT, MASK, [(0, 63, 2, TABLE)]),
    "a field of a word that is not there": (ONE, WEIGHT, MASK, [(1, 0, 2, TABLE)]),
    "a field before the word": (ONE, WEIGHT, MASK, [(0, -1, 2, TABLE)]),
    "a field wider than a table can be": (ONE, WEIGHT, MASK, [(0, 0, 40, TABLE)]),
    "keys of half the width": (ONE.astype(np.uint32), WEIGHT, MASK, []),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_arguments_raise(wrong: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        compiled.roll_up(*WRONG[wrong])
