"""Two published tables, changed in every way that matters: the verifier sees it, and agrees with a naive one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.errors import BadInput, BadOption
from amongst.verify.pair.pair import verify_pair
from anatomy_tables import SCHEMA, eligible_table, naive_verdict

Tables = tuple[pa.Table, pa.Table]


def pair(seed: int = 0, l: int = 3) -> Tables:  # noqa: E741
    table = eligible_table(np.random.default_rng(seed), l, most_rows=60)
    release = am.anonymize(table, SCHEMA, [am.LDiversity(l)], method="anatomy")
    return release.arrow, release.sensitive_arrow


def put(table: pa.Table, name: str, row: int, value: Any) -> pa.Table:
    cells = table[name].to_pylist()
    cells[row] = value
    return table.set_column(table.column_names.index(name), name, pa.array(cells, table.schema.field(name).type))


def without_row(table: pa.Table, row: int) -> pa.Table:
    return table.take(pa.array([i for i in range(table.num_rows) if i != row]))


def moved_row(people: pa.Table, diseases: pa.Table) -> Tables:
    return put(people, "group", 0, 2), diseases


def changed_count(people: pa.Table, diseases: pa.Table) -> Tables:
    return people, put(diseases, "count", 0, 2)


def sensitive_left_in(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.append_column("disease", pa.array(["x"] * people.num_rows)), diseases


def group_too_small(people: pa.Table, diseases: pa.Table) -> Tables:
    return without_row(people, 0), without_row(diseases, 0)


def group_only_among_people(people: pa.Table, diseases: pa.Table) -> Tables:
    return people, diseases.filter(pa.compute.not_equal(diseases["group"], 1))


def group_only_among_values(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.filter(pa.compute.not_equal(people["group"], 1)), diseases


def value_too_often(people: pa.Table, diseases: pa.Table) -> Tables:
    """The rows are as many as before; one value has two of them."""
    return people, put(without_row(diseases, 0), "count", 0, 2)


def value_on_two_lines(people: pa.Table, diseases: pa.Table) -> Tables:
    return people, put(diseases, "disease", 1, diseases["disease"][0].as_py())


def identifier_left_in(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.append_column("name", pa.array([str(i) for i in range(people.num_rows)])), diseases


def second_link(people: pa.Table, diseases: pa.Table) -> Tables:
    return people, diseases.append_column("age", pa.array([20] * diseases.num_rows))


def second_group_number(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.append_column("g2", people["group"]), diseases.append_column("g2", diseases["group"])


def unknown_column(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.append_column("more", pa.array([1] * people.num_rows)), diseases


def no_count(people: pa.Table, diseases: pa.Table) -> Tables:
    return people, diseases.drop_columns("count")


def negative_count(people: pa.Table, diseases: pa.Table) -> Tables:
    return people, put(diseases, "count", 0, -1)


def no_group_number(people: pa.Table, diseases: pa.Table) -> Tables:
    return put(people, "group", 0, None), diseases


def quasi_missing(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.drop_columns("age"), diseases


def copy_in_a_kept_column(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.set_column(people.column_names.index("note"), "note", diseases["disease"]), diseases


def nothing(people: pa.Table, diseases: pa.Table) -> Tables:
    return people.slice(0, 0), diseases.slice(0, 0)


MUTATIONS: dict[Callable[[pa.Table, pa.Table], Tables], str] = {
    moved_row: "count",
    changed_count: "count",
    sensitive_left_in: "sensitive-column",
    group_too_small: "l-diversity",
    group_only_among_people: "group-apart",
    group_only_among_values: "group-apart",
    value_too_often: "l-diversity",
    value_on_two_lines: "value-twice",
    identifier_left_in: "identifier",
    second_link: "link",
    second_group_number: "link",
    unknown_column: "unexpected-column",
    no_count: "missing-column",
    negative_count: "no-count",
    no_group_number: "no-group",
    quasi_missing: "missing-column",
    copy_in_a_kept_column: "sensitive-column",
    nothing: "nothing-published",
}


def write(tables: Tables, folder: Path, format: str) -> Path:
    folder.mkdir()
    for name, table in zip(("release", "sensitive"), tables, strict=True):
        if format == "csv":
            pa.csv.write_csv(table, folder / f"{name}.csv")
        else:
            pq.write_table(table, folder / f"{name}.parquet")
    return folder


@pytest.mark.parametrize("format", ["memory", "csv", "parquet"])
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_every_mutation_is_seen(mutate: Callable[[pa.Table, pa.Table], Tables], format: str, tmp_path: Path) -> None:
    tables = pair()
    changed = mutate(*tables)
    model = [am.LDiversity(3)]
    if format == "memory":
        before, after = verify_pair(*tables, SCHEMA, model), verify_pair(*changed, SCHEMA, model)
    else:
        before = am.verify(write(tables, tmp_path / "good", format), SCHEMA, model)
        after = am.verify(write(changed, tmp_path / "bad", format), SCHEMA, model)
    assert before.ok, before.words()
    assert not after.ok
    assert MUTATIONS[mutate] in [finding.code for finding in after.findings]
    assert "d1" not in after.words()


@given(seed=st.integers(0, 2**32 - 1))
def test_it_agrees_with_a_naive_check_on_whatever_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, l = int(rng.integers(1, 30)), int(rng.integers(1, 4))  # noqa: E741
    n_groups = int(rng.integers(1, 5))
    group, value = rng.integers(0, n_groups, n), rng.integers(0, 6, n)
    people = pa.table({"group": group, "age": [1] * n, "zip": ["z"] * n, "note": ["n"] * n})
    lines = sorted({(int(g), int(v)) for g, v in zip(group, value, strict=True)})
    times = [int(((group == g) & (value == v)).sum()) for g, v in lines]
    names = [None if v == 5 else f"d{v}" for _, v in lines]
    diseases = pa.table({"group": [g for g, _ in lines], "disease": pa.array(names, pa.string()), "count": times})
    if rng.random() < 0.3:
        diseases = put(diseases, "count", 0, int(rng.integers(0, 4)))
    if rng.random() < 0.2:
        people = put(people, "group", 0, int(rng.integers(0, n_groups + 1)))
    verdict = verify_pair(people, diseases, SCHEMA, am.LDiversity(l))
    assert verdict.ok == naive_verdict(people, diseases, l), verdict.words()
    assert verdict.n_rows == n
    assert sum(s * c for s, c in zip(verdict.class_sizes, verdict.class_counts, strict=True)) == n


def test_a_coincidence_in_few_groups_is_no_failure() -> None:
    people = pa.table({"group": [1, 1], "age": [1, 2], "zip": ["z", "z"], "note": ["a", "b"]})
    diseases = pa.table({"group": [1, 1], "disease": ["a", "b"], "count": [1, 1]})
    verdict = verify_pair(people, diseases, SCHEMA, am.LDiversity(2))
    assert verdict.ok
    assert [note.code for note in verdict.notes] == ["sensitive-column"]


def test_each_sense_is_counted() -> None:
    people = pa.table({"group": [1] * 4 + [2] * 4, "age": [1] * 8, "zip": ["z"] * 8, "note": ["n"] * 8})
    diseases = pa.table({"group": [1, 1, 1, 2, 2], "disease": ["a", "b", "c", "a", "b"], "count": [2, 1, 1, 2, 2]})
    models = [am.LDiversity(2, sense) for sense in ("frequency", "distinct", "entropy")]
    verdict = verify_pair(people, diseases, SCHEMA, models)
    assert verdict.ok
    assert [one.reached for one in verdict.models] == [2, 2, pytest.approx(2)]
    higher = verify_pair(people, diseases, SCHEMA, [am.LDiversity(3, sense) for sense in ("distinct", "entropy")])
    assert [one.ok for one in higher.models] == [False, False]


def test_group_numbers_may_differ_in_type() -> None:
    people, diseases = pair()
    wider = diseases.set_column(0, "group", diseases["group"].cast(pa.int64()))
    assert verify_pair(people, wider, SCHEMA, [am.LDiversity(3)]).ok


def test_what_cannot_be_proved_of_two_tables() -> None:
    tables = pair()
    for models in ([am.KAnonymity(2)], [], [am.LDiversity(2, ("recursive", 2.0))]):
        with pytest.raises(BadOption):
            verify_pair(*tables, SCHEMA, models)
    with pytest.raises(BadOption, match="another column"):
        verify_pair(*tables, SCHEMA, [am.LDiversity(2, column="age")])
    for schema in (None, ["age"], SCHEMA.with_columns(note=am.Column(role="sensitive"))):
        with pytest.raises(BadOption, match="with the schema"):
            verify_pair(*tables, schema, [am.LDiversity(2)])


def test_a_folder_that_lost_one_of_the_two(tmp_path: Path) -> None:
    table = eligible_table(np.random.default_rng(0), 3)
    release = am.anonymize(table, SCHEMA, [am.LDiversity(3)], method="anatomy")
    for gone in ("release.csv", "sensitive.csv"):
        folder = tmp_path / gone
        release.write(folder, format="csv")
        (folder / gone).unlink()
        with pytest.raises(BadInput, match="two tables"):
            am.verify(folder, SCHEMA, [am.LDiversity(3)])


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_the_query_says_the_same(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    from amongst.verify.pair.sql import pair_as_sql

    models = [am.LDiversity(3), am.LDiversity(3, "distinct"), am.LDiversity(3, "entropy")]
    changes = (moved_row, changed_count, group_too_small, value_too_often, group_only_among_people, nothing)
    for i, change in enumerate([None, *changes]):
        tables = pair() if change is None else change(*pair())
        folder = write(tables, tmp_path / str(i), format)
        monkeypatch.chdir(folder)
        sql = pair_as_sql(folder / f"release.{format}", folder / f"sensitive.{format}", SCHEMA, models)
        *_, holds = duckdb.sql(sql).fetchall()[0]
        assert holds is (change is None), change
