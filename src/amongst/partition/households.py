"""Groups of households: nobody is found through what is known of the others who live there.

Whoever knows the quasi-identifiers of a whole family looks for it as a whole. So a household is one row here, with the
columns of all its members side by side, and households of the same size are grouped by the method that was asked for.
All households of a group then publish the same set of members, whatever is known of them.

Choices: members stand in the order of their quasi-identifiers, so that parents meet parents; a household that loses a
member by the rule for nulls is left out whole, and so are households of a size that fewer than k have, where so much
may be suppressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import BadOption, Infeasible
from amongst.models import Model, smallest_group
from amongst.partition.partition import Partition

Run = Callable[[CodedTable, Sequence[Model]], Partition]


def group_households(
    run: Run, table: CodedTable, models: Sequence[Model], n_members: np.ndarray, spare: float
) -> Partition:
    """The groups of people that follow from groups of their households.

    Parameters
    ----------
    run : callable
        The method, for a table of households and what is asked of it.
    table : CodedTable
        People, sorted by their quasi-identifiers; ``unit`` numbers their households.
    n_members : ndarray, one a row
        How many members the household of every row has in the input, whether or not they are all here.
    spare : float
        The rows that may be left out.
    """
    _refuse_models(models)
    assert table.unit is not None
    by_household = np.argsort(table.unit, kind="stable")
    household = table.unit[by_household]
    first = np.flatnonzero(np.diff(household, prepend=-1))
    size = np.diff(np.append(first, len(household)))
    whole = size == n_members[by_household[first]]
    k = smallest_group(models)
    sizes, count = np.unique(size[whole], return_counts=True)
    rare = sizes[count < k]
    left_out = float((sizes * count)[count < k].sum())
    if left_out > spare or len(rare) == len(sizes):
        raise Infeasible(
            f"Households of some sizes are fewer than {k}, and cannot hide amongst others.",
            found="sizes: " + ", ".join(map(str, rare[:20])) + (" and more" if len(rare) > 20 else ""),
            fix=f"leave them out (suppression = {left_out / max(table.n_input, 1):.3f} allows it), or use a smaller k",
        )
    group_of_row = np.full(len(by_household), -1, dtype=np.int32)
    lo, hi, n_groups, nodes = [], [], 0, None
    for of_size in sizes[count >= k]:
        rows = by_household[first[whole & (size == of_size)][:, None] + np.arange(of_size)]  # a household, a member
        found = run(_side_by_side(table, rows), _of_members(models, table, int(of_size)))
        _refuse_levels(found)
        nodes, n_qi = found.nodes, table.n_qi
        there = found.group_of_row >= 0
        group = n_groups + found.group_of_row[there, None] * of_size + np.arange(of_size)
        group_of_row[rows[there]] = group
        lo.append(found.lo.reshape(-1, n_qi))
        hi.append(found.hi.reshape(-1, n_qi))
        n_groups += found.n_groups * of_size
    return Partition(group_of_row, np.concatenate(lo), np.concatenate(hi), nodes=nodes)


def _side_by_side(table: CodedTable, rows: np.ndarray) -> CodedTable:
    """Every household as a row: the columns of its first member, of its second, and so on."""

    def of(column: CodedColumn, member: int) -> CodedColumn:
        return replace(column, name=_name(column.name, member), codes=column.codes[rows[:, member]])

    members = range(rows.shape[1])
    sensitive = [of(column, member) for member in members for column in table.sensitive.values()]
    return CodedTable(
        [of(column, member) for member in members for column in table.columns],
        len(rows),
        sensitive={column.name: column for column in sensitive},
    )


def _of_members(models: Sequence[Model], table: CodedTable, n_members: int) -> list[Model]:
    """What is asked of sensitive values is asked of those of every member."""
    asked: list[Model] = []
    for model in models:
        if model.counts != "values":
            asked.append(model)
            continue
        names = list(table.sensitive) if model.column is None else [model.column]
        asked += [model.with_fields(column=_name(name, one)) for one in range(n_members) for name in names]
    return asked


def _name(column: str, member: int) -> str:
    return f"{column} of member {member + 1}"


def _refuse_models(models: Sequence[Model]) -> None:
    other = [model.name for model in models if model.counts not in ("rows", "values")]
    if other:
        raise BadOption(
            "Households are grouped for k-anonymity and for models of sensitive values.",
            found="asked: " + ", ".join(other),
            fix="ask for these, or drop the column of households",
        )


def _refuse_levels(found: Partition) -> None:
    if found.level_of_column is not None or found.set_of_code is not None:
        raise BadOption(
            "Members of households are recoded each by themselves: a method that recodes whole columns cannot.",
            found="a method that publishes one level, or one list of sets, for every column",
            fix="use mondrian, best, hilbert, gain-split or another method of groups",
        )
