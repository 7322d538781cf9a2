"""The census-like table."""

import numpy as np
import pyarrow.compute as pc
import pytest

from amongst import datasets

TABLE_1 = [  # attribute, cardinality, role, levels of the tree
    ("age", 79, "quasi", None),
    ("gender", 2, "quasi", 2),
    ("education-level", 17, "quasi", None),
    ("marital-status", 6, "quasi", 3),
    ("race", 9, "quasi", 2),
    ("work-class", 10, "quasi", 4),
    ("country", 83, "quasi", 3),
    ("occupation", 50, "sensitive", None),
    ("salary-class", 50, "sensitive", None),
]


@pytest.fixture(scope="module")
def census():
    return datasets.census(n_rows=150_000, seed=11)


def numbers(table, name):
    return table[name].to_numpy()


def is_value(table, name, *values):
    return np.isin(table[name].to_numpy().astype(str), values)


@pytest.mark.known_answer(
    "fast",
    "table 1",
    what="columns of CENSUS, on the table made after it",
    answer="values: age 79, gender 2, education 17, marital status 6, "
    "race 9, work class 10, country 83, occupation 50, salary class 50",
)
@pytest.mark.parametrize(("name", "cardinality", "role", "n_levels"), TABLE_1)
def test_ghinita_table_1(census, name, cardinality, role, n_levels):
    values = census.table[name].unique().to_pylist()
    assert len(values) == cardinality
    assert census.schema[name].role == role
    if n_levels is None:
        assert role == "sensitive" or census.schema[name].kind == "numeric"
    else:
        assert census.schema[name].kind == "categorical"
        tree = census.schema[name].hierarchy.tree(values, "categorical")
        assert tree.n_levels == n_levels
        assert sorted(tree.leaves) == sorted(values)


def test_the_columns_are_in_the_order_of_the_paper(census):
    assert census.table.column_names == list(census.schema) == [name for name, *_ in TABLE_1]


def test_the_seed_decides():
    assert datasets.census(2000, seed=1).table.equals(datasets.census(2000, seed=1).table)
    assert not datasets.census(2000, seed=1).table.equals(datasets.census(2000, seed=2).table)


def test_no_rows_is_a_size_too():
    assert datasets.census(n_rows=0).table.num_rows == 0


def test_one_country_and_one_race_have_most_of_the_people(census):
    for name, least in [("country", 0.7), ("race", 0.6)]:
        counts = np.sort(pc.value_counts(census.table[name].combine_chunks()).field("counts").to_numpy())[::-1]
        assert counts[0] > least * census.table.num_rows
        assert counts[1] > 3 * counts[-1]


def test_the_old_are_married_or_widowed_and_the_young_single(census):
    age, widowed = numbers(census.table, "age"), is_value(census.table, "marital-status", "Widowed")
    single = is_value(census.table, "marital-status", "Never-married")
    assert single[age < 20].mean() > 0.9
    assert single[age > 60].mean() < 0.1
    assert widowed[age > 80].mean() > 0.3
    assert widowed[age < 30].mean() < 0.01


def test_race_hangs_on_the_country(census):
    asian = is_value(census.table, "race", "Chinese", "Japanese", "Other Asian")
    assert asian[is_value(census.table, "country", "India", "China", "Philippines")].mean() > 0.8
    assert asian[is_value(census.table, "country", "United States")].mean() < 0.1


def test_schooling_pays(census):
    schooling, salary = numbers(census.table, "education-level"), numbers(census.table, "salary-class")
    assert np.corrcoef(schooling, salary)[0, 1] > 0.4
    assert np.median(salary) < np.mean(salary)  # a long tail to the right


def test_the_occupation_hangs_on_schooling_gender_and_work(census):
    schooling = numbers(census.table, "education-level")
    physician, cleaner = (is_value(census.table, "occupation", job) for job in ("Physician", "Cleaner"))
    assert schooling[physician].mean() > schooling[cleaner].mean() + 4
    women = is_value(census.table, "gender", "Female")
    assert women[is_value(census.table, "occupation", "Secretary")].mean() > 0.85
    public = is_value(census.table, "work-class", "Federal-government", "State-government", "Local-government")
    teacher = is_value(census.table, "occupation", "School teacher")
    assert public[teacher].mean() > 2 * public[~teacher].mean()


def test_the_old_do_not_work(census):
    idle = is_value(census.table, "work-class", "Not-in-labour-force")
    age = numbers(census.table, "age")
    assert idle[age > 70].mean() > 0.7
    assert idle[(age > 30) & (age < 60)].mean() < 0.25


def test_nobody_is_ahead_of_the_years_they_have_lived(census):
    assert (numbers(census.table, "education-level") <= numbers(census.table, "age") - 8).all()
