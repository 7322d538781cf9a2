"""Does a published label hold a value?"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from amongst.errors import BadHierarchy
from amongst.published.labels import parse
from amongst.schema.column import Column
from amongst.schema.recipes.fanout import Fanout
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of


class Cover:
    """The labels of one column, and the values that they stand for.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.relations.verify.cover import Cover
    >>> Cover(am.Column(role="quasi", kind="numeric")).holds("[20-29]", 25)
    True
    """

    def __init__(self, rule: Column) -> None:
        self.rule = rule
        self.order = None if rule.order is None else {text_of(one): place for place, one in enumerate(rule.order)}
        self._above: dict[Any, set[str]] = {}
        self._known: dict[str, Any] = {}

    def learn(self, values: list[Any]) -> None:
        """Bind the hierarchy to all values at once: quicker than one by one."""
        self._known |= {text_of(value): value for value in values}
        if self.rule.hierarchy is not None and values:
            self._add(self.rule.hierarchy.tree(values if self.rule.order is None else self.rule.order, self.rule.kind))
            if all(isinstance(value, float) and value.is_integer() for value in values):  # read beside fractions
                self._add(self.rule.hierarchy.tree([int(value) for value in values], self.rule.kind))

    def holds(self, label: str | None, value: Any) -> bool:
        """Whether the label is true of the value."""
        if label is None or value is None:
            return label == "*" if value is None and label is not None else value is None
        if label in ("*", text_of(value)) or label in self._ancestors(value):
            return True
        if self.rule.publish == "ancestor":
            return self._lies_between(label, value)
        said = parse(label, self.rule.kind, order=self.order)
        own = parse(text_of(value), self.rule.kind, order=self.order)
        if self.order is not None:
            place = self.order.get(text_of(value))
        else:
            place = own.lo  # type: ignore[assignment]
        return said.lo is not None and said.hi is not None and place is not None and said.lo <= place <= said.hi

    def below(self, labels: Iterable[str]) -> dict[str, set[str]]:
        """The values that labels stand for, of a hierarchy that lists its values; none where it is by rule.

        Examples
        --------
        >>> import amongst as am
        >>> from amongst.relations.verify.cover import Cover
        >>> tree = am.Hierarchy.nested({"north": ["A", "B"], "south": ["C"]})
        >>> sorted(Cover(am.Column(role="quasi", hierarchy=tree)).below(["north", "*"])["north"])
        ['A', 'B']
        """
        found: dict[str, set[str]] = {label: set() for label in labels}
        if self.rule.hierarchy is not None:
            with contextlib.suppress(BadHierarchy):
                tree = self.rule.hierarchy.tree([], self.rule.kind)
                for i, leaf in enumerate(tree.leaves):
                    for label in {tree.label(level, i) for level in range(1, tree.n_levels)} & found.keys():
                        found[label].add(text_of(leaf))
        return found

    def _lies_between(self, label: str, value: Any) -> bool:
        """Whether a node of ``fanout``, named by the first and the last published value below it, holds the value.

        Where one node ends and the next begins follows from values that are not published as well, so that nodes cannot
        be made again; true is the name of all values between the two, in the order of the column.
        """
        told = self.rule.hierarchy.recipe if self.rule.hierarchy is not None else None
        if not isinstance(told, Fanout) or told.order is not None or self.order is not None:
            return False
        if self.rule.kind in ("numeric", "date"):
            said, own = (parse(text, self.rule.kind) for text in (label, text_of(value)))
            return None not in (said.lo, said.hi, own.lo) and said.lo <= own.lo <= said.hi  # type: ignore[operator]
        inside = label[1:-1] if label.startswith("[") and label.endswith("]") else ""
        ends = [(inside[:i], inside[i + 1 :]) for i, sign in enumerate(inside) if sign == "-"]
        known = self._known or {text: text for pair in ends for text in pair}  # an intruder has not seen the values
        return any(
            a in known and b in known and type(known[a]) is type(value) and known[a] <= value <= known[b]
            for a, b in ends
        )

    def _ancestors(self, value: Any) -> set[str]:
        if value not in self._above:
            self._above[value] = set()
            if self.rule.hierarchy is not None:
                with contextlib.suppress(BadHierarchy):
                    self._add(self.rule.hierarchy.tree([value], self.rule.kind))
        return self._above[value]

    def _add(self, tree: Tree) -> None:
        for i, leaf in enumerate(tree.leaves):
            self._above.setdefault(leaf, set()).update(tree.label(level, i) for level in range(tree.n_levels))
