"""l-diversity on a line by looking at every partition there is: for a handful of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

Group = tuple[int, ...]
Groups = list[Group]


def is_diverse(group: Sequence[int], value: Sequence[int], l: int) -> bool:  # noqa: E741
    own = [value[row] for row in group]
    return all(own.count(one) * l <= len(own) for one in own)


def diverse_partitions(rows: Group, value: Sequence[int], l: int) -> Iterator[Groups]:  # noqa: E741
    """All l-diverse partitions of the rows; groups ascend, and are in the order of their first rows."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for size in range(l - 1, len(rest) + 1):
        for others in combinations(rest, size):
            group = (first, *others)
            if is_diverse(group, value, l):
                left = tuple(row for row in rest if row not in others)
                for groups in diverse_partitions(left, value, l):
                    yield [group, *groups]


def extent(groups: Groups, position: Sequence[int]) -> int:
    """IL of the paper's equation 3; rows are in the order of their positions."""
    return max(position[group[-1]] - position[group[0]] for group in groups)


def best_partitions(position: Sequence[int], value: Sequence[int], l: int) -> list[Groups]:  # noqa: E741
    every = list(diverse_partitions(tuple(range(len(value))), value, l))
    least = min(extent(groups, position) for groups in every)
    return [groups for groups in every if extent(groups, position) == least]


def has_small_groups(groups: Groups, l: int) -> bool:  # noqa: E741
    """Lemma 2."""
    return all(len(group) <= 2 * l - 1 for group in groups)


def has_single_values(groups: Groups, value: Sequence[int]) -> bool:
    """Corollary 1."""
    return all(len({value[row] for row in group}) == len(group) for group in groups)


def has_group_order(groups: Groups, value: Sequence[int]) -> bool:
    """Lemma 3: some order of the groups is the order of their rows in the domain of every value."""
    group_of_row = {row: g for g, group in enumerate(groups) for row in group}
    before = set()
    for one in set(value):
        domain = [group_of_row[row] for row in range(len(value)) if value[row] == one]
        before |= {(i, j) for i, j in pairwise(domain) if i != j}
    left = set(range(len(groups)))
    while left:
        free = {j for j in left if not any((i, j) in before for i in left)}
        if not free:
            return False
        left -= free
    return True


def has_border_order(groups: Groups) -> bool:
    """Lemma 4: the last rows of the groups are in the order of the first rows."""
    return all(one[-1] < other[-1] for one, other in pairwise(groups))


def is_covered(groups: Groups, value: Sequence[int]) -> bool:
    """Lemma 5: rows of two neighbouring groups lie the wrong way round only where one's value is in the other."""
    for one, other in pairwise(groups):
        in_one, in_other = {value[row] for row in one}, {value[row] for row in other}
        for r in one:
            for t in other:
                if r > t and value[r] not in in_other and value[t] not in in_one:
                    return False
    return True


def eligible_line(rng: np.random.Generator, n: int, l: int) -> tuple[list[int], list[int]]:  # noqa: E741
    """Positions and values of n rows, of which no value has more than 1/l; often as many as that."""
    position = np.sort(rng.integers(0, int(rng.choice([n, 4 * n])), n)).tolist()
    left = [n // l] * int(rng.integers(l + (n % l > 0), 2 * l + 3))
    values: list[int] = []
    while len(values) < n:
        one = int(rng.choice([value for value, count in enumerate(left) if count]))
        values.append(one)
        left[one] -= 1
    return position, rng.permutation(values).tolist()
