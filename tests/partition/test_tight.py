"""What a method says of how tight its groups are is so: attacks and answers rely on it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.partition.methods import METHODS

MADE = METHODS.names(lambda method: method.publishes == "one table" and method.name != "cell-suppression")


def table(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    odds = [0.42, 0.42, 0.06, 0.06, 0.04]  # rare values, so that classes lack some of what their nodes stand for
    return pa.table(
        {
            "age": np.minimum(rng.geometric(0.1, 150), 40),
            "zip": rng.choice(["11", "12", "21", "22", "23"], 150, p=odds),
            "sex": rng.choice(["f", "m"], 150, p=[0.9, 0.1]),
        }
    )


def tight_groups(release: am.Release) -> bool:
    """By hand: the least box of the rows of every group is what it publishes."""
    partition = release.partition
    for c, column in enumerate(release.coded.columns):
        for g in range(partition.n_groups):
            codes = column.codes[partition.group_of_row == g]
            lo, hi = codes.min(), codes.max()
            own = (partition.lo[g, c], partition.hi[g, c])
            if partition.publishes_nodes and column.tree is not None:
                tree = column.tree
                level = int(tree.ancestor_level(np.array([lo]), np.array([hi]))[0])
                lo, hi = tree.start[level, lo], tree.end[level, lo]
            if partition.level_of_column is not None or own != (lo, hi):
                return False
    return True


@pytest.mark.parametrize("method", MADE)
def test_a_method_is_as_tight_as_it_declares(method: str) -> None:
    rules = {
        "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 20])),
        "zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(2)),
        "sex": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
    }
    found = [tight_groups(am.anonymize(table(i), rules, [am.KAnonymity(3)], method=method)) for i in range(4)]
    assert all(found) if METHODS[method].tight else not all(found)
