"""Releases broken on purpose, for every model: what no longer holds is caught, what still holds is let through."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from broken_releases import BREAKS, MODELS, SCHEMA, Break, good_rows, still_holds, table_of, told_apart_by

from amongst.verify import verify

STORED = ("memory", "parquet", "csv")


def stored(table: pa.Table, how: str, folder: Path) -> pa.Table | Path:
    if how == "parquet":
        pq.write_table(table, folder / "release.parquet", store_schema=False)
        return folder / "release.parquet"
    if how == "csv":
        pa.csv.write_csv(table, folder / "release.csv")
        return folder / "release.csv"
    return table


def must_be_caught(broken: Break, model: object) -> bool:
    rows = broken.change(good_rows())
    return bool(broken.structure) or not still_holds(model, rows)


@pytest.mark.parametrize("how", STORED)
@pytest.mark.parametrize("what", BREAKS)
def test_broken_for_every_model(what: str, how: str, tmp_path: Path) -> None:
    broken = BREAKS[what]
    rows = broken.change(good_rows())
    published = stored(table_of(rows), how, tmp_path)
    for name, model in MODELS.items():
        verdict = verify(published, SCHEMA, [model])
        codes = {finding.code for finding in verdict.findings}
        assert verdict.ok == (not must_be_caught(broken, model)), (name, verdict.words())
        if broken.structure:
            assert broken.structure in codes, (name, codes)
        if rows and not broken.structure:
            assert (model.name in codes) == (not still_holds(model, rows)), (name, verdict.words())
        assert "person 3" not in verdict.words()


def test_every_model_meets_breaks_of_both_sorts() -> None:
    """Each model is broken by some, and held by others: a verifier that always says one thing fails here."""
    for name, model in MODELS.items():
        outcomes = [must_be_caught(broken, model) for broken in BREAKS.values() if not broken.structure]
        assert outcomes.count(True) >= 3, name
        assert outcomes.count(False) >= 3, name


def test_what_is_told_apart() -> None:
    rows = BREAKS["the exact ages beside the labels"].change(good_rows())
    assert told_apart_by(rows) == ["age", "zip", "land", "age_median"]


def test_the_page_says_what_happens() -> None:
    from broken_page import PAGE, WRONG, page

    made = page()
    assert WRONG not in made
    assert PAGE.read_text(encoding="utf-8") == made, "run `make verifier-mutations`"
