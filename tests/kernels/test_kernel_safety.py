"""Odd arguments: a kernel converts them or raises; it never reads or writes past an end."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from kernel_inputs import random_axis, random_codes, random_inputs

from amongst.kernels.axis import FIXED_POINT, Axis
from amongst.kernels.numpy import rows as reference

compiled = pytest.importorskip("amongst.kernels.compiled_rows", reason="no compiled kernels here")
both = pytest.mark.parametrize("kernels", [compiled, reference], ids=["compiled", "numpy"])

U8 = np.zeros(3, dtype=np.uint8)
LINE = Axis(4, np.array([0, 10, 20, FIXED_POINT], dtype=np.int64))


def split(kernels: Any, columns: list[np.ndarray], axes: list[Axis], weight: Any = None, k: int = 1, **how: Any) -> Any:
    return kernels.mondrian(columns, weight, axes, k, **{"cuts": 0, "relaxed": False, **how})


@both
def test_nothing_in_nothing_out(kernels: Any) -> None:
    none, flags = np.array([], dtype=np.uint8), np.array([], dtype=np.int32)
    for part in kernels.distinct([none, none.astype(np.uint16)]):
        assert len(part) == 0
    group, lo, hi, n_alone = split(kernels, [none, none], [LINE, LINE])
    assert (len(group), lo.shape, hi.shape, n_alone) == (0, (0, 2), (0, 2), 0)
    row_at, first = kernels.order_by_class(flags, 3)
    assert len(row_at) == 0
    assert first.tolist() == [0, 0, 0, 0]
    assert kernels.order_by_class(flags, 0)[1].tolist() == [0]
    assert len(kernels.sort_within(row_at, first, [none])) == 0
    assert len(kernels.gather(none, row_at)) == 0
    assert len(kernels.gather(U8, row_at)) == 0
    assert len(kernels.look_up(none, none)) == 0
    assert len(kernels.repeat(none, np.array([], dtype=np.int64))) == 0
    assert kernels.count_pairs(flags, none, 2, 3).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert kernels.count_pairs(flags, none, 0, 0).shape == (0, 0)


@both
def test_every_row_left_out(kernels: Any) -> None:
    gone = np.full(5, -1, dtype=np.int32)
    assert kernels.order_by_class(gone, 0)[1].tolist() == [0]
    assert len(kernels.order_by_class(gone, 2)[0]) == 0
    assert kernels.count_pairs(gone, np.zeros(5, dtype=np.uint8), 0, 1).shape == (0, 1)


@both
def test_arrays_with_gaps_are_taken_for_what_they_show(kernels: Any) -> None:
    rng = np.random.default_rng(1)
    wide = rng.integers(0, 4, (2, 60)).astype(np.uint8)
    gaps, whole = [row[::3] for row in wide], [row[::3].copy() for row in wide]
    backwards = [row[::-1] for row in whole]
    for ours, theirs in ((gaps, whole), (backwards, [row.copy() for row in backwards])):
        for a, b in zip(kernels.distinct(ours), reference.distinct(theirs), strict=True):
            np.testing.assert_array_equal(a, b)
        axes = [LINE, LINE]
        weight = np.arange(1, 41, dtype=np.uint32)[::2]
        a, b = split(kernels, ours, axes, weight, 3), split(reference, theirs, axes, weight.copy(), 3)
        np.testing.assert_array_equal(a[0], b[0])
    values, rows = np.arange(40)[::2], np.arange(20, dtype=np.uint32)[::-2]
    assert kernels.gather(values, rows).tolist() == values[rows].tolist()
    assert kernels.look_up(rows, values.astype(np.uint16)[::-1]).tolist() == values[::-1][rows].tolist()
    assert kernels.repeat(values[:4:2], np.array([1, 9, 2, 9])[::2]).tolist() == [0, 4, 4]


def test_wider_types_are_converted() -> None:
    codes = [np.array([3, 0, 3, 1], dtype=dtype) for dtype in (np.int64, np.uint64, np.int32, np.int16, np.int8)]
    for column in codes:
        assert compiled.distinct([column])[0].tolist() == [0, 1, 0, 2]
        assert split(compiled, [column], [LINE])[0].tolist() == [2, 0, 2, 1]
    assert compiled.count_pairs(np.array([0, 1]), np.array([2, 2**40]) % 3, 2, 3).sum() == 2
    assert compiled.gather(np.arange(3), np.array([2.0, 0.0]).astype(np.int64)).tolist() == [2, 0]
    assert compiled.repeat(np.array(["a", "b"]), np.array([2, 1])).tolist() == ["a", "a", "b"]
    assert compiled.repeat(np.array([1, 2], dtype=np.uint8), np.array([2, 1], dtype=np.uint8)).tolist() == [
        1,
        1,
        2,
    ]
    swapped = np.array([1, 2, 3], dtype=">i4")
    assert compiled.gather(swapped, np.array([2], dtype=np.uint32)).tolist() == [3]
    assert compiled.look_up(np.array([2], dtype=">u2"), swapped).tolist() == [3]


WRONG = {
    "gather past the end": lambda: compiled.gather(U8, np.array([3], dtype=np.uint32)),
    "gather before the beginning": lambda: compiled.gather(U8, np.array([-1], dtype=np.int32)),
    "gather by fractions": lambda: compiled.gather(U8, np.array([0.5])),
    "gather from nothing": lambda: compiled.gather(U8[:0], np.array([0], dtype=np.uint32)),
    "look up past the end": lambda: compiled.look_up(np.array([3], dtype=np.uint8), U8),
    "look up before the beginning": lambda: compiled.look_up(np.array([-1], dtype=np.int8), U8),
    "look up in nothing": lambda: compiled.look_up(np.array([0], dtype=np.uint8), U8[:0]),
    "look up by fractions": lambda: compiled.look_up(np.array([0.5], dtype=np.float32), U8),
    "repeat less than never": lambda: compiled.repeat(U8, np.array([5, -5, 1])),
    "repeat less than never in all": lambda: compiled.repeat(U8, np.array([-5, 1, 1])),
    "repeat too few": lambda: compiled.repeat(U8, np.array([1, 1])),
    "repeat too many": lambda: compiled.repeat(U8, np.array([1, 1, 1, 1])),
    "a class too many": lambda: compiled.order_by_class(np.array([0, 3], dtype=np.int32), 3),
    "a class where there is none": lambda: compiled.order_by_class(np.array([0], dtype=np.int32), 0),
    "fewer than no classes": lambda: compiled.order_by_class(np.array([0], dtype=np.int32), -1),
    "a pair of no class": lambda: compiled.count_pairs(np.array([2], dtype=np.int32), U8[:1], 2, 3),
    "a pair of no key": lambda: compiled.count_pairs(np.array([1], dtype=np.int32), U8[:1] + 3, 2, 3),
    "a pair without a key": lambda: compiled.count_pairs(np.array([1, 1], dtype=np.int32), U8[:1], 2, 3),
    "sort rows that are not there": lambda: compiled.sort_within(np.array([0, 3]), np.array([0, 2]), [U8]),
    "sort classes that are not there": lambda: compiled.sort_within(np.array([0, 1]), np.array([0, 3]), [U8]),
    "sort classes backwards": lambda: compiled.sort_within(np.array([0, 1]), np.array([2, 0]), [U8]),
    "sort classes from before": lambda: compiled.sort_within(np.array([0, 1]), np.array([-1, 2]), [U8]),
    "columns of unequal length": lambda: compiled.distinct([U8, U8[:2]]),
    "a weight too few": lambda: compiled.distinct([U8], np.array([1, 1])),
    "no column": lambda: compiled.distinct([]),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_arguments_raise(wrong: str) -> None:
    with pytest.raises((ValueError, IndexError, TypeError)):
        WRONG[wrong]()


def broken_tree(change: Any) -> Axis:
    start = np.array([[0, 1, 2, 3], [0, 0, 2, 2], [0, 0, 0, 0]], dtype=np.int32)
    end = np.array([[0, 1, 2, 3], [1, 1, 3, 3], [3, 3, 3, 3]], dtype=np.int32)
    change(start, end)
    return Axis(4, None, start, end)


def put(which: int, at: tuple[int, int], value: int) -> Any:
    return lambda *tree: tree[which].__setitem__(at, value)


BROKEN_AXES = {
    "positions too few": Axis(4, np.array([0, 1], dtype=np.int64)),
    "positions of half the width": Axis(4, np.array([0, 1, 2, 3], dtype=np.int32)),
    "neither positions nor tree": Axis(4),
    "a tree of other size": Axis(5, None, *[np.zeros((2, 4), dtype=np.int32)] * 2),
    "a start without an end": Axis(4, None, np.zeros((1, 4), dtype=np.int32), None),
    "a wildcard among the codes": Axis(4, LINE.position, wildcard=2),
    "fewer than no codes": Axis(-4, LINE.position),
    "two roots": broken_tree(put(0, (2, 2), 2)),
    "no leaves": broken_tree(put(0, (0, 1), 0)),
    "a node that begins after its leaf": broken_tree(put(0, (1, 0), 3)),
    "a node that begins before everything": broken_tree(put(0, (1, 0), -1)),
    "a node that ends before its leaf": broken_tree(put(1, (1, 3), 0)),
    "a node that ends after everything": broken_tree(put(1, (1, 3), 4)),
}


@pytest.mark.parametrize("axis", BROKEN_AXES)
@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_broken_axes_raise(axis: str, cuts: int) -> None:
    codes = np.array([0, 1, 2, 3] * 3, dtype=np.uint8)
    with pytest.raises((ValueError, IndexError)):
        split(compiled, [codes], [BROKEN_AXES[axis]], cuts=cuts)


def test_mondrian_refuses_what_it_cannot_do() -> None:
    codes, ones = np.array([0, 1, 2, 3], dtype=np.uint8), np.ones(4, dtype=np.uint32)
    with pytest.raises(IndexError):
        split(compiled, [codes + 1], [LINE])
    with pytest.raises(IndexError):
        split(compiled, [codes.astype(np.uint16) + 256], [LINE])
    with pytest.raises((ValueError, IndexError)):
        split(compiled, [codes, codes], [LINE])
    with pytest.raises(ValueError):
        split(compiled, [codes], [LINE], ones[:3])
    with pytest.raises(ValueError):
        split(compiled, [codes], [LINE], ones * np.uint32(2**31))
    for kernels in (compiled, reference):
        with pytest.raises(ValueError):
            split(kernels, [codes], [LINE], ones, relaxed=True)
        with pytest.raises(ValueError):
            split(kernels, [codes], [LINE], k=0)
    for relaxed in (False, True):  # 2k does not fit into 64 bits
        assert split(compiled, [codes], [LINE], k=2**62, relaxed=relaxed)[0].tolist() == [0] * 4


def test_inputs_are_not_changed() -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        ins = random_inputs(rng)
        columns = [column.copy() for column in ins.columns]
        for array in (*ins.columns, *([] if ins.weight is None else [ins.weight])):
            array.flags.writeable = False
        compiled.distinct(ins.columns)
        split(compiled, ins.columns, ins.axes, ins.weight, ins.k, cuts=1)
        for before, after in zip(columns, ins.columns, strict=True):
            np.testing.assert_array_equal(before, after)


def test_codes_of_every_width_in_one_table() -> None:
    rng = np.random.default_rng(9)
    for n_values in (254, 255, 256, 257, 32_765, 32_766, 32_767, 32_768, 65_535, 65_536):
        axes = [random_axis(rng, n_values) for _ in range(2)] if n_values < 1000 else []
        axes += [
            Axis(n_values, np.linspace(0, FIXED_POINT, n_values).astype(np.int64), wildcard=wild)
            for wild in (-1, n_values)
        ]
        columns = [random_codes(rng, axis, 40) for axis in axes]
        for axis, column in zip(axes, columns, strict=True):
            column[:2] = 0, axis.n_codes - 1 + (axis.wildcard >= 0)
        a, b = split(compiled, columns, axes, k=4), split(reference, columns, axes, k=4)
        for one, other in zip(a[:3], b[:3], strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("chosen", "name"), [("numpy", "numpy"), ("", "compiled")])
def test_the_environment_chooses_the_kernels(chosen: str, name: str) -> None:
    env = {**os.environ, "AMONGST_KERNELS": chosen}
    code = "from amongst import kernels; print(kernels.NAME)"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == name
