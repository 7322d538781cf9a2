"""How many rows stand alone with their quasi-identifiers."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.frequency import frequency_set


def uniques(table: CodedTable) -> int:
    """Rows of the input that no other row equals in all quasi-identifiers."""
    return int((frequency_set(table.codes).count == 1).sum())


def uniques_of_classes(size_of_class: np.ndarray) -> int:
    """The same for a published table."""
    return int((size_of_class == 1).sum())
