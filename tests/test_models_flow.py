"""Every method with every model: a release is verified by code that shares nothing with the search, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.partition.methods import METHODS

ONLY_K = (
    "single-dimensional",
    "full-subtree",
    "k-optimize",
    "unrestricted",
    "full-subgraph",
    "cell-suppression",
    "cell-generalization",
)
FULL_DOMAIN = (
    "incognito",
    "incognito-superroots",
    "incognito-cube",
    "incognito-materialized",
    "full-domain-optimum",
    "full-domain-wide",
    "samarati",
    "bottom-up-search",
    "datafly",
    "attribute-suppression",
)
AREA = am.Hierarchy.nested({"north": ["a", "b"], "south": ["c", "d", "e"]})
ILLNESS = am.Hierarchy.nested({"lungs": ["flu", "cold"], "gut": ["ulcer", "colic", "none"]})


def people(seed: int, n: int = 120) -> tuple[pa.Table, am.Schema]:
    """Rows of people who come more than once, with one sensitive category and one sensitive number."""
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "who": rng.integers(0, n * 2 // 3, n),
            "age": rng.integers(20, 60, n),
            "area": rng.choice(list("abcde"), n),
            "illness": rng.choice(["flu", "cold", "ulcer", "colic", "none"], n, p=[0.25, 0.25, 0.2, 0.15, 0.15]),
            "pay": rng.integers(0, 50, n) * 100,
        }
    )
    schema = am.Schema(
        {
            "who": am.Column(role="identifier"),
            "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 20, 40])),
            "area": am.Column(role="quasi", hierarchy=AREA),
            "illness": am.Column(role="sensitive", hierarchy=ILLNESS),
            "pay": am.Column(role="sensitive"),
        }
    )
    return table, schema


MODELS: dict[str, list[Any]] = {
    "frequency": [am.LDiversity(2, column="illness")],
    "distinct": [am.KAnonymity(4), am.LDiversity(3, "distinct")],
    "entropy": [am.LDiversity(2.5, "entropy", column="illness")],
    "recursive": [am.KAnonymity(3), am.LDiversity(2, ("recursive", 1.5), column="illness")],
    "alpha": [am.AlphaK(0.5, 4, column="illness")],
    "t": [am.KAnonymity(3), am.TCloseness(0.35)],
    "t equal": [am.TCloseness(0.4, "equal", column="illness")],
    "beta": [am.BetaLikeness(1.2, column="illness"), am.KAnonymity(3)],
    "beta enhanced": [am.BetaLikeness(1.0, enhanced=True, column="illness")],
    "delta": [am.DeltaDisclosure(1.2, column="illness"), am.KAnonymity(3)],
    "delta counted": [am.DeltaDisclosure(1.5, absent="counted", column="illness")],
    "proximity": [am.Proximity(2, width=500, column="pay")],
    "subsets": [am.KOfSubsets(5, m=1)],
    "many": [
        am.KAnonymity(4),
        am.LDiversity(2, column="illness"),
        am.TCloseness(0.4, column="pay"),
        am.BetaLikeness(2, column="illness"),
    ],
}


@pytest.mark.parametrize("asked", MODELS)
@pytest.mark.parametrize(
    "method", [name for name, one in METHODS.items() if one.publishes == "one table" and name not in ONLY_K]
)
def test_a_release_is_verified_or_refused(method: str, asked: str) -> None:
    table, schema = people(len(method) + len(asked))
    if method in FULL_DOMAIN and asked == "delta":
        with pytest.raises(BadOption, match="not monotone"):
            am.anonymize(table, schema, MODELS[asked], method=method)
        return
    release = am.anonymize(table, schema, MODELS[asked], method=method)
    assert release.verdict.ok, release.verdict.words()
    assert release.utility.n_published == table.num_rows
    assert release.utility.n_classes > 1 or method in FULL_DOMAIN or asked in ("delta counted", "t", "many")


@pytest.mark.parametrize("asked", ["frequency", "distinct", "entropy", "t", "alpha"])
@pytest.mark.parametrize(
    "method", [name for name, one in METHODS.items() if one.publishes == "one table" and name not in ONLY_K]
)
def test_people_are_counted(method: str, asked: str) -> None:
    table, schema = people(7)
    models = [am.KAnonymity(4), *MODELS[asked]]
    if method in FULL_DOMAIN and asked != "distinct":
        with pytest.raises(BadOption, match="where people are counted"):
            am.anonymize(table, schema, models, method=method, unit="who")
        return
    release = am.anonymize(table, schema, models, method=method, unit="who")
    assert release.verdict.ok, release.verdict.words()
    who = table.column("who").to_numpy()
    for g in range(release.partition.n_groups):
        assert len(np.unique(who[release.group_of_row == g])) >= 4
    assert "who" not in release.arrow.column_names


@pytest.mark.parametrize("model", ["k-map", "delta-presence"])
@pytest.mark.parametrize("method", ["mondrian", "best", "hilbert", "top-down", "incognito", "gain-split"])
def test_a_population_is_looked_at(method: str, model: str) -> None:
    table, schema = people(3)
    rng = np.random.default_rng(1)
    more = pa.table({"age": rng.integers(20, 60, 900), "area": rng.choice(list("abcde"), 900)})
    everybody = pa.concat_tables([table.select(["age", "area"]), more])
    asked = am.KMap(12, everybody) if model == "k-map" else am.DeltaPresence(0.0, 0.4, everybody)
    release = am.anonymize(table, schema, [am.KAnonymity(2), asked], method=method)
    assert release.verdict.ok, release.verdict.words()
    assert release.utility.n_classes > 1


@pytest.mark.parametrize("method", ONLY_K)
def test_methods_that_take_k_only_say_so(method: str) -> None:
    table, schema = people(1)
    with pytest.raises(BadOption, match="takes k-anonymity of rows only"):
        am.anonymize(table, schema, [am.KAnonymity(2), am.LDiversity(2)], method=method)
    with pytest.raises(BadOption, match="takes k-anonymity of rows only"):
        am.anonymize(table, schema, [am.KAnonymity(2)], method=method, unit="who")


def test_infeasible_tells_what_the_table_allows_and_names_no_value() -> None:
    table, schema = people(2)
    for model, fact in [
        (am.LDiversity(5, column="illness"), "largest_l"),
        (am.LDiversity(6, "distinct", column="illness"), "largest_l"),
        (am.LDiversity(4.99, "entropy", column="illness"), "largest_l"),
        (am.LDiversity(5, ("recursive", 1.0), column="illness"), "largest_l"),
        (am.AlphaK(0.2, 2, column="illness"), "smallest_alpha"),
        (am.Proximity(4, width=4000, column="pay"), "largest_l"),
    ]:
        with pytest.raises(Infeasible) as caught:
            am.anonymize(table, schema, [model], method="mondrian")
        assert not any(value in str(caught.value) for value in ("flu", "cold", "ulcer", "colic"))
        assert caught.value.facts["rank"] == 1
        best = caught.value.facts[fact]
        if isinstance(model, am.LDiversity):
            again = am.LDiversity(best if model.kind == "entropy" else int(best), model.sense, model.column)
            assert am.anonymize(table, schema, [again], method="mondrian").verdict.ok


def test_the_order_of_the_input_says_nothing() -> None:
    table, schema = people(4)
    shuffled = table.take(pa.array(np.random.default_rng(0).permutation(table.num_rows)))
    for method in ("mondrian", "incognito", "gain-split"):
        one, other = (am.anonymize(t, schema, MODELS["many"], method=method) for t in (table, shuffled))
        assert one.arrow.equals(other.arrow), method


def test_a_missing_quasi_identifier_that_matches_anything_is_refused() -> None:
    table, schema = people(5)
    ages = pa.array([None if i % 9 == 0 else v for i, v in enumerate(table.column("age").to_pylist())])
    table = table.set_column(1, "age", ages)
    schema = schema.with_columns(age=am.Column(role="quasi", kind="numeric", nulls="match anything"))
    with pytest.raises(BadOption, match="matches anything"):
        am.anonymize(table, schema, [am.LDiversity(2, column="illness")], method="mondrian")


@pytest.mark.parametrize("method", ["mondrian-relaxed", "gain-split", "best", "hilbert", "top-down", "sweep"])
def test_groups_that_look_alike_hold_together_what_is_not_monotone(method: str) -> None:
    """Two groups with the same published values are one to a reader, and joining may break delta-disclosure."""
    for seed in range(4):
        table, schema = people(seed, n=200)
        decade = pa.array(table.column("age").to_numpy() // 20 * 20)  # few ages, so that many groups look alike
        table = table.set_column(1, "age", decade)
        models = [am.KAnonymity(3), am.DeltaDisclosure(1.0, column="illness")]
        release = am.anonymize(table, schema, models, method=method)
        assert release.verdict.ok, release.verdict.words()


def test_statistics_of_groups_do_not_go_with_few_columns() -> None:
    table, schema = people(1)
    schema = schema.with_columns(age=am.Column(role="quasi", kind="numeric", statistic=("mean",)))
    with pytest.raises(BadOption, match="does not go with statistics"):
        am.anonymize(table, schema, [am.KOfSubsets(3, m=1)], method="datafly")
