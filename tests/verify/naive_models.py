"""Privacy models in plain Python, one class at a time: what the verifier must agree with."""

import math
from collections import Counter, defaultdict


def classes(rows, quasi):
    """The rows of every class, by the published quasi-identifiers."""
    groups = defaultdict(list)
    for i, row in enumerate(rows):
        groups[tuple(row[name] for name in quasi)].append(i)
    return list(groups.values())


def counts(rows, members, column, units=None):
    """How often every value occurs among some rows; a person once for a value."""
    if units is None:
        return Counter(rows[i][column] for i in members)
    return Counter(value for _, value in {(units[i], rows[i][column]) for i in members})


def size(members, units=None):
    return len(members) if units is None else len({units[i] for i in members})


def frequency(count, n):
    return n / max(count.values())


def distinct(count):
    return len(count)


def entropy(count):
    n = sum(count.values())
    return math.exp(-sum(c / n * math.log(c / n) for c in count.values()))


def recursive(count, c):
    """The largest l for which the most frequent value has fewer than c times those from place l on."""
    sizes = sorted(count.values(), reverse=True)
    best = 0
    for place in range(1, len(sizes) + 1):
        if sizes[0] < c * sum(sizes[place - 1 :]) - 1e-9:
            best = place
    return best


def shares(count):
    n = sum(count.values())
    return {value: c / n for value, c in count.items()}


def equal(own, table):
    return sum(abs(own.get(value, 0) - p) for value, p in table.items()) / 2


def ordered(own, table, values):
    """Earth moved from each value to the next; ``values`` in order."""
    carried = total = 0.0
    for value in values[:-1]:
        carried += own.get(value, 0) - table.get(value, 0)
        total += abs(carried)
    return total / (len(values) - 1) if len(values) > 1 else 0.0


def hierarchical(own, table, paths):
    """Flow through the tree: every edge carries what its subtree has too much, and costs half a step of height.

    ``paths`` has for every leaf its ancestors from the leaf itself to the root, one a level. The distance of two
    leaves is the height of their lowest common ancestor over that of the tree, which is half the way between them.
    """
    height = len(next(iter(paths.values()))) - 1
    cost = 0.0
    for level in range(height):
        extra = Counter()
        for leaf, path in paths.items():
            extra[path[level]] += own.get(leaf, 0) - table.get(leaf, 0)
        cost += sum(map(abs, extra.values())) / (2 * height)
    return cost


def beta(own, table):
    return max(max(own[value] / table[value] - 1 for value in own), 0)


def enhanced(own, table, asked):
    return all(own[value] <= table[value] * (1 + min(asked, -math.log(table[value]))) + 1e-9 for value in own)


def delta(own, table, absent):
    if absent == "counted" and len(own) < len(table):
        return math.inf
    return max(abs(math.log(own[value] / table[value])) for value in own)


def proximity(members, width):
    """n over the most numbers in any range of the width; None is near itself alone."""
    numbers = sorted(value for value in members if value is not None)
    most = members.count(None)
    for low in numbers:
        most = max(most, sum(low <= value <= low + width for value in numbers))
    return len(members) / most
