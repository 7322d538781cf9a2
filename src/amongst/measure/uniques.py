"""How many rows stand alone with their quasi-identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.frequency import tuples_of

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


def uniques(table: CodedTable, partition: Partition) -> int:
    """Rows of the input that no other row equals in all quasi-identifiers; those a null rule left out do not count.

    Methods that keep equal rows together count them on their way.
    """
    if "uniques" in partition.facts:
        return int(partition.facts["uniques"])
    return int((tuples_of(table).count == 1).sum())


def uniques_of_classes(size_of_class: np.ndarray) -> int:
    """The same for a published table."""
    return int((size_of_class == 1).sum())
