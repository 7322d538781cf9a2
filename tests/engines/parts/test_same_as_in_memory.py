"""Part by part, with parts of a few rows: the same groups, the same boxes, the same bytes as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parts_runs import by_parts, group_of_row, stored

import amongst as am
from amongst.engines.parts import code_file, hilbert, rows
from amongst.engines.store import Place
from amongst.errors import AmongstError
from flow_tables import Made, random_table

METHODS = [
    ("mondrian", {"cuts": "ordered"}),
    ("mondrian", {"cuts": "hierarchy-first"}),
    ("mondrian", {"cuts": "hierarchy"}),
    ("hilbert", {}),
    ("hilbert-fast", {}),
    ("idistance", {"centres": 3}),
    ("idistance-fast", {"centres": 3}),
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
    assert release.utility == expected.utility
    if method != "mondrian":  # which of equal rows goes where is drawn in memory, and by their order in parts
        _same_but_for_equal_rows(release, expected, folder)
        return
    if release.plan.found_by.grouped.key_counts is None:
        np.testing.assert_array_equal(group_of_row(release), expected.partition.group_of_row)
    assert _bytes(release, folder / "parts") == _bytes(expected, folder / "memory")


def _same_but_for_equal_rows(release: am.Release, expected: am.Release, folder: Path) -> None:
    """What is published of the quasi-identifiers is the same row by row, and every other column has the same cells."""
    (folder / "parts").mkdir()
    release.store.publish(release.plan, Place(folder=folder / "parts"), lambda *step: None)
    found = pq.read_table(folder / "parts" / "release.parquet")
    wanted = expected.arrow
    assert found.column_names == wanted.column_names
    for name in found.column_names:
        cells = [table.column(name).to_pylist() for table in (found, wanted)]
        if name in expected.schema and expected.schema[name].role != "quasi":
            cells = [sorted(map(repr, own)) for own in cells]
        assert cells[0] == cells[1], name


def _bytes(release: am.Release, folder: Path) -> bytes:
    folder.mkdir()
    release.store.publish(release.plan, Place(folder=folder), lambda *step: None)
    return (folder / "release.parquet").read_bytes()


def _in_memory(made: Made, path: Path, method: str, form: str, options: dict) -> am.Release | AmongstError:
    try:
        return am.anonymize(path, made.schema, [am.KAnonymity(made.k)], method, form=form, **options)
    except AmongstError as error:
        return error
