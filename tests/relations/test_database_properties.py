"""What always holds for many tables, whatever the method: against definitions 9 and 10 in lists and dicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from snowflakes import least_diversity, random_snowflake, smallest_group

import amongst as am
from amongst.relations.attack import Intruder, known_tree
from thorough import some

METHODS: list[tuple[str, dict[str, Any]]] = [
    ("miracle", {}),
    ("miracle", {"pairing": "optimal", "distance": "increase", "leftovers": "join"}),
    ("miracle-x", {"threshold": 0.3, "cluster_limit": 3}),
    ("miracle-x", {"pairing": "optimal", "distance": "increase"}),
    ("miracle", {"skeleton": "mondrian"}),
    ("bitmap", {}),
    ("bitmap", {"complete": True, "leftovers": "join"}),
]
seeds = st.integers(0, 2**32 - 1)


def a_snowflake(seed: int) -> tuple[np.random.Generator, dict[str, pa.Table], am.DatabaseSchema]:
    rng = np.random.default_rng(seed)
    tables, schema = random_snowflake(rng)
    assume(any(relation.schema.quasi for relation in schema.values()))
    return rng, tables, schema


def release_of(tables: Any, schema: am.DatabaseSchema, models: list[Any], method: str, **options: Any) -> Any:
    try:
        return am.anonymize_database(tables, schema, models, method, **options)
    except am.errors.Infeasible:
        assume(False)


@pytest.mark.parametrize(("method", "options"), METHODS)
@settings(max_examples=some(20))
@given(seeds)
def test_a_release_holds_definition_9(method: str, options: dict[str, Any], seed: int) -> None:
    rng, tables, schema = a_snowflake(seed)
    k = int(rng.integers(1, 5))
    release = release_of(tables, schema, [am.KAnonymity(k)], method, **options)
    assert release.verdict.ok, release.verdict.words()
    assert release.verdict.compared
    assert smallest_group(release.tables, schema) >= k
    for name, relation in schema.items():
        made = release.tables[name]
        assert made.column_names == [c for c in tables[name].column_names if c != "name"]
        assert made.num_rows == tables[name].num_rows - release.utility.tables[name].suppressed
        if relation.parent is not None:
            parents = release.tables[relation.parent]["key"].to_pylist()
            assert set(made["up"].to_pylist()) <= set(parents)
        assert sorted(made["key"].to_pylist()) == list(range(1, made.num_rows + 1))
    assert 0 <= release.utility.lm <= 1


@pytest.mark.parametrize("sense", ["frequency", "distinct", "entropy"])
@pytest.mark.parametrize("way", ["merge", "distance", "suppress"])
@settings(max_examples=some(10))
@given(seeds)
def test_a_release_holds_definition_10(sense: str, way: str, seed: int) -> None:
    rng, tables, schema = a_snowflake(seed)
    count = str(rng.choice(["both", "rows", "persons"]))
    models = [am.KAnonymity(2), am.Diversity(2, sense, count=count)]
    leftovers = str(rng.choice(["suppress", "join"]))
    release = release_of(tables, schema, models, "miracle-x", diversity=way, leftovers=leftovers)
    assert release.verdict.ok, release.verdict.words()
    assert least_diversity(release.tables, schema, sense, count) >= 2 - 1e-9


@settings(max_examples=some(15))
@given(seeds)
def test_recursive_diversity_and_d_miracle(seed: int) -> None:
    _, tables, schema = a_snowflake(seed)
    release = release_of(tables, schema, [am.Diversity(2, "recursive", 3.0)], "d-miracle")
    assert release.verdict.ok, release.verdict.words()
    assert release.verdict.smallest >= 2


@settings(max_examples=some(20))
@given(seeds)
def test_the_order_of_the_input_has_no_say(seed: int) -> None:
    rng, tables, schema = a_snowflake(seed)
    k = int(rng.integers(1, 4))
    shuffled = {name: table.take(rng.permutation(table.num_rows)) for name, table in tables.items()}
    one, other = (release_of(data, schema, [am.KAnonymity(k)], "miracle") for data in (tables, shuffled))
    for name in schema:
        assert one.tables[name].equals(other.tables[name])


@settings(max_examples=some(20))
@given(seeds)
def test_the_verifier_agrees_with_brute_force(seed: int) -> None:
    """On tables that nobody anonymized, and whose groups are small."""
    rng = np.random.default_rng(seed)
    tables, schema = random_snowflake(rng, most_persons=8)
    # Few values, so that some persons are alike.
    few = {n: _coarse(table, rng) for n, table in tables.items()}
    published = {name: table.drop_columns(["name"]) for name, table in few.items()}
    asked = int(rng.integers(1, 4))
    verdict = am.verify_database(published, schema, [am.KAnonymity(asked)])
    assert verdict.smallest == smallest_group(published, schema)
    assert verdict.ok == (verdict.smallest >= asked)
    for sense in ("frequency", "distinct", "entropy"):
        count = str(rng.choice(["both", "rows", "persons"]))
        reached = am.verify_database(published, schema, [am.Diversity(1, sense, count=count)]).models[0].reached
        assert reached == pytest.approx(least_diversity(published, schema, sense, count))


def _coarse(table: pa.Table, rng: np.random.Generator) -> pa.Table:
    for i, name in enumerate(table.column_names):
        if name.startswith("q"):
            table = table.set_column(
                i, name, pa.array(rng.choice(["*", "z"], table.num_rows, p=[0.8, 0.2]), pa.string())
            )
    return table


@given(seeds)
def test_optimal_pairing_never_costs_more_for_two_persons(seed: int) -> None:
    """Of two persons the pairing is all there is to choose, and the loss is what it minimizes."""
    _, tables, schema = a_snowflake(seed)
    assume(tables["t0"].num_rows == 2)
    greedy, optimal = (
        release_of(tables, schema, [am.KAnonymity(2)], "miracle", pairing=pairing).utility.lm
        for pairing in ("greedy", "optimal")
    )
    assert optimal <= greedy + 1e-6


@settings(max_examples=some(15))
@given(seeds)
def test_whoever_is_published_hides_amongst_k_from_somebody_who_knows_everything(seed: int) -> None:
    """The intruder knows all quasi-identifiers of all rows of a person, and pairs rows as she likes."""
    rng, tables, schema = a_snowflake(seed)
    k = int(rng.integers(1, 5))
    method = str(rng.choice(["miracle", "miracle-x", "bitmap"]))
    release = release_of(tables, schema, [am.KAnonymity(k)], method)
    intruder = Intruder(release.tables, release.schema)
    for person in np.flatnonzero(release.group_of_person >= 0).tolist():
        known = known_tree(without_suppressed(tables, schema), schema, person)
        assert len(intruder.candidates(known)) >= k


def without_suppressed(tables: dict[str, pa.Table], schema: am.DatabaseSchema) -> dict[str, pa.Table]:
    """The tables without rows that a null rule leaves out, but for those of persons."""
    kept = {}
    for name, table in tables.items():
        rules = schema[name].schema
        mask = np.ones(table.num_rows, dtype=bool)
        for column in rules.quasi:
            if rules[column].nulls == "suppress" and name != schema.person:
                mask &= table[column].is_valid().to_numpy()
        kept[name] = table.filter(pa.array(mask))
    return kept
