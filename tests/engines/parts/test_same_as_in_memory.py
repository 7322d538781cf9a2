"""Part by part, with parts of a few rows: the same groups, the same boxes, the same bytes as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parts_runs import by_parts, group_of_row, stored

import amongst as am
from amongst.engines.parts import code_file, hilbert, rows
from amongst.errors import AmongstError
from flow_tables import Made, random_table

METHODS = [
    ("mondrian", {"cuts": "ordered"}),
    ("mondrian", {"cuts": "hierarchy-first"}),
    ("mondrian", {"cuts": "hierarchy"}),
    ("hilbert", {}),
    ("hilbert-fast", {}),
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_file, "BLOCK", 3)
    monkeypatch.setattr(rows, "BLOCK", 5)
    monkeypatch.setattr(hilbert, "BLOCK", 4)


@pytest.mark.parametrize(("method", "options"), METHODS, ids=lambda one: str(one))
@given(seed=st.integers(0, 2**32 - 1))
def test_groups_and_bytes(tmp_path_factory: pytest.TempPathFactory, method: str, options: dict, seed: int) -> None:
    rng = np.random.default_rng(seed)
    made, folder = random_table(rng, linked=bool(rng.random() < 0.3)), tmp_path_factory.mktemp("run")
    path = stored(made.table, folder)
    sizes = {"part_rows": int(rng.integers(1, 9)), "most_keys": int(rng.choice([1, 10**6]))}
    form = str(rng.choice(["labels", "bounds", "structs"]))
    expected = _in_memory(made, path, method, form, options)
    if isinstance(expected, AmongstError):
        with pytest.raises(type(expected)):
            by_parts(path, made.schema, made.k, method, folder=folder, form=form, **sizes, **options)
        return
    release = by_parts(path, made.schema, made.k, method, folder=folder, form=form, **sizes, **options)
    np.testing.assert_array_equal(release.partition.lo, expected.partition.lo)
    np.testing.assert_array_equal(release.partition.hi, expected.partition.hi)
    if release.grouped.key_counts is None:
        np.testing.assert_array_equal(group_of_row(release), expected.partition.group_of_row)
    assert release.utility == expected.utility
    assert _bytes(release, folder / "parts") == _bytes(expected, folder / "memory")


def _bytes(release: am.Release, folder: Path) -> bytes:
    folder.mkdir()
    return release.write_rows(folder, "parquet", lambda *step: None).read_bytes()


def _in_memory(made: Made, path: Path, method: str, form: str, options: dict) -> am.Release | AmongstError:
    try:
        return am.anonymize(path, made.schema, [am.KAnonymity(made.k)], method, form=form, **options)
    except AmongstError as error:
        return error
