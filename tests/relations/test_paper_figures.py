"""The worked examples of MultiRelational k-Anonymity: figure 3, the loss of a cell, and Chris of section 3.1."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import amongst as am
from amongst.kernels import relations as kernels
from amongst.kernels.relations import Rules
from amongst.relations.attack import Intruder, known_tree
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.forest import Forest, build_forest
from amongst.relations.local import local
from amongst.relations.publish import labels
from amongst.relations.stores import read_database
from amongst.relations.universal import universal
from benchmarks.papers.generalized_keys import local_by_keys, universal_by_keys

MADE = am.datasets.load_database("transcripts")
CHRIS = [{"Course": "History"}, {"Course": "Math"}, {"Course": "Physics"}]


def forest_of(made: Any) -> Forest:
    stored = read_database(made.tables)
    schema = check_tables(made.schema, stored)
    return build_forest(schema, stored, check_keys(schema, stored))


@pytest.mark.known_answer(
    "multirelational",
    "figure 3",
    what="students S1 and S2 made alike",
    answer="both take Physics, Science and Social; Dynamics stays, Calculus is suppressed",
)
@pytest.mark.parametrize("method", ["miracle", "miracle-x"])
@pytest.mark.parametrize("pairing", ["greedy", "optimal"])
def test_figure_3_two_students_made_alike(method: str, pairing: str) -> None:
    two = {"students": 2, "courses": 6, "books": 5}
    tables = {name: MADE.tables[name].slice(0, rows) for name, rows in two.items()}
    release = am.anonymize_database(tables, MADE.schema, [am.KAnonymity(2)], method=method, pairing=pairing)
    courses = release.tables["courses"].to_pylist()
    for student in ("1", "2"):
        assert sorted(row["Course"] for row in courses if row["Sid"] == student) == ["Physics", "Science", "Social"]
    course_of = {row["SCid"]: row["Course"] for row in courses}
    books = Counter((course_of[row["SCid"]], row["Book"]) for row in release.tables["books"].to_pylist())
    assert books == {("Physics", "Dynamics"): 2, ("Science", "Discrete"): 2}  # Calculus is suppressed
    assert sorted(row["Grade"] for row in courses if row["Course"] == "Science") == [78, 93]
    assert sorted(row["GPA"] for row in release.tables["students"].to_pylist()) == ["2.34", "3.72"]


@pytest.mark.known_answer(
    "multirelational", "table 4", what="four students, k = 2", answer="two classes, S1 with S2 and S3 with S4"
)
def test_table_4_has_two_groups() -> None:
    release = am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(2)])
    groups = release.group_of_person
    assert groups[0] == groups[1] != groups[2] == groups[3]
    assert release.verdict.group_sizes == {2: 2}
    assert release.utility.dm == 8


@pytest.mark.known_answer(
    "multirelational",
    "sections 2.1 and 2.2",
    what="who takes History with the book American History, and whose GPA may be 3.72",
    answer="S4 alone before, nobody after; 3.72 stands beside 2.34",
)
def test_section_2_george_is_found_in_table_3_and_not_in_table_4() -> None:
    def takers(tables: Any) -> list[str]:
        with_book = {row["SCid"] for row in tables["books"].to_pylist() if row["Book"] == "American History"}
        courses = tables["courses"].to_pylist()
        return [row["Sid"] for row in courses if row["Course"] == "History" and row["SCid"] in with_book]

    assert takers(MADE.tables) == ["S4"]
    release = am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(2)])
    assert takers(release.tables) == []
    in_physics = {row["Sid"] for row in release.tables["courses"].to_pylist() if row["Course"] == "Physics"}
    gpas = [row["GPA"] for row in release.tables["students"].to_pylist() if row["Sid"] in in_physics]
    assert sorted(gpas) == ["2.34", "3.72"]


@pytest.mark.known_answer(
    "multirelational",
    "section 2, definition 7 (LM)",
    what="loss of Science in the tree of courses",
    answer="(3 - 1) / (5 - 1)",
)
def test_the_loss_of_science_is_two_of_four() -> None:
    forest = forest_of(MADE)
    column, price = forest.columns[1][0], forest.tables[1].prices[0]
    codes = {value: code for code, value in enumerate(column.values.to_pylist())}
    lo, hi = min(codes["Math"], codes["CS"]), max(codes["Math"], codes["CS"])
    rule = forest.schema["courses"].schema["Course"]
    import numpy as np

    assert labels(column, rule, np.array([lo]), np.array([hi])).to_pylist() == ["Science"]
    assert price.of(np.array([lo]), np.array([hi]))[0] / price.full == (3 - 1) / (5 - 1)


def test_loss_counts_suppressed_cells_as_one() -> None:
    two = {"students": 2, "courses": 6, "books": 5}
    tables = {name: MADE.tables[name].slice(0, rows) for name, rows in two.items()}
    utility = am.anonymize_database(tables, MADE.schema, [am.KAnonymity(2)]).utility
    assert utility.tables["courses"].columns["Course"] == pytest.approx((2 * 0.5 + 2 * 0.25) / 6)
    assert utility.tables["books"].columns["Book"] == pytest.approx(1 / 5)
    assert utility.tables["books"].suppressed == 1
    assert utility.tables["students"].lm == 0
    # Definition 7 over 11 cells; a student, who has no quasi-identifier, counts as one cell that was kept.
    assert utility.lm == pytest.approx((1.5 + 1) / (11 + 2))


@pytest.mark.known_answer(
    "multirelational",
    "section 3.1",
    what="who fits what is known of Chris in the anonymized universal table",
    answer="one student, S1, though every row is there twice",
)
def test_section_3_1_chris_in_the_universal_table() -> None:
    """Every combination is in two rows, and yet only one student fits what is known of Chris."""
    courses_only = am.DatabaseSchema({name: MADE.schema[name] for name in ("students", "courses")}, leave_out=["books"])
    tables, schema = universal({name: MADE.tables[name] for name in courses_only}, courses_only, k=2)
    counts = Counter(tables["universal"]["courses.Course"].to_pylist())
    assert min(counts.values()) >= 2
    known = {"universal": [{"courses.Course": one["Course"]} for one in CHRIS]}
    fitting = Intruder(tables, schema, rows_missing=False).candidates(known)
    assert [row["person"] for row in fitting] == [1]
    told = [row for row in tables["universal"].to_pylist() if row["person"] == 1]
    assert {row["students.GPA"] for row in told} == {"3.72"}  # which is what the intruder wanted to know
    assert not am.verify_database(tables, schema, [am.KAnonymity(2)]).ok


@pytest.mark.known_answer(
    "multirelational",
    "section 3.2",
    what="who fits what is known of Chris in tables anonymized one by one",
    answer="one student, S1",
)
def test_section_3_2_chris_in_tables_anonymized_one_by_one() -> None:
    tables, schema = local(MADE.tables, MADE.schema, k=2)
    assert min(Counter(tables["courses"]["Course"].to_pylist()).values()) >= 2
    fitting = Intruder(tables, schema, rows_missing=False).candidates({"courses": CHRIS})
    assert [row["Sid"] for row in fitting] == ["S1"]
    assert not am.verify_database(tables, schema, [am.KAnonymity(2)]).ok


@pytest.mark.known_answer(
    "multirelational",
    "section 3.1, second approach",
    what="whose rows share a class when keys are generalized like values",
    answer="of some classes one student's alone, though every row is there twice",
)
def test_section_3_1_generalized_keys_group_one_student_with_herself() -> None:
    courses_only = am.DatabaseSchema({name: MADE.schema[name] for name in ("students", "courses")}, leave_out=["books"])
    joined = universal_by_keys({name: MADE.tables[name] for name in courses_only}, courses_only, k=2).to_pylist()
    alike = Counter((row["person"], row["courses.Course"]) for row in joined)
    assert min(alike.values()) >= 2
    alone = [person for person, _ in alike if "-" not in person]
    assert alone  # a class with one key, so of one student
    # What a student has once tells whose the other rows are: a grade average belongs to one student.
    assert all(len({row["students.GPA"] for row in joined if row["person"] == person}) == 1 for person in alone)


@pytest.mark.known_answer(
    "multirelational",
    "section 3.2, second approach",
    what="what tables with generalized keys, each by itself, tell of Chris",
    answer="his two science courses share a class with nobody else's, so his grades are known",
)
def test_section_3_2_generalized_keys_do_not_hide_grades() -> None:
    tables = local_by_keys(MADE.tables, MADE.schema, k=2)
    courses = tables["courses"].to_pylist()
    assert min(Counter((row["Sid"], row["Course"]) for row in courses).values()) >= 2
    own = [row for row in courses if row["Sid"] == "1"]  # a class of the first student's rows alone
    assert len(own) >= 2
    assert {row["Grade"] for row in own} <= {row["Grade"] for row in MADE.tables["courses"].to_pylist()[:3]}


@pytest.mark.parametrize("method", ["miracle", "miracle-x", "bitmap"])
def test_chris_hides_amongst_others_in_a_release(method: str) -> None:
    release = am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(2)], method=method)
    intruder = Intruder(release.tables, MADE.schema)
    assert len(intruder.candidates({"courses": CHRIS})) >= 2
    for row in range(4):
        assert len(intruder.candidates(known_tree(MADE.tables, MADE.schema, row))) >= 2


def test_a_full_cluster_has_k_members() -> None:
    """The paper closes a cluster with more than k elements; k are enough, as in its table 4 for k = 2."""
    forest = forest_of(MADE)
    import numpy as np

    made = kernels.cluster_trees(forest.tables, np.zeros((0, 6)), Rules(k=2))
    assert np.bincount(made.group_of_person).tolist() == [2, 2]
