"""A table anonymized anywhere is the table that memory gives, row by row. A case added here reaches every engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from everywhere import Engine, Postgresql, Spark
from odd_people import FULL_DOMAIN, SCHEMA, K, people
from postgresql_tables import plain

import amongst as am
from amongst.errors import BadOption
from amongst.request import Request

RULES = {"own value": "match anything"}
WILD = am.Schema({name: replace(rule, nulls=RULES.get(rule.nulls, rule.nulls)) for name, rule in SCHEMA.items()})
DIVERSE = [*K, am.LDiversity(2, "distinct", column="illness")]
ATTACKS = ["re-identification", "singling out", "downcoding", "homogeneity", "skewness", "membership", "kept columns"]
CASES: dict[str, dict[str, Any]] = {
    "mondrian": {"schema": SCHEMA},
    "single-dimensional": {"schema": SCHEMA, "method": "single-dimensional"},
    "bounds": {"schema": SCHEMA, "form": "bounds", "nulls": 0},
    "nulls that match anything": {"schema": WILD},
    "diverse": {"schema": SCHEMA, "models": DIVERSE, "nulls": 0},
    "rows left out": {"schema": SCHEMA, "options": {"suppression": 0.1}},
    "rows left out, sensitive values": {"schema": SCHEMA, "models": DIVERSE, "options": {"suppression": 0.1}},
    "incognito": {"schema": FULL_DOMAIN, "method": "incognito", "options": {"suppression": 0.05}},
    "datafly": {"schema": FULL_DOMAIN, "method": "datafly", "options": {"suppression": 0.05}},
    "samarati": {"schema": FULL_DOMAIN, "method": "samarati", "options": {"suppression": 0.05}},
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_rows_in_the_same_order(engine: Engine, name: str, tmp_path: Path) -> None:
    case = {"models": K, "method": "mondrian", "form": "labels", "options": {}, **CASES[name]}
    table = people(400, nulls=case.pop("nulls", 0.1))
    request = Request(**case)
    expected = am.anonymize(table, request.schema, request.models, request.method, form=request.form, **request.options)
    release, written = engine.run(table, request, tmp_path)
    wanted = plain(expected.arrow)
    assert written.column_names == wanted.column_names
    assert plain(written).cast(wanted.schema).to_pylist() == wanted.to_pylist()
    assert release.utility.gcp == pytest.approx(expected.utility.gcp, abs=1e-12)
    if name == "mondrian":
        expected.write(tmp_path / "memory")
        _attacks_find_the_same(engine, release, table, tmp_path)


def _attacks_find_the_same(engine: Engine, release: am.Release, table: Any, folder: Path) -> None:
    """By its folder a release is attacked as one of memory; a release whose rows are elsewhere says so, or is read."""
    told = {"original": table, "attacks": ATTACKS, "divisions": 1}
    address = engine.fixture("postgresql") if isinstance(engine, Postgresql) else None
    expected = am.attack(folder / "memory", SCHEMA, **told)
    found = am.attack(folder / "out", SCHEMA, **told, address=address)
    assert {one.attack for one in found.attacks} == set(ATTACKS)
    assert [one.to_dict() for one in found.attacks] == [one.to_dict() for one in expected.attacks]
    assert (found.n_rows, found.n_classes) == (expected.n_rows, expected.n_classes)
    if isinstance(engine, Spark):
        assert am.attack(release, attacks=["homogeneity"]).n_rows == expected.n_rows
    else:
        with pytest.raises(BadOption, match="not in memory"):
            am.attack(release, attacks=["homogeneity"])
    if address is not None:
        with pytest.raises(BadOption, match="table of a database"):
            am.attack(folder / "out", SCHEMA)


ON_A_LINE: dict[str, list[Any]] = {
    "hilbert": [*K, am.LDiversity(3, column="illness")],
    "idistance-fast": [am.KAnonymity(2), am.LDiversity(2, column="illness")],
    "hilbert-fast": K,
}


@pytest.mark.parametrize("method", ON_A_LINE)
def test_groups_on_a_line_are_those_of_memory_where_rows_do_not_fit(
    engine: Engine, method: str, tmp_path: Path
) -> None:
    """Ghinita and others, section 5: the rows of the line pass by once, here in parts of 50 rows. Which of the rows
    that are equal in all that is looked at goes where is not what memory draws: what else they have is compared as
    a whole."""
    if not engine.in_parts:
        pytest.skip("all distinct rows are in memory there")
    table, models = people(400), ON_A_LINE[method]
    request = Request(schema=SCHEMA, models=models, method=method)
    expected = am.anonymize(table, SCHEMA, models, method)
    release, written = engine.run(table, request, tmp_path, part_rows=50)
    np.testing.assert_array_equal(release.partition.lo, expected.partition.lo)
    np.testing.assert_array_equal(release.partition.hi, expected.partition.hi)
    wanted, looked_at = plain(expected.arrow), request.counted
    shown = [name for name in wanted.column_names if name in looked_at]
    found = plain(written).cast(wanted.schema)
    assert found.select(shown).to_pylist() == wanted.select(shown).to_pylist()
    for name in {"illness", "note"} - set(looked_at):
        assert Counter(found.column(name).to_pylist()) == Counter(wanted.column(name).to_pylist())
    assert release.utility.gcp == pytest.approx(expected.utility.gcp, abs=1e-12)
    assert release.utility.uniques_before == expected.utility.uniques_before
