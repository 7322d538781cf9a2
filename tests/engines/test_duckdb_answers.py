"""Every search on DuckDB: the answers of memory, and the way to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from duckdb_tables import Case, random_case, written

import amongst as am
from amongst.errors import AmongstError
from amongst.generalize import SEARCHES
from amongst.partition.choose import choose_node, losses_of

WAYS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in SEARCHES]
WAYS += [("bottom-up-search", {"rollup": False}), ("incognito", {"marking": "direct"})]


def both(case: Case, data: Any, method: str, **options: Any) -> list[Any]:
    """What each engine answers, or the error that it raises."""
    answers: list[Any] = []
    for engine, given in (("memory", data), ("duckdb", data)):
        given = given.to_arrow_table() if engine == "memory" and isinstance(given, duckdb.DuckDBPyRelation) else given
        try:
            answers.append(am.generalizations(given, case.schema, method=method, engine=engine, **case.options(), **options))
        except AmongstError as error:
            answers.append(error)
    return answers


def same(ours: Any, theirs: Any) -> bool:
    """Asserts that the answers are equal; false where both are the same error."""
    if isinstance(theirs, AmongstError):
        assert type(ours) is type(theirs)
        assert ours.what == theirs.what
        return False
    assert not isinstance(ours, AmongstError), ours
    assert list(ours) == list(theirs)
    for fact in ("complete", "columns", "heights", "n_searched", "n_scans", "n_rollups"):
        assert getattr(ours, fact) == getattr(theirs, fact), fact
    assert ours.minimal() == theirs.minimal()
    return True


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".tsv"])
@pytest.mark.parametrize(("method", "options"), WAYS, ids=[f"{name} {options or ''}" for name, options in WAYS])
def test_files(method: str, options: dict[str, Any], ending: str, tmp_path: Path) -> None:
    rng = np.random.default_rng([len(ending), WAYS.index((method, options))])
    n_answers = 0
    for _ in range(12):
        case = random_case(rng, most_columns=3 if method == "bottom-up-search" else 4)
        memory, sql = both(case, written(case.table, tmp_path, ending), method, **options)
        n_answers += same(sql, memory)
    assert n_answers > 5


@pytest.mark.parametrize("method", SEARCHES)
def test_relations(method: str) -> None:
    rng = np.random.default_rng(len(method))
    n_answers = 0
    with duckdb.connect() as connection:
        for _ in range(15):
            case = random_case(rng)
            if {"Count", "count"} <= set(case.table.column_names):
                continue  # DuckDB's names do not tell small letters from capitals
            relation = connection.from_arrow(case.table)
            memory, sql = both(case, relation, method)
            n_answers += same(sql, memory)
        assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]
    assert n_answers > 5


def test_a_table_of_the_users_database(tmp_path: Path) -> None:
    adult = am.datasets.load("adult", part="test")
    names = ["age", "sex", "race"]
    roles = {n: adult.schema[n] if n in names else am.Column(role="identifier") for n in adult.table.column_names}
    case = Case(adult.table, am.Schema(roles), 5, 0.01, {})
    with duckdb.connect(str(tmp_path / "people.db")) as connection:
        connection.from_arrow(adult.table).create("people")
        memory, sql = both(case, connection.table("people"), "incognito")
        assert same(sql, memory)
        memory, sql = both(case, connection.sql('SELECT * FROM people WHERE "age" < 40'), "incognito-superroots")
        assert same(sql, memory)


@pytest.mark.parametrize("measure", ["gcp", "lm", "precision", "entropy", "height", "dm", "c_avg"])
def test_what_is_found_can_be_measured_and_chosen_from(measure: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(len(measure))
    n_answers = 0
    for _ in range(20):
        case = random_case(rng, most_columns=3)
        memory, sql = both(case, written(case.table, tmp_path, ".parquet"), "bottom-up-search")
        if same(sql, memory) and len(sql):
            np.testing.assert_allclose(losses_of(sql, measure), losses_of(memory, measure), rtol=1e-12)
            assert choose_node(sql, measure) == choose_node(memory, measure)
            n_answers += 1
    assert n_answers > 8


def test_all_of_adult(tmp_path: Path) -> None:
    adult = am.datasets.load("adult", part="train")
    case = Case(adult.table, adult.schema, 10, 0.0, {"sex": 0})
    memory, sql = both(case, written(adult.table, tmp_path, ".parquet"), "incognito-superroots", memory_limit=None)
    assert len(memory) > 10
    assert same(sql, memory)
