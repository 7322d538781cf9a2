"""Attacks on a table with many columns take the time and the memory of those, not of their combinations."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa

import amongst as am


def test_columns_published_as_they_are_are_not_all_put_together() -> None:
    rng = np.random.default_rng(0)
    kept = {f"answer {i}": rng.integers(0, 3, 40) for i in range(150)}
    table = pa.table({"age": rng.integers(20, 60, 40), **kept})
    schema = am.Schema({"age": am.Column(role="quasi"), **dict.fromkeys(kept, am.Column(role="keep"))})
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")
    assert release.table.num_rows == 40
    tracemalloc.start()
    found = am.attack(release, attacks=["kept columns"], split=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.to_dict()
    assert peak < 20e6, "half a million sets of three columns"
