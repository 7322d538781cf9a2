"""Which rows are left out, and what they cost: drawn by lot, whatever their sensitive values, never for nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am

METHODS = ["miracle", "miracle-x", "bitmap"]


def clinic(
    rng: np.random.Generator, n: int = 300, *, keyed: bool = True
) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Persons with one to ten lab values each; the table of lab values has no quasi-identifier."""
    person = np.repeat(np.arange(n), rng.integers(1, 11, n))
    value = rng.uniform(0, 100, len(person)).round(1)
    lab = {"lab": rng.permutation(len(person)), "person": person, "value": value, "note": value}
    born = am.Column(role="quasi")
    columns = {"value": am.Column(role="sensitive"), "note": am.Column(role="keep")}
    if not keyed:
        del lab["lab"]
    key = "lab" if keyed else None
    tables = {"person": pa.table({"id": np.arange(n), "born": rng.integers(1940, 2005, n)}), "lab": pa.table(lab)}
    schema = {
        "person": am.Relation({"born": born}, key="id"),
        "lab": am.Relation(columns, key=key, parent="person", foreign_key="person"),
    }
    return tables, am.DatabaseSchema(schema)


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_sensitive_and_kept_values_have_no_say_in_which_rows_stay(method: str, keyed: bool) -> None:
    rng = np.random.default_rng(3)
    tables, schema = clinic(rng, 80, keyed=keyed)
    stay = []
    for values in (tables["lab"]["value"].to_numpy(), rng.permutation(1000)[: tables["lab"].num_rows] / 10):
        lab = tables["lab"]
        for column in ("value", "note"):
            lab = lab.set_column(lab.column_names.index(column), column, pa.array(values))
        release = am.anonymize_database({**tables, "lab": lab}, schema, [am.KAnonymity(8)], method)
        assert release.utility.tables["lab"].suppressed > 10
        stay.append(set(release.plan.input_row["lab"].tolist()))
    assert stay[0] == stay[1]


@pytest.mark.parametrize("method", METHODS)
def test_rows_are_cut_at_random(method: str) -> None:
    """Of the persons who lose rows, those left and those gone have the same mean, within what chance allows."""
    tables, schema = clinic(np.random.default_rng(0), 600)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(20)], method, seed=5)
    person, value = (tables["lab"][name].to_numpy() for name in ("person", "value"))
    left = np.zeros(len(value), dtype=bool)
    left[release.plan.input_row["lab"]] = True
    n_gone = int((~left).sum())
    assert n_gone > 100
    standard_error = 100 / np.sqrt(12 * n_gone)
    assert abs(value[~left].mean() - value.mean()) < 4 * standard_error
    largest = np.zeros(len(value), dtype=bool)  # the largest value of each person, gone no more often than others
    largest[
        [rows[np.argmax(value[rows])] for rows in np.split(np.arange(len(value)), np.flatnonzero(np.diff(person)) + 1)]
    ] = True
    expected = sum(
        (~left[rows]).mean() for rows in np.split(np.arange(len(value)), np.flatnonzero(np.diff(person)) + 1)
    )
    assert abs((~left & largest).sum() - expected) < 4 * np.sqrt(expected)


@pytest.mark.parametrize("keyed", [True, False])
def test_the_seed_draws_and_the_same_seed_draws_the_same(keyed: bool) -> None:
    tables, schema = clinic(np.random.default_rng(1), 60, keyed=keyed)
    made = [am.anonymize_database(tables, schema, [am.KAnonymity(8)], seed=seed) for seed in (1, 1, 2)]
    rows = [release.plan.input_row["lab"].tolist() for release in made]
    assert rows[0] == rows[1]
    assert set(rows[0]) != set(rows[2])


@pytest.mark.parametrize("method", METHODS)
def test_a_lost_row_without_quasi_identifiers_counts_in_the_loss(method: str) -> None:
    tables, schema = clinic(np.random.default_rng(2), 80)
    utility = am.anonymize_database(tables, schema, [am.KAnonymity(8)], method).utility
    lab, person = utility.tables["lab"], utility.tables["person"]
    assert lab.lm == pytest.approx(lab.suppressed / lab.rows)
    assert lab.suppressed > 0
    assert utility.lm == pytest.approx((lab.lm * lab.rows + person.lm * person.rows) / (lab.rows + person.rows))


@pytest.mark.parametrize("method", ["miracle", "miracle-x"])
def test_the_search_spares_rows_without_quasi_identifiers(method: str) -> None:
    """Persons of equal age, one half with one row and one half with ten: those alike share groups, no row is lost."""
    rows = np.tile([1, 10], 20)
    tables = {
        "person": pa.table({"id": np.arange(40), "born": np.full(40, 1980)}),
        "lab": pa.table({"person": np.repeat(np.arange(40), rows), "value": np.arange(rows.sum())}),
    }
    _, schema = clinic(np.random.default_rng(0), 2, keyed=False)
    schema = schema.with_relations(lab=am.Relation({"value": am.Column(role="sensitive")}, None, "person", "person"))
    release = am.anonymize_database(tables, schema, [am.KAnonymity(5)], method)
    assert release.utility.tables["lab"].suppressed == 0
