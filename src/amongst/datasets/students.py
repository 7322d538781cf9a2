"""Students, courses and books as in the experiments of the paper on many tables, at any size."""

from __future__ import annotations

import numpy as np

from amongst.datasets.database_set import DatabaseSet
from amongst.datasets.dataset import About, dictionary_column
from amongst.datasets.draw import whole, zipf
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Students with 5 to 7 of 22 courses each, and the textbooks they chose",
    source="drawn by amongst; numbers of Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 6",
    licence="made-up people; free to use",
)

OBLIGATORY = ["Writing", "History of the Republic"]
TECHNICAL = {
    "Computing": ["Algorithms", "Databases", "Networks", "Graphics", "Operating Systems"],
    "Engineering": ["Signals", "Circuits", "Control"],
    "Mathematics": ["Optimization", "Probability"],
}
OTHER = {
    "Arts": ["Painting", "Music", "Theatre", "Cinema"],
    "Society": ["Sociology", "Economics", "Law", "Politics"],
    "Languages": ["German", "French"],
}
GROUPS = {"Obligatory": OBLIGATORY, "Technical": TECHNICAL, "Nontechnical": OTHER}
GRADES = ["A", "B", "C", "D", "F"]
SHARES = [0.25, 0.35, 0.25, 0.1, 0.05]


def _courses() -> list[str]:
    below = [course for part in (TECHNICAL, OTHER) for courses in part.values() for course in courses]
    return [*OBLIGATORY, *below]


N_TECHNICAL = sum(map(len, TECHNICAL.values()))
N_BOOKS = [2 + i % 3 for i in range(22)]
"""Two, three or four textbooks to choose from, course by course."""


def students(n_persons: int = 1000, seed: int = 0, least_books: int = 1, most_books: int = 1) -> DatabaseSet:
    """One obligatory course, two or three technical and two or three other electives of 22 courses for each student.

    For every course a student bought one of its two to four textbooks, or ``least_books`` to ``most_books`` of them
    as far as there are so many. Some courses and books are more popular than others. Quasi-identifiers are courses
    and books; grades, the average and prices are sensitive.

    Parameters
    ----------
    n_persons : int
    seed : int
        The same seed gives the same tables.
    least_books, most_books : int
        A choice of one in the paper's experiments; up to 4.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("students", n_persons=1000)
    >>> 5000 <= made.tables["courses"].num_rows <= 7000
    True
    """
    import pyarrow as pa

    n_persons, least_books = whole("n_persons", n_persons, 1), whole("least_books", least_books, 0)
    most_books = whole("most_books", most_books, least_books)
    rng = np.random.default_rng(whole("seed", seed, 0))
    courses = _courses()
    student, course = _enrol(rng, n_persons)
    taken, book = _buy(rng, course, least_books, most_books)
    grade = rng.choice(len(GRADES), len(course), p=SHARES).astype(np.int8)
    points = np.bincount(student, weights=4 - np.minimum(grade, 4), minlength=n_persons)
    average = np.round(points / np.maximum(np.bincount(student, minlength=n_persons), 1), 2)
    titles = [f"{name}, book {i + 1}" for name, n in zip(courses, N_BOOKS, strict=True) for i in range(n)]
    tables = {
        "students": pa.table({"student": np.arange(1, n_persons + 1), "average": average}),
        "courses": pa.table(
            {
                "enrolment": np.arange(1, len(course) + 1),
                "student": student + 1,
                "course": dictionary_column(courses, course.astype(np.int8)),
                "grade": dictionary_column(GRADES, grade),
            }
        ),
        "books": pa.table(
            {
                "enrolment": taken + 1,
                "book": dictionary_column(titles, book.astype(np.int16)),
                "price": 20 + book % 7 * 5 + rng.integers(0, 5, len(book)),
            }
        ),
    }
    return DatabaseSet("students", tables, _schema(), ABOUT)


def _enrol(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Student and course of every enrolment, student by student."""
    obligatory = rng.choice(len(OBLIGATORY), n, p=[0.6, 0.4])[:, None]
    technical = _electives(rng, n, N_TECHNICAL, 2 + rng.integers(0, 2, n)) + len(OBLIGATORY)
    n_other = 22 - len(OBLIGATORY) - N_TECHNICAL
    other = _electives(rng, n, n_other, 2 + rng.integers(0, 2, n)) + len(OBLIGATORY) + N_TECHNICAL
    other = np.where(other < 22, other, -1)
    technical = np.where(technical < len(OBLIGATORY) + N_TECHNICAL, technical, -1)
    grid = np.concatenate([obligatory, technical, other], axis=1)
    student, place = np.nonzero(grid >= 0)
    return student, grid[student, place]


def _electives(rng: np.random.Generator, n: int, n_courses: int, chosen: np.ndarray) -> np.ndarray:
    """Up to three different courses a student, the popular ones more often; a large number where there is none."""
    popularity = zipf(n_courses, 0.8)
    # Taking the smallest of exponential waiting times draws without replacement, in proportion to the weights.
    waiting = rng.exponential(size=(n, n_courses)) / popularity
    order = np.argsort(waiting, axis=1)[:, :3]
    return np.where(np.arange(3)[None] < chosen[:, None], order, 1 << 20)


def _buy(rng: np.random.Generator, course: np.ndarray, least: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Enrolment and book of every purchase."""
    n_books, first = np.array(N_BOOKS), np.append(0, np.cumsum(N_BOOKS))
    weights = np.where(np.arange(4)[None] < n_books[:, None], zipf(4, 1.0)[None], 1e-300)
    order = np.argsort(rng.exponential(size=(len(course), 4)) / weights[course], axis=1)
    bought = np.minimum(rng.integers(least, most + 1, len(course)), n_books[course])
    enrolment, place = np.nonzero(np.arange(4)[None] < bought[:, None])
    return enrolment, first[course[enrolment]] + order[enrolment, place]


def _schema() -> DatabaseSchema:
    courses = _courses()
    book_of = {name: [f"{name}, book {i + 1}" for i in range(n)] for name, n in zip(courses, N_BOOKS, strict=True)}
    books = {
        "Obligatory books": {f"{name} books": book_of[name] for name in OBLIGATORY},
        **{
            f"{part} books": {f"{name} books": book_of[name] for names in groups.values() for name in names}
            for part, groups in (("Technical", TECHNICAL), ("Nontechnical", OTHER))
        },
    }
    course = Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(GROUPS))
    book = Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(books))
    sensitive = Column(role="sensitive")
    return DatabaseSchema(
        {
            "students": Relation(Schema({"average": sensitive}), key="student"),
            "courses": Relation(
                Schema({"course": course, "grade": sensitive}),
                key="enrolment",
                parent="students",
                foreign_key="student",
            ),
            "books": Relation(Schema({"book": book, "price": sensitive}), parent="courses", foreign_key="enrolment"),
        }
    )
