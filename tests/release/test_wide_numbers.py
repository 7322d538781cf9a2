"""Numbers so far apart that their distance is more than a float holds."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import amongst as am


@pytest.mark.parametrize("method", ["mondrian", "best", "hilbert", "incognito"])
def test_a_release_is_written_and_measured(tmp_path: Path, method: str) -> None:
    rng = np.random.default_rng(0)
    values = rng.choice([-1.7e308, -1e308, 0.0, 1.0, 1.6e308, 1.79e308], 60)
    table = pa.table({"x": values, "y": rng.integers(0, 9, 60)})
    schema = am.Schema({name: am.Column(role="quasi") for name in table.column_names})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = am.anonymize(table, schema, [am.KAnonymity(3)], method=method)
        verdict = release.write(tmp_path / "out")
    assert verdict.ok
    assert 0 <= release.utility.gcp <= 1
    assert (tmp_path / "out" / "report.html").exists()
