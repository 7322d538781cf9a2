"""Rows that are codes on disk, grouped part by part as the method asks: the same wherever they were read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.parts.conditions import conditions_by_counts
from amongst.engines.parts.curve_parts import Line, curve_of
from amongst.engines.parts.diverse import diverse_runs_by_parts, diversity_by_counts
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.hilbert import runs_by_parts
from amongst.engines.parts.mondrian import mondrian_by_parts
from amongst.engines.parts.ring_parts import rings_of
from amongst.engines.parts.summary import Grouped
from amongst.errors import BadOption
from amongst.models import Model, beyond_rows, group_size
from amongst.partition.mondrian.mondrian import kind_of_cuts
from amongst.partition.pricing import prices_of
from amongst.request import Request
from amongst.schema.schema import Schema


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupRows:
    """What is asked of the rows of a table; it can be sent to where they are.

    Attributes
    ----------
    schema : Schema
    models : sequence of privacy models
    way : {"cuts", "runs", "fast runs", "rings", "fast rings"}
        How the method works part by part.
    options : mapping
        Of the method.
    seed : int
    part_rows : int
        The largest part that is in memory.
    """

    schema: Schema
    models: Sequence[Model]
    way: str
    options: Mapping[str, Any]
    seed: int
    part_rows: int

    @classmethod
    def of(cls, request: Request, part_rows: int) -> GroupRows:
        """As it is asked."""
        return cls(
            schema=request.schema,
            models=request.models,
            way=request.chosen.by_parts,
            options=request.options,
            seed=request.seed or 0,
            part_rows=part_rows,
        )

    def refuse(self, table: CodedTable, counts: Sequence[np.ndarray]) -> None:
        """Raise for what no grouping can reach, from how often every code of every column occurs."""
        if self.way != "cuts" and beyond_rows(self.models):
            diversity_by_counts(table, counts, self.models)

    def program(
        self, rows: EncodedRows, folder: Path, progress: Callable[[int, int], None] | None = None
    ) -> Callable[[], Grouped]:
        """What makes the groups when it is called; what it writes to disk is in ``folder``."""
        if self.way == "cuts":
            n_qi, n_sensitive = rows.table.n_qi, len(rows.table.sensitive)
            asked = conditions_by_counts(rows.table, rows.counts[n_qi : n_qi + n_sensitive], self.models)
            cuts = kind_of_cuts(self.options.get("cuts", "hierarchy-first"))
            how: Any = {"most_rows": self.part_rows, "folder": folder, "progress": progress}
            return partial(mondrian_by_parts, rows, self.schema, asked, cuts, **how)
        how = {"line": self._line(rows, folder), "fast": self.way.startswith("fast"), "progress": progress}
        if beyond_rows(self.models):
            return partial(diverse_runs_by_parts, rows, self.schema, self.models, self.part_rows, folder, **how)
        return partial(runs_by_parts, rows, self.schema, group_size(self.models), self.part_rows, folder, **how)

    def _line(self, rows: EncodedRows, folder: Path) -> Line:
        """The line that the method puts rows on."""
        prices = prices_of(rows.table)
        if self.way.endswith("rings"):
            return rings_of(rows, prices, self.part_rows, folder, self.options.get("centres"), self.seed)
        return curve_of(rows.table, rows.counts, prices)


def beyond_parts(request: Request) -> list[str]:
    """What of a request cannot be done part by part."""
    by_parts = request.chosen.by_parts
    possible = ("rows", "subsets", "values") if by_parts == "cuts" else ("rows", "values")
    # Groups that look alike are one to a reader: a model that joining may break needs all of them at hand.
    beyond = [model.name for model in request.models if model.counts not in possible or not model.monotone]
    if by_parts != "cuts":  # the curve is cut for k and for the share of a value
        beyond += [model.name for model in request.models if model.counts == "values" and model.largest_share is None]
    problems = [] if by_parts else [f"method = {request.method!r}"]
    problems += [f"models: {', '.join(beyond)}"] if beyond else []
    problems += ["rules = 'paper'"] if request.options.get("rules", "ours") != "ours" else []
    problems += [f"target = {request.target!r}"] if request.target is not None else []
    return problems


def refuse_beyond_parts(request: Request) -> None:
    """Raise for it."""
    problems = beyond_parts(request)
    if problems:
        raise BadOption(
            "The distinct rows of this table do not fit into the memory allowed, and this cannot be done part by part.",
            found=problems,
            fix="allow more memory, or use mondrian; with k and l-diversity by frequency also hilbert or idistance",
        )
