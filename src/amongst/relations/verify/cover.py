"""Does a published label hold a value?"""

from __future__ import annotations

import contextlib
from typing import Any

from amongst.errors import BadHierarchy
from amongst.published.labels import parse
from amongst.schema.column import Column
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

    def learn(self, values: list[Any]) -> None:
        """Bind the hierarchy to all values at once: quicker than one by one."""
        if self.rule.hierarchy is not None and values:
            in_order = [v for v in self.rule.order if v in set(values)] if self.rule.order is not None else values
            self._add(self.rule.hierarchy.tree(in_order, self.rule.kind))

    def holds(self, label: str | None, value: Any) -> bool:
        """Whether the label is true of the value."""
        if label is None or value is None:
            return label == "*" if value is None and label is not None else value is None
        if label in ("*", text_of(value)) or label in self._ancestors(value):
            return True
        if self.rule.publish == "ancestor":
            return False
        said = parse(label, self.rule.kind, order=self.order)
        own = parse(text_of(value), self.rule.kind, order=self.order)
        if self.order is not None:
            place = self.order.get(text_of(value))
        else:
            place = own.lo  # type: ignore[assignment]
        return said.lo is not None and said.hi is not None and place is not None and said.lo <= place <= said.hi

    def _ancestors(self, value: Any) -> set[str]:
        if value not in self._above:
            self._above[value] = set()
            if self.rule.hierarchy is not None:
                with contextlib.suppress(BadHierarchy):
                    self._add(self.rule.hierarchy.tree([value], self.rule.kind))
        return self._above[value]

    def _add(self, tree: Tree) -> None:
        for i, leaf in enumerate(tree.leaves):
            self._above[leaf] = {tree.label(level, i) for level in range(tree.n_levels)}
