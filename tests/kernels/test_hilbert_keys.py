"""Keys on the Hilbert curve: a path from neighbour to neighbour; their order; nearest centres."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from amongst.kernels import one_dimensional as kernels
from amongst.kernels.numpy import hilbert as reference

needs_compiled = pytest.mark.skipif(kernels._one_dimensional is None, reason="no compiled kernels here")
SIZES = [(d, bits) for d in range(1, 13) for bits in range(1, 13) if d * bits <= 12]


def as_numbers(keys: np.ndarray, n_bits: int) -> list[int]:
    """Keys of any length as Python's numbers."""
    text = ["".join(f"{word:064b}" for word in key) for key in keys.tolist()]
    return [int(key[:n_bits], 2) for key in text]


def all_points(d: int, bits: int) -> np.ndarray:
    return np.array(list(itertools.product(range(1 << bits), repeat=d)), dtype=np.uint16)


def one_point(point: list[int], bits: int) -> int:
    """The same curve for a single point, in plain numbers, from the largest cells down."""
    x = list(point)
    q = 1 << (bits - 1)
    while q > 1:
        for i in range(len(x)):
            if x[i] & q:
                x[0] ^= q - 1
            else:
                rests = x[0] & (q - 1), x[i] & (q - 1)
                x[0], x[i] = x[0] - rests[0] + rests[1], (x[i] if i else x[0]) - rests[1] + rests[0]
        q >>= 1
    for i in range(1, len(x)):
        x[i] ^= x[i - 1]
    turn = 0
    for b in range(bits - 1, 0, -1):
        turn ^= ((1 << b) - 1) * (x[-1] >> b & 1)
    x = [own ^ turn for own in x]
    text = "".join(str(own >> b & 1) for b in reversed(range(bits)) for own in x)
    return int(text, 2)


def square_curve(bits: int) -> list[tuple[int, int]]:
    """As Hilbert drew it in the plane: four smaller ones, the first and the last of them turned over."""
    if bits == 0:
        return [(0, 0)]
    inner, half = square_curve(bits - 1), 1 << (bits - 1)
    return [
        *((y, x) for x, y in inner),
        *((x, y + half) for x, y in inner),
        *((x + half, y + half) for x, y in inner),
        *((2 * half - 1 - y, half - 1 - x) for x, y in inner),
    ]


@pytest.mark.parametrize(("d", "bits"), SIZES)
def test_the_curve_visits_every_cell_once_and_goes_to_neighbours(d: int, bits: int) -> None:
    points = all_points(d, bits)
    keys = as_numbers(kernels.hilbert_keys(list(points.T), bits), d * bits)
    assert sorted(keys) == list(range(len(points)))
    path = points[np.argsort(keys)].astype(int)
    assert (np.abs(np.diff(path, axis=0)).sum(axis=1) == 1).all()


@pytest.mark.parametrize(("d", "bits"), [size for size in SIZES if size[1] > 1])
def test_a_cell_is_left_only_when_all_of_it_was_visited(d: int, bits: int) -> None:
    points = all_points(d, bits)
    keys = as_numbers(kernels.hilbert_keys(list(points.T), bits), d * bits)
    cell_of_key: dict[int, set[tuple[int, ...]]] = {}
    for key, point in zip(keys, points.tolist(), strict=True):
        cell_of_key.setdefault(key >> d, set()).add(tuple(x >> 1 for x in point))
    assert all(len(cells) == 1 for cells in cell_of_key.values())


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5, 6])
def test_in_the_plane_it_is_the_curve_that_hilbert_drew(bits: int) -> None:
    points = all_points(2, bits)
    keys = as_numbers(kernels.hilbert_keys(list(points.T), bits), 2 * bits)
    path = [tuple(point) for point in points[np.argsort(keys)].tolist()]
    drawn = square_curve(bits)
    assert path in (drawn, [(y, x) for x, y in drawn])


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8, 16, 21, 33, 64, 100])
@pytest.mark.parametrize("bits", [1, 7, 12, 16])
def test_keys_of_any_length(d: int, bits: int) -> None:
    rng = np.random.default_rng(d * 100 + bits)
    coordinates = list(rng.integers(0, 1 << bits, (d, 300)).astype(np.uint16))
    keys = kernels.hilbert_keys(coordinates, bits)
    np.testing.assert_array_equal(keys, reference.hilbert_keys(coordinates, bits))
    some = np.stack(coordinates, axis=1)[:40]
    assert as_numbers(keys[:40], d * bits) == [one_point(point, bits) for point in some.tolist()]


