"""l-diversity on the curve part by part, in one scan: the groups of memory, and few rows in memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from parts_runs import by_parts, stored

import amongst as am
from amongst.engines.parts import code_file, diverse
from amongst.errors import BadOption, Infeasible
from amongst.kernels.diverse import diverse_stream
from amongst.kernels.price import Price, Prices

TREE = am.Hierarchy.from_rows([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"]])


def table_of(rng: np.random.Generator, n: int, m: int) -> tuple[pa.Table, am.Schema]:
    table = pa.table(
        {
            "age": rng.integers(20, 60, n),
            "town": rng.choice(list("abcd"), n),
            "illness": [f"i{v}" for v in rng.permutation(np.arange(n) % m)],
        }
    )
    town = am.Column(role="quasi", kind="categorical", hierarchy=TREE)
    illness = am.Column(role="sensitive")
    return table, am.Schema({"age": am.Column(role="quasi", kind="numeric"), "town": town, "illness": illness})


@pytest.mark.parametrize("method", ["hilbert", "hilbert-fast", "idistance", "idistance-fast"])
@pytest.mark.parametrize("seed", range(3))
def test_groups_are_those_of_memory(
    method: str, seed: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_file, "BLOCK", 7)
    monkeypatch.setattr(diverse, "AT_A_TIME", 20)
    rng, folder = np.random.default_rng(seed), tmp_path_factory.mktemp("run")
    table, schema = table_of(rng, int(rng.integers(30, 90)), int(rng.integers(3, 7)))
    models = [am.LDiversity(int(rng.integers(2, 4))), am.KAnonymity(int(rng.choice([2, 6])))]
    path = stored(table, folder)
    expected = am.anonymize(path, schema, models, method)
    found = by_parts(path, schema, 2, method, folder=folder, models=models, part_rows=int(rng.integers(5, 20)))
    np.testing.assert_array_equal(found.partition.lo, expected.partition.lo)
    np.testing.assert_array_equal(found.partition.hi, expected.partition.hi)
    sizes = np.bincount(found.partition.group_of_row, weights=found.partition.count)
    np.testing.assert_array_equal(sizes, expected.partition.size_of_group)
    if seed == 0:
        found.write(folder / "out")  # raises where what was written does not hold
        assert am.verify(folder / "out", schema, models).ok


def test_only_a_few_rows_of_every_value_are_asked_for() -> None:
    """2,000 rows of four values, 16 at a time: never more than two refills of a value are held."""
    n, m = 2000, 4
    position = np.arange(n, dtype=np.int32)
    prices = Prices([Price(n, 1 << 20, position=position)], np.empty((0, 3), dtype=np.int32))
    read = [0] * m
    asked: list[int] = []

    def more(value: int) -> tuple[np.ndarray, np.ndarray, None]:
        place = np.arange(value + m * read[value], n, m, dtype=np.uint32)[:16]
        read[value] += len(place)
        asked.append(value)
        return place, place[:, None], None

    group, lo, hi = diverse_stream(prices, np.full(m, n // m), 3, more)
    assert sorted(set(asked)) == [0, 1, 2, 3]
    assert len(asked) == m * -(-n // m // 16)
    assert np.bincount(group).min() >= 3
    assert (hi - lo).max() <= 4


def test_what_cannot_be_done_by_parts_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    table, schema = table_of(np.random.default_rng(1), 40, 4)
    path = stored(table, tmp_path)
    with pytest.raises(Infeasible):
        by_parts(path, schema, 2, "hilbert", folder=tmp_path, models=[am.LDiversity(5)])
    with pytest.raises(BadOption, match="part by part"):
        by_parts(path, schema, 2, "hilbert", folder=tmp_path, models=[am.LDiversity(2, "entropy")])
    with pytest.raises(BadOption, match="part by part"):
        by_parts(path, schema, 2, "hilbert", folder=tmp_path, rules="paper")
