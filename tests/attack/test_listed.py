"""What an intruder knows of a wide table is told in a line: a handful of columns, and how many more."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import amongst as am
from amongst.attack.finding import listed


def test_a_handful_is_named() -> None:
    assert listed([]) == "nothing"
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(list("abcde")) == "a, b, c, d and e"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"


def test_no_attack_lists_every_column() -> None:
    rng = np.random.default_rng(0)
    names = [f"question_{i:02d}" for i in range(30)]
    table = pa.table({**{name: rng.integers(0, 3, 60) for name in names}, "ill": rng.choice(["a", "b", "c"], 60)})
    schema = am.Schema({**dict.fromkeys(names, "quasi"), "ill": "sensitive"})
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian")
    found = am.attack(release, original=table, split=False)
    assert len(found.attacks) >= 5
    for one in found.attacks:
        for _, text in one.parts:
            assert text.count("question_") <= 10, text  # two tables of a handful of columns each
