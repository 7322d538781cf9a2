"""The tables that belong together: the numbers of the paper, keys that hold, any size."""

from __future__ import annotations

import numpy as np
import pytest

import amongst as am
from amongst.datasets.students import N_BOOKS, students
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.stores import read_database


def counts(made: am.datasets.DatabaseSet, table: str, column: str, n: int) -> np.ndarray:
    return np.bincount(made.tables[table][column].to_numpy() - 1, minlength=n)


@pytest.mark.parametrize("name", ["transcripts", "students", "hospital"])
def test_the_tables_fit_their_schema(name: str) -> None:
    made = am.datasets.load_database(name)
    stored = read_database(made.tables)
    schema = check_tables(made.schema, stored)
    assert set(check_keys(schema, stored)) == set(made.schema) - {made.schema.person}


def test_students_have_the_numbers_of_the_paper() -> None:
    made = students(2000, seed=3)
    per_student = counts(made, "courses", "student", 2000)
    assert (per_student.min(), per_student.max()) == (5, 7)
    assert 5.8 < per_student.mean() < 6.2
    assert made.tables["courses"]["course"].combine_chunks().dictionary_decode().unique().__len__() == 22
    assert sorted(set(N_BOOKS)) == [2, 3, 4]
    n_courses = made.tables["courses"].num_rows
    assert (counts(made, "books", "enrolment", n_courses) == 1).all()
    taken = made.tables["courses"].select(["student", "course"]).to_pandas()
    assert not taken.duplicated().any()


def test_students_may_buy_several_books() -> None:
    made = students(500, least_books=2, most_books=4)
    per_course = counts(made, "books", "enrolment", made.tables["courses"].num_rows)
    assert (per_course.min(), per_course.max()) == (2, 4)
    bought = made.tables["books"].select(["enrolment", "book"]).to_pandas()
    assert not bought.duplicated().any()
    course_of = dict(
        zip(made.tables["courses"]["enrolment"].to_pylist(), made.tables["courses"]["course"].to_pylist(), strict=True)
    )
    assert all(book.startswith(course_of[own]) for own, book in zip(bought["enrolment"], bought["book"], strict=True))


def test_the_same_seed_gives_the_same_tables() -> None:
    for name in ("students", "hospital"):
        one, two, other = (am.datasets.load_database(name, n_persons=50, seed=seed) for seed in (1, 1, 2))
        assert all(one.tables[table].equals(two.tables[table]) for table in one.tables)
        assert not all(one.tables[table].equals(other.tables[table]) for table in one.tables)


def test_a_hospital_has_patients_without_visits_and_visits_without_prescriptions() -> None:
    made = am.datasets.load_database("hospital", n_persons=300)
    assert (counts(made, "visits", "patient", 300) == 0).any()
    n_visits = made.tables["visits"].num_rows
    assert (counts(made, "prescriptions", "visit", n_visits) == 0).any()
    assert (counts(made, "diagnoses", "visit", n_visits) >= 1).all()


def test_names_and_options_that_are_none() -> None:
    with pytest.raises(am.errors.BadOption, match="transcripts"):
        am.datasets.load_database("nobody")
    with pytest.raises(am.errors.BadOption):
        am.datasets.load_database("students", n_rows=5)
    with pytest.raises(am.errors.BadOption):
        am.datasets.load_database("students", n_persons=0)
