"""The figures are those of the definitions, on random tables."""

from collections import Counter

import naive_risk as naive
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.risk.individual import individual_risk

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
    everybody = naive.people(rows, person)
    chances = naive.chance_of_people(everybody, everybody)
    assert found.n_people == len(everybody)
    assert found.prosecutor.highest == max(chances.values())
    assert found.prosecutor.average == found.marketer == pytest.approx(np.mean(list(chances.values())))
    assert found.prosecutor.n_at_risk == sum(chance > 1 / K for chance in chances.values())
    assert found.uniques == sum(chance == 1 for chance in chances.values())
    sets = naive.minimal_uniques_of_people(everybody, found.minimal.largest)
    assert found.minimal.n_rows == sum(bool(own) for own in sets.values())
    listed = Counter(tuple(f"q{c}" for c in one) for own in sets.values() for one in own)
    assert dict(found.minimal.sets) == dict(listed)


RULES = st.sampled_from(["own value", "match anything"])


@given(tables, RULES, st.booleans(), st.data())
def test_weights_fractions_and_populations_follow_the_null_rule_and_people(rows, nulls, by_people, data):
    """Every chance, for rows and for people, with missing values that match anything and that do not."""
    names = [f"q{c}" for c in range(len(rows[0]))]
    schema = am.Schema({name: am.Column(role="quasi", nulls=nulls) for name in names})
    person = data.draw(st.lists(st.sampled_from("vwxyz"), min_size=len(rows), max_size=len(rows)))
    person = person if by_people else [str(i) for i in range(len(rows))]
    weight_of = {one: data.draw(st.sampled_from([1.0, 2.5, 40.0])) for one in dict.fromkeys(person)}
    more = data.draw(st.lists(st.tuples(*[cells] * len(rows[0])), max_size=12))
    table = table_of(rows).append_column("person", pa.array(person))
    unit = "person" if by_people else None
    everybody, fits = naive.people(rows, person), naive.fits if nulls == "match anything" else naive.equal

    size = {row: naive.who_fits(row, everybody, fits) for row in rows}
    plain = am.risk(table, schema, unit=unit, k=K).before
    expected = {one: max(1 / len(size[row]) for row in own) for one, own in everybody.items()}
    assert plain.prosecutor.average == pytest.approx(np.mean(list(expected.values())))
    assert plain.prosecutor.n_at_risk == sum(chance > 1 / K + 1e-9 for chance in expected.values())
    assert plain.uniques == sum(chance == 1 for chance in expected.values())

    for options, weight in (
        ({"weights": [weight_of[one] for one in person]}, weight_of),
        ({"fraction": 0.25}, dict.fromkeys(weight_of, 4.0)),
    ):
        found = am.risk(table, schema, unit=unit, k=K, **options).before
        of_row = {
            row: float(individual_risk(np.array([len(who)]), np.array([sum(weight[one] for one in who)]))[0])
            for row, who in size.items()
        }
        chances = [max(of_row[row] for row in own) for own in everybody.values()]
        assert found.journalist.highest == pytest.approx(max(chances))
        assert found.journalist.average == found.marketer == pytest.approx(np.mean(chances))
        assert found.chance_of_row.tolist() == pytest.approx([of_row[row] for row in rows])

    population = [*rows, *more]
    found = am.risk(table, schema, unit=unit, k=K, population=table_of(population)).before
    there = {row: max(sum(fits(row, other) for other in population), len(size[row])) for row in rows}
    chances = [max(1 / there[row] for row in own) for own in everybody.values()]
    assert found.journalist.highest == pytest.approx(max(chances))
    assert found.marketer == pytest.approx(np.mean(chances))
    alone = [any(len(size[row]) == there[row] == 1 for row in own) for own in everybody.values()]
    assert found.uniques_in_population == sum(alone)


def test_francdat_with_missing_keys_is_that_of_sdcmicro():
    """The help page of sdcMicro's freqCalc: fk = 3 2 4 3 3 2 2 3, Fk = 149 84.5 194.5 563 566 549 22 149."""
    rows = [(1, 2, 5, 1), (1, 2, 1, 1), (1, 2, None, 1), (None, None, 1, 5), (4, 3, 1, None), (None, 3, 1, 1)]
    rows += [(6, 2, 1, 5), (1, 2, 5, 1)]
    weights = [18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0]
    names = [f"q{c}" for c in range(4)]
    table = pa.table({name: pa.array([row[c] for row in rows], pa.int64()) for c, name in enumerate(names)})
    schema = am.Schema({name: am.Column(role="quasi", nulls="match anything") for name in names})
    found = am.risk(table, schema, weights=weights).before
    size, people = [3, 2, 4, 3, 3, 2, 2, 3], [149, 84.5, 194.5, 563, 566, 549, 22, 149]
    expected = individual_risk(np.array(size), np.array(people))
    assert found.chance_of_row.tolist() == pytest.approx(expected.tolist())
    assert found.chance_of_row[6] == pytest.approx(0.076, abs=5e-4)


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
