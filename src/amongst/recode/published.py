"""The published columns of every group, before they are laid out over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst.brief import Brief
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import refuse_unknown_word
from amongst.recode.bounds import bounds
from amongst.recode.code_sets import code_set_labels
from amongst.recode.labels import ancestor_labels, flat_labels, range_labels, set_labels
from amongst.recode.members import equal_sets, members_of_groups
from amongst.recode.statistics import statistic_of_group
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.partition.partition import Partition

FORMS = ("labels", "bounds", "structs")


def refuse_unknown_form(form: str) -> None:
    """Raise for a form that ranges cannot have."""
    refuse_unknown_word(f"There is no form {form!r}.", "form", form, FORMS)


@dataclass(frozen=True, eq=False)
class PublishedColumn(Brief):
    """One column of the release as a dictionary over groups.

    Attributes
    ----------
    name : str
    values : pyarrow.Array
        The distinct published values, in the order they sort in.
    value_of_group : ndarray of int64
        Which of them every group publishes.
    """

    name: str
    values: pa.Array
    value_of_group: np.ndarray


def published_columns(
    table: CodedTable, partition: Partition, schema: Schema, form: str
) -> dict[str, list[PublishedColumn]]:
    """For every quasi-identifier the columns that stand for it in the release."""
    columns: dict[str, list[PublishedColumn]] = {}
    for c, column in enumerate(table.columns):
        rule = schema[column.name]
        level = None if partition.level_of_column is None else int(partition.level_of_column[c])
        own_sets = partition.sets_of(c)
        if own_sets is not None:
            made = [_code_sets(column, own_sets, partition.lo[:, c])]
        elif not partition.publishes_nodes and rule.publish == "set":
            made = [_sets(column, partition)]
        else:
            made = _boxes(
                column,
                rule,
                lo=partition.lo[:, c],
                hi=partition.hi[:, c],
                level=level,
                form=form,
                nodes=partition.nodes,
            )
        for statistic in rule.statistic:
            made.append(_statistic(column, partition, statistic))
        columns[column.name] = made
    return columns


def _boxes(
    column: CodedColumn, rule: Column, lo: np.ndarray, hi: np.ndarray, level: int | None, form: str, nodes: str | None
) -> list[PublishedColumn]:
    pair = lo.astype(np.int64) << 32 | hi
    pairs, index = np.unique(pair, return_inverse=True)
    index, lo, hi = index.reshape(-1), pairs >> 32, pairs & 0xFFFFFFFF
    if nodes == "flat":
        return [merged(column.name, flat_labels(column, lo, hi), index)]
    if level is not None or nodes is not None or rule.publish == "ancestor":
        return [merged(column.name, ancestor_labels(column, lo, hi, level, widest=nodes == "regions"), index)]
    if form == "labels":
        return [merged(column.name, range_labels(column, lo, hi, rule.grid), index)]
    lower, upper = bounds(column, lo, hi, rule.grid)
    if form == "bounds":
        return [merged(f"{column.name}_lower", lower, index), merged(f"{column.name}_upper", upper, index)]
    return [PublishedColumn(column.name, *_distinct_structs(lower, upper, index))]


def _distinct_structs(lower: pa.Array, upper: pa.Array, index: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    import pyarrow as pa

    low, high = merged("", lower, np.arange(len(lower))), merged("", upper, np.arange(len(upper)))
    pair = low.value_of_group * (len(high.values) + 1) + high.value_of_group
    _, first, inverse = np.unique(pair, return_index=True, return_inverse=True)
    rows = pa.array(first)
    structs = pa.StructArray.from_arrays([lower.take(rows), upper.take(rows)], names=["lower", "upper"])
    return structs, inverse.reshape(-1)[index]


def _sets(column: CodedColumn, partition: Partition) -> PublishedColumn:
    group, code = members_of_groups(column, partition)
    set_of_group, first = equal_sets(group, code, partition.n_groups) or (np.arange(partition.n_groups),) * 2
    written = np.full(partition.n_groups, -1)  # one group of every set is written out
    written[first] = np.arange(len(first))
    shown = written[group] >= 0
    labels = set_labels(column, written[group[shown]], code[shown], len(first))
    return in_order(merged(column.name, labels, set_of_group))


def _code_sets(column: CodedColumn, set_of_code: np.ndarray, code: np.ndarray) -> PublishedColumn:
    labels, label_of_set = code_set_labels(column, set_of_code)
    return merged(column.name, labels, label_of_set[set_of_code[code]])


def _statistic(column: CodedColumn, partition: Partition, statistic: str) -> PublishedColumn:
    import pyarrow as pa

    figures = statistic_of_group(column, partition, statistic)
    figures = pa.array(figures, mask=np.isnan(figures))
    return in_order(merged(f"{column.name}_{statistic}", figures, np.arange(partition.n_groups)))


def merged(name: str, values: pa.Array, index: np.ndarray) -> PublishedColumn:
    """Equal published values made one: what a reader cannot tell apart is one class.

    Their order is that of first appearance among ``values``: sorted by code, if those are.
    """
    import pyarrow.compute as pc

    encoded = pc.dictionary_encode(values, null_encoding="encode")
    of_value = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return PublishedColumn(name, encoded.dictionary, of_value[index])


def in_order(column: PublishedColumn) -> PublishedColumn:
    """The column with its values sorted: groups may be numbered in an order that the input has a say in."""
    import pyarrow.compute as pc

    by_value = pc.array_sort_indices(column.values)
    place_of_value = np.empty(len(by_value), dtype=np.int64)
    place_of_value[by_value.to_numpy()] = np.arange(len(by_value))
    return PublishedColumn(column.name, column.values.take(by_value), place_of_value[column.value_of_group])
