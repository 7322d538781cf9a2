"""Codes below what stands above each: as a hierarchy that is as deep everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from amongst.schema.hierarchy import Hierarchy

if TYPE_CHECKING:
    import pyarrow as pa


def tree_of_paths(codes: pa.ChunkedArray, path_of: Callable[[str], Sequence[str]]) -> Hierarchy | None:
    """The hierarchy of the codes of a column, each with what stands above it, the nearest first.

    None where nothing stands above any of them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.relations.code_paths import tree_of_paths
    >>> tree = tree_of_paths(pa.chunked_array([["J45.0", "x"]]), lambda code: [code[:3]] if "." in code else [])
    >>> tree is None
    False
    """
    import pyarrow.compute as pc

    values = [str(one) for one in pc.unique(codes).to_pylist() if one is not None]
    paths = {value: list(path_of(value)) for value in values}
    depth = max((len(path) for path in paths.values()), default=0)
    if not depth:
        return None
    # The own place of a code stands for levels that it lacks.
    return Hierarchy.from_rows([[one, *[one] * (depth - len(path)), *path, "*"] for one, path in paths.items()])
