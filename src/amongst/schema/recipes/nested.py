"""A mapping of groups to members, as deep as one likes: continents, regions, countries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from amongst.errors import BadHierarchy
from amongst.schema.digest import digest_of
from amongst.schema.problem import Problem, count, raise_all
from amongst.schema.recipes.rows import Row, tree_of_rows
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of


@dataclass(frozen=True)
class Nested:
    """Groups as mappings, members as lists; a list may also hold mappings, for members beside groups.

    ``text`` is the mapping as JSON with all leaves as texts: hashable, and what the digest is of.
    """

    text: str = field(repr=False)

    @classmethod
    def of(cls, mapping: Any) -> Nested:
        raise_all(BadHierarchy, "This mapping cannot be a hierarchy.", _problems(mapping))
        return cls(json.dumps(_as_texts(mapping), ensure_ascii=False))

    @property
    def mapping(self) -> dict[str, Any]:
        return json.loads(self.text)

    def bind(self, values: list[Any], kind: str) -> Tree:
        return tree_of_rows(_rows(self.mapping), values, kind)

    def to_dict(self) -> dict[str, Any]:
        return {"nested": self.mapping}

    def describe(self) -> str:
        rows = _rows(self.mapping)
        return f"a mapping of {count(len(rows), 'leaf', 'leaves')}"

    def public_dict(self) -> dict[str, Any]:
        return {"nested": len(_rows(self.mapping)), "sha256": digest_of(self.text)}


def _problems(mapping: Any) -> list[Problem]:
    fix = 'write {"group": ["member", "member"], "other group": {"part": ["member"]}}'
    if not isinstance(mapping, Mapping):
        return [Problem("not a mapping", fix)]
    n_odd = n_empty = 0
    waiting: list[Any] = [mapping]
    while waiting:
        group = waiting.pop()
        if not isinstance(group, (Mapping, list, tuple)):
            n_odd += 1
            continue
        n_empty += not group
        members = list(group.values()) if isinstance(group, Mapping) else group
        inside = isinstance(group, Mapping)
        waiting += [member for member in members if inside or isinstance(member, (Mapping, list, tuple))]
        n_odd += 0 if inside else sum(member is None for member in members)
    problems = []
    if n_odd:
        problems.append(Problem(f"{count(n_odd, 'group')} with neither a list nor a mapping of members", fix))
    if n_empty:
        problems.append(Problem(f"{count(n_empty, 'group')} without members", "leave empty groups out"))
    return problems


def _as_texts(content: Any) -> Any:
    if isinstance(content, Mapping):
        return {text_of(label): _as_texts(below) for label, below in content.items()}
    return [_as_texts(member) for member in content] if isinstance(content, (list, tuple)) else text_of(content)


def _rows(mapping: dict[str, Any]) -> list[Row]:
    """A row for every leaf, in the mapping's order; a leaf that hangs higher repeats itself below."""
    paths: list[tuple[str, Row]] = []
    waiting: list[tuple[Any, Row]] = [(mapping, ())]
    while waiting:
        content, above = waiting.pop()
        if isinstance(content, dict):
            waiting += [(below, (label, *above)) for label, below in reversed(content.items())]
        elif isinstance(content, list):
            waiting += [(member, above) for member in reversed(content)]
        else:
            paths.append((content, above))
    depth = max((len(above) for _, above in paths), default=0)
    return [(leaf, *[leaf] * (depth - len(above)), *above) for leaf, above in paths]
