"""Groups of values as the editor changes them: a tree of labels, and the mapping that a job file has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Node:
    """A group, or a value where it has no members and is none."""

    label: str
    members: list[Node] = field(default_factory=list)
    is_group: bool = False

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Node]]:
        """This node and all below it, each with its depth."""
        yield depth, self
        for member in self.members:
            yield from member.walk(depth + 1)


class Tree:
    """The groups over the values of one column.

    Examples
    --------
    >>> from amongst.app.tree import Tree
    >>> tree = Tree(["Bern", "Rome", "Oslo"])
    >>> tree.group({"Bern", "Rome"}, "South")
    >>> tree.mapping()
    {'*': ['Oslo', {'South': ['Bern', 'Rome']}]}
    """

    def __init__(self, values: Iterable[str]) -> None:
        self.root = Node("*", [Node(value) for value in values], is_group=True)

    @classmethod
    def of(cls, mapping: dict[str, Any], values: Iterable[str]) -> Tree:
        """The tree of a mapping; values that it leaves out hang below the root."""
        tree = cls([])
        tops = mapping["*"] if list(mapping) == ["*"] else mapping
        tree.root.members = _nodes(tops)
        known = {node.label for _, node in tree.root.walk() if not node.is_group}
        tree.root.members += [Node(value) for value in values if value not in known]
        return tree

    def lines(self) -> list[tuple[int, Node]]:
        """Every node below the root in order, with its depth."""
        return [line for member in self.root.members for line in member.walk()]

    def group(self, chosen: Iterable[str], label: str) -> None:
        """Put the chosen values and groups into a group of this name, new or there already.

        A new group appears where the first of them was. Groups are told from values by a name that ends in a slash.
        """
        picked = self._picked(set(chosen))
        if picked and label.strip():
            self._put(picked, self._group_named(label) or Node(label.strip(), is_group=True))

    def move(self, key: str, onto: str) -> None:
        """Put what was dragged where it was let go: into a group, together with a value, or out of all groups.

        Examples
        --------
        >>> from amongst.app.tree import Tree
        >>> tree = Tree(["Bern", "Rome", "Oslo"])
        >>> tree.move("Rome", "Bern")
        >>> tree.mapping()
        {'*': ['Oslo', {'Bern, Rome': ['Bern', 'Rome']}]}
        >>> tree.move("Oslo", "Bern, Rome/")
        >>> tree.move("Rome", "")
        >>> tree.mapping()
        {'*': ['Rome', {'Bern, Rome': ['Bern', 'Oslo']}]}
        """
        picked, under = self._picked({key}), self._picked({onto})
        if not picked or key == onto:
            return
        if not onto:
            self._put(picked, self.root)
        elif under and under[0].is_group:
            self._put(picked, under[0])
        elif under and not any(under[0] is node for _, node in picked[0].walk()):
            label = f"{under[0].label}, {picked[0].label}"
            self._put([*under, *picked], self._group_named(label) or Node(label, is_group=True))

    def _put(self, picked: list[Node], target: Node) -> None:
        """Hang nodes below a group; a new one appears where the first of them was."""
        if any(target is node for part in picked for _, node in part.walk()):
            return  # a group cannot be its own member
        place = self._parent(picked[0])
        if place is None:
            return
        for node in picked:
            parent = self._parent(node)
            if parent is not None:
                parent.members.remove(node)
        if target is not self.root and self._parent(target) is None:
            place.members.append(target)
        target.members += picked
        self._prune()

    def dissolve(self, chosen: Iterable[str]) -> None:
        """Take groups apart: their members hang where they hung; chosen values go up to the root."""
        for node in self._picked(set(chosen)):
            parent = self._parent(node)
            if parent is None:
                continue
            place = parent.members.index(node)
            if node.is_group:
                parent.members[place : place + 1] = node.members
            elif parent is not self.root:
                parent.members.remove(node)
                self.root.members.append(node)
        self._prune()

    def rename(self, key: str, label: str) -> None:
        """Another name for a group."""
        for node in self._picked({key}):
            if node.is_group and label.strip() and self._group_named(label) is None:
                node.label = label.strip()

    @property
    def n_groups(self) -> int:
        return sum(node.is_group for _, node in self.lines())

    def mapping(self) -> dict[str, Any]:
        """What stands in a job file under ``nested``."""
        return {"*": _members(self.root)}

    def _picked(self, keys: set[str]) -> list[Node]:
        """The nodes of the keys, without those whose group is picked as well."""
        picked: list[Node] = []
        below: set[int] = set()
        for _, node in self.lines():
            if key_of(node) in keys and id(node) not in below:
                picked.append(node)
                below |= {id(inner) for _, inner in node.walk()}
        return picked

    def _group_named(self, label: str) -> Node | None:
        return next((node for _, node in self.lines() if node.is_group and node.label == label.strip()), None)

    def _parent(self, child: Node) -> Node | None:
        return next((node for _, node in self.root.walk() if any(one is child for one in node.members)), None)

    def _prune(self) -> None:
        """Groups that lost all their members go, and then those that held nothing else."""
        for _, node in reversed(list(self.root.walk())):
            node.members = [one for one in node.members if one.members or not one.is_group]


def key_of(node: Node) -> str:
    """What tells nodes apart: a group may have the name of a value."""
    return node.label + "/" if node.is_group else node.label


def _members(node: Node) -> list[Any]:
    values: list[Any] = [one.label for one in node.members if not one.is_group]
    return values + [{one.label: _members(one)} for one in node.members if one.is_group]


def _nodes(content: Any) -> list[Node]:
    if isinstance(content, dict):
        return [Node(str(label), _nodes(below), is_group=True) for label, below in content.items()]
    nodes: list[Node] = []
    for one in content:
        nodes += _nodes(one) if isinstance(one, dict) else [Node(str(one))]
    return nodes
