"""The boxes of a picture of the groups are each drawn once, as numpy's own search for equal columns finds them."""

from __future__ import annotations

import numpy as np
import pytest

from amongst.release.story import distinct_boxes


@pytest.mark.parametrize("n_boxes", [0, 1, 200])
def test_boxes_as_numpy_finds_them(n_boxes: int) -> None:
    ends = list(np.random.default_rng(n_boxes).integers(0, 4, (4, n_boxes)).astype(float))
    boxes, place = distinct_boxes(ends)
    if n_boxes:
        expected, where = np.unique(np.stack(ends), axis=1, return_inverse=True)
        assert np.array_equal(boxes, expected)
        assert np.array_equal(place, where.reshape(-1))
    assert boxes.shape[1] == len(np.unique(place))
