"""C_DM: every row pays the size of its class."""

from __future__ import annotations

import numpy as np


def discernibility(size_of_class: np.ndarray, n_suppressed: int, n_input: int) -> int:
    """The sum of squared class sizes; a suppressed row pays the size of the whole table.

    Paper: LeFevre et al., *Mondrian*, section 1.2, after Bayardo and Agrawal.
    """
    sizes = size_of_class.astype(object) if size_of_class.max(initial=0) > 2**31 else size_of_class.astype(np.int64)
    return int((sizes * sizes).sum()) + n_suppressed * n_input
