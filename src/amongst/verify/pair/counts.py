"""The groups of an anatomy: how many rows each has, and how often each sensitive value occurs in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.finding import Finding, counted
from amongst.published.layout import Leaf
from amongst.published.source import Source
from amongst.published.spellings import joined
from amongst.published.tally import Distinct, Tally, one_key, tally

_FIRST_LOOK = 10_000


@dataclass(frozen=True, eq=False)
class PairCounts:
    """The groups that both tables have.

    Attributes
    ----------
    n_rows : int
        Of the first table.
    size : ndarray of int64, one a group
        How many rows of the first table are in it.
    total, most, n_values : ndarray of int64, one a group
        By the second table: rows, rows of the most frequent value, different values.
    entropy : ndarray of float64, one a group
    findings : list of Finding
        Where the two tables do not agree.
    n_joined : int
        How many spellings were counted as another one of the same value.
    """

    n_rows: int
    size: np.ndarray
    total: np.ndarray
    most: np.ndarray
    n_values: np.ndarray
    entropy: np.ndarray
    findings: list[Finding]
    n_joined: int = 0


def pair_counts(quasi: Source, sensitive: Source, link: str, value: str, count: str) -> PairCounts:
    """Count both tables, and hold them against each other."""
    rows = tally(quasi, [Leaf(link)])
    entries = tally(sensitive, [Leaf(link), Leaf(value), Leaf(count)])
    own, other = _names(rows.columns[Leaf(link)]), _names(entries.columns[Leaf(link)])
    group_of_name = pc.index_in(other, own).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    group = group_of_name[entries.columns[Leaf(link)].codes]
    n_groups = len(own)
    size = np.bincount(rows.columns[Leaf(link)].codes, weights=rows.size, minlength=n_groups).astype(np.int64)
    times, n_wrong = _whole_numbers(entries.columns[Leaf(count)])
    inside = group >= 0
    code, n_joined = _values(entries.columns[Leaf(value)])
    spelled = one_key([group[inside], entries.columns[Leaf(value)].codes[inside]], int(inside.sum()))
    pair, at = np.unique(one_key([group[inside], code[inside]], int(inside.sum())), return_inverse=True)
    of_pair = np.bincount(at.reshape(-1), weights=(times * entries.size)[inside], minlength=len(pair))
    group_of_pair = np.zeros(len(pair), dtype=np.int64)
    group_of_pair[at.reshape(-1)] = group[inside]
    total = np.bincount(group_of_pair, weights=of_pair, minlength=n_groups)
    most = np.zeros(n_groups)
    np.maximum.at(most, group_of_pair, of_pair)
    findings = [
        *_apart(int((np.bincount(group[inside], minlength=n_groups) == 0).sum()), quasi),
        *_apart(int((group_of_name < 0).sum()), sensitive),
        *_nameless(rows.columns[Leaf(link)], quasi),
        *_nameless(entries.columns[Leaf(link)], sensitive),
        *_no_counts(n_wrong),
        *_twice(int(entries.size[inside].sum()) - len(np.unique(spelled))),
        *_not_equal(int((total != size).sum()), n_groups),
    ]
    return PairCounts(
        n_rows=rows.n_rows,
        size=size,
        total=total.astype(np.int64),
        most=most.astype(np.int64),
        n_values=np.bincount(group_of_pair[of_pair > 0], minlength=n_groups),
        entropy=_entropy(group_of_pair, of_pair, total),
        findings=findings,
        n_joined=n_joined,
    )


def _values(column: Distinct) -> tuple[np.ndarray, int]:
    """The value of every entry, spellings of one text joined; and how many were."""
    if not (pa.types.is_string(column.values.type) or pa.types.is_large_string(column.values.type)):
        return column.codes, 0
    there = np.flatnonzero(~column.null_like)
    code = np.arange(column.n_codes)
    code[there], n_joined = joined(column.values.take(pa.array(there)), there)
    return code[column.codes], n_joined


def copies(quasi: Source, sensitive: Source, link: str, value: str, count: str) -> list[str]:
    """Columns of the first table that have, in every group, just the values that the second table says."""
    distinct = tally(sensitive, [Leaf(value)]).columns[Leaf(value)]
    values = set(_texts(distinct.values).to_pylist())
    alike = [name for name in quasi.names if name != link and _has_just(quasi, name, values)]
    if not alike:
        return []
    entries = tally(sensitive, [Leaf(link), Leaf(value), Leaf(count)])
    times, _ = _whole_numbers(entries.columns[Leaf(count)])
    said = _cells(entries, link, value, times * entries.size)
    found = []
    for name in alike:
        rows = tally(quasi, [Leaf(link), Leaf(name)])
        if _cells(rows, link, name, rows.size).equals(said):
            found.append(name)
    return found


def _has_just(source: Source, name: str, values: set[str | None]) -> bool:
    """Whether a column has these distinct values and no other; the first rows settle it for nearly every column."""
    seen: set[str | None] = set()
    for batch in source.batches([name]):
        column = batch.column(0)
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        if pa.types.is_nested(column.type):
            return False
        for part in (column[:_FIRST_LOOK], column[_FIRST_LOOK:]):
            seen |= set(_texts(pc.unique(part)).to_pylist())
            if not seen <= values:
                return False
    return seen == values


def _cells(counted_rows: Tally, link: str, name: str, size: np.ndarray) -> pa.Table:
    """Group, value and number of rows, as text and sorted: to be compared with those of another file."""
    keys = {}
    for title, leaf in (("group", Leaf(link)), ("value", Leaf(name))):
        column = counted_rows.columns[leaf]
        keys[title] = _texts(column.values).take(pa.array(column.codes))
    table = pa.table({**keys, "size": pa.array(size.astype(np.int64))})
    table = table.group_by(["group", "value"]).aggregate([("size", "sum")])
    return table.sort_by([("group", "ascending"), ("value", "ascending")]).select(["group", "value", "size_sum"])


def _names(column: Distinct) -> pa.Array:
    """What the groups are called, as text: a CSV file has nothing else. A missing one has no name."""
    return _texts(column.values)


def _texts(values: pa.Array) -> pa.Array:
    return values.cast(pa.string())


def _whole_numbers(column: Distinct) -> tuple[np.ndarray, int]:
    """The number of every entry, and how many of the distinct ones are no whole numbers above 0."""
    texts = _texts(column.values)
    good = pc.match_substring_regex(texts, "^[1-9][0-9]{0,14}$").fill_null(False)
    numbers = pc.if_else(good, texts, pa.scalar("0")).cast(pa.int64()).to_numpy(zero_copy_only=False)
    return numbers[column.codes], int((numbers == 0).sum())


def _entropy(group: np.ndarray, times: np.ndarray, total: np.ndarray) -> np.ndarray:
    share = times / np.maximum(total, 1)[group]
    parts = np.where(share > 0, -share * np.log(np.where(share > 0, share, 1.0)), 0.0)
    return np.bincount(group, weights=parts, minlength=len(total))


def _apart(n_groups: int, source: Source) -> list[Finding]:
    if not n_groups:
        return []
    found = f"{counted(n_groups, 'group')} in {source.name} alone"
    return [Finding("group-apart", "A group is in one of the two tables only.", found, "publish both of one run")]


def _nameless(column: Distinct, source: Source) -> list[Finding]:
    if not column.null_like.any():
        return []
    return [Finding("no-group", "Rows have no group.", f"missing group numbers in {source.name}", "number every row")]


def _no_counts(n_wrong: int) -> list[Finding]:
    if not n_wrong:
        return []
    found = f"{counted(n_wrong, 'cell')} with something else"
    return [Finding("no-count", "Counts must be whole numbers above 0.", found, "publish counts")]


def _twice(n_more: int) -> list[Finding]:
    if not n_more:
        return []
    found = f"{counted(n_more, 'line')} too many"
    return [Finding("value-twice", "A group has more than one line for a value.", found, "add them up")]


def _not_equal(n_groups: int, n_all: int) -> list[Finding]:
    if not n_groups:
        return []
    what = "The counts of a group do not add up to its rows."
    return [Finding("count", what, f"in {n_groups:,} of {counted(n_all, 'group')}", "publish both tables of one run")]
