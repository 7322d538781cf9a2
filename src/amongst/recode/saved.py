"""A recoding on its own: what every class of a release publishes, saved, and found again in the codes of other rows.

It holds labels that were published and nothing else: ranges by their published ends, nodes of hierarchies by their
names, sets by their members. Hierarchies are in the schema, which stays where it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from amongst.brief import Brief
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import BadInput
from amongst.recode.bounds import bounds
from amongst.recode.labels import ancestor_labels, is_part, text_of
from amongst.recode.members import members_of_groups

if TYPE_CHECKING:
    import os

    from amongst.partition.partition import Partition
    from amongst.schema.schema import Schema

FORMAT = 1
ALL = "*"
"""The token of a column that says nothing."""

Token = Any
"""What a class publishes in a column: ``{"range": [lower, upper]}``, ``{"node": name}``, ``{"set": [...]}``, ``*``, or
None for a missing value. Values as the text that is published."""


@dataclass(frozen=True, eq=False)
class SavedRecoding(Brief):
    """What a release does to quasi-identifiers, for other rows of the same kind.

    Attributes
    ----------
    method : str
        What found it.
    columns : dict of str to dict
        For every quasi-identifier ``{"level": n}``, or ``{"tokens": [...]}``: what is published in it.
    classes : list of list of int
        Of every class the place of its token in every column; empty where every combination is a class.
    nodes : {"hierarchy", "regions", "flat"}, or None
        Whether nodes are published whatever the schema says.
    """

    method: str
    columns: Mapping[str, Mapping[str, Any]]
    classes: Sequence[Sequence[int]] = ()
    nodes: str | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what ``save`` wrote."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(
                "The recoding cannot be read.",
                found=getattr(error, "strerror", None) or "no text",
                fix="give the file that was saved",
            ) from None
        return cls.from_json(text)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The recoding that ``to_json`` wrote."""
        try:
            facts = json.loads(text)
            if facts["kind"] != "recoding" or facts["format"] != FORMAT:
                raise ValueError
            columns = {str(name): dict(one) for name, one in facts["columns"].items()}
            classes = [[int(place) for place in one] for one in facts["classes"]]
            found = cls(str(facts["method"]), columns, classes, facts["nodes"])
            sizes = [len(one.get("tokens", ())) for one in columns.values()]
            if any(
                len(one) != len(sizes) or any(not 0 <= p < n for p, n in zip(one, sizes, strict=True))
                for one in classes
            ):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            fix = "give a file that Recoding.save or amongst run --save-recoding wrote"
            raise BadInput("This is no saved recoding.", found="another content", fix=fix) from None
        return found

    def to_json(self) -> str:
        """All of it as text; of the cells that a release was made of only what it published."""
        facts = {"kind": "recoding", "format": FORMAT, "method": self.method, "nodes": self.nodes}
        return json.dumps({**facts, "columns": self.columns, "classes": self.classes}, ensure_ascii=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, whole or not at all."""
        from amongst.new_file import write_text

        write_text(self.to_json(), Path(path))

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def __str__(self) -> str:
        return f"found by {self.method}, sha256 {self.digest[:16]}"

    @property
    def is_product(self) -> bool:
        """Whether every combination of what its columns publish is a class."""
        return not self.classes


def recoding_of(method: str, table: CodedTable, partition: Partition, schema: Schema) -> dict[str, Any]:
    """What the groups of a table publish: the attributes of a ``SavedRecoding``."""
    levels = partition.level_of_column
    columns: dict[str, dict[str, Any]] = {}
    places = []
    for c, column in enumerate(table.columns):
        if levels is not None:
            columns[column.name] = {"level": int(levels[c])}
            continue
        tokens = _tokens(column, partition, c, schema[column.name].publish, schema[column.name].grid)
        text = [json.dumps(token, sort_keys=True) for token in tokens]
        known = {one: place for place, one in enumerate(sorted(set(text)))}
        columns[column.name] = {"tokens": [json.loads(one) for one in known]}
        places.append([known[one] for one in text])
    product = levels is not None or (partition.set_of_code is not None)
    classes = [] if product else sorted({tuple(one) for one in zip(*places, strict=True)})
    return {"method": method, "columns": columns, "classes": [list(one) for one in classes], "nodes": partition.nodes}


def _tokens(column: CodedColumn, partition: Partition, c: int, publish: str | None, grid: float | None) -> list[Token]:
    """What every group publishes in a column; or what every set of codes does, where sets hold for the whole table."""
    sets = partition.sets_of(c)
    if sets is not None:
        group, code = _of_sets(sets)
        return _set_tokens(column, group, code, int(group.max(initial=-1)) + 1, whole=int((sets >= 0).sum()))
    lo, hi = partition.lo[:, c].astype(np.int64), partition.hi[:, c].astype(np.int64)
    if partition.nodes != "flat" and (partition.nodes is not None or publish == "ancestor") and column.tree is not None:
        labels = ancestor_labels(column, lo, hi, widest=partition.nodes == "regions").to_pylist()
        return [None if label is None else {"node": label} for label in labels]
    if partition.nodes is not None or publish == "ancestor":
        told = lo == hi
        if partition.nodes == "hierarchy":
            told |= is_part(column, lo, hi)
        tokens = range_tokens(column, lo, np.where(told, hi, lo), None)
        return [token if some else ALL for token, some in zip(tokens, told.tolist(), strict=True)]
    if publish == "set":
        return _set_tokens(column, *members_of_groups(column, partition), partition.n_groups)
    return range_tokens(column, lo, hi, grid)


def _of_sets(set_of_code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    code = np.flatnonzero(set_of_code >= 0)
    group = np.unique(set_of_code[code], return_inverse=True)[1].reshape(-1)
    order = np.lexsort((code, group))
    return group[order], code[order]


def _set_tokens(column: CodedColumn, group: np.ndarray, code: np.ndarray, n: int, whole: int = -1) -> list[Token]:
    texts = text_of(column.values).to_pylist()
    first = np.searchsorted(group, np.arange(n + 1))
    found: list[Token] = []
    for a, b in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        own = code[a:b]
        null = bool((own == column.null_code).any()) if column.null_code is not None else False
        if len(own) == 0 or (null and len(own) == 1):
            found.append(None)
        elif null or (len(own) == whole and len(own) > 1):
            found.append(ALL)
        else:
            found.append({"set": [texts[one] for one in own.tolist()]})
    return found


def range_tokens(column: CodedColumn, lo: np.ndarray, hi: np.ndarray, grid: float | None) -> list[Token]:
    """The published ends of ranges of codes."""
    lower, upper = (text_of(end).to_pylist() for end in bounds(column, lo, hi, grid))
    mixed = ((hi == column.own_null) & (lo != hi) if column.own_null >= 0 else np.zeros(len(lo), dtype=bool)).tolist()
    return [
        ALL if both else None if a is None else {"range": [a, b]}
        for a, b, both in zip(lower, upper, mixed, strict=True)
    ]
