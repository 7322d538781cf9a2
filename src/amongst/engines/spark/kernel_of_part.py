"""What a worker of an executor runs: Mondrian's kernel on the tuples of one part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.encode.rank import smallest_dtype
from amongst.kernels.axis import Axis

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class KernelOfPart:
    """Strict Mondrian on the tuples of one part, as an executor runs it."""

    axes: Sequence[Axis]
    k: int
    cuts: int

    def __call__(self, part: pa.Table) -> pa.Table:
        import pyarrow as pa

        columns = [
            part.column(f"q{c}").to_numpy().astype(smallest_dtype(axis.n_codes + 1)) for c, axis in enumerate(self.axes)
        ]
        weight = part.column("n").to_numpy().astype(np.uint32)
        group, *_ = kernels.mondrian(columns, weight, self.axes, self.k, cuts=self.cuts, relaxed=False)
        return part.append_column("group", pa.array(group, pa.int32()))
