"""The figures are those of the definitions, on random tables."""

from collections import Counter

import naive_risk as naive
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am

cells = st.sampled_from(["a", "b", "c", None])
tables = st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[cells] * n), min_size=1, max_size=14))
K = 3


def table_of(rows):
    return pa.table({f"q{c}": pa.array([row[c] for row in rows], pa.string()) for c in range(len(rows[0]))})


def measured(rows, **options):
    names = [f"q{c}" for c in range(len(rows[0]))]
    return am.risk(table_of(rows), names, k=K, **options).before


@given(tables)
def test_prosecutor_uniques_and_marketer(rows):
    found = measured(rows)
    highest, average, at_risk = naive.prosecutor(rows, K)
    assert found.prosecutor.highest == pytest.approx(highest)
    assert found.prosecutor.average == found.marketer == pytest.approx(average)
    assert found.prosecutor.n_at_risk == at_risk
    assert found.uniques == sum(n == 1 for n in Counter(rows).values())
    assert found.journalist is None


@given(tables, st.data())
def test_journalist_with_a_population(rows, data):
    more = data.draw(st.lists(st.tuples(*[cells] * len(rows[0])), max_size=20))
    population = [*rows, *more]
    found = measured(rows, population=table_of(population))
    highest, average, at_risk, mean = naive.journalist(rows, population, K)
    assert found.journalist.highest == pytest.approx(highest)
    assert found.journalist.average == pytest.approx(average)
    assert found.journalist.n_at_risk == at_risk
    assert found.marketer == pytest.approx(mean)
    own, everybody = Counter(rows), Counter(population)
    assert found.uniques_in_population == sum(own[row] == everybody[row] == 1 for row in own)


@given(tables)
def test_distinction_and_separation(rows):
    found = measured(rows)
    assert len(found.pairs) == len(rows[0]) * (len(rows[0]) - 1) // 2
    for one in [*found.columns, *found.pairs]:
        chosen = [int(name[1:]) for name in one.columns]
        assert one.distinction == pytest.approx(naive.distinction(rows, chosen))
        assert one.separation == pytest.approx(naive.separation(rows, chosen))


@given(tables, st.integers(1, 5))
def test_minimal_uniques_and_their_scores(rows, largest):
    found = measured(rows, largest=largest).minimal
    largest = min(largest, len(rows[0]))
    sets = naive.minimal_uniques(rows, largest)
    assert found.largest == largest
    assert found.n_rows == sum(bool(own) for own in sets)
    by_size = {size: sum(any(len(one) == size for one in own) for own in sets) for size in range(1, largest + 1)}
    assert found.rows_of_size == by_size
    listed = Counter(tuple(f"q{c}" for c in one) for own in sets for one in own)
    assert dict(found.sets) == dict(listed)
    scores = [naive.score(own, len(rows[0]), largest) for own in sets]
    assert found.score_of_row.tolist() == scores
    for c in range(len(rows[0])):
        of_column = sum(naive.score([one], len(rows[0]), largest) for own in sets for one in own if c in one)
        assert found.contribution[f"q{c}"] == pytest.approx(of_column / sum(scores) if sum(scores) else 0.0)


@given(tables)
def test_missing_values_that_match_anything(rows):
    names = [f"q{c}" for c in range(len(rows[0]))]
    schema = am.Schema({name: am.Column(role="quasi", nulls="match anything") for name in names})
    found = am.risk(table_of(rows), schema, k=K).before
    size = [
        sum(all(None in pair or pair[0] == pair[1] for pair in zip(row, other, strict=True)) for other in rows)
        for row in rows
    ]
    assert found.prosecutor.average == pytest.approx(np.mean([1 / n for n in size]))
    assert found.uniques == size.count(1)


@given(tables, st.data())
def test_people_are_counted_where_a_column_tells_them_apart(rows, data):
    person = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(rows), max_size=len(rows)))
    table = table_of(rows).append_column("person", pa.array(person))
    found = am.risk(table, [f"q{c}" for c in range(len(rows[0]))], unit="person", k=K).before
    people = {row: {p for other, p in zip(rows, person, strict=True) if other == row} for row in rows}
    assert found.prosecutor.average == pytest.approx(np.mean([1 / len(people[row]) for row in rows]))


@settings(max_examples=12)
@given(st.integers(0, 1000), st.sampled_from(["mondrian", "mondrian-relaxed"]))
def test_a_release_is_measured_by_whom_its_boxes_hold(seed, method):
    rng = np.random.default_rng(seed)
    table = pa.table({"age": rng.integers(0, 9, 30), "zip": rng.integers(0, 4, 30)})
    schema = am.Schema({name: am.Column(role="quasi", kind="numeric") for name in table.column_names})
    release = am.anonymize(table, schema, [am.KAnonymity(4)], method=method, form="bounds")
    found = am.risk(release, population=table)
    boxes = release.arrow.to_pylist()
    everybody = table.to_pylist()

    def people(box):
        return sum(
            all(box[f"{name}_lower"] <= person[name] <= box[f"{name}_upper"] for name in ("age", "zip"))
            for person in everybody
        )

    chances = [1 / people(box) for box in boxes]
    assert found.after.journalist.highest == pytest.approx(max(chances))
    assert found.after.marketer == pytest.approx(sum(chances) / len(chances))
    assert found.after.prosecutor.highest <= 1 / 4
    assert found.k == 4
