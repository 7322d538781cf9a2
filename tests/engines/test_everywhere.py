"""A table anonymized anywhere is the table that memory gives, row by row. A case added here reaches every engine."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from everywhere import Engine, Files, Polars, Postgresql, Spark
from odd_people import FULL_DOMAIN, SCHEMA, K, people
from postgresql_tables import plain

import amongst as am
from amongst.engines.duckdb.choose_path import choose_path
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.memory import Budget
from amongst.engines.postgresql.store import PostgresqlStore
from amongst.engines.spark import SparkStore
from amongst.errors import BadInput, BadOption, Infeasible
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


def in_households() -> tuple[pa.Table, am.Schema]:
    at_home = np.random.default_rng(3).permutation(np.repeat(np.arange(200), 2))
    names = ["age", "insured", "born", "illness", "note", "Größe"]
    table = people(400, nulls=0).select(names).add_column(0, "home", pa.array([f"H{one}" for one in at_home]))
    schema = am.Schema({**SCHEMA, "home": am.Column(role="household"), "Größe": am.Column(role="keep")})
    return table, am.Schema({name: schema[name] for name in table.column_names})


def test_households_that_do_not_fit_are_refused_before_their_rows_come(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, schema = in_households()
    request = Request(schema=schema, models=[am.KAnonymity(3)], method="mondrian", form="labels", options={})
    if isinstance(engine, Files):
        pq.write_table(table, tmp_path / "in.parquet")
        store = open_store(tmp_path / "in.parquet", tmp_path, 400_000_000)
        assert choose_path(store, request, Budget(limit=10**9, free=10**9)).name == "counts"
        with pytest.raises(Infeasible, match="too small to group households"):
            choose_path(store, request, Budget(limit=10**5, free=10**4))
        return
    for home in (PostgresqlStore, SparkStore):
        monkeypatch.setattr(home, "room", property(lambda store: 1000))
        monkeypatch.setattr(home, "needed", lambda *asked: 10**12, raising=False)
    with pytest.raises(BadOption, match=r"does not fit|every row in memory"):
        engine.run(table, request, tmp_path)
    assert not (tmp_path / "out").exists()


def test_households_are_those_of_memory(engine: Engine, tmp_path: Path) -> None:
    """Numbers too: they follow what is published, and nothing of where the rows were."""
    table, schema = in_households()
    request = Request(schema=schema, models=[am.KAnonymity(3)], method="mondrian", form="labels", options={})
    if isinstance(engine, Polars):
        with pytest.raises(BadOption):
            engine.run(table, request, tmp_path)
        return
    expected = plain(am.anonymize(table, schema, [am.KAnonymity(3)], "mondrian").arrow)
    _, written = engine.run(table, request, tmp_path)
    assert plain(written).cast(expected.schema).to_pylist() == expected.to_pylist()
    shown: dict[int, list[tuple[Any, ...]]] = {}
    for row in plain(written).to_pylist():
        shown.setdefault(row["home"], []).append((row["age"], row["insured"], row["born"]))
    assert len(shown) == 200
    assert min(Counter(str(sorted(members, key=str)) for members in shown.values()).values()) >= 3


def in_order_of_cells(row: dict[str, Any]) -> list[Any]:
    """Of texts the bytes, nulls last, and of what ties the negative zero first."""
    cells = [one.encode() if isinstance(one, str) else one for one in row.values()]
    floats = [one for one in cells if isinstance(one, float)]
    return [*((one is None, 0 if one is None else one) for one in cells), [str(one) != "-0.0" for one in floats]]


def of_several_rows() -> tuple[pa.Table, am.Schema]:
    """Illnesses of people, of whom some have many and some one; what is kept has missing cells and both zeros."""
    draw = np.random.default_rng(4)
    who, names = draw.integers(0, 150, 400), ["age", "insured", "born", "illness", "note"]
    one, table = people(150, nulls=0).take(pa.array(who)), people(400, nulls=0)
    columns = {name: (one if name in names[:3] else table).column(name) for name in names}
    paid = np.array([0.0, -0.0, 1.5, None])[draw.integers(0, 4, 400)]
    table = pa.table({"who": [f"P{one}" for one in who], **columns, "paid": pa.array(paid, pa.float64())})
    schema = am.Schema({**SCHEMA, "who": am.Column(role="identifier"), "paid": am.Column(role="keep")})
    return table, am.Schema({name: schema[name] for name in ["who", *names, "paid"]})


@pytest.mark.parametrize("method", ["mondrian", "hilbert"])
def test_people_are_counted_as_in_memory(engine: Engine, method: str, tmp_path: Path) -> None:
    """Their numbers, which stay inside, are of the rows that were written: each has what the input has of him."""
    table, schema = of_several_rows()
    models = [am.KAnonymity(4), am.LDiversity(2, "distinct", column="illness")]
    request = Request(schema=schema, models=models, method=method, unit="who")
    if isinstance(engine, (Spark, Polars)):
        with pytest.raises(BadOption):
            engine.run(table, request, tmp_path)
        return
    expected = plain(am.anonymize(table, schema, models, method, unit="who").arrow)
    _, written = engine.run(table, request, tmp_path)
    rows = plain(written).cast(expected.schema).to_pylist()
    if method == "mondrian":  # on a line rows tie that other columns tell apart in memory
        assert rows == expected.to_pylist()
    if isinstance(engine, Postgresql):  # rows of a table have no place but that of their cells in order
        rows.sort(key=in_order_of_cells)
    numbers = pq.read_table(tmp_path / "out.inside" / "people.parquet").column(0).to_pylist()
    own, known, of_class = defaultdict(list), defaultdict(list), defaultdict(set)
    for row, who in zip(rows, numbers, strict=True):
        own[who].append(str([row[name] for name in ("illness", "note", "paid")]))
        of_class[tuple(row[name] for name in schema.quasi)].add(who)
    for row in table.to_pylist():
        known[row["who"]].append(str([row[name] for name in ("illness", "note", "paid")]))
    assert sorted(map(sorted, own.values())) == sorted(map(sorted, known.values()))
    assert min(map(len, of_class.values())) >= 4


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


NAMES_BY_CASE = [
    ("Case", "case", "identifier"),
    ("count", "COUNT", "quasi"),
    ("é", "É", "identifier"),
    ("name", "name_1", "keep"),
]


@pytest.mark.parametrize("case", NAMES_BY_CASE, ids=" ".join)
def test_names_that_differ_in_case_alone_are_two_columns_or_refused(
    engine: Engine, case: tuple[str, str, str], tmp_path: Path
) -> None:
    """DuckDB takes them for one: the cells of a column that was dropped stood in the release under the other's name."""
    *names, role = case
    rng = np.random.default_rng(1)
    table = pa.table({names[0]: rng.integers(0, 9, 60), names[1]: rng.integers(100, 109, 60)})
    schema = am.Schema({names[0]: am.Column(role=role), names[1]: am.Column(role="quasi")})
    request = Request(schema=schema, models=[am.KAnonymity(3)], method="mondrian")
    expected = am.anonymize(table, schema, request.models, request.method)
    folded = {name.lower() if isinstance(engine, Spark) else name.encode().lower() for name in names}
    if not engine.by_case and len(folded) == 1:
        with pytest.raises(BadInput, match="upper and lower case"):
            engine.run(table, request, tmp_path)
        return
    written = engine.run(table, request, tmp_path)[1]
    assert plain(written).to_pylist() == plain(expected.arrow).to_pylist()


@pytest.mark.parametrize("name", ["Rows of this kind", "CLASS OF THE RELEASE"])
def test_names_that_are_needed_are_refused_in_any_case(engine: Engine, name: str, tmp_path: Path) -> None:
    table = pa.table({name: np.arange(20) % 3, "q": np.arange(20) % 2})
    request = Request(schema=am.Schema(dict.fromkeys(table.column_names, "quasi")), models=K, method="mondrian")
    found = engine.there(table, tmp_path)
    with pytest.raises(BadInput, match="needed for counting"):
        am.anonymize(schema=request.schema, models=request.models, method="mondrian", **found)
