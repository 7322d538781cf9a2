"""The values of a sensitive column as the published table has them: in order, on the line, in a tree."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.errors import BadHierarchy
from amongst.published.distinct_labels import parse_all
from amongst.published.exact_numbers import apart, whole_numbers
from amongst.published.spellings import joined
from amongst.published.tally import Distinct
from amongst.schema.column import Column
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of

LINE = ("numeric", "date")
_DAY_ZERO = datetime.datetime(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class Values:
    """What there is to count, numbered in order; a missing value is a value of its own, and the last.

    Attributes
    ----------
    kind : str
    n_values : int
        Also those that the schema's order or hierarchy knows and the table has not.
    has_null : bool
    place : ndarray of float64, or of fractions beyond what a float holds; or None
        Where the values lie on the number line, dates in days, perhaps from the first on; NaN for the missing one.
    tree : Tree, or None
        The column's tree; its leaves are the values before the missing one.
    n_joined : int
        How many spellings were counted as another one of the same value.
    hindrance : str
        Why the order or the tree is not known, in words; empty when all is well.
    """

    kind: str
    n_values: int
    has_null: bool = False
    place: np.ndarray | None = None
    tree: Tree | None = None
    hindrance: str = ""
    n_joined: int = 0


def number_values(column: Distinct, described: Column, text_file: bool) -> tuple[Values, np.ndarray]:
    """The values of a column, and the number of every code's value.

    Null and what is not a number are one value. Texts of a text file that say the same number are one too, and so are
    spellings of one text.
    """
    texts = column.values.cast(pa.string())
    missing = column.null_like
    kind = described.kind or ("ordered" if described.order is not None else _kind_of(column, texts, text_file))
    if kind in LINE and text_file:
        missing = missing | pc.equal(pc.utf8_lower(texts), "nan").fill_null(False).to_numpy(zero_copy_only=False)
    there = np.flatnonzero(~missing)
    values, texts = column.values.take(pa.array(there)), texts.take(pa.array(there))
    found, code_of_value = _in_order(values, texts, described, kind)
    if kind not in LINE and _is_text(values.type):
        code_of_value, n_joined = joined(texts, code_of_value)
        found = replace(found, n_joined=n_joined)
    code = np.full(column.n_codes, found.n_values, dtype=np.int64)
    code[there] = code_of_value
    if len(there) < column.n_codes:
        place = None if found.place is None else np.append(found.place, np.nan)
        found = replace(found, n_values=found.n_values + 1, has_null=True, place=place)
    return found, code


def _is_text(of: pa.DataType) -> bool:
    return pa.types.is_string(of) or pa.types.is_large_string(of)


def _in_order(values: pa.Array, texts: pa.Array, described: Column, kind: str) -> tuple[Values, np.ndarray]:
    place = _places(values, texts, kind) if kind in LINE else None
    if place is not None and np.isnan(place).any():
        found, code = _sorted(values, texts, kind)
        return replace(found, hindrance="some values are no " + ("numbers" if kind == "numeric" else "dates")), code
    if described.hierarchy is not None:
        return _in_tree(values, texts, described, kind)
    if described.order is not None:
        return _as_listed(values, texts, described.order)
    whole = whole_numbers(values, texts, kind) if place is not None else None
    if whole is not None:
        line, code = np.unique(whole[0], return_inverse=True)
        return Values(kind, len(line), place=apart(line, whole[1])), code.reshape(-1)
    if place is not None:
        line, code = np.unique(place, return_inverse=True)
        return Values(kind, len(line), place=line), code.reshape(-1)
    return _sorted(values, texts, kind)


def _in_tree(values: pa.Array, texts: pa.Array, described: Column, kind: str) -> tuple[Values, np.ndarray]:
    """The leaves of the hierarchy, which may know more values than the table has."""
    own = own_values(values, kind)
    bound = _bind(own, texts, described, kind)
    if bound is None and own and all(isinstance(one, str) and one.isdecimal() and str(int(one)) == one for one in own):
        bound = _bind([int(one) for one in own], texts, described, kind)  # numbers of a text file
    if bound is None:
        found, code = _sorted(values, texts, kind)
        return replace(found, hindrance="its hierarchy does not know all the values"), code
    tree, codes = bound
    place = None
    if kind in LINE:
        whole = all(isinstance(leaf, int) for leaf in tree.leaves)
        first = min(tree.leaves) if whole else 0  # differences of whole numbers are exact
        place = np.array([_at(leaf - first if whole else leaf) for leaf in tree.leaves], dtype=np.float64)
    return Values(kind, tree.n_leaves, place=place, tree=tree), codes


def _bind(own: list[Any], texts: pa.Array, described: Column, kind: str) -> tuple[Tree, np.ndarray] | None:
    """The tree over the values, and the leaf of each; None where it does not fit them."""
    assert described.hierarchy is not None
    in_order = list(dict.fromkeys(described.order if described.order is not None else sorted(own)))
    try:
        tree = described.hierarchy.tree(in_order, kind)
        return tree, _look_up(own, texts, tree.leaves)
    except (BadHierarchy, KeyError, TypeError):
        return None


def _as_listed(values: pa.Array, texts: pa.Array, order: Sequence[Any]) -> tuple[Values, np.ndarray]:
    try:
        return Values("ordered", len(order)), _look_up(values.to_pylist(), texts, order)
    except KeyError:
        found, code = _sorted(values, texts, "ordered")
        return replace(found, hindrance="its order does not know all the values"), code


def _look_up(own: list[Any], texts: pa.Array, known: Sequence[Any]) -> np.ndarray:
    """The place of every value among the known ones, by itself or by its text; raises KeyError."""
    place_of = {text_of(value): i for i, value in enumerate(known)} | {value: i for i, value in enumerate(known)}
    pairs = zip(own, texts.to_pylist(), strict=True)
    return np.array([place_of[value] if value in place_of else place_of[text] for value, text in pairs], dtype=np.int64)


def _sorted(values: pa.Array, texts: pa.Array, kind: str) -> tuple[Values, np.ndarray]:
    ordered_text = kind == "ordered" and (pa.types.is_string(values.type) or pa.types.is_large_string(values.type))
    sortable = texts if pa.types.is_boolean(values.type) else values
    by_value = pc.array_sort_indices(sortable).to_numpy(zero_copy_only=False).astype(np.int64)
    code = np.empty(len(by_value), dtype=np.int64)
    code[by_value] = np.arange(len(by_value))
    return Values(kind, len(values), hindrance="its order is not known here" if ordered_text else ""), code


def _kind_of(column: Distinct, texts: pa.Array, text_file: bool) -> str:
    of = column.values.type
    if pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of):
        return "numeric"
    if pa.types.is_temporal(of):
        return "date"
    there = ~column.null_like
    if text_file and there.any():  # such a file does not say what is a number
        for kind in LINE:
            labels = parse_all(texts, kind)
            if (labels.are("value") & ~np.isnan(labels.lo))[there].all():
                return kind
    return "categorical"


def _places(values: pa.Array, texts: pa.Array, kind: str) -> np.ndarray:
    """Where the values lie on the line, NaN for those that do not."""
    of = values.type
    if pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of):
        return values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype(np.float64)
    if pa.types.is_date(of) or pa.types.is_timestamp(of):
        moments = values.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return moments.to_numpy(zero_copy_only=False).astype(np.float64) / 86_400e6
    labels = parse_all(texts, kind)
    return np.where(labels.are("value"), labels.lo, np.nan)


def own_values(values: pa.Array, kind: str) -> list[Any]:
    """The values as a hierarchy takes them; the numbers and dates of a text file as such."""
    if pa.types.is_timestamp(values.type) and values.type.unit == "ns":  # Python's datetime has no nanoseconds
        values = values.cast(pa.timestamp("us", values.type.tz), safe=False)
    own = values.to_pylist()
    if kind not in LINE or not own or not isinstance(own[0], str):
        return list(own)
    if kind == "date":
        return [
            datetime.datetime.fromisoformat(text) if len(text) > 10 else datetime.date.fromisoformat(text)
            for text in own
        ]
    if all(text.lstrip("+-").isdecimal() for text in own):
        return [int(text) for text in own]
    numbers = [float(text) for text in own]
    return [int(one) for one in numbers] if all(one.is_integer() for one in numbers) else numbers


def _at(leaf: Any) -> float:
    if isinstance(leaf, datetime.datetime):
        return (leaf.replace(tzinfo=None) - _DAY_ZERO) / datetime.timedelta(days=1)
    if isinstance(leaf, datetime.date):
        return float(leaf.toordinal() - _DAY_ZERO.toordinal())
    return float(leaf)
