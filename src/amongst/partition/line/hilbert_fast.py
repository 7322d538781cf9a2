"""The Hilbert curve, with groups priced by how much of the curve they span."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.choices import OURS
from amongst.encode import CodedTable
from amongst.models import Model
from amongst.partition.line.hilbert import runs_on_the_curve
from amongst.partition.method import Method
from amongst.partition.papers import ONE_DIMENSIONAL
from amongst.partition.partition import Partition
from amongst.partition.rules import as_printed


def hilbert_fast(
    table: CodedTable,
    models: Sequence[Model],
    *,
    rules: str = OURS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """As ``hilbert``, but a group is priced by how much of the curve it spans.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007:
        HilbFast (section 5.1).
    Guarantees
        Every group has k to 2k-1 rows; with l-diversity as in ``hilbert``.
    Choices
        As ``hilbert``. The extent is that of the leading bits of the keys, 64 less those that the sum of 2k
        extents needs (57 for k = 10).
    Departures
        As ``hilbert``, and as there none with ``rules="paper"``.
    Cost
        As ``hilbert``, without the d in the price of a group.
    """
    return runs_on_the_curve(table, models, progress, fast=True, printed=as_printed(rules))


METHOD = Method(
    name="hilbert-fast",
    family="line",
    place=20,
    group=hilbert_fast,
    takes="models",
    recoding="local",
    tight=True,
    words="As hilbert, but groups are chosen by how much of the curve they span.",
    paper=f"{ONE_DIMENSIONAL}, section 5.1",
    by_parts="fast runs",
    any_width=True,
    seconds=2.7,
)
