"""Numbers that stand for something: value labels, and codes that mean missing, as SPSS, Stata and SAS have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Codes:
    """What the numbers of a column stand for.

    Attributes
    ----------
    format : str
        The format that it comes from: a release in it has the codes again.
    labels : mapping of float to str
        What a code stands for.
    missing : tuple of (float, float)
        Codes from the first to the second, both included, mean missing.
    label : str
        What the column is about.
    """

    format: str
    labels: Mapping[float, str] = field(default_factory=dict)
    missing: tuple[tuple[float, float], ...] = ()
    label: str = ""

    def values(self, cells: pa.Array) -> tuple[pa.Array, Any]:
        """Distinct codes as what they stand for: labels, where every code that does not mean missing has one of its
        own, else the numbers; null for those that mean missing. There is none that does not fit."""
        import pyarrow as pa
        import pyarrow.compute as pc

        odd = pa.array([False] * len(cells))
        if not (pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type)):
            return cells, odd
        gone = self.means_missing(cells)
        kept = pc.if_else(gone, pa.scalar(None, cells.type), cells)
        names = pa.array(list(self.labels.values()), pa.string())
        places = pc.index_in(kept.cast(pa.float64()), pa.array([float(code) for code in self.labels], pa.float64()))
        labelled = places.null_count == kept.null_count and len(self.labels) == len(set(self.labels.values()))
        return (names.take(places) if labelled and len(names) else kept), odd

    def means_missing(self, cells: pa.Array) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        gone = pa.array([False] * len(cells))
        for low, high in self.missing:
            within = pc.and_(pc.greater_equal(cells, low), pc.less_equal(cells, high))
            gone = pc.or_(gone, within.fill_null(False))
        return gone

    def used_by(self, column: Any) -> dict[float, str]:
        """The labels of the codes that a column has: a code that suppressed rows alone have is not told."""
        import pyarrow.compute as pc

        if not self.labels:
            return {}
        there = set(pc.unique(column).to_pylist())
        return {code: text for code, text in self.labels.items() if code in there}
