"""m-invariance: everybody keeps the set of values of her first class, her signature, in all later ones.

Paper
    Xiao, Tao: m-invariance: towards privacy preserving re-publication of dynamic datasets, SIGMOD 2007, section 5.
Guarantees
    Every group has each value of its signature equally often, and at least m of them; so a value has at most 1/m of
    every class, and what all classes of somebody have in common has her whole signature. Who is left out keeps hers.
Choices
    Newcomers who complete a bucket are those nearest to a row that lacks a partner. The others are given few
    signatures, region by region, so that buckets are large. A bucket is halved along the column in which both halves
    together span least.
Departures
    Counterfeits only where they are asked for; without them the rows that lack a partner wait. Somebody whose new value
    is in her signature keeps the signature; another one is as new.
Cost
    Sorting, and a step for every group of newcomers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

REGION = 64
"""A region of so many groups of newcomers is not divided further before they are put together."""
Bucket = dict[int, list[int]]
"""Rows by value; a counterfeit that joins a row is minus one minus that row."""


@dataclass
class Grouped:
    """Groups of rows, each with every value of its signature equally often.

    Attributes
    ----------
    group_of_row : ndarray of int64
        -1 for rows that wait.
    signature_of_row : ndarray of int64
        Its number in ``signatures``; -1 for rows that never had one.
    signatures : list of tuple of int
        Sorted values.
    counterfeits : list of (int, int, int)
        The group, the value, and a row of the group whose quasi-identifiers it takes.
    """

    group_of_row: np.ndarray
    signature_of_row: np.ndarray
    signatures: list[tuple[int, ...]]
    counterfeits: list[tuple[int, int, int]]


def invariant_groups(
    place: np.ndarray,
    value: np.ndarray,
    signature: np.ndarray,
    signatures: Sequence[tuple[int, ...]],
    *,
    m: int,
    k: int,
    counterfeits: bool,
) -> Grouped:
    """Put rows together so that all keep their signatures.

    Parameters
    ----------
    place : ndarray of float64, shape (rows, columns)
        Where every row is, such that distances in all columns compare.
    value : ndarray of int64
    signature : ndarray of int64
        The number of everybody's signature so far, -1 for newcomers.
    """
    known = list(signatures)
    number = {one: i for i, one in enumerate(known)}
    signature = signature.copy()
    has = np.array(
        [v in known[s] if s >= 0 else False for v, s in zip(value.tolist(), signature.tolist(), strict=True)]
    )
    own = np.where(has, signature, -1)
    new = set(np.flatnonzero(own < 0).tolist())
    buckets = [(s, np.flatnonzero(own == s)) for s in np.unique(own[own >= 0]).tolist()]
    full = [(s, _balanced(rows, known[s], place, value, new, m=m, counterfeits=counterfeits)) for s, rows in buckets]
    for told, bucket in _of_newcomers(sorted(new), place, value, m=m, least=-(-k // m)):
        full.append((number.setdefault(told, len(known)), bucket))
        known += [told] if full[-1][0] == len(known) else []
    found = Grouped(np.full(len(value), -1, dtype=np.int64), signature, known, [])
    n_groups = 0
    for s, bucket in _together(full):
        for group in _split(bucket, place, -(-k // len(known[s]))):
            real = [row for rows in group.values() for row in rows if row >= 0]
            if not real:
                continue  # of counterfeits alone
            found.group_of_row[real], found.signature_of_row[real] = n_groups, s
            found.counterfeits += [(n_groups, v, real[0]) for v, rows in group.items() for row in rows if row < 0]
            n_groups += 1
    return found


def _balanced(
    rows: np.ndarray,
    signature: tuple[int, ...],
    place: np.ndarray,
    value: np.ndarray,
    new: set[int],
    *,
    m: int,
    counterfeits: bool,
) -> Bucket:
    """A bucket with as many rows of every value: filled with newcomers, then with counterfeits, or rows wait."""
    bucket = {v: rows[value[rows] == v].tolist() for v in signature}
    can: Bucket = {v: [row for row in sorted(new) if value[row] == v] for v in signature}
    most = max(map(len, bucket.values()))
    if not counterfeits:
        most = min(most, min(len(bucket[v]) + len(can[v]) for v in signature))
    widest = max(bucket, key=lambda v: len(bucket[v]))
    for v, own in bucket.items():
        lacking = most - len(own)
        beside = bucket[widest][-lacking:] if lacking > 0 else []
        for partner in beside:
            if not can[v] or (counterfeits and not _eligible(value[list(new)], v, m)):
                break
            far = np.abs(place[can[v]] - place[partner]).sum(axis=1)
            row = can[v].pop(int(np.argmin(far)))
            new.discard(row)
            own.append(row)
        own += [-1 - partner for partner in beside[len(beside) - (most - len(own)) :]] if len(own) < most else []
        del own[most:]
    return bucket


def _eligible(left: np.ndarray, taken: int, m: int) -> bool:
    """Whether newcomers can still all be put together when one with a value is taken away."""
    n = np.bincount(left)
    n[taken] -= 1
    return bool(n.max() * m <= n.sum())


def _of_newcomers(
    rows: Sequence[int], place: np.ndarray, value: np.ndarray, *, m: int, least: int
) -> list[tuple[tuple[int, ...], Bucket]]:
    """Newcomers in buckets, region by region; who is left over in a region is put together with those of the next."""
    found: list[tuple[tuple[int, ...], Bucket]] = []

    def settle(some: np.ndarray, n_each: int) -> np.ndarray:
        """Put the people of a region together, and give those who are left over."""
        if not len(some):
            return some
        spread = np.ptp(place[some], axis=0)
        if len(some) > 2 * REGION * m * least and spread.max() > 0:
            order = some[np.argsort(place[some, int(np.argmax(spread))], kind="stable")]
            some = np.concatenate([settle(half, n_each) for half in np.array_split(order, 2)])
        by_value = {v: some[value[some] == v].tolist() for v in np.unique(value[some]).tolist()}
        for told, n in _wrapped({v: len(own) // n_each for v, own in by_value.items()}, m):
            found.append((told, {v: [by_value[v].pop() for _ in range(n * n_each)] for v in told}))
        return np.array([row for own in by_value.values() for row in own], dtype=np.int64)

    settle(settle(np.array(rows, dtype=np.int64), least), 1)  # the second time of those whom no whole group took
    return found


def _wrapped(n_of_value: dict[int, int], m: int) -> list[tuple[tuple[int, ...], int]]:
    """Signatures of m different values, and how many rows of each value get them: for as many rows as can be.

    The values are laid end to end over m shelves of equal length; what stands in one place is a signature.
    """
    length = sum(n_of_value.values()) // m
    while length and sum(min(n, length) for n in n_of_value.values()) < m * length:
        length -= 1
    ordered = sorted(n_of_value, key=lambda v: (-n_of_value[v], v))
    laid = np.repeat(ordered, [min(n_of_value[v], length) for v in ordered])[: m * length]
    shelves, n = np.unique(np.sort(laid.reshape(m, length), axis=0), axis=1, return_counts=True)
    return [(tuple(one), times) for one, times in zip(shelves.T.tolist(), n.tolist(), strict=True)] if length else []


def _together(buckets: Sequence[tuple[int, Bucket]]) -> list[tuple[int, Bucket]]:
    """Buckets of one signature are one bucket."""
    found: dict[int, Bucket] = {}
    for s, bucket in buckets:
        whole = found.setdefault(s, {v: [] for v in bucket})
        for v, rows in bucket.items():
            whole[v] += rows
    return sorted(found.items())


def _split(bucket: Bucket, place: np.ndarray, least: int) -> list[Bucket]:
    """A balanced bucket in groups of at least so many rows a value; a counterfeit is where the row is that it joins."""
    found, stack = [], [{v: np.array(rows, dtype=np.int64) for v, rows in bucket.items()}]
    while stack:
        one = stack.pop()
        n = len(next(iter(one.values())))
        if n < 2 * least:
            if n >= least:
                found.append({v: rows.tolist() for v, rows in one.items()})
            continue
        half = max(n // 2 // least * least, least)
        halves = []
        for c in range(place.shape[1]):
            order = {v: rows[np.argsort(_at(place, rows)[:, c], kind="stable")] for v, rows in one.items()}
            sides = [{v: rows[:half] for v, rows in order.items()}, {v: rows[half:] for v, rows in order.items()}]
            price = sum(_span(place, side) for side in sides)
            halves.append((price, c, sides))
        stack += min(halves, key=lambda tried: tried[:2])[2]
    return found


def _at(place: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.asarray(place[np.where(rows < 0, -1 - rows, rows)])


def _span(place: np.ndarray, side: dict[int, np.ndarray]) -> float:
    rows = np.concatenate(list(side.values()))
    return float(np.ptp(_at(place, rows), axis=0).sum() * len(rows))
