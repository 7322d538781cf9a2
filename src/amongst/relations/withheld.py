"""Sensitive values that a few known codes would tell: withheld for all rows of a group that look alike.

Whoever knows up to m codes of a person looks at the persons of the group who have them, and at those of their rows
that the codes speak of. Where the values of such rows are not as spread as was asked, for any such set of codes, the
column is published as missing in all of them. Codes stay as they are, and no row goes because of a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.kernels.relations import Grouped
from amongst.relations.closeness import Closeness, asked_closeness
from amongst.relations.content_order import value_ranks
from amongst.relations.diversity import Diversity, database_models
from amongst.relations.forest import Forest
from amongst.relations.km_anonymity import codes_asked
from amongst.relations.known_places import Places, places

if TYPE_CHECKING:
    from amongst.relations.stored import Stored

SLACK = 1e-9
MOST_CELLS = 4_000_000
"""Counts of so many sets of codes and values are looked at together."""


def withhold(forest: Forest, made: Grouped, models: Sequence[Any], stored: Stored) -> Grouped:
    """The grouping with what is withheld of sensitive columns: True where a cell is published as missing."""
    asked: list[Diversity | Closeness] = [*asked_closeness(models)]
    if forest.schema.bounded:
        asked += database_models(models)[1]
    if not asked:
        return made
    about = codes_asked(models)
    m = 0 if about is None else about.m
    seen = places(forest, made)
    owned = _codes_of_groups(made, seen)
    hidden = [np.zeros(table.sensitive.shape, dtype=bool) for table in forest.tables]
    for t, name in enumerate(forest.names):
        for c, column in enumerate(forest.schema[name].schema.sensitive):
            cells = stored.tables[name].column(column).take(forest.row_of[t])
            there = cells.is_valid().to_numpy(zero_copy_only=False) if len(cells) else np.zeros(0, dtype=bool)
            value = np.unique(value_ranks(cells), return_inverse=True)[1].reshape(-1)
            for model in (one for one in asked if one.concerns(name, column)):
                judge = Judge(model, isinstance(model, Closeness) and model.ordered(_plain(cells.type)))
                rows = np.flatnonzero(there & (seen.kind[t] >= 0))
                while True:  # what is withheld changes what all rows say together
                    rows = rows[~hidden[t][rows, c]]
                    gone = _telling(forest, made, seen, owned, t=t, rows=rows, value=value, judge=judge, m=m)
                    hidden[t][gone, c] = True
                    if not len(gone) or isinstance(model, Diversity):
                        break
    return replace(made, withheld=hidden)


def _plain(kind: Any) -> Any:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


@dataclass(frozen=True, eq=False)
class Owned:
    """The codes of the persons of one group: a matrix of persons x codes, and which row of it is whose."""

    has: np.ndarray
    persons: np.ndarray


def _codes_of_groups(made: Grouped, seen: Places) -> dict[int, Owned]:
    group = made.group_of_person[seen.person]
    found = {}
    order = np.argsort(group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if len(order) else []:
        persons, who = np.unique(seen.person[rows], return_inverse=True)
        items, what = np.unique(seen.item[rows], return_inverse=True)
        has = np.zeros((len(persons), len(items)), dtype=np.float32)
        has[who.reshape(-1), what.reshape(-1)] = 1
        found[int(group[rows[0]])] = Owned(has, persons)
    return found


def _telling(
    forest: Forest,
    made: Grouped,
    seen: Places,
    owned: dict[int, Owned],
    *,
    t: int,
    rows: np.ndarray,
    value: np.ndarray,
    judge: Judge,
    m: int,
) -> np.ndarray:
    """The rows of all kinds whose values some set of codes would tell."""
    if not len(rows):
        return rows
    there, place = np.unique(value[rows], return_inverse=True)  # values that only rows that are gone have do not count
    value = np.zeros(len(value), dtype=np.int64)
    value[rows] = place.reshape(-1)
    judge = replace(judge, whole=np.bincount(place.reshape(-1), minlength=len(there)) / len(rows))
    code, kind, person = seen.code[t][rows], seen.kind[t][rows], forest.person_of[t][rows]
    order = np.lexsort((code, kind))
    new = (np.diff(kind[order]) != 0) | (np.diff(code[order]) != 0)
    gone = []
    for some in np.split(order, np.flatnonzero(new) + 1):
        known = owned.get(int(made.group_of_person[person[some[0]]]))
        more = m - 1 if code[some[0]] >= 0 else m  # one of the codes is the row's own
        if not judge.holds_for(value[rows[some]], person[some], known, more):
            gone.append(rows[some])
    return np.concatenate(gone) if gone else rows[:0]


@dataclass(frozen=True, eq=False)
class Judge:
    """Whether values are as spread as a model asks, whatever codes are known of their persons."""

    model: Diversity | Closeness
    ordered: bool = False
    whole: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def holds_for(self, value: np.ndarray, person: np.ndarray, known: Owned | None, m: int) -> bool:
        """Of all rows, and of those of persons who share any up to m codes."""
        pairs = np.unique(np.stack([value, person]), axis=1)
        counted = [(value, person), (pairs[0], pairs[1])]
        people = np.unique(person)
        for i, (own, who) in enumerate(counted):
            if not self._asks(persons=bool(i)):
                continue
            total = person if i == 0 else people
            spread = self._spread(own, np.ones((len(own), 1), dtype=np.float32))
            if not self._ok(spread, np.array([float(len(total))])):
                return False
            if known is None or m < 1:
                continue
            has, of_all = _rows_of(known, who), _rows_of(known, total)
            for counts, whole in self._sets(own, has, of_all, m):
                if not self._ok(counts, whole):
                    return False
        return True

    def _asks(self, *, persons: bool) -> bool:
        if isinstance(self.model, Closeness):
            return not persons
        return self.model.count in ("both", "persons" if persons else "rows")

    def _sets(
        self, value: np.ndarray, has: np.ndarray, of_all: np.ndarray, m: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For sets of up to m codes the counts of the values among those who have them, and how many those are."""
        used = np.flatnonzero(of_all.any(axis=0))
        has, of_all = has[:, used], of_all[:, used]
        yield self._spread(value, has), of_all.sum(axis=0)
        if m < 2:
            return
        n_values = len(self.whole) if isinstance(self.model, Closeness) else len(np.unique(value))
        width = max(1, MOST_CELLS // max(len(used) * max(n_values, len(has)), 1))
        for first in range(0, len(used) if m == 2 else 0, width):
            part = slice(first, first + width)
            some = (has[:, part, None] * has[:, None, :]).reshape(len(has), -1)
            whole = (of_all[:, part].T @ of_all).reshape(-1)
            yield self._spread(value, some), whole
        for c in range(len(used) if m > 2 else 0):
            inside = has[:, c] > 0
            yield from self._sets(value[inside], has[inside], of_all[of_all[:, c] > 0], m - 1)

    def _spread(self, value: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """How much of every value (rows) there is for every set (columns)."""
        if isinstance(self.model, Closeness):
            n_values, place = len(self.whole), value
        else:
            distinct, place = np.unique(value, return_inverse=True)
            n_values, place = len(distinct), place.reshape(-1)
        one = np.zeros((n_values, len(value)), dtype=np.float32)
        one[place, np.arange(len(value))] = 1
        return np.asarray(one @ weight, dtype=np.float64)

    def _ok(self, counts: np.ndarray, whole: np.ndarray) -> bool:
        there = whole > 0
        counts, whole = counts[:, there], whole[there]
        if not counts.size:
            return True
        model = self.model
        if isinstance(model, Closeness):
            apart = counts / counts.sum(axis=0) - self.whole[:, None]
            far = np.abs(np.cumsum(apart, axis=0)).sum(axis=0) / max(len(apart) - 1, 1)
            far = far if self.ordered else np.abs(apart).sum(axis=0) / 2
            return bool((far <= model.t + SLACK / 2).all())
        if model.sense == "frequency":
            return bool((counts.max(axis=0) * model.l <= whole * (1 + SLACK / 2)).all())
        if model.sense == "distinct":
            return bool(((counts > 0).sum(axis=0) >= model.l).all())
        if model.sense == "entropy":
            share = counts / counts.sum(axis=0)
            entropy = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=0)
            return bool((np.exp(entropy) >= model.l * (1 - SLACK / 2)).all())
        ranked = np.sort(counts, axis=0)[::-1]
        return bool((model.c * ranked[int(model.l) - 1 :].sum(axis=0) > ranked[0] * (1 + SLACK)).all())


def _rows_of(known: Owned, person: np.ndarray) -> np.ndarray:
    """The codes of these persons; none for those who have none."""
    at = np.minimum(np.searchsorted(known.persons, person), len(known.persons) - 1)
    return known.has[at] * (known.persons[at] == person)[:, None].astype(np.float32)
