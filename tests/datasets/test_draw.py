"""Drawing codes: shares, conditional shares, chunks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.datasets import draw as drawing
from amongst.datasets.draw import draw, draw_given, draw_in_chunks, smallest_code
from amongst.errors import BadOption


@given(
    st.lists(st.sampled_from([0.0, 1e-12, 0.3, 1.0, 7.0]), min_size=1, max_size=9).filter(any),
    st.integers(0, 99),
)
def test_drawn_codes_have_weight(weights, seed):
    codes = draw(np.random.default_rng(seed), np.array(weights), 200)
    assert len(codes) == 200
    assert all(weights[code] > 0 for code in codes)


def test_codes_are_drawn_in_proportion():
    codes = draw(np.random.default_rng(1), np.array([1.0, 0.0, 3.0]), 40_000)
    assert np.bincount(codes, minlength=3) / 40_000 == pytest.approx([0.25, 0, 0.75], abs=0.01)


def test_codes_follow_the_weights_of_their_own_parent():
    weights = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 5.0], [2.0, 6.0, 0.0]])
    parent = np.repeat([2, 0, 1], 20_000).astype(np.int8)
    codes = draw_given(np.random.default_rng(1), weights, parent)
    for p, row in enumerate(weights):
        shares = np.bincount(codes[parent == p], minlength=3) / 20_000
        assert shares == pytest.approx(row / row.sum(), abs=0.02)


class Highest:
    """A generator that draws the largest number below 1 there is."""

    def random(self, n):
        return np.full(n, np.nextafter(1.0, 0.0))


def test_the_largest_random_number_stays_with_its_parent():
    weights = np.tile([1.0, 1.0, 0.0], (4000, 1))
    codes = draw_given(Highest(), weights, np.arange(4000))
    assert set(codes) == {1}


def test_chunks_follow_each_other_in_one_stream(monkeypatch):
    monkeypatch.setattr(drawing, "CHUNK", 10)
    columns = draw_in_chunks(25, 3, lambda rng, n: {"x": rng.random(n)})
    assert np.array_equal(columns["x"], np.random.default_rng(3).random(25))


def test_no_rows_is_a_size_too():
    assert draw_in_chunks(0, 0, lambda rng, n: {"x": rng.random(n)})["x"].shape == (0,)


@pytest.mark.parametrize(
    ("n_codes", "dtype"), [(128, np.int8), (129, np.int16), (32_768, np.int16), (32_769, np.int32)]
)
def test_codes_are_small(n_codes, dtype):
    codes = smallest_code(np.array([0, n_codes - 1]), n_codes)
    assert codes.dtype == dtype
    assert codes.tolist() == [0, n_codes - 1]


@pytest.mark.parametrize("n_rows", [-1, 2.5, True, "10"])
def test_a_number_of_rows_that_is_none_is_an_error(n_rows):
    with pytest.raises(BadOption, match="n_rows"):
        draw_in_chunks(n_rows, 0, lambda rng, n: {})


def test_a_seed_that_is_none_is_an_error():
    with pytest.raises(BadOption, match="seed"):
        draw_in_chunks(1, -1, lambda rng, n: {})
