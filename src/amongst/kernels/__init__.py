"""Compiled loops, named by what they do; the same in numpy where there is no compiler.

Kernels take arrays and scalars and return arrays. ``AMONGST_KERNELS=numpy`` chooses the numpy versions,
which are also what the tests hold the compiled ones against.
"""

from __future__ import annotations

from types import ModuleType

from amongst.kernels.loader import compiled


def _choose() -> ModuleType:
    if compiled("_compiled") is None:
        from amongst.kernels.numpy import rows

        return rows
    from amongst.kernels import compiled_rows

    return compiled_rows


_kernels = _choose()

NAME: str = _kernels.NAME
"""``"compiled"`` or ``"numpy"``."""

distinct = _kernels.distinct
mondrian = _kernels.mondrian
order_by_class = _kernels.order_by_class
sort_within = _kernels.sort_within
gather = _kernels.gather
look_up = _kernels.look_up
repeat = _kernels.repeat
count_pairs = _kernels.count_pairs
roll_up = _kernels.roll_up
rows_below = _kernels.rows_below
