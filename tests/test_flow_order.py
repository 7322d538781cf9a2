"""The same input gives the same bytes, whatever the order of its rows, the kernels, or how text is stored."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst import kernels
from amongst.kernels.numpy import rows as reference
from amongst.partition import METHODS
from flow_tables import Made, random_table
from test_flow_properties import release_of
from thorough import some

GLOBAL = [name for name, method in METHODS.items() if method.recoding == "global"]
FORMS = ("labels", "bounds", "structs")


def as_bytes(release: am.Release) -> bytes:
    """The published table as a file, which shows dictionaries and their order too."""
    file = io.BytesIO()
    pq.write_table(release.arrow, file, store_schema=False)
    return file.getvalue()


def tables(seed: int, n: int, **how: Any) -> list[Made]:
    rng = np.random.default_rng(seed)
    return [random_table(rng, linked=i % 2 == 0, **how) for i in range(some(n))]


@pytest.mark.parametrize("method", METHODS.names(lambda method: method.publishes == "one table"))
def test_the_same_input_twice(method: str) -> None:
    for i, made in enumerate(tables(1, 10)):
        first, second = (release_of(made, method, FORMS[i % 3]) for _ in range(2))
        if first is not None and second is not None:
            assert as_bytes(first) == as_bytes(second)
            assert np.array_equal(first.group_of_row, second.group_of_row)


@pytest.mark.parametrize("method", GLOBAL)
def test_the_order_of_the_rows_has_no_say(method: str) -> None:
    rng = np.random.default_rng(7)
    for i, made in enumerate(tables(2, 40)):
        rows = rng.permutation(made.table.num_rows)
        moved = Made(made.table.take(pa.array(rows)), made.schema, made.k, made.linked)
        first, second = release_of(made, method, FORMS[i % 3]), release_of(moved, method, FORMS[i % 3])
        if first is not None and second is not None:
            assert first.arrow.equals(second.arrow)
            assert as_bytes(first) == as_bytes(second)
            assert first.utility.gcp == pytest.approx(second.utility.gcp, rel=1e-12)
            assert first.utility.c_dm == second.utility.c_dm


def test_the_order_of_equal_rows_has_no_say_in_a_local_method() -> None:
    """Equal rows may be divided, but then only their number counts, not who is who."""
    rng = np.random.default_rng(8)
    for made in tables(3, 30):
        quasi = made.table.select(made.schema.quasi)
        schema = am.Schema({name: made.schema[name] for name in made.schema.quasi})
        only = Made(quasi, schema, made.k, linked=False)
        keys = [str(row) for row in quasi.to_pylist()]
        by_key = sorted(range(len(keys)), key=lambda row: keys[row])
        within = rng.permutation(len(keys))
        shuffled = sorted(within, key=lambda row: keys[row])
        releases = [
            release_of(Made(quasi.take(pa.array(rows)), schema, only.k, linked=False), "mondrian-relaxed")
            for rows in (by_key, shuffled)
        ]
        if releases[0] is not None and releases[1] is not None:
            assert as_bytes(releases[0]) == as_bytes(releases[1])


def test_text_may_be_stored_as_text_or_as_categories_in_any_order() -> None:
    rng = np.random.default_rng(9)
    texts = ["c", "a", "b", "a", "c", "c", "b", "a"]
    schema = am.Schema({"t": am.Column(role="quasi"), "s": am.Column(role="sensitive"), "n": am.Column(role="keep")})
    tables = []
    for values in (["a", "b", "c"], ["c", "b", "a"], ["unused", "b", "c", "a"]):
        codes = pa.array([values.index(text) for text in texts], pa.int32())
        column = pa.DictionaryArray.from_arrays(codes, pa.array(values))
        tables.append(pa.table({"t": column, "s": column, "n": list(range(8))}))
    plain = pa.table({"t": texts, "s": pa.array(texts).dictionary_encode(), "n": list(range(8))})
    shown = {as_bytes(am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")) for table in [*tables, plain]}
    assert len(shown) == 1
    chunked = pa.concat_tables([plain.slice(0, 3), plain.slice(3)]).take(pa.array(rng.permutation(8)))
    assert as_bytes(am.anonymize(chunked, schema, [am.KAnonymity(2)], method="mondrian")) in shown


@pytest.mark.parametrize("method", METHODS.names(lambda method: method.publishes == "one table"))
def test_numpy_kernels_give_the_same_release(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tables(4, 25)
    compiled = [release_of(one, method, FORMS[i % 3]) for i, one in enumerate(made)]
    for name in [name for name in vars(kernels) if hasattr(reference, name) and callable(getattr(kernels, name))]:
        monkeypatch.setattr(kernels, name, getattr(reference, name))
    for i, one in enumerate(made):
        before, now = compiled[i], release_of(one, method, FORMS[i % 3])
        assert (before is None) == (now is None)
        if before is not None and now is not None:
            assert as_bytes(before) == as_bytes(now)
            assert np.array_equal(before.group_of_row, now.group_of_row)
            assert before.utility == now.utility


def test_rows_come_sorted_by_what_is_published() -> None:
    """By value, not by text, and within a class by the other columns."""
    table = pa.table({"age": [9, 100, 20, 8], "d": ["b", "a", "c", "a"], "name": list("wxyz")})
    roles = {"age": "quasi", "d": "sensitive", "name": "identifier"}
    schema = am.Schema({name: am.Column(role=role) for name, role in roles.items()})
    release = am.anonymize(table, schema, [am.KAnonymity(2)], method="mondrian")
    assert release.table.to_pydict() == {
        "age": ["[8-9]", "[8-9]", "[20-100]", "[20-100]"],
        "d": ["a", "b", "a", "c"],
    }


SENSES = [am.LDiversity(2, sense) for sense in ("frequency", "distinct", ("recursive", 2.0))]
KINDS_OF_MODELS: dict[str, list[Any]] = {
    "k": [am.KAnonymity(3)],
    **{f"l {model.kind}": [model] for model in SENSES},
    "l entropy": [am.LDiversity(1.6, "entropy")],
    "t": [am.KAnonymity(3), am.TCloseness(0.3)],
    "beta": [am.BetaLikeness(1.0)],
    "delta": [am.DeltaDisclosure(1.5)],
    "alpha": [am.AlphaK(0.7, 3)],
    "subsets": [am.KOfSubsets(3, 2)],
}


def of_people(seed: int) -> tuple[pa.Table, am.Schema]:
    """Many equal rows that differ in what else is published, and in whose they are."""
    rng = np.random.default_rng(seed)
    n = 40
    people = [f"p{i}" for i in rng.integers(0, n // 2, n)]
    table = pa.table(
        {
            "a": rng.integers(0, 6, n),
            "b": pa.array(rng.choice(list("vwxy"), n), pa.string()),
            "s": pa.array(rng.choice(list("pqr"), n, p=[0.5, 0.3, 0.2]), pa.string()),
            "kept": rng.choice([-0.5, 0.5, 2.5], n),
            "who": people,
        }
    )
    letters = am.Column(role="quasi", hierarchy=am.Hierarchy.fanout(2, order=list("vwxy")))
    roles = {"a": "quasi", "b": letters, "s": "sensitive", "kept": "keep", "who": "identifier"}
    return table, am.Schema({name: am.Column(role=of) if isinstance(of, str) else of for name, of in roles.items()})


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.recoding != "none"])
def test_the_order_of_the_rows_has_no_say_under_any_model(method: str) -> None:
    compared = 0
    for seed, models in enumerate(KINDS_OF_MODELS.values()):
        table, schema = of_people(seed)
        moved = table.take(pa.array(np.random.default_rng(seed + 100).permutation(table.num_rows)))
        for unit in (None, "who"):
            try:
                first = am.anonymize(table, schema, models, method, unit=unit)
            except (am.errors.BadOption, am.errors.Infeasible):
                continue
            second = am.anonymize(moved, schema, models, method, unit=unit)
            assert as_bytes(first) == as_bytes(second), (models, unit)
            compared += 1
    assert compared > 0


def test_equal_rows_are_not_divided_by_their_sensitive_values() -> None:
    """Low values to one group and high ones to the other would tell more than chance."""
    n, k = 1500, 500
    table = pa.table({"a": [0] * 900 + [1] * 600, "s": [i % 100 for i in range(n)]})
    schema = am.Schema({"a": am.Column(role="quasi"), "s": am.Column(role="sensitive")})
    release = am.anonymize(table, schema, [am.KAnonymity(k)], "mondrian-relaxed")
    cells = release.arrow.to_pydict()
    groups: dict[str, list[int]] = {}
    for label, value in zip(cells["a"], cells["s"], strict=True):
        groups.setdefault(label, []).append(value)
    assert len(groups) > 1
    assert all(abs(np.mean(values) - 49.5) < 6 for values in groups.values())
