"""The Patients table of the Mondrian paper."""

import pytest

from amongst import datasets


@pytest.mark.known_answer(
    "mondrian",
    "figure 1",
    what="the Patients table",
    answer="six rows, from 25, Male, 53711, Flu to 28, Male, 53711, Hang Nail",
)
def test_mondrian_figure_1():
    patients = datasets.patients()
    assert [tuple(row.values()) for row in patients.table.to_pylist()] == [
        (25, "Male", 53711, "Flu"),
        (25, "Female", 53712, "Hepatitis"),
        (26, "Male", 53711, "Brochitis"),
        (27, "Male", 53710, "Broken Arm"),
        (27, "Female", 53712, "AIDS"),
        (28, "Male", 53711, "Hang Nail"),
    ]
    assert patients.schema.quasi == ["Age", "Sex", "Zipcode"]
    assert patients.schema.sensitive == ["Disease"]
