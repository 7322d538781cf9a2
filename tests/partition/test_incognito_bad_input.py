"""What a full-domain search refuses, in which words, and that what it says is true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import all_nodes, counts, random_case

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.lattice.generalize import searches
from amongst.partition.ask import MOST_NODES
from amongst.partition.full_domain.search import infeasible, search_lattice
from amongst.partition.methods import METHODS

PATIENTS = am.datasets.load("incognito-patients")


def generalizations(method: str = "incognito", k: int = 2, **options: Any) -> Any:
    return am.generalizations(PATIENTS.table, PATIENTS.schema, [am.KAnonymity(k)], method=method, **options)


@pytest.mark.parametrize("method", searches())
@pytest.mark.parametrize("level", [3, -1, "1", 1.0, True, None])
def test_a_level_that_does_not_exist(method: str, level: Any) -> None:
    with pytest.raises(BadOption) as error:
        generalizations(method, limits={"Zipcode": level})
    assert error.value.found == [f"Zipcode: there is no level {level!r}, its levels go from 0 to 2"]


def test_all_that_is_wrong_with_the_limits_is_told_at_once() -> None:
    with pytest.raises(BadOption) as error:
        generalizations(limits={"Zip": 1, "Sex": 2, "Disease": 0})
    assert len(error.value.found) == 3
    assert "Zip: not a quasi-identifier" in error.value.found


@pytest.mark.parametrize("limits", ["Sex", ["Sex"], 3, [("Sex", 0)]])
def test_limits_that_name_no_columns(limits: Any) -> None:
    with pytest.raises(BadOption) as error:
        generalizations(limits=limits)
    assert "limits={'age': 2}" in error.value.fix


@pytest.mark.parametrize("method", searches())
@pytest.mark.parametrize("suppression", [7, -1, 1.5, -0.1, True, "5%", None, float("nan")])
def test_a_threshold_that_does_not_fit_the_table(method: str, suppression: Any) -> None:
    with pytest.raises(BadOption) as error:
        generalizations(method, suppression=suppression)
    assert error.value.found == [f"suppression = {suppression!r}, 6 rows"]
    assert error.value.fix == "use a share from 0.0 to 1.0, or a whole number of rows from 0 to 6"


@pytest.mark.parametrize("suppression", [0, 1, 6, 0.0, 0.5, 1.0, np.int64(2), np.float32(0.5)])
def test_a_threshold_in_rows_or_as_a_share(suppression: Any) -> None:
    assert len(generalizations(suppression=suppression)) >= len(generalizations())


def test_one_row_and_all_rows_are_not_the_same() -> None:
    assert len(generalizations(suppression=1)) < len(generalizations(suppression=1.0))


def test_unknown_markings_methods_and_options() -> None:
    with pytest.raises(BadOption) as error:
        generalizations(marking="some")
    assert error.value.fix == "use one of: all, direct"
    with pytest.raises(BadOption) as error:
        generalizations(method="mondrian")
    assert error.value.fix == "use one of: " + ", ".join(searches())
    with pytest.raises(BadOption) as error:
        am.anonymize(PATIENTS.table, PATIENTS.schema, [am.KAnonymity(2)], method="samarati", marking="all")
    assert "marking" in error.value.found[0]


def tall(n_columns: int) -> tuple[pa.Table, am.Schema]:
    rng = np.random.default_rng(0)
    table = pa.table({f"c{c}": rng.integers(0, 200, 50) for c in range(n_columns)})
    column = am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([2, 4, 8, 16, 32, 64]))
    return table, am.Schema(dict.fromkeys(table.column_names, column))


@pytest.mark.parametrize("method", [name for name in searches() if name not in ("datafly", "full-domain-wide")])
def test_a_lattice_too_large_to_enumerate(method: str) -> None:
    table, schema = tall(12)
    with pytest.raises(BadOption) as error:
        am.generalizations(table, schema, [am.KAnonymity(2)], method=method)
    assert error.value.facts["n_nodes"] == 8**12 > MOST_NODES
    assert f"{8**12:,}" in error.value.found[0]
    assert "datafly" in error.value.fix
    # what it offers works
    assert len(am.generalizations(table, schema, [am.KAnonymity(2)], method="datafly")) == 1
    limits = {f"c{c}": 0 for c in range(11)}
    found = am.generalizations(table, schema, [am.KAnonymity(2)], method=method, limits=limits)
    assert found.heights[-1] == 7


def test_many_columns_are_too_large_whatever_their_levels() -> None:
    table, schema = tall(70)
    limits = {f"c{c}": 0 for c in range(69)}
    with pytest.raises(BadOption) as error:
        am.generalizations(table, schema, [am.KAnonymity(2)], limits=limits)
    assert "datafly" in error.value.fix


@pytest.mark.parametrize("method", searches())
def test_k_above_the_table(method: str) -> None:
    with pytest.raises(Infeasible) as error:
        generalizations(method, k=7)
    assert error.value.facts["largest_k"] == 6


@pytest.mark.parametrize("method", searches())
def test_limits_that_forbid_k(method: str) -> None:
    options: dict[str, Any] = {"method": method, "limits": {"Birthdate": 0, "Sex": 1, "Zipcode": 1}}
    assert len(generalizations(**options)) == 0

    def anonymize(k: int) -> am.Release:
        return am.anonymize(PATIENTS.table, PATIENTS.schema, [am.KAnonymity(k)], **options)

    with pytest.raises(Infeasible) as error:
        anonymize(2)
    assert error.value.facts["largest_k"] == 1
    assert anonymize(1).verdict.ok


def test_the_largest_k_that_is_named_can_be_had_and_no_larger_one() -> None:
    rng = np.random.default_rng(6)
    n_refused = 0
    for _ in range(400):
        case = random_case(rng)
        incognito = METHODS["incognito"]

        def found(k: int, case: Any = case, incognito: Any = incognito) -> Any:
            return search_lattice(incognito, case.coded, [am.KAnonymity(k)], case.suppression, case.limits)

        asked = found(case.k)
        if len(asked):
            continue
        n_refused += 1
        largest = infeasible(asked).facts["largest_k"]
        assert len(found(largest)) > 0
        assert all(len(found(k)) == 0 for k in range(largest + 1, case.k + 1))
    assert n_refused > 20


def test_an_error_tells_no_count_below_k() -> None:
    """At the highest levels one row of five stands alone: that is not told."""
    table = pa.table({"a": ["x", "x", "x", "x", "y"]})
    schema = am.Schema({"a": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())})
    with pytest.raises(Infeasible) as error:
        am.anonymize(table, schema, [am.KAnonymity(3)], method="incognito", limits={"a": 0})
    assert "fewer than 3 rows" in error.value.found[0]


def test_suppressing_everything_is_no_answer() -> None:
    rng = np.random.default_rng(12)
    for _ in range(100):
        case = random_case(rng)
        models = [am.KAnonymity(case.k)]
        found = search_lattice(METHODS["incognito"], case.coded, models, 1.0, case.limits)
        large = {node for node in all_nodes(case) if max(counts(case, node).values()) >= case.k}
        assert set(found) == large
