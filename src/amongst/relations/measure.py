"""What many tables keep and lose: LM and DM, table by table and column by column; rows and persons suppressed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.kernels.relations import Grouped
from amongst.relations.forest import Forest


@dataclass(frozen=True)
class TableLoss:
    """What one table lost.

    Attributes
    ----------
    rows, suppressed : int
        Rows of the input, and how many of them are not published.
    lm : float or None
        The loss metric of its cells (a cell of a suppressed row counts 1). Without quasi-identifiers a row counts as
        one cell: the share of the rows that are gone. None without rows.
    columns : dict of str to float
        The same for every quasi-identifier.
    """

    rows: int
    suppressed: int
    lm: float | None
    columns: dict[str, float] = field(default_factory=dict)

    def rows_words(self, threshold: int) -> str:
        """How many of how many rows are published; fewer gone than ``threshold`` are not counted out.

        Examples
        --------
        >>> from amongst.relations.measure import TableLoss
        >>> [TableLoss(1200, gone, None).rows_words(10) for gone in (0, 3, 200)]
        ['all 1,200 rows published', '1,197 rows published, fewer than 10 left out', '1,000 of 1,200 rows published']
        """
        kept = self.rows - self.suppressed
        if not self.suppressed:
            return f"all {self.rows:,} rows published"
        if self.suppressed < threshold:
            return f"{kept:,} rows published, fewer than {threshold:,} left out"
        return f"{kept:,} of {self.rows:,} rows published"

    def to_dict(self) -> dict[str, Any]:
        return {"rows": self.rows, "suppressed": self.suppressed, "lm": self.lm, "columns": self.columns}


@dataclass(frozen=True)
class DatabaseUtility:
    """What a release of many tables keeps and loses.

    Attributes
    ----------
    lm : float
        The loss metric over the cells of all tables (definition 7): 0 keeps everything, 1 nothing.
    dm : int
        The discernibility metric (definition 8): for every person the size of the group; a suppressed person counts
        as many as there are persons.
    persons, suppressed_persons, groups, smallest : int
    tables : dict of str to TableLoss
    """

    lm: float
    dm: int
    persons: int
    suppressed_persons: int
    groups: int
    smallest: int
    tables: dict[str, TableLoss]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for ``--json`` and the manifest."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "tables"}
        return {**plain, "tables": {name: table.to_dict() for name, table in self.tables.items()}}


def measure_database(forest: Forest, grouped: Grouped) -> DatabaseUtility:
    """LM, DM and what is suppressed (MultiRelational k-Anonymity, definitions 7 and 8).

    Cells that a null rule took out before the search count as suppressed. A row without quasi-identifiers, which has
    no cells in definition 7, counts as one: kept or lost.
    """
    tables, lost, cells = {}, 0.0, 0
    for t, name in enumerate(forest.names):
        kept = grouped.node_of_row[t] >= 0
        rows = forest.n_input[t]
        gone = rows - int(kept.sum())
        columns = {}
        for c, column in enumerate(forest.columns[t]):
            price = forest.tables[t].prices[c]
            prices = price.of(grouped.lo[t][kept, c], grouped.hi[t][kept, c])
            columns[column.name] = (float(prices.sum()) / price.full + gone) / max(rows, 1)
        shares = list(columns.values()) or [gone / max(rows, 1)]
        tables[name] = TableLoss(rows, gone, sum(shares) / len(shares) if rows else None, columns)
        lost += sum(shares) * rows
        cells += len(shares) * rows
    groups = grouped.group_of_person[grouped.group_of_person >= 0]
    sizes = np.bincount(groups)
    sizes = sizes[sizes > 0].astype(np.int64)
    persons = forest.n_input[0]
    gone_persons = persons - int(sizes.sum())
    dm = int((sizes**2).sum()) + gone_persons * persons
    smallest = int(sizes.min()) if len(sizes) else 0
    in_order = {name: tables[name] for name in forest.schema}
    return DatabaseUtility(
        lm=lost / max(cells, 1),
        dm=dm,
        persons=persons,
        suppressed_persons=gone_persons,
        groups=len(sizes),
        smallest=smallest,
        tables=in_order,
    )
