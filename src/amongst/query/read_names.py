"""From published labels or plain values to names: leaves of a hierarchy, members of sets, masks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.errors import BadQuestion
from amongst.published.labels import parse
from amongst.query.cells import Cells
from amongst.query.loose import LooseLabels, NameSet
from amongst.query.names import NameLabels
from amongst.query.nulls import Nulls
from amongst.query.question import Condition, Literal
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of

MOST_SETS = 8
"""Conditions on one column whose hierarchy is not known."""
Run = tuple[int, int]


@dataclass(frozen=True, eq=False)
class NameColumn:
    """A column of names, ready for conditions.

    Attributes
    ----------
    code_of_leaf : dict of str to int
        The names that are known to be values, in the order of the tree.
    runs_of_node : dict of str to list of runs
        The codes below every node of the tree.
    complete : bool
        There are no values but the leaves.
    texts : list of (str or None)
        The label of every number; the last label, for rows that are not in the release, is not among them.
    """

    name: str
    code_of_leaf: Mapping[str, int]
    runs_of_node: Mapping[str, list[Run]]
    complete: bool
    texts: Sequence[str | None]
    nulls: Nulls
    plain_values: bool = False
    sort = "name"
    loose = False
    whole = False
    _made: dict[tuple[str, ...], NameLabels] = field(default_factory=dict)

    @property
    def n_labels(self) -> int:
        return len(self.texts) + 1

    def said(self, place: float) -> Literal:
        raise NotImplementedError

    def values(self) -> list[Literal] | None:
        return list(self.code_of_leaf)

    @property
    def labels(self) -> NameLabels:
        """What its labels say, by the names that are known here."""
        return self._labels((), len(self.code_of_leaf) + (not self.complete))

    def cells(self, conditions: Sequence[Condition]) -> Cells:
        extra = self._unnamed(conditions)
        code_of_name = {**self.code_of_leaf, **{name: len(self.code_of_leaf) + i for i, name in enumerate(extra)}}
        n_codes = len(code_of_name) + (not self.complete)
        masks = [self._mask(condition, code_of_name, n_codes) for condition in conditions]
        null_truth = np.array([one.kind == "null" and not one.negated for one in conditions], dtype=bool)
        if extra not in self._made:
            self._made[extra] = self._labels(extra, n_codes)
        return self._made[extra].cells(masks, null_truth)

    def _unnamed(self, conditions: Sequence[Condition]) -> tuple[str, ...]:
        """The names that only the question knows: they get codes of their own."""
        if self.complete:
            return ()
        named = [name_of(value, self.name) for one in conditions if one.kind == "in" for value in one.values]
        return tuple(dict.fromkeys(n for n in named if n not in self.code_of_leaf and n not in self.runs_of_node))

    def _mask(self, condition: Condition, code_of_name: Mapping[str, int], n_codes: int) -> np.ndarray:
        mask = np.zeros(n_codes, dtype=bool)
        if condition.kind == "null":
            return ~mask if condition.negated else mask
        if condition.kind == "range":
            raise _no_order(self.name)
        for value in condition.values:
            name = name_of(value, self.name)
            for first, last in self.runs_of_node.get(name, []):
                mask[first : last + 1] = True
            if name in code_of_name:
                mask[code_of_name[name]] = True
            elif self.complete and name not in self.runs_of_node:
                raise BadQuestion(
                    f"Column {self.name!r} cannot be asked so.",
                    found="a constant that is no value and no node of its hierarchy",
                    fix="check its spelling: upper and lower case count",
                )
        return ~mask if condition.negated else mask

    def _labels(self, extra: Sequence[str], n_codes: int) -> NameLabels:
        whole: list[Run] = [(0, n_codes - 1)] if n_codes else []
        owner: list[int] = []
        runs: list[Run] = []
        for i, text in enumerate([*self.texts, "*"]):
            found = whole if text is not None and i == len(self.texts) else self._runs(text, extra, n_codes)
            owner += [i] * len(found)
            runs += found
        ends = np.array(runs, dtype=np.int64).reshape(-1, 2)
        expected = np.zeros(n_codes, dtype=bool)
        expected[: len(self.code_of_leaf)] = True
        return NameLabels(np.array(owner, dtype=np.int64), ends[:, 0], ends[:, 1], expected, self.nulls)

    def _runs(self, text: str | None, extra: Sequence[str], n_codes: int) -> list[Run]:
        """The codes that a label may stand for."""
        if text is None:
            return []
        if self.plain_values:
            return [(self.code_of_leaf[text],) * 2]
        if text and not text.strip("*"):
            return [(0, n_codes - 1)] if n_codes else []
        if text in self.runs_of_node:
            return self.runs_of_node[text]
        if text in self.code_of_leaf:
            return [(self.code_of_leaf[text],) * 2]
        label = parse(text, "categorical")
        if label.kind == "set":
            return [run for member in label.members for run in self._runs(member, extra, n_codes)]
        if label.kind == "mask" and not self.complete:
            return [(code, code) for code in self._masked(text, extra)] + [(n_codes - 1, n_codes - 1)]
        return [(0, n_codes - 1)] if n_codes else []  # of a text that means nothing here nothing is known

    def _masked(self, text: str, extra: Sequence[str]) -> Iterator[int]:
        known = text.strip("*")
        for code, name in enumerate([*self.code_of_leaf, *extra]):
            if name.startswith(known) if text.startswith(known) else name.endswith(known):
                yield code


def name_column(
    name: str, texts: Sequence[str | None], nulls: Nulls, tree: Tree | None, plain_values: bool = False
) -> NameColumn:
    """A column of names. Without a tree its values are those that its own labels name."""
    if tree is not None:
        leaves = [text_of(leaf) for leaf in tree.leaves if leaf is not None]
        codes = dict(zip(leaves, range(len(leaves)), strict=True))
        if plain_values:  # values of the original that the tree does not know come after its leaves
            for text in texts:
                if text is not None:
                    codes.setdefault(text, len(codes))
        return NameColumn(
            name=name,
            code_of_leaf=codes,
            runs_of_node=_runs_of_node(tree),
            complete=not plain_values,
            texts=texts,
            nulls=nulls,
            plain_values=plain_values,
        )
    named = dict.fromkeys(text for text in texts if text is not None) if plain_values else _named(texts)
    return NameColumn(
        name=name,
        code_of_leaf={text: i for i, text in enumerate(named)},
        runs_of_node={},
        complete=False,
        texts=texts,
        nulls=nulls,
        plain_values=plain_values,
    )


def _named(texts: Sequence[str | None]) -> dict[str, None]:
    found: dict[str, None] = {}
    for text in texts:
        if text is None or (text and not text.strip("*")):
            continue
        label = parse(text, "categorical")
        if label.kind == "set" and len(label.members) > 1:  # one member stands for itself, braces and all
            found.update(dict.fromkeys(label.members))
        elif label.kind != "mask":
            found[text] = None
    return found


def _runs_of_node(tree: Tree) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {}
    for level, labels in enumerate(tree.labels):
        for first, label in labels.items():
            run = (first, int(tree.end[level, first]))
            if run not in runs.setdefault(label, []):
                runs[label].append(run)
    return runs


@dataclass(frozen=True, eq=False)
class LooseColumn:
    """A column of names in a hierarchy or order that is not known here."""

    name: str
    labels: LooseLabels
    sort = "name"
    loose = True
    whole = False

    @property
    def n_labels(self) -> int:
        return self.labels.n_labels

    def said(self, place: float) -> Literal:
        raise NotImplementedError

    def values(self) -> list[Literal] | None:
        return sorted({name for names in self.labels.names for name in names})

    def cells(self, conditions: Sequence[Condition]) -> Cells:
        if len(conditions) > MOST_SETS:
            raise BadQuestion(
                f"There are too many conditions on column {self.name!r}.",
                found=f"{len(conditions)} conditions, and its hierarchy is not known here",
                fix="use IN (...), or give the schema of the release",
            )
        null_truth = np.array([one.kind == "null" and not one.negated for one in conditions], dtype=bool)
        return self.labels.cells([self._set(one) for one in conditions], null_truth)

    def _set(self, condition: Condition) -> NameSet:
        if condition.kind == "null":
            return NameSet(frozenset(), negated=condition.negated, certain=True)
        if condition.kind == "range":
            raise _no_order(self.name)
        names = frozenset(name_of(value, self.name) for value in condition.values)
        return NameSet(names, condition.negated)


def loose_column(name: str, texts: Sequence[str | None], nulls: Nulls, size: np.ndarray) -> LooseColumn:
    """A column of labels of which only the names are known; the last label is for rows not in the release."""
    names = [_names_in(text) for text in texts] + [()]
    plain = np.array([len(one) == 1 for one in names], dtype=bool)
    return LooseColumn(name, LooseLabels(names, plain, np.append(size, 0), nulls))


def _names_in(text: str | None) -> tuple[str, ...]:
    if text is None or (text and not text.strip("*")):
        return ()
    label = parse(text, "categorical")
    return label.members if label.kind == "set" and len(label.members) > 1 else (text,)


def name_of(value: Literal | Any | None, column: str) -> str:
    """The text that a constant stands for in a column of names."""
    if value is None:
        raise _no_order(column)
    return text_of(value)


def _no_order(column: str) -> BadQuestion:
    return BadQuestion(
        f"Column {column!r} cannot be asked so.",
        found="a comparison by size in a column whose order is not known",
        fix="use =, <> or IN; for an ordered column give the schema of the release",
    )
