"""Whatever is said that an intruder knows of each table holds for the published tables, judged in lists and sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mixed_databases import mixed_database
from naive_judge import Judge

import amongst as am
from amongst.relations.relation import columns_of
from thorough import some

seeds = st.integers(0, 2**32 - 1)
PAIRED: list[tuple[str, dict[str, Any]]] = [
    ("miracle", {}),
    ("miracle", {"skeleton": "split", "pairing": "optimal"}),
    ("miracle-x", {"pairing": "levels"}),
    ("d-miracle", {}),
    ("bitmap", {}),
    ("bitmap", {"complete": True, "leftovers": "join"}),
]
"""Methods for tables of which all is known."""


def models_of(schema: am.DatabaseSchema, k: int, m: int) -> list[Any]:
    coded = any(relation.known == "codes" for relation in schema.values())
    return [am.KAnonymity(k), *([am.KmAnonymity(k, m)] if coded else [])]


def release_of(tables: Any, schema: am.DatabaseSchema, models: list[Any], method: str, **options: Any) -> Any:
    try:
        return am.anonymize_database(tables, schema, models, method, **options)
    except am.errors.Infeasible:
        assume(False)


def judge_release(tables: dict[str, pa.Table], release: Any, k: int, m: int) -> None:
    schema, made = release.schema, release.tables
    assert release.verdict.ok, release.verdict.words()
    judge = Judge(made, schema)
    assert judge.holds(k, m), (judge.least_group(), judge.least_sharing(m))
    original = Judge(tables, schema)
    came_from = {name: release.plan.input_row[name].tolist() for name in schema}
    for row, above in judge.up.items():
        name, i = row
        was = (name, came_from[name][i])
        assert above is None or original.up[was] == (above[0], came_from[above[0]][above[1]])
        for to, led in zip(judge.links(row), original.links(was), strict=True):
            assert to is None or led == (to[0], came_from[to[0]][to[1]])
    for name, relation in schema.items():
        old = {cell for key in relation.keys for cell in tables[name][key].to_pylist() if cell is not None}
        new = {cell for key in relation.keys for cell in made[name][key].to_pylist()}
        assert not old & new
        if relation.known == "nothing":  # nobody knows its rows: all stay whose parents stay, as they were
            above = set(came_from[relation.parent])
            stays = [i for i in range(len(original.rows[name])) if original.up[name, i][1] in above]
            assert sorted(came_from[name]) == stays
        for c in relation.schema:
            if relation.known not in ("all", "codes") or relation.schema[c].role != "quasi":
                cells = [original.rows[name][i][c] for i in came_from[name]]
                pairs = zip(cells, made[name][c].to_pylist(), strict=True)
                assert all(now == was or (now is None and relation.schema[c].role == "sensitive") for was, now in pairs)
    assert set(schema.lookups) <= set(made)
    for name in schema.lookups:
        assert made[name].equals(tables[name])


@settings(max_examples=some(90))
@given(seeds)
def test_a_release_for_an_intruder_who_knows_less_than_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables, schema = mixed_database(rng)
    k, m = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    options: dict[str, Any] = {"persons_per_group": int(rng.choice([0, k, tables["p"].num_rows]))}
    if rng.random() < 0.3:
        options["skeleton"] = str(rng.choice(["gain-split", "mondrian"]))
    models = models_of(schema, k, m)
    spread = schema.bounded and rng.random() < 0.4 and any(relation.schema.sensitive for relation in schema.values())
    release = release_of(
        tables, schema, [*models, *([am.Diversity(2, "distinct")] if spread else [])], "codes", **options
    )
    judge_release(tables, release, k, m)
    if spread:
        assert Judge(release.tables, release.schema).least_distinct(m if len(models) > 1 else 0) >= 2


@pytest.mark.parametrize(("method", "options"), PAIRED)
@settings(max_examples=some(15))
@given(seeds)
def test_a_release_for_an_intruder_who_knows_all(method: str, options: dict[str, Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables, schema = mixed_database(rng, whole=True)
    k = int(rng.integers(1, 4))
    models: list[Any] = [am.KAnonymity(k)]
    if method == "d-miracle":
        assume(any(relation.schema.sensitive for relation in schema.values()))
        models.append(am.Diversity(2, "distinct"))
    release = release_of(tables, schema, models, method, **options)
    judge_release(tables, release, k, 1)
    assert method != "d-miracle" or Judge(release.tables, release.schema).least_distinct(0) >= 2


@settings(max_examples=some(45))
@given(seeds)
def test_the_proof_sees_what_the_judge_sees_when_a_release_is_spoiled(seed: int) -> None:
    """A row taken out, a reference taken out or led elsewhere: nothing passes that the judge would not let pass."""
    rng = np.random.default_rng(seed)
    tables, schema = mixed_database(rng, whole=bool(rng.random() < 0.4))
    k, m = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    method = "miracle" if not schema.bounded else "codes"
    models = models_of(schema, k, m)
    release = release_of(tables, schema, models, method)
    made = spoiled(rng, dict(release.tables), release.schema)
    assume(made is not None)
    verdict = am.verify_database(made, schema, models)
    try:
        holds = Judge(made, release.schema).holds(k, m)
    except AssertionError:  # keys that do not hold
        holds = False
    assert holds or not verdict.ok, verdict.words()


def spoiled(rng: np.random.Generator, tables: dict[str, Any], schema: am.DatabaseSchema) -> dict[str, Any] | None:
    name = str(rng.choice([one for one in schema if one != "p"]))
    table, relation = tables[name], schema[name]
    if not table.num_rows:
        return None
    place = int(rng.integers(table.num_rows))
    if relation.links and rng.random() < 0.6:
        link = relation.links[int(rng.integers(len(relation.links)))]
        other = tables[link.table]
        to = None if rng.random() < 0.3 or not other.num_rows else int(rng.integers(other.num_rows))
        for own, key in zip(link.columns, columns_of(schema[link.table].key), strict=True):
            cells = table[own].to_pylist()
            cells[place] = None if to is None else other[key][to].as_py()
            kind = other.schema.field(key).type
            table = table.set_column(table.column_names.index(own), own, pa.array(cells, kind))
        return tables | {name: table}
    if schema.children(name) or any(link.table == name for one in schema.values() for link in one.links):
        return None
    return tables | {name: pa.concat_tables([table.slice(0, place), table.slice(place + 1)])}
