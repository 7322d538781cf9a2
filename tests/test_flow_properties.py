"""What always holds, for every method: nobody is lost, nothing published is wrong, every class has k rows."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.errors import Infeasible
from amongst.partition import METHODS
from amongst.schema.column import STATISTICS
from flow_tables import LINK, Made, random_table
from published_cells import holds
from thorough import some

FORMS = ("labels", "bounds", "structs")
GENERALIZING = METHODS.names(lambda method: method.publishes == "one table")
methods = pytest.mark.parametrize("method", GENERALIZING)
N_TABLES = some(40)


def release_of(made: Made, method: str, form: str = "labels", **options: Any) -> am.Release | None:
    """A release, or None where there cannot be one: too few rows are left for a group."""
    try:
        return am.anonymize(made.table, made.schema, [am.KAnonymity(made.k)], method, form=form, **options)
    except Infeasible:
        strict = [name for name in made.schema.quasi if made.schema[name].nulls == "suppress"]
        complete = [row for row in made.table.to_pylist() if all(row[name] is not None for name in strict)]
        assert len(complete) < made.k or not complete
        return None


def check_all(made: Made, method: str, form: str = "labels") -> None:
    release = release_of(made, method, form)
    if release is None:
        return
    check_counts(made, release)
    check_roles(made, release)
    check_groups(release)
    if made.linked:
        check_cells(made, release)
    assert release.verdict.ok, release.verdict.words()
    assert release.verdict.smallest >= made.k


def check_counts(made: Made, release: am.Release) -> None:
    utility = release.utility
    assert utility.n_published + utility.n_suppressed == made.table.num_rows
    assert utility.n_published == release.table.num_rows == int((release.group_of_row >= 0).sum())
    assert release.plan.size_of_class.sum() == utility.n_published
    assert utility.n_classes == len(release.plan.size_of_class)


def check_roles(made: Made, release: am.Release) -> None:
    """Identifiers are gone; other columns keep their cells, their type and their place."""
    assert "name" not in release.table.column_names
    kept = [name for name in made.table.column_names if made.schema[name].role in ("sensitive", "keep")]
    assert [name for name in release.table.column_names if name in made.schema and name in kept] == kept
    for name in kept:
        was = made.table.schema.field(name).type
        assert release.table.schema.field(name).type in (was, _narrower(was, release.table, name))
        cells = made.table.column(name).filter(_published_rows(release)).to_pylist()
        assert Counter(release.table.column(name).to_pylist()) == Counter(cells)


def _narrower(was: Any, table: Any, name: str) -> Any:
    """A dictionary may come back with narrower codes."""
    now = table.schema.field(name).type
    return now if getattr(was, "value_type", None) == getattr(now, "value_type", was) else was


def _published_rows(release: am.Release) -> Any:
    return pa.array(release.group_of_row >= 0)


def check_groups(release: am.Release) -> None:
    """Groups partition the rows, and every one has k."""
    groups = release.group_of_row[release.group_of_row >= 0]
    sizes = np.bincount(groups, minlength=release.partition.n_groups)
    assert np.array_equal(sizes, release.partition.size_of_group)
    assert sizes.min() >= release.threshold


def check_cells(made: Made, release: am.Release) -> None:
    """Every input row, followed by its link: what is published holds its cells, kept cells are its own."""
    schema, group_of_row = release.schema, release.group_of_row.tolist()
    rows = made.table.to_pylist()
    published = {row[LINK]: row for row in release.table.to_pylist()}
    columns = {name: made.cells(name) for name in schema.quasi}
    shown: dict[int, dict[str, Any]] = {}
    for row, group in zip(rows, group_of_row, strict=True):
        if group < 0:
            assert row[LINK] not in published
            continue
        out = published.pop(row[LINK])
        for name in schema.quasi:
            assert holds(out, name, schema[name], row[name], columns[name]), (
                name,
                schema[name],
                row[name],
                out,
            )
        for name in made.table.column_names:
            assert schema[name].role not in ("sensitive", "keep") or out[name] == row[name]
        _same_in_group(schema, shown.setdefault(group, {}), out)
    assert not published
    check_statistics(made, release)


def _same_in_group(schema: am.Schema, shown: dict[str, Any], out: dict[str, Any]) -> None:
    """Rows of a group publish the same, but for a null that matches anything, which stays a null."""
    for name, cell in out.items():
        quasi = next(
            (q for q in schema.quasi if name == q or name.removeprefix(f"{q}_") in (*STATISTICS, "lower", "upper")),
            None,
        )
        if quasi is None or (cell is None and schema[quasi].nulls == "match anything"):
            continue
        assert shown.setdefault(name, cell) == cell


def said(made: Made, name: str, value: Any) -> Any:
    """The number that the digits of a short float say."""
    short = pa.types.is_float32(made.table.schema.field(name).type)
    return float(str(np.float32(value))) if short else value


def check_statistics(made: Made, release: am.Release) -> None:
    rows, out = made.table.to_pylist(), {row[LINK]: row for row in release.table.to_pylist()}
    for name in release.schema.quasi:
        for statistic in release.schema[name].statistic:
            values_of_group: dict[int, list[float]] = {}
            for row, group in zip(rows, release.group_of_row.tolist(), strict=True):
                if group >= 0 and row[name] is not None:
                    values_of_group.setdefault(group, []).append(said(made, name, row[name]))
            for row, group in zip(rows, release.group_of_row.tolist(), strict=True):
                figure = out[row[LINK]][f"{name}_{statistic}"] if group >= 0 else None
                if figure is not None:
                    wanted = getattr(statistics, statistic)(values_of_group[group])
                    assert figure == pytest.approx(wanted, rel=1e-12, abs=1e-12)
                elif group >= 0:
                    assert row[name] is None or group not in values_of_group


@methods
@pytest.mark.parametrize("form", FORMS)
def test_everything_holds(method: str, form: str) -> None:
    rng = np.random.default_rng(sum(map(ord, method + form)))
    for i in range(N_TABLES):
        check_all(random_table(rng, linked=i % 2 == 0), method, form)


@given(method=st.sampled_from(GENERALIZING), form=st.sampled_from(FORMS), seed=st.integers(0, 2**32 - 1))
def test_everything_holds_on_tables_that_hypothesis_finds(method: str, form: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    check_all(random_table(rng, linked=bool(rng.random() < 0.5), most_rows=150), method, form)


@pytest.mark.parametrize("cuts", ["ordered", "hierarchy-first", "hierarchy"])
def test_everything_holds_for_all_ways_to_cut(cuts: str) -> None:
    rng = np.random.default_rng(len(cuts))
    for _ in range(N_TABLES):
        made = random_table(rng)
        release = release_of(made, "mondrian", cuts=cuts)
        if release is not None:
            check_cells(made, release)
            assert release.verdict.ok, release.verdict.words()


@methods
def test_a_wide_table(method: str) -> None:
    rng = np.random.default_rng(12)
    for _ in range(3):
        check_all(random_table(rng, most_columns=8, most_rows=200), method)


@methods
def test_k_larger_than_the_table_is_infeasible(method: str) -> None:
    table = pa.table({"age": [1, 2, None], "d": ["x", "y", "z"]})
    schema = am.Schema({"age": am.Column(role="quasi", nulls="suppress"), "d": am.Column(role="sensitive")})
    with pytest.raises(Infeasible) as caught:
        am.anonymize(table, schema, [am.KAnonymity(3)], method)
    assert caught.value.facts["largest_k"] == 2
    assert am.anonymize(table, schema, [am.KAnonymity(2)], method).verdict.smallest == 2


@methods
def test_one_row_and_one_value(method: str) -> None:
    schema = am.Schema({"age": am.Column(role="quasi"), "job": am.Column(role="quasi")})
    for n in (1, 2, 7):
        table = pa.table({"age": [30] * n, "job": ["cook"] * n})
        for k in {1, n}:
            release = am.anonymize(table, schema, [am.KAnonymity(k)], method)
            assert release.table.to_pylist() == [{"age": "30", "job": "cook"}] * n
            assert release.utility.gcp == 0
            assert release.utility.n_classes == 1


@methods
def test_the_input_is_not_changed(method: str) -> None:
    rng = np.random.default_rng(21)
    for _ in range(3):
        made = random_table(rng)
        before = made.table.to_pylist()
        release_of(made, method)
        assert made.table.to_pylist() == before
