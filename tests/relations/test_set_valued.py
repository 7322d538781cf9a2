"""One table with lists of codes: any few codes are shared by k rows that look alike, or by none."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi"),
        "codes": am.Column(role="quasi", hierarchy=am.Hierarchy.nested({"first": list("abc"), "last": list("de")})),
        "cost": am.Column(role="sensitive"),
    }
)


def people(n: int = 60) -> pa.Table:
    rng = np.random.default_rng(4)
    codes = [rng.choice(list("abcde"), rng.integers(0, 4), p=[0.4, 0.3, 0.2, 0.07, 0.03]).tolist() for _ in range(n)]
    return pa.table({"age": 30 + rng.integers(0, 20, n), "codes": codes, "cost": 5000 + 7 * np.arange(n)})


@pytest.mark.parametrize("as_text", [False, True])
def test_any_two_codes_are_shared_by_k_rows_or_by_none(as_text: bool) -> None:
    table = people()
    lists: list[str] | dict[str, str] = ["codes"]
    if as_text:
        texts = [" ; ".join(one) for one in table["codes"].to_pylist()]
        table, lists = table.set_column(1, "codes", pa.array(texts)), {"codes": ";"}
    models = [am.KAnonymity(4), am.KmAnonymity(4, 2)]
    made, release = am.anonymize_lists(table, SCHEMA, models, lists=lists, persons_per_group=15)
    assert release.verdict.ok, release.verdict.words()
    assert made.column_names == ["age", "codes", "cost"]
    true = {row["cost"]: row["codes"] for row in people().to_pylist()}
    sets: Counter[tuple[str, tuple[str, ...]]] = Counter()
    above = {**dict.fromkeys("abc", "first"), **dict.fromkeys("de", "last")}
    for row in made.to_pylist():
        held = row["codes"]
        assert held == sorted(held)  # their order says nothing
        assert len(held) == len(set(held))
        said = set(true[row["cost"]])
        assert all(one == "*" or one in said | {above[code] for code in said} for one in held)  # nothing untrue
        sets.update((row["age"], some) for size in (1, 2) for some in itertools.combinations(held, size))
    assert min(Counter(made["age"].to_pylist()).values()) >= 4
    assert min(sets.values()) >= 4
    assert {"a", "b"} <= {one for row in made["codes"].to_pylist() for one in row or ()}


def test_what_holds_no_lists_is_refused() -> None:
    table = pa.table({"age": [1, 2], "codes": ["a", "b"], "cost": [1, 2]})
    with pytest.raises(am.errors.BadSchema, match="holds no lists"):
        am.anonymize_lists(table, SCHEMA, [am.KmAnonymity(2, 2)], lists=["codes"])
    with pytest.raises(am.errors.BadSchema, match="cannot be lists"):
        am.anonymize_lists(table, SCHEMA, [am.KmAnonymity(2, 2)], lists=["cost"])
