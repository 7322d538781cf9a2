"""Which codes a node of a level stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from amongst.encode.coded import CodedColumn


def ends_of_node(number_of_code: np.ndarray, wildcard: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last code of every node of a level, from the node of every code.

    Codes follow the order of the tree, so the codes of a node lie side by side. A code that matches anything
    (the last one, ``wildcard``) publishes nothing for a node that it shares with others; it is left out.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.encode.node_ends import ends_of_node
    >>> first, last = ends_of_node(np.array([0, 0, 1, 1, 1]))
    >>> first.tolist(), last.tolist()
    ([0, 2], [1, 4])
    """
    first = np.unique(number_of_code, return_index=True)[1]
    last = len(number_of_code) - 1 - np.unique(number_of_code[::-1], return_index=True)[1]
    shares = (last == wildcard) & (first < last)
    return first, np.where(shares, last - 1, last)


def node_of_value(column: CodedColumn) -> np.ndarray:
    """The node of every value at every level, named by its first value; a null hangs from the root."""
    assert column.tree is not None
    node = column.tree.start
    return np.delete(node, -2, axis=0) if column.own_null >= 0 else node
