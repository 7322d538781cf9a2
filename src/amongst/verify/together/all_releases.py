"""What any number of releases tell together of somebody who is in all of them.

Somebody whose quasi-identifiers are known is in one class of each release: in a *way*, a class of every release such
that any two of them can stand for the same values. What is published as it is did not change in between; so the rows
that can be hers are, value by value, no more than the class of the way that has fewest of them.

Guarantees: no way on which somebody with unchanged quasi-identifiers can be is left out; releases that she is not in
only lower what is counted. What is found rests on the published files alone, and on nothing of how they were made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.errors import BadInput
from amongst.models import Model
from amongst.published.finding import Finding
from amongst.published.layout import Leaf
from amongst.published.meaning import in_one_spelling
from amongst.published.release_part import Part, PartClasses, classes_of_part
from amongst.published.tally import one_key
from amongst.verify.together.composition import overlapping_pairs

MOST_WAYS = 2_000_000

ASSUMED = (
    "What is published as it is, and the quasi-identifiers, did not change while somebody was in the releases; whoever "
    "changed is looked at from then on as somebody else.",
    "An intruder knows the quasi-identifiers of a person, and in which of the releases the person is.",
    "Who came and who went is looked at by `amongst verify --against`, two releases at a time.",
)


@dataclass(frozen=True)
class Together:
    """What some releases tell together. True in a condition when k and l still hold.

    Attributes
    ----------
    names : list of str
        The releases, in their order.
    k : int
    l : float
        0 where no l-diversity was asked.
    n_ways : int
        Ways through all of them on which somebody can be.
    least_rows, least_values : int
        Over all ways: how many rows can be hers, and how many values of the sensitive column that has fewest.
    compared : bool
        Whether there was anything to compare.
    findings : list of Finding
    """

    names: list[str]
    k: int
    l: float = 0.0  # noqa: E741
    n_ways: int = 0
    least_rows: int = 0
    least_values: int = 0
    compared: bool = True
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """They were compared, and it holds."""
        return self.compared and not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def to_dict(self) -> dict[str, Any]:
        """Plain data; a count of people below k is not told."""
        few = f"fewer than {self.k}"
        return {
            "releases": self.names,
            "ok": self.ok,
            "compared": self.compared,
            "k": self.k,
            "l": self.l,
            "ways": self.n_ways,
            "least_rows": self.least_rows if self.least_rows >= self.k else few,
            "least_values": self.least_values,
            "findings": [one.to_dict() for one in self.findings],
            "assumptions": list(ASSUMED),
        }


def together(
    parts: Sequence[Part], models: Sequence[Model], k: int, names: Sequence[str], *, several: bool = False
) -> Together:
    """Look at all releases at once. ``several``: somebody can have several rows in one of them."""
    shared = [name for name in parts[0].published_as_is if all(name in part.published_as_is for part in parts)]
    tallies = [classes_of_part(part, shared) for part in parts]
    least = max((float(model.asked) for model in models if model.name == "l-diversity"), default=0.0)
    told: dict[str, Any] = {"names": list(names), "k": k, "l": least}
    if len(parts) < 2 or not shared:
        what = "Nothing could be compared." if len(parts) > 1 else "One release is not held against anything."
        fix = "give at least two releases that publish a column as it is"
        return Together(**told, compared=False, findings=[Finding("composition-unproved", what, "", fix)])
    ways = _ways(parts, tallies)
    counts, sensitive = _counts(tallies, shared, parts[0].layout.schema.sensitive)
    left = counts[0][ways[:, 0]]
    for release in range(1, len(parts)):
        left = np.minimum(left, counts[release][ways[:, release]])
    rows = left.sum(axis=1)
    there = rows > 0  # on the other ways there is nobody
    if not there.any():
        what = "No way through the releases can have anybody on it, so nothing was compared."
        fix = "compare releases of the same people, with values that are written alike"
        return Together(**told, compared=False, findings=[Finding("composition-unproved", what, "0 ways", fix)])
    values = [_n_values(left[there], of) for of in sensitive.values()] or [np.zeros(int(there.sum()), dtype=np.int64)]
    fewest = np.minimum.reduce(values)
    findings = []
    small = rows[there] < k
    if small.any():
        what = f"All releases together leave fewer than {k} rows for whoever is in all of them."
        found = f"on {int(small.sum()):,} of {len(small):,} ways through the releases"
        findings.append(Finding("together", what, found, "do not publish them all; make the next with a series"))
    low = fewest < least - 1e-9
    if sensitive and low.any():
        what = f"All releases together leave fewer than {least:g} sensitive values for whoever is in all of them."
        found = f"on {int(low.sum()):,} of {len(low):,} ways through the releases"
        findings.append(Finding("together-values", what, found, "do not publish them all"))
    if several and not findings:
        what = "Rows were counted and hold; which of them are of one person is not in the files."
        fix = "a series counts people when it makes a release; from its files alone rows can be shown"
        findings.append(Finding("composition-unproved", what, "people are counted in a release", fix))
    return Together(
        **told,
        n_ways=int(there.sum()),
        least_rows=int(rows[there].min()),
        least_values=int(fewest.min()),
        findings=findings,
    )


def _ways(parts: Sequence[Part], tallies: Sequence[PartClasses]) -> np.ndarray:
    """All ways through the releases: any two classes of a way can stand for the same person."""
    ways = np.arange(len(tallies[0].rows.size))[:, None]
    for t in range(1, len(parts)):
        n = len(tallies[t].rows.size)
        fits = []
        for u in range(t):
            found = list(overlapping_pairs(parts[u], parts[t], [tallies[u], tallies[t]]))
            a, b = (np.concatenate(one) for one in zip(*found, strict=True)) if found else (np.zeros(0, int),) * 2
            fits.append(np.sort(a.astype(np.int64) * n + b))
        last = fits[-1]
        first = np.searchsorted(last, ways[:, -1] * n)
        width = np.searchsorted(last, (ways[:, -1] + 1) * n) - first
        if int(width.sum()) > 20 * MOST_WAYS:
            raise _too_many()
        way = np.repeat(np.arange(len(ways)), width)
        at = np.arange(len(way)) - np.repeat(np.cumsum(width) - width, width) + first[way]
        longer = np.column_stack([ways[way], last[at] % n])
        for u in range(t - 1):
            longer = longer[_among(fits[u], longer[:, u] * n + longer[:, -1])]
        ways = longer
        if len(ways) > MOST_WAYS:
            raise _too_many()
    return ways


def _among(known: np.ndarray, asked: np.ndarray) -> np.ndarray:
    at = np.minimum(np.searchsorted(known, asked), max(len(known) - 1, 0))
    return known[at] == asked if len(known) else np.zeros(len(asked), dtype=bool)


def _too_many() -> BadInput:
    return BadInput(
        "The classes of the releases overlap in too many ways.",
        found=f"more than {MOST_WAYS:,} ways through them",
        fix="give the job file with --schema, or fewer releases",
    )


def _counts(
    tallies: Sequence[PartClasses], shared: Sequence[str], sensitive: Sequence[str]
) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """For every release the rows by class and combination of shared values; of each sensitive column its values."""
    codes = {name: _numbered(tallies, name) for name in shared}
    ends = np.cumsum([len(one.items.size) for one in tallies])
    key = one_key(list(codes.values()), int(ends[-1]))
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    counts = []
    for one, own in zip(tallies, np.split(number.reshape(-1), ends[:-1]), strict=True):
        table = np.zeros((len(one.rows.size), len(first)), dtype=np.int64)
        np.add.at(table, (one.class_of_item, own), one.items.size)
        counts.append(table)
    return counts, {name: codes[name][first] for name in sensitive if name in codes}


def _numbered(tallies: Sequence[PartClasses], name: str) -> np.ndarray:
    """The value of every item of all releases, numbered alike; spellings that differ in case or blanks are one."""
    columns = [one.items.columns[Leaf(name)] for one in tallies]
    texts = pa.concat_arrays(in_one_spelling([column.values for column in columns]))
    plain = [None if text is None else " ".join(text.casefold().split()) for text in texts.to_pylist()]
    code = pa.array(plain, pa.string()).dictionary_encode(null_encoding="encode").indices.to_numpy()
    parts = np.split(code.astype(np.int64), np.cumsum([column.n_codes for column in columns])[:-1])
    return np.concatenate([own[column.codes] for own, column in zip(parts, columns, strict=True)])


def _n_values(left: np.ndarray, value_of_combination: np.ndarray) -> np.ndarray:
    there = np.zeros((len(left), int(value_of_combination.max(initial=-1)) + 1), dtype=bool)
    for value in np.unique(value_of_combination).tolist():
        there[:, value] = (left[:, value_of_combination == value] > 0).any(axis=1)
    return there.sum(axis=1)
