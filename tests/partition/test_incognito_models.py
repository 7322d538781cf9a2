"""Full-domain searches with models beyond k, against brute force over all nodes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import all_nodes, random_case
from model_oracle import holds

import amongst as am
from amongst.encode.coded import CodedColumn
from amongst.errors import AmongstError, BadOption
from amongst.partition.full_domain.search import search_lattice
from amongst.partition.methods import METHODS

COMPLETE = ["incognito", "incognito-superroots", "incognito-cube", "bottom-up-search"]


def some_models(rng: np.random.Generator, k: int) -> list[Any]:
    one = [
        am.LDiversity(2),
        am.LDiversity(2, "distinct"),
        am.LDiversity(1.5, "entropy"),
        am.LDiversity(2, ("recursive", 2.0)),
        am.TCloseness(0.3, "equal"),
        am.TCloseness(0.3, "ordered"),
        am.AlphaK(0.7, 2),
        am.BetaLikeness(1.0),
        am.DeltaDisclosure(1.0, absent="counted"),
    ]
    chosen = [one[i] for i in rng.choice(len(one), int(rng.integers(1, 3)), replace=False)]
    return [am.KAnonymity(k), *chosen]


def classes_of(case: Any, node: tuple[int, ...], values: list[str]) -> list[list[str]]:
    classes: dict[tuple, list[str]] = defaultdict(list)
    for row, value in zip(case.rows, values, strict=True):
        classes[tuple(case.names[c][level][row[c]] for c, level in enumerate(node))].append(value)
    return list(classes.values())


@pytest.mark.parametrize("seed", range(12))
def test_every_node_that_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_found = 0
    for _ in range(25):
        case = random_case(rng, most_columns=3, most_rows=30)
        if any(column.wildcard >= 0 for column in case.coded.columns):
            continue
        values = rng.choice(list("abc"), len(case.rows)).tolist()
        codes = np.array(["abc".index(v) for v in values], dtype=np.uint8)
        kept = sorted(set(values))
        codes = np.array([kept.index(v) for v in values], dtype=np.uint8)
        column = CodedColumn("s", "categorical", codes, pa.array(kept), np.arange(len(kept)) * 1.0, 0.0, 1.0, None)
        case.coded.sensitive["s"] = column
        models = some_models(rng, case.k)
        whole = [holds(model, values, values, domain=kept) for model in models]
        for name in COMPLETE:
            try:
                found = set(search_lattice(METHODS[name], case.coded, models, 0.0, case.limits))
            except AmongstError:
                assert not all(whole)
                continue
            expected = {
                node
                for node in all_nodes(case)
                if all(
                    holds(model, group, values, domain=kept)
                    for group in classes_of(case, node, values)
                    for model in models
                )
            }
            assert found == expected, (name, models)
            n_found += len(found)
    assert n_found > 0


def table_and_schema() -> tuple[pa.Table, am.Schema]:
    table = pa.table({"sex": list("mmffmmff"), "zip": [str(53710 + i) for i in range(8)], "s": list("aabbabab")})
    schema = am.Schema(
        {
            "sex": am.Column(role="quasi"),
            "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(5)),
            "s": am.Column(role="sensitive"),
        }
    )
    return table, schema


def test_few_columns_at_a_time_ask_for_less() -> None:
    table = pa.table({"sex": list("mmffmmff"), "smokes": list("ynynynyn")})  # 4 of each, 2 of each pair
    schema = am.Schema({name: am.Column(role="quasi") for name in table.column_names})
    of_one = set(am.generalizations(table, schema, [am.KOfSubsets(4, m=1)]))
    of_all = set(am.generalizations(table, schema, [am.KAnonymity(4)]))
    assert of_one == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert of_all == {(0, 1), (1, 0), (1, 1)}
    assert set(am.generalizations(table, schema, [am.KOfSubsets(4, m=2)])) == of_all


def test_a_population_may_be_larger_than_the_data() -> None:
    table, schema = table_and_schema()
    people = pa.table({"sex": list("mf") * 40, "zip": [str(53710 + i % 5 * 2 + i // 40) for i in range(80)]})
    found = am.generalizations(table, schema, [am.KMap(8, people)])
    # Every zip has 8 people, 4 of each sex.
    assert (1, 0) in found
    assert (0, 0) not in found
    assert (0, 0) in am.generalizations(table, schema, [am.KMap(4, people)])
    present = am.generalizations(table, schema, [am.DeltaPresence(0.0, 0.125, people)])
    assert (1, 0) in present  # 1 of 8
    assert (0, 0) not in present  # 1 of 4
    # Two zips of the population are not in the data: whoever lives there is known to be absent.
    certain = am.generalizations(table, schema, [am.DeltaPresence(0.05, 0.5, people)])
    assert (1, 0) not in certain
    assert (1, 1) in certain  # 8 of 80


def test_what_is_not_monotone_is_refused() -> None:
    table, schema = table_and_schema()
    with pytest.raises(BadOption, match="not monotone: delta-disclosure"):
        am.generalizations(table, schema, [am.KAnonymity(2), am.DeltaDisclosure(2.0)])
    with pytest.raises(BadOption, match="not monotone with suppression: l-diversity"):
        am.generalizations(table, schema, [am.KAnonymity(2), am.LDiversity(2)], suppression=0.25)
    with pytest.raises(BadOption, match="not monotone with suppression: k-of-subsets"):
        am.generalizations(table, schema, [am.KOfSubsets(2, m=1)], suppression=0.25)
    assert len(am.generalizations(table, schema, [am.LDiversity(2, "distinct")], suppression=0.5)) > 0


def test_where_people_are_counted_less_is_monotone() -> None:
    """Two classes may hold l = 2 in people, and their union not: the same two people with their values exchanged."""
    table = pa.table({"who": [1, 2, 1, 2], "sex": list("mmff"), "s": list("abba")})
    schema = am.Schema(
        {"who": am.Column(role="identifier"), "sex": am.Column(role="quasi"), "s": am.Column(role="sensitive")}
    )
    with pytest.raises(BadOption, match="not monotone where people are counted: l-diversity"):
        am.generalizations(table, schema, [am.LDiversity(2)], unit="who")
    found = am.generalizations(table, schema, [am.KAnonymity(2), am.LDiversity(2, "distinct")], unit="who")
    assert set(found) == {(0,), (1,)}


def test_few_columns_count_people() -> None:
    table = pa.table({"who": [1, 1, 2, 3], "sex": list("mmff"), "smokes": list("yyyn")})
    schema = am.Schema(
        {"who": am.Column(role="identifier"), "sex": am.Column(role="quasi"), "smokes": am.Column(role="quasi")}
    )
    rows = am.generalizations(table, schema, [am.KOfSubsets(2, m=1)])
    people = am.generalizations(table, schema, [am.KOfSubsets(2, m=1)], unit="who")
    assert (0, 1) in rows  # two rows of each sex
    assert (0, 1) not in people  # but the men are one man
    assert (1, 1) in people


def test_sql_searches_for_k_only(tmp_path: Any) -> None:
    import pyarrow.parquet as pq

    table, schema = table_and_schema()
    pq.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(BadOption, match="In SQL"):
        am.generalizations(tmp_path / "t.parquet", schema, [am.LDiversity(2)], engine="duckdb")