@pytest.mark.parametrize("n_words", [1, 2, 3, 7])
def test_keys_are_sorted_by_all_their_words_and_ties_stay(n_words: int) -> None:
    rng = np.random.default_rng(n_words)
    for n in (0, 1, 2, 50, 3000):
        shift = rng.integers(0, 64, (1, n_words)).astype(np.uint64)
        keys = rng.integers(0, 2**64, (n, n_words), dtype=np.uint64) >> shift
        keys[:, : n_words - 1] %= np.uint64(3)
        expected = sorted(range(n), key=lambda i: (*keys[i].tolist(), i))
        assert kernels.sort_keys(keys).tolist() == expected
        assert reference.sort_keys(keys).tolist() == expected


@pytest.mark.parametrize("n_codes", [1, 5, 300, 9000])
def test_nearest_centre(n_codes: int) -> None:
    rng = np.random.default_rng(n_codes)
    for d, n_centres in [(1, 1), (3, 7), (8, 512)]:
        places = [rng.integers(0, 4096, n_codes).astype(np.uint16) for _ in range(d)]
        codes = [rng.integers(0, n_codes, 60).astype(np.uint32) for _ in range(d)]
        centres = [rng.integers(0, 4096, n_centres).astype(np.uint16) for _ in range(d)]
        centre, square = kernels.nearest(places, codes, centres)
        points = np.stack([place[own] for place, own in zip(places, codes, strict=True)], axis=1).astype(int)
        for i, point in enumerate(points.tolist()):
            others = [sum((a - int(b[j])) ** 2 for a, b in zip(point, centres, strict=True)) for j in range(n_centres)]
            assert int(square[i]) == min(others)
            assert int(centre[i]) == others.index(min(others))
        for ours, theirs in zip((centre, square), reference.nearest(places, codes, centres), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_wrong_arguments_are_errors() -> None:
    x = np.array([0, 4], dtype=np.uint16)
    for module in (kernels, reference):
        with pytest.raises(IndexError):
            module.hilbert_keys([x], 2)
        with pytest.raises(ValueError, match="bits"):
            module.hilbert_keys([x], 17)


@needs_compiled
def test_the_compiled_kernels_check_sizes() -> None:
    own = kernels._one_dimensional
    x, keys = np.zeros(3, dtype=np.uint16), np.zeros(3, dtype=np.uint64)
    order, codes = np.zeros(3, dtype=np.uint32), np.zeros(3, dtype=np.uint32)
    for call in (
        lambda: own.hilbert_keys((x, x[:2]), 12, keys),
        lambda: own.hilbert_keys((x,), 12, keys[:2]),
        lambda: own.hilbert_keys((), 12, keys),
        lambda: own.sort_keys(keys, 2, order),
        lambda: own.sort_keys(keys, 0, order),
        lambda: own.nearest((x,), (codes,), (x[:0],), order, order.copy()),
        lambda: own.nearest((x,), (codes,), (x, x), order, order.copy()),
        lambda: own.nearest((x,), (codes,), (x,), order[:2], order.copy()),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(IndexError):
        own.nearest((x[:1],), (codes + np.uint32(1),), (x,), order, order.copy())
    with pytest.raises(TypeError):
        own.hilbert_keys((x.astype(np.uint32),), 12, keys.astype(np.uint32))
