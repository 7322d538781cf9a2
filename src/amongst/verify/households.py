"""Households in a published table: the set of members that each shows is one more quasi-identifier.

Whoever knows a family looks for rows that one household number links. So every row is judged together with all rows of
its household: the signature of a household is what its members publish, as often as each does, and households of the
same signature cannot be told apart. Every signature must be that of k households, and what is asked of sensitive values
must hold among the rows that are alike in their own quasi-identifiers and in the signature.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.finding import Finding
from amongst.published.layout import Key, Layout, Leaf
from amongst.published.source import Source
from amongst.published.tally import one_key, tally

SIGNATURE = Leaf("\0household")  # no column of a file has this name
CODE = "households"


def by_households(source: Source, layout: Layout, name: str, k: int) -> tuple[Source, Layout, list[Finding]]:
    """The source and the layout with the signature of every row's household, and what is wrong with them."""
    if name not in source.names:
        what = "Households cannot be told apart in the published table."
        return source, layout, [Finding(CODE, what, f"no column '{name}'", "publish their numbers, or drop the role")]
    leaves = [leaf for key in layout.keys for leaf in key.leaves]
    rows = tally(source, [*leaves, Leaf(name)])
    column = rows.columns[Leaf(name)]
    if column.null_like.any():
        what = "Rows belong to no household."
        return source, layout, [Finding(CODE, what, f"missing values of '{name}'", "give every row its household")]
    signature = _signatures(
        one_key([rows.columns[leaf].codes for leaf in leaves], len(rows.size)), column.codes, rows.size
    )
    n_alike = np.bincount(signature)
    findings = []
    if (n_alike < k).any():
        n = int(n_alike[n_alike < k].sum())
        what = f"Households are shown that fewer than {k} have: who knows all members finds the household."
        fix = "group households of the same size, or drop their numbers"
        findings.append(Finding(CODE, what, f"{n:,} of {len(signature):,} households", fix))
    wild = [key.quasi for key in layout.keys if key.nulls == "match anything"]
    if wild:
        what = "Households cannot be judged where a missing quasi-identifier matches anything."
        findings.append(Finding(CODE, what, ", ".join(wild), 'use nulls = "own value" or "suppress"'))
    keys = [*layout.keys, Key(name, "label", (SIGNATURE,), None)]
    return _with_signatures(source, name, column.values, signature), replace(layout, keys=keys), findings


def _signatures(what: np.ndarray, household: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The number of the signature of every household: the same where they show the same, as often."""
    shown = np.unique(one_key([what, times], len(what)), return_inverse=True)[1].reshape(-1)
    at = np.lexsort((shown, household))
    shown, own = shown[at], household[at]
    first = np.flatnonzero(np.diff(own, prepend=-1))
    size = np.diff(np.append(first, len(own)))
    signature, n = np.empty(len(first), dtype=np.int64), 0
    for of_size in np.unique(size):
        which = np.flatnonzero(size == of_size)
        members = shown[first[which][:, None] + np.arange(of_size)]
        number = np.unique(members, axis=0, return_inverse=True)[1].reshape(-1)
        signature[which] = n + number
        n += int(number.max()) + 1
    return signature


def _with_signatures(source: Source, name: str, households: pa.Array, signature: np.ndarray) -> Source:
    of_household = pa.array(signature)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        if SIGNATURE.column not in names:
            yield from source.batches(names)
            return
        own = [one for one in names if one != SIGNATURE.column]
        for batch in source.batches([*own, *([] if name in own else [name])]):
            cells = batch.column(name)
            plain = cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells
            found = of_household.take(pc.index_in(plain.cast(households.type), households))
            yield pa.RecordBatch.from_arrays(
                [*(batch.column(one) for one in own), found], names=[*own, SIGNATURE.column]
            )

    return replace(source, batches=batches, counted=None)
