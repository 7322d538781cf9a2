"""Which codes of the persons of one group may stay: every few of them shared by k persons, or by nobody.

Persons are rows, codes are columns, a cell is true where the person has the code. Supports of pairs are one product
of matrices; a cell that is in many pairs with too few persons goes first, and comes back where nothing is against it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

LATER = 0.7
"""The share of the persons that wait for another round: what others give up may spare them."""


TINY = 1e-9


def shared_codes(has: np.ndarray, fixed: np.ndarray, k: int, m: int) -> np.ndarray:
    """The cells that stay, with those of ``fixed`` among them, which hold by themselves.

    Guarantees
        Every set of up to m codes is had by at least k persons, or by none. No cell that is gone could come back alone.
    Choices
        In every round persons with a set of too few persons give up one cell each, those with the most such sets
        first: the cell in most of them for each person who has the code, so that common codes stay and can be counted,
        and rare ones go.
    Cost
        A round is a product of matrices; for m = 3 one for every code.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.relations.shared_codes import shared_codes
    >>> has = np.array([[1, 1], [1, 1], [1, 0]], dtype=bool)
    >>> shared_codes(has, np.zeros_like(has), k=2, m=2).sum()
    np.int64(5)
    >>> shared_codes(has, np.zeros_like(has), k=3, m=2).sum()
    np.int64(3)
    """
    stays = has | fixed
    free = has & ~fixed
    while True:
        support = stays.sum(axis=0)
        stays &= fixed | (support >= k)
        weak = _in_weak_sets(stays, k, m)
        weak[~(free & stays)] = 0
        whom = np.flatnonzero(weak.any(axis=1))
        if not len(whom):
            break
        share = stays.sum(axis=0) / (len(stays) + 1.0)  # below 1; above 0 wherever a set is weak
        price = np.where(weak[whom] > 0, (weak[whom] + 1.0 - share) / np.maximum(share, TINY), 0.0)
        worst, most = np.argmax(price, axis=1), price.max(axis=1)
        first = most >= np.quantile(most, LATER)
        stays[whom[first], worst[first]] = False
    return _come_back(stays, free, k, m)


def _in_weak_sets(stays: np.ndarray, k: int, m: int) -> np.ndarray:
    """For every cell how many sets of the person's codes it is in that fewer than k persons have."""
    own = stays.astype(np.float32)
    found = np.zeros(own.shape, dtype=np.float32)
    if m >= 2:
        found += _in_weak_pairs(stays, k)
    if m >= 3:
        for i, among in _each_code(stays):
            weak = _weak(own[among].T @ own[among], k)
            weak[i] = weak[:, i] = 0
            np.fill_diagonal(weak, 0)
            found[among] += (own[among] @ weak) * own[among]
    return found


def _in_weak_pairs(stays: np.ndarray, k: int) -> np.ndarray:
    """For every cell how many pairs it is in that fewer than k persons have.

    Codes of the same persons are looked at once: what is measured together makes many of them.
    """
    holders = np.ascontiguousarray(np.packbits(stays, axis=0).T)
    _, first, kind, alike = np.unique(
        holders.view(f"V{holders.shape[1]}").reshape(-1), return_index=True, return_inverse=True, return_counts=True
    )
    own = stays[:, first].astype(np.float32)
    weak = _weak(own.T @ own, k)
    pairs = own @ (weak * alike.astype(np.float32)[:, None]) - np.diag(weak)
    return np.asarray((pairs * own)[:, kind.reshape(-1)])


def _weak(support: np.ndarray, k: int) -> np.ndarray:
    return ((support > 0) & (support < k)).astype(np.float32)


def _each_code(stays: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    for i in np.flatnonzero(stays.any(axis=0)).tolist():
        yield i, np.flatnonzero(stays[:, i])


def _come_back(stays: np.ndarray, free: np.ndarray, k: int, m: int) -> np.ndarray:
    """Cells that are gone and whose sets with all that their person has are had by k persons already."""
    while True:
        own = stays.astype(np.float32)
        n_persons = own.sum(axis=0)
        asked = np.flatnonzero((free & ~stays).any(axis=0) & (n_persons >= k))
        able = free[:, asked] & ~stays[:, asked]
        if m >= 2:
            able &= (own @ (own.T @ own[:, asked] < k)) == 0
        if m >= 3:
            for place in np.flatnonzero(able.any(axis=0)).tolist():
                among, asking = stays[:, asked[place]], np.flatnonzero(able[:, place])
                few = (own[among].T @ own[among] < k).astype(np.float32)
                able[asking, place] = ((own[asking] @ few) * own[asking]).sum(axis=1) == 0
        whom = np.flatnonzero(able.any(axis=1))
        if not len(whom):
            return stays
        best = asked[np.argmax(able[whom] * (n_persons[asked] + 1.0), axis=1)]
        stays = stays.copy()
        stays[whom, best] = True
