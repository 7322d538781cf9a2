"""A recoding that was saved does to other rows what it did to the first ones."""

from __future__ import annotations

import datetime as dt
import json
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.errors import BadInput, BadOption, BadSchema

K3 = [am.KAnonymity(3)]
TREE = am.Hierarchy.nested({"north": ["a", "b", "c"], "south": ["d", "e"]})


def people(n: int, seed: int, ages: tuple[int, int] = (20, 60)) -> pa.Table:
    rng = np.random.default_rng(seed)
    days = np.datetime64("2020-01-01") + rng.integers(0, 300, n)
    return pa.table(
        {
            "name": [f"secret{seed}x{i}" for i in range(n)],
            "age": rng.integers(*ages, n),
            "place": np.array(list("abcde"))[rng.integers(0, 5, n)],
            "colour": np.array(["red", "green", "blue", "black"])[rng.integers(0, 4, n)],
            "day": pa.array(days.astype("datetime64[D]")),
            "ill": np.array(["x", "y", "z"])[rng.integers(0, 3, n)],
        }
    )


SCHEMA = am.Schema(
    {
        "name": am.Column(role="identifier"),
        "age": am.Column(role="quasi", kind="numeric"),
        "place": am.Column(role="quasi", hierarchy=TREE),
        "colour": am.Column(role="quasi", kind="categorical"),
        "day": am.Column(role="quasi", kind="date"),
        "ill": am.Column(role="sensitive"),
    }
)


def saved(release: am.Release) -> am.Recoding:
    return am.Recoding.from_json(am.Recoding.of(release).to_json())


@pytest.mark.parametrize("method", ["incognito", "single-dimensional", "full-subtree", "unrestricted"])
def test_applied_to_its_own_rows_a_global_recoding_gives_the_same_release(method: str) -> None:
    table = people(300, 1)
    schema = am.Schema(
        {
            **SCHEMA,
            "day": am.Column(role="identifier"),
            "colour": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
        }
    )
    release = am.anonymize(table, schema, K3, method=method)
    assert saved(release).transform(table, schema, K3).table.equals(release.table)


def test_numeric_boxes_come_back_as_they_were_though_no_new_row_has_their_ends() -> None:
    table = people(400, 2).select(["age", "day", "ill"])
    schema = am.Schema({name: SCHEMA[name] for name in ("age", "day", "ill")})
    release = am.anonymize(table, schema, K3, method="mondrian")
    recoding = saved(release)
    assert recoding.transform(table, schema, K3).table.equals(release.table)
    some = np.repeat(np.random.default_rng(0).permutation(400)[:150], 3)  # most ends of ranges are not among them
    again = recoding.transform(table.take(pa.array(some)), schema, K3)
    labels = {tuple(row.values()) for row in release.arrow.select(["age", "day"]).to_pylist()}
    assert {tuple(row.values()) for row in again.arrow.select(["age", "day"]).to_pylist()} <= labels


def covers(label: str, value: object, column: str) -> bool:
    if label == "*" or label == str(value):
        return True
    if column == "place":
        return value in {"north": "abc", "south": "de"}.get(label, "")
    if label.startswith("{"):
        return str(value) in label[1:-1].split(",")
    text = label[1:-1]
    first, last = text.split(" - ") if " - " in text else text.split("-")
    if isinstance(value, dt.date):
        return first <= value.isoformat() <= last
    return int(first) <= int(str(value)) <= int(last)


@settings(max_examples=20, deadline=None)
@given(
    seeds=st.tuples(st.integers(0, 99), st.integers(100, 199)),
    n=st.integers(3, 60),
    ages=st.sampled_from([(20, 60), (0, 100), (70, 90)]),
    method=st.sampled_from(
        ["mondrian", "gain-split", "hilbert", "cell-generalization", "incognito", "single-dimensional"]
    ),
)
def test_every_row_is_covered_and_every_class_has_k(
    seeds: tuple[int, int], n: int, ages: tuple[int, int], method: str
) -> None:
    schema = SCHEMA if method != "incognito" else am.Schema({**SCHEMA, "day": am.Column(role="identifier")})
    recoding = saved(am.anonymize(people(40, seeds[0]), schema, K3, method=method))
    new = people(n, seeds[1], ages)
    release = recoding.transform(new, schema, K3)
    assert release.verdict.ok
    quasi = schema.quasi
    plan = release.plan
    classes = plan.classes.to_pylist()
    assert min(np.bincount(plan.class_of_row)) >= 3
    for row, own in zip(new.select(quasi).to_pylist(), plan.class_of_row.tolist(), strict=True):
        for name in quasi:
            assert covers(classes[own][name], row[name], name)


