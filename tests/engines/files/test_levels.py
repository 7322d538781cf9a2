"""Full-domain methods with frequency sets in DuckDB: the release that memory gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored_files import memory_release, silent, written

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.duckdb import open as engine
from amongst.engines.duckdb.choose_path import choose_path
from amongst.engines.duckdb.frequency_sets import SqlFrequencySets
from amongst.engines.duckdb.levels import LevelsStore
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import Budget
from amongst.engines.work import Work
from amongst.errors import BadOption, Infeasible
from amongst.partition.methods import METHODS
from amongst.request import Request
from flow_tables import random_table

BY_LEVELS = METHODS.names(lambda method: method.search)


def by_levels(path: Path, request: Request, folder: Path) -> am.Release | None:
    work = Work(folder)
    try:
        store = open_store(path, work.folder, 400_000_000)
        return release_of(LevelsStore(store.name, store.paths, store.folder, store.memory, work=work), request, silent)
    except Infeasible:
        return None


@pytest.mark.parametrize("method", BY_LEVELS)
def test_the_same_release_as_in_memory(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared, derived = 0, []
    derive = SqlFrequencySets.derive
    monkeypatch.setattr(SqlFrequencySets, "derive", lambda *given: derived.append(1) or derive(*given))
    for seed in range(16):
        made = random_table(np.random.default_rng([seed, BY_LEVELS.index(method)]), linked=bool(seed % 2))
        rules = [made.schema[name] for name in made.schema.quasi]
        if any(rule.nulls == "match anything" or rule.statistic for rule in rules):
            continue
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = written(made.table, folder)
        options = {"suppression": 0.2} if seed % 3 == 0 and method != "datafly" else {}
        request = Request(schema=made.schema, models=[am.KAnonymity(made.k)], method=method, options=options)
        stored, in_memory = by_levels(path, request, folder), memory_release(path, request)
        assert (stored is None) == (in_memory is None)
        if stored is None or in_memory is None:
            continue
        stored.write(folder / "one")
        in_memory.write(folder / "other")
        assert (folder / "one/release.parquet").read_bytes() == (folder / "other/release.parquet").read_bytes()
        for ending in ("", ".inside"):
            names = (f"one{ending}", f"other{ending}")
            told, expected = (json.loads((folder / name / "manifest.json").read_text()) for name in names)
            assert told["utility"] == expected["utility"]
            assert told["proved"] == expected["proved"]
        compared += 1
    assert compared >= 2
    if method == "incognito-materialized":  # sets are counted from those that were kept, in SQL too
        assert derived


def test_the_way_is_taken_where_memory_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adult = am.datasets.load("adult")
    path = written(adult.table.slice(0, 1000), tmp_path)
    request = Request(schema=adult.schema, models=[am.KAnonymity(5)], method="incognito")
    store = open_store(path, tmp_path, 400_000_000)
    tight = Budget(300_000_000, 100_000)
    assert choose_path(store, request, tight).name == "levels"
    monkeypatch.setattr(engine, "prepared", _tight(engine.prepared, tight))
    release = am.anonymize(path, adult.schema, [am.KAnonymity(5)], "incognito", memory="8GB", work=tmp_path)
    assert isinstance(release.store, LevelsStore)
    assert release.write(tmp_path / "out").ok
    models = [am.KAnonymity(5), am.LDiversity(2, "distinct", column="salary-class")]
    with pytest.raises(BadOption, match="SQL"):
        am.anonymize(path, adult.schema, models, "incognito", memory="8GB", work=tmp_path)
    with pytest.raises(Infeasible, match="at least"):
        choose_path(store, Request(schema=adult.schema, models=[am.KAnonymity(5)], method="top-down"), tight)


def _tight(prepared, tight: Budget):  # type: ignore[no-untyped-def]
    def run(data, request, **settings):  # type: ignore[no-untyped-def]
        store, _, (_, place) = prepared(data, request, **settings)
        return store, choose_path(store, request, tight), (tight, place)

    return run