def test_the_file_holds_labels_that_were_published_and_no_other_cell() -> None:
    table = people(200, 5)
    release = am.anonymize(table, SCHEMA, K3, method="mondrian")
    text = am.Recoding.of(release).to_json()
    published = {cell for name in SCHEMA.quasi for cell in release.arrow.column(name).cast(pa.string()).to_pylist()}
    for token in (one for column in json.loads(text)["columns"].values() for one in column["tokens"]):
        if token == "*":
            continue
        ((kind, what),) = token.items()
        if kind == "node":
            assert what in published
        elif kind == "set":
            assert what[0] in published or any("{" in cell and all(one in cell for one in what) for cell in published)
        else:
            assert what[0] in published or any(
                cell.startswith("[" + what[0]) and cell.endswith(what[1] + "]") for cell in published
            )
    assert "secret" not in text


def test_models_of_sensitive_values_hold_in_the_next_file_too() -> None:
    models = [am.KAnonymity(3), am.LDiversity(2, "distinct")]
    recoding = saved(am.anonymize(people(300, 6), SCHEMA, models, method="mondrian"))
    assert recoding.transform(people(90, 7), SCHEMA, models).verdict.ok


def test_other_columns_other_types_and_other_files_are_refused(tmp_path) -> None:
    recoding = saved(am.anonymize(people(60, 8), SCHEMA, K3, method="mondrian"))
    fewer = am.Schema({**SCHEMA, "day": am.Column(role="keep")})
    with pytest.raises(BadSchema, match="other quasi-identifiers"):
        recoding.transform(people(60, 9), fewer, K3)
    with pytest.raises(BadOption, match="saved recoding is needed"):
        am.anonymize(people(60, 9), SCHEMA, K3, method="recoding")
    (tmp_path / "x.json").write_text('{"kind": "else"}')
    with pytest.raises(BadInput, match="no saved recoding"):
        am.Recoding.load(tmp_path / "x.json")
    with pytest.raises(BadInput, match="cannot be read"):
        am.Recoding.load(tmp_path / "nowhere.json")


def test_it_is_not_among_the_methods_that_people_choose_from() -> None:
    assert "recoding" not in [one["name"] for one in am.methods()]


def test_duckdb_applies_it_to_a_file_as_memory_does(tmp_path) -> None:
    import pyarrow.parquet as pq

    recoding = saved(am.anonymize(people(300, 10), SCHEMA, K3, method="mondrian"))
    pq.write_table(people(500, 11), tmp_path / "new.parquet")
    for name, engine in (("a", "memory"), ("b", "duckdb")):
        release = recoding.transform(tmp_path / "new.parquet", SCHEMA, K3, engine=engine)
        release.write(tmp_path / name)
    one, other = (pq.read_table(tmp_path / name / "release.parquet") for name in "ab")
    assert one.to_pylist() == other.to_pylist()


def test_equal_rows_looked_at_once_give_what_every_row_by_itself_gives(monkeypatch):
    from amongst import kernels
    from amongst.partition.applied import find_class

    rng = np.random.default_rng(3)
    old, new = (
        pa.table(
            {"age": rng.integers(20, top, 400), "sex": rng.choice(["F", "M"], 400), "ill": rng.choice(list("ab"), 400)}
        )
        for top in (50, 60)
    )
    rules = {"age": am.Column(role="quasi"), "sex": am.Column(role="quasi"), "ill": am.Column(role="sensitive")}
    for method in ("mondrian", "hilbert"):
        saved = am.Recoding.of(am.anonymize(old, am.Schema(rules), [am.KAnonymity(4)], method))
        once = saved.transform(new, am.Schema(rules), [am.KAnonymity(4)])
        with monkeypatch.context() as patched:
            apart = SimpleNamespace(
                gather=kernels.gather, distinct=lambda codes: (*[np.arange(len(codes[0]))] * 2, None)
            )
            patched.setattr(find_class, "kernels", apart)
            each = saved.transform(new, am.Schema(rules), [am.KAnonymity(4)])
        assert once.arrow.equals(each.arrow)
